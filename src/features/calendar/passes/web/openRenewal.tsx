import { addDays, dayInJerusalem } from '#domain/day.ts'
import { call, failureText } from '#kit/web/calls/call.ts'
import { show } from '#kit/web/parts/shown.ts'
import { callsOf } from '#kit/web/screens/resources.ts'
import { banner } from '#kit/web/shell/banner.ts'
import type { Words } from '#kit/web/words/words.tsx'
import { getPass } from '../endpoints.ts'
import { passKinds } from '../passes.ts'
import { SellDialog } from './SellDialog.tsx'

/**
 * The next pass of the person who holds this one: the same kind and people, from the day after it. What is sold no
 * more, or once to each, is chosen again.
 */
export async function openRenewal(t: Words, id: string): Promise<void> {
  try {
    const { row } = await call(getPass, { id })
    const kind = await call(callsOf(passKinds).get, { id: row.kindId })
    const today = dayInJerusalem(new Date())
    const runs = row.state !== 'ended' && row.toDay >= today
    const named = (one: { id: string; name: string }) => ({ key: one.id, label: one.name })
    show((close) => (
      <SellDialog
        customer={named({ id: row.customerId, name: row.customerName })}
        again={{
          kind: kind.archivedAt || kind.isTrial ? null : named({ id: row.kindId, name: row.kindName }),
          fromDay: runs ? addDays(row.toDay, 1) : today,
          people: row.people.map(named),
        }}
        onClose={close}
      />
    ))
  } catch (e) {
    banner.error(failureText(t, e))
  }
}
