import { formatDay, formatPercent } from '#domain/format.ts'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { keyOf, queryClient } from '#kit/web/calls/call.ts'
import { refreshResource } from '#kit/web/screens/resources.ts'
import { useWords, type Words } from '#kit/web/words/words.tsx'
import { getOrder, ordersOfCustomer, runProgress, type Coming, type OrderAnswer } from '../endpoints.ts'
import { holdings } from '#features/registers/parties/holdings.ts'
import { standingOrders, type OrderState, type PeriodState } from '../standingOrders.ts'

const tones: Record<OrderState, StatusTone> = {
  draft: 'draft',
  trial: 'info',
  active: 'done',
  ending: 'wait',
  paused: 'plain',
  failing: 'late',
  needsCard: 'late',
  held: 'late',
  ended: 'plain',
  cancelled: 'plain',
}
export function OrderStatePill({ state }: { state: OrderState }) {
  const t = useWords()
  return <StatusPill tone={tones[state]}>{t(`standingOrders.state.${state}`)}</StatusPill>
}

const periodTones: Record<PeriodState, StatusTone> = {
  asked: 'wait',
  inFile: 'info',
  billed: 'info',
  failed: 'late',
  done: 'done',
  givenUp: 'late',
  skipped: 'plain',
}
export function PeriodPill({ state }: { state: PeriodState }) {
  const t = useWords()
  return <StatusPill tone={periodTones[state]}>{t(`standingOrders.period.${state}`)}</StatusPill>
}

/** How often: "every month on the 1st". */
export function everyWords(
  t: Words,
  { everyN, unit, billingDay = 0 }: { everyN: number; unit: OrderAnswer['unit']; billingDay?: number },
): string {
  const every = t(`standingOrders.every.${unit}`, { count: everyN })
  return billingDay === 0
    ? every
    : billingDay === 31
      ? t('standingOrders.every.onLast', { every })
      : t('standingOrders.every.on', { every, day: billingDay })
}

/** What is special about a charge to come. */
export function comingNotes(
  t: Words,
  { partDays, partOf, reduced, linkBp, day, plannedDay }: Coming,
): string[] {
  return [
    ...(partDays !== null && partOf !== null
      ? [t('standingOrders.coming.part', { days: partDays, of: partOf })]
      : []),
    ...(reduced ? [t(`standingOrders.coming.${reduced}`)] : []),
    ...(linkBp ? [t('standingOrders.coming.linked', { percent: formatPercent(linkBp) })] : []),
    ...(day === plannedDay ? [] : [t('standingOrders.coming.shifted', { day: formatDay(plannedDay) })]),
  ]
}

/** Everything that shows orders asks again. */
export const refreshOrders = () =>
  Promise.all([
    refreshResource(standingOrders),
    refreshResource(holdings),
    ...[getOrder, ordersOfCustomer, runProgress].map((one) =>
      queryClient.invalidateQueries({ queryKey: keyOf(one) }),
    ),
  ])
