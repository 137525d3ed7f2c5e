import type { Ability } from '../acquirers.ts'
import type { Acquirer } from './door.ts'
import type { Gateway } from './gateway.ts'

/** What an acquirer can do, read off what its object holds: a declaration cannot promise more than there is. */
export function abilitiesOf({ page, card, hold, void: voids, giveBack, byKey, day }: Acquirer, gateway: Gateway): Ability[] {
  const has: Partial<Record<Ability, unknown>> = {
    page,
    saves: page?.saves,
    token: card,
    check: card?.check,
    hold,
    void: voids,
    refund: giveBack,
    refundPart: giveBack?.part,
    asksByKey: byKey,
    day,
    forget: card?.forget,
    instalments: gateway.instalments.includes('regular'),
    credit: gateway.instalments.includes('credit'),
    threeDs: gateway.threeDs,
  }
  return (Object.keys(has) as Ability[]).filter((one) => has[one])
}
