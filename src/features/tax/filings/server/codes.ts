import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { withholdingCodes as codes, withholdingKindsOn } from '#domain/withholding/kinds.ts'
import { failField } from '#kit/describe/errors.ts'
import { checkWithin, wholeShare } from '#kit/server/contract/bounds.ts'
import { byOf, newId, type Ctx, type Language } from '#kit/server/context.ts'
import type { Implementation } from '#kit/server/contract/implement.ts'
import { serveInWords, type ServedResource } from '#kit/server/described/resources.ts'
import { say } from '#kit/server/words.ts'
import { withholdingCodes } from '../withholdingCodes.ts'

/** Gives a business the law's codes when it looks at them the first time. */
export async function ensureCodes(ctx: Ctx): Promise<void> {
  const { rows } =
    await sql`select 1 from withholding_codes where company_id = ${ctx.companyId} limit 1`.execute(ctx.tx)
  if (rows.length) return
  const given = codes.map((code) => ({ company_id: ctx.companyId, id: newId(), code, kind856: code }))
  await sql`insert into withholding_codes (company_id, id, code, kind856)
    select company_id, id, code, kind856
    from jsonb_populate_recordset(null::withholding_codes, ${JSON.stringify(given)}::jsonb)
    on conflict do nothing`.execute(ctx.tx)
}

interface Rates {
  rateBp: number | null
  withoutBooksBp: number | null
  fromDay: Day | null
}

/**
 * Keeps rates of the business's own from a day on, from today where none is given. What held before that day stays: a
 * payment that is dated back takes the rate of its day. Emptied rates are the law's again from the day on.
 */
async function keepRates(
  ctx: Ctx,
  all: Rates & { code: string },
  given: Partial<Rates>,
): Promise<Partial<Rates>> {
  const isLaw = given.rateBp === null || given.withoutBooksBp === null
  const fromDay = given.fromDay ?? ctx.today
  const rates = isLaw
    ? { rateBp: null, withoutBooksBp: null }
    : { rateBp: all.rateBp, withoutBooksBp: all.withoutBooksBp }
  await sql`insert into withholding_rates (company_id, code, from_day, rate_bp, without_books_bp, created_by)
    values (${ctx.companyId}, ${all.code}, ${fromDay}, ${rates.rateBp}, ${rates.withoutBooksBp}, ${byOf(ctx)})
    on conflict (company_id, code, from_day) do update
    set rate_bp = excluded.rate_bp, without_books_bp = excluded.without_books_bp, updated_at = now()`.execute(
    ctx.tx,
  )
  return { ...rates, fromDay }
}

/** The law's name of a code, in a language, until the business sets another. */
const words = (language: Language) =>
  sql`coalesce(t.name, ${JSON.stringify(
    Object.fromEntries(codes.map((code) => [code, say(language, `filings.codes.${code}`)])),
  )}::jsonb ->> t.code)`

/** What holds of a code on a day: the business's own rates that began last, the law's where there are none. */
const rateToday = (today: Day, column: 'rate_bp' | 'without_books_bp', of: 'rateBp' | 'withoutBooksBp') =>
  sql`coalesce((select ${sql.ref(`r.${column}`)} from withholding_rates r
      where r.company_id = t.company_id and r.code = t.code and r.from_day <= ${today}
      order by r.from_day desc limit 1),
    (${JSON.stringify(
      Object.fromEntries(withholdingKindsOn(today).map((kind) => [kind.code, kind[of]])),
    )}::jsonb ->> t.code)::int)`

const served = (language: Language, today: Day): ServedResource => ({
  resource: withholdingCodes,
  noArchive: true,
  verbs: ['list', 'get', 'change', 'export'],
  compute: {
    name: words(language),
    rateBp: rateToday(today, 'rate_bp', 'rateBp'),
    withoutBooksBp: rateToday(today, 'without_books_bp', 'withoutBooksBp'),
    fromDay: sql`(select case when r.rate_bp is null then null else r.from_day end from withholding_rates r
      where r.company_id = t.company_id and r.code = t.code and r.from_day <= ${today}
      order by r.from_day desc limit 1)`,
    suppliers: sql`(select count(*)::int from parties p where p.company_id = t.company_id
        and p.role = 'supplier' and p.archived_at is null
      and coalesce(p.withholding_kind, '06') = t.code)`,
  },
  beforeSave: async (ctx, values, before) => {
    const all = { ...before, ...values } as unknown as Rates & { code: string; kind856: string }
    for (const name of ['rateBp', 'withoutBooksBp'] as const) checkWithin(name, all[name], wholeShare)
    if ((all.withoutBooksBp ?? 0) < (all.rateBp ?? 0)) throw failField('withoutBooksBp', 'filings.ratesOrder')
    if (!/^\d{2}$/.test(all.kind856)) throw failField('kind856', 'filings.kind856')
    return 'rateBp' in values || 'withoutBooksBp' in values || 'fromDay' in values
      ? { ...values, ...(await keepRates(ctx, all, values)) }
      : values
  },
})

export const codeImplementations: Implementation[] = serveInWords(served).map((one) => ({
  ...one,
  inside: async (ctx: Ctx, input: never) => {
    await ensureCodes(ctx)
    return one.inside!(ctx, input)
  },
}))
