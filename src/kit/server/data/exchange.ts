import { sql } from 'kysely'
import { inShekels } from '#domain/bank/inCurrency.ts'
import type { Day } from '#domain/day.ts'
import type { Agorot } from '#domain/money.ts'
import type { Ctx } from '../context.ts'

/** Every known rate as rows `r` (currency, day, rate, source, own): the business's own beside the common ones. */
export const knownRates = ({ companyId }: Pick<Ctx, 'companyId'>) =>
  sql`(select currency, day, rate, source, 1 as own from company_rates where company_id = ${companyId}
  union all select currency, day, rate, 'common', 0 from exchange_rates) r`

/** Shekels for one unit of a currency on a day: the last rate published on or before it. */
async function rateOn(ctx: Ctx, day: Day, currency: string): Promise<string | undefined> {
  const { rows } = await sql<{ rate: string }>`select trim_scale(r.rate)::text as rate from ${knownRates(ctx)}
    where r.currency = ${currency} and r.day <= ${day} order by r.day desc, r.own desc
    limit 1`.execute(ctx.tx)
  return rows[0]?.rate
}

/**
 * An amount in hundredths of a currency, in agorot of the shekel at today's rate; null where no rate is known. Limits
 * are compared in shekels, and never at a rate that somebody typed on the document itself.
 */
export async function inShekelsToday(ctx: Ctx, amount: Agorot, currency: string): Promise<Agorot | null> {
  if (currency === 'ILS') return amount
  const rate = await rateOn(ctx, ctx.today, currency)
  return rate === undefined ? null : inShekels(amount, rate)
}
