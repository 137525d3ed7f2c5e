import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import type { readers } from './readers.ts'
import type { Ctx } from '#kit/server/context.ts'
import { knownRates } from '#kit/server/data/exchange.ts'
import { implement } from '#kit/server/contract/implement.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import * as calls from '../endpoints.ts'
import type { Rate } from '../endpoints.ts'
import '../rules.ts'
import { thresholdsFor } from './thresholds.ts'
import type { ReadRate } from './read.ts'

export { start } from './bank.ts'
export { claimThreshold, keepThreshold, thresholdsFor } from './thresholds.ts'

const page = 100

const shown = sql`r.currency, r.day::text as day, trim_scale(r.rate)::text as rate, r.source`

/** The rates that hold on a day: each currency's last one on or before it. */
export async function ratesOn(ctx: Ctx, day: Day, currency?: string): Promise<Rate[]> {
  const { rows } = await sql<Rate>`select distinct on (r.currency) ${shown} from ${knownRates(ctx)}
    where r.day <= ${day} ${currency ? sql`and r.currency = ${currency}` : sql``}
    order by r.currency, r.day desc, r.own desc`.execute(ctx.tx)
  return rows
}

async function keep(ctx: Ctx, rows: ReadRate[], source: 'typed' | 'file'): Promise<void> {
  await sql`insert into company_rates (company_id, currency, day, rate, source, created_by)
    select ${ctx.companyId}, x.currency, x.day, x.rate, ${source}, ${ctx.caller.userId}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(currency text, day date, rate numeric)
    on conflict (company_id, currency, day) do update set rate = excluded.rate, source = excluded.source,
      created_by = excluded.created_by, updated_at = now()`.execute(ctx.tx)
}

export const implementations = [
  implement(calls.allocationFrom, async (ctx, { day = ctx.today }) => ({
    day,
    agorot: (await thresholdsFor(ctx))(day) ?? null,
  })),
  implement(calls.ratesOfDay, async (ctx, { currency, day }) => ({
    rows: await ratesOn(ctx, day ?? ctx.today, currency),
  })),
  implement(calls.rateHistory, async (ctx, { currency, before }) => {
    const { rows } = await sql<Rate>`select distinct on (r.day) ${shown} from ${knownRates(ctx)}
      where r.currency = ${currency} ${before ? sql`and r.day < ${before}` : sql``}
      order by r.day desc, r.own desc limit ${page + 1}`.execute(ctx.tx)
    return { rows: rows.slice(0, page), more: rows.length > page }
  }),
  implement(calls.keepRate, async (ctx, one) => {
    if (one.day > ctx.today) throw failField('day', 'rates.future')
    await keep(ctx, [one], 'typed')
    await ctx.audit('rates.keep', 'rates', null, undefined, one)
    return { ...one, source: 'typed' as const }
  }),
  implement(calls.removeRate, async (ctx, { currency, day }) => {
    const { rows } = await sql<{ rate: string }>`delete from company_rates
      where company_id = ${ctx.companyId} and currency = ${currency} and day = ${day} returning rate`.execute(
      ctx.tx,
    )
    if (!rows[0]) throw fail('kit.notFound')
    await ctx.audit('rates.remove', 'rates', null, { currency, day, rate: rows[0].rate })
    return { done: true as const }
  }),
  implement(calls.importRates, async (ctx, { bytes, currency, look }) => {
    const read = await readIn<typeof readers>()('rates.file', { bytes, currency })
    const rows = read.rows.filter(({ day }) => day <= ctx.today).sort((a, b) => (a.day < b.day ? 1 : -1))
    if (!rows.length) throw fail('rates.nothingFound')
    const told = {
      count: rows.length,
      currencies: [...new Set(rows.map((row) => row.currency))].sort(),
      from: rows.at(-1)!.day,
      to: rows[0]!.day,
      skipped: read.skipped + read.rows.length - rows.length,
    }
    if (look === 'false') {
      for (let i = 0; i < rows.length; i += 5000) await keep(ctx, rows.slice(i, i + 5000), 'file')
      await ctx.audit('rates.import', 'rates', null, undefined, told)
    }
    return { ...told, sample: rows.slice(0, 8) }
  }),
]

export const machines: Machines = {
  'timer bank.ts': { inside: 'rates that everybody may read, of no business' },
}
