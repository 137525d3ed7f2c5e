import { sql } from 'kysely'
import { withholdingCodes as codes, withholdingKindsOn } from '#domain/withholding/kinds.ts'
import { failField } from '#kit/describe/errors.ts'
import { checkWithin, wholeShare } from '#kit/server/bounds.ts'
import { newId, type Ctx, type Language } from '#kit/server/context.ts'
import type { Implementation } from '#kit/server/implement.ts'
import { serveInWords, type ServedResource } from '#kit/server/resources.ts'
import { say } from '#kit/server/words.ts'
import { withholdingCodes } from '../withholdingCodes.ts'

/** Gives a business the law's codes when it looks at them the first time. */
export async function ensureCodes(ctx: Ctx): Promise<void> {
  const { rows } =
    await sql`select 1 from withholding_codes where company_id = ${ctx.companyId} limit 1`.execute(ctx.tx)
  if (rows.length) return
  const given = withholdingKindsOn(ctx.today).map(({ code, rateBp, withoutBooksBp }) => ({
    company_id: ctx.companyId,
    id: newId(),
    code,
    rate_bp: rateBp,
    without_books_bp: withoutBooksBp,
    kind856: code,
  }))
  await sql`insert into withholding_codes (company_id, id, code, rate_bp, without_books_bp, kind856)
    select company_id, id, code, rate_bp, without_books_bp, kind856
    from jsonb_populate_recordset(null::withholding_codes, ${JSON.stringify(given)}::jsonb)
    on conflict do nothing`.execute(ctx.tx)
}

/** The law's word for a code, in a language, until the business has one of its own. */
const words = (language: Language) =>
  sql`coalesce(t.name, ${JSON.stringify(
    Object.fromEntries(codes.map((code) => [code, say(language, `filings.codes.${code}`)])),
  )}::jsonb ->> t.code)`

const served = (language: Language): ServedResource => ({
  resource: withholdingCodes,
  noArchive: true,
  verbs: ['list', 'get', 'change', 'export'],
  compute: {
    name: words(language),
    suppliers: sql`(select count(*)::int from parties p where p.company_id = t.company_id
        and p.role = 'supplier' and p.archived_at is null
      and coalesce(p.withholding_kind, '06') = t.code)`,
  },
  beforeSave: (_ctx, values, before) => {
    const all = { ...before, ...values } as { rateBp: number; withoutBooksBp: number; kind856: string }
    for (const name of ['rateBp', 'withoutBooksBp'] as const) checkWithin(name, all[name], wholeShare)
    if (all.withoutBooksBp < all.rateBp) throw failField('withoutBooksBp', 'filings.ratesOrder')
    if (!/^\d{2}$/.test(all.kind856)) throw failField('kind856', 'filings.kind856')
    return Promise.resolve(values)
  },
})

export const codeImplementations: Implementation[] = serveInWords(served).map((one) => ({
  ...one,
  inside: async (ctx: Ctx, input: never) => {
    await ensureCodes(ctx)
    return one.inside!(ctx, input)
  },
}))
