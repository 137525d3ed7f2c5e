import { sql } from 'kysely'
import { addMonths } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isInvoice, isLive } from '#kit/server/data/documentFacts.ts'
import { reportedThrough } from '#features/tax/vat/server/index.ts'
import { writeOff } from './writeOff.ts'

/** Of a demo business: the oldest invoice of a reported period that nobody paid is written off. */
export async function showBadDebt(ctx: Ctx): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from documents where company_id = ${ctx.companyId}
      and ${isInvoice()} and ${isLive()} and currency = 'ILS' and open_agorot = ils_total_agorot
      and ils_held_agorot = 0 and series not like '%#opening' and day <= ${addMonths(ctx.today, -7)}
      and day <= ${(await reportedThrough(ctx)) ?? ctx.today}
    order by day, id limit 1`.execute(ctx.tx)
  if (rows[0])
    await writeOff(ctx, {
      id: rows[0].id,
      ground: 'enforcement',
      steps: 'שלושה מכתבי התראה, ותיק הוצאה לפועל 02-48171-25 שלא הניב תשלום.',
      vatPaid: true,
    })
}
