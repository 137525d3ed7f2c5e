import { sql } from 'kysely'
import { addMonths } from '#domain/day.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { testRow } from '#features/money/acquirers/server/index.ts'
import { keepInvoice } from './fees.ts'
import { keepDay } from './take.ts'

/**
 * The acquirer's list of the days on which a demo business was paid by card: all fits but one deal that
 * nobody knows of; and a deposit that waits to be booked.
 */
export async function showSettlements(ctx: Ctx): Promise<void> {
  const terminal = await testRow(ctx)
  if (!terminal) return
  const { rows } = await sql<{
    day: string
    uid: string
    agorot: number
    approval: string
    last4: string
  }>`select (paid_at at time zone 'Asia/Jerusalem')::date::text as day, uid,
      amount_agorot as agorot, approval, card_last4 as last4 from charges where company_id = ${ctx.companyId}
      and terminal_id = ${terminal.id} and state = 'paid' order by paid_at`.execute(ctx.tx)
  const days = [...new Set(rows.map(({ day }) => day))]
  for (const [i, day] of days.entries())
    await keepDay(
      ctx,
      terminal.id,
      day,
      [
        ...rows.filter((one) => one.day === day).map(({ day: _, ...one }) => ({ ...one, currency: 'ILS' })),
        ...(i === 0
          ? [{ uid: 'T7Q2M0', agorot: 8_500, currency: 'ILS', last4: '1188', approval: '550921' }]
          : []),
      ],
      'api',
    )
  await sql`insert into acquirer_deposits (company_id, id, terminal_id, external_id, day, net_agorot)
    values (${ctx.companyId}, ${newId()}, ${terminal.id}, 'D-20881', ${ctx.today}, 117480)`.execute(ctx.tx)
  await keepInvoice(ctx, {
    terminalId: terminal.id,
    month: addMonths(ctx.today, -1).slice(0, 7),
    number: '402718',
    feeAgorot: 2_340,
    feeVatAgorot: 421,
  })
}
