import { sql, type RawBuilder } from 'kysely'
import { yearOf, type Day } from '#domain/day.ts'
import { expenseTypeTemplates } from '#domain/expenses/types.ts'
import { failField } from '#kit/describe/errors.ts'
import { checkWithin, wholeShare } from '#kit/server/contract/bounds.ts'
import { newId, type Ctx, type Language } from '#kit/server/context.ts'
import type { Implementation } from '#kit/server/contract/implement.ts'
import { serveInWords, type ServedResource } from '#kit/server/described/resources.ts'
import { say } from '#kit/server/words.ts'
import { expenseTypes } from '../expenses.ts'

const languages = ['he', 'en', 'ar', 'ru', 'fr'] as const

const wordsIn = Object.fromEntries(languages.map((l) => [l, undefined])) as Record<
  Language,
  string | undefined
>

/**
 * The name of a kind of expense: its own, or the template's word in a language. `t` is the alias of
 * expense_types.
 */
export const typeName = (language: Language, t = 't'): RawBuilder<string> => {
  wordsIn[language] ??= JSON.stringify(
    Object.fromEntries(expenseTypeTemplates.map(({ key }) => [key, say(language, `expenses.types.${key}`)])),
  )
  return sql<string>`coalesce(${sql.ref(`${t}.name`)}, ${wordsIn[language]}::jsonb ->> ${sql.ref(`${t}.key`)},
      '')`
}

/** Gives a business the kinds of expense it begins with, when it asks for them the first time. */
export async function ensureTypes(ctx: Ctx): Promise<void> {
  // The put away kind that opening balances of suppliers stand on is none that is offered.
  const { rows } = await sql`select 1 from expense_types where company_id = ${ctx.companyId}
        and (key is not null or archived_at is null) limit 1`.execute(ctx.tx)
  if (!rows.length) await addTypes(ctx, expenseTypeTemplates)
}

async function addTypes(ctx: Ctx, templates: typeof expenseTypeTemplates): Promise<void> {
  const { rows: accounts } = await sql<{
    id: string
    number: string
  }>`select id, number from accounts where company_id = ${ctx.companyId}
      and kind in ('expense', 'asset')`.execute(ctx.tx)
  const idOf = new Map(accounts.map((a) => [a.number, a.id]))
  const other = idOf.get('6900') ?? accounts[0]?.id
  const given = templates.map((t) => ({
    company_id: ctx.companyId,
    id: newId(),
    key: t.key,
    account_id: idOf.get(t.account) ?? other,
    vat_share: t.vatShare,
    income_tax_bp: t.incomeTaxBp,
    is_fixed_asset: t.depreciationBp !== undefined,
    depreciation_bp: t.depreciationBp ?? 0,
  }))
  await sql`insert into expense_types (company_id, id, key, account_id, vat_share, income_tax_bp,
      is_fixed_asset, depreciation_bp)
    select company_id, id, key, account_id, vat_share, income_tax_bp, is_fixed_asset, depreciation_bp
    from jsonb_populate_recordset(null::expense_types, ${JSON.stringify(given)}::jsonb)
    on conflict do nothing`.execute(ctx.tx)
}

/** The id of a kind of expense of the template. */
export async function typeByKey(ctx: Ctx, key: string): Promise<string> {
  await ensureTypes(ctx)
  const find = async () => {
    const { rows } = await sql<{
      id: string
    }>`select id from expense_types where company_id = ${ctx.companyId} and key = ${key}`.execute(ctx.tx)
    return rows[0]?.id
  }
  const there = await find()
  if (there) return there
  // A business that began with kinds of another program has no template.
  await addTypes(
    ctx,
    expenseTypeTemplates.filter((one) => one.key === key),
  )
  const id = await find()
  if (!id) throw new Error(`no such kind of expense: ${key}`)
  return id
}

/**
 * The kind that books to an account, of several the one that every business begins with; undefined where none
 * does.
 */
export async function typeOfAccount(ctx: Ctx, accountId: string): Promise<string | undefined> {
  await ensureTypes(ctx)
  const { rows } = await sql<{
    id: string
  }>`select id from expense_types where company_id = ${ctx.companyId} and account_id = ${accountId}
    and archived_at is null order by key = 'cardCommissions' desc nulls last, key is null, id
    limit 1`.execute(ctx.tx)
  return rows[0]?.id
}

const account = (column: string) =>
  sql`(select a.${sql.ref(column)} from accounts a where a.company_id = t.company_id and a.id = t.account_id)`

const served = (language: Language, today: Day): ServedResource => ({
  resource: expenseTypes,
  compute: {
    name: typeName(language),
    accountNumber: account('number'),
    yearAgorot: sql`coalesce((select sum(l.ils_net_agorot + l.ils_vat_agorot - l.recognised_vat_agorot)
      from expense_lines l
      join expenses e on e.company_id = l.company_id and e.id = l.expense_id
      where l.company_id = t.company_id and l.type_id = t.id and e.state = 'approved'
        and e.day >= ${`${yearOf(today)}-01-01`}), 0)::bigint`,
  },
  refNames: { accountId: account('name') },
  beforeSave: async (ctx, values) => {
    for (const name of ['incomeTaxBp', 'depreciationBp']) checkWithin(name, values[name], wholeShare)
    if (values.accountId) {
      const { rows } = await sql<{
        kind: string
      }>`select kind from accounts where company_id = ${ctx.companyId} and id = ${values.accountId}`.execute(
        ctx.tx,
      )
      if (!rows[0]) throw failField('accountId', 'fields.ref')
      if (!['expense', 'asset'].includes(rows[0].kind)) throw failField('accountId', 'expenses.accountKind')
    }
    return values
  },
})

export const typeImplementations = serveInWords(served).map((one): Implementation => ({
  ...one,
  inside: async (ctx: Ctx, input: never) => {
    await ensureTypes(ctx)
    return one.inside!(ctx, input)
  },
}))

/** The kinds of expense that may be chosen, in the order of their accounts. */
export async function typesToChoose(ctx: Ctx) {
  await ensureTypes(ctx)
  const { rows } = await sql<{
    id: string
    name: string
    accountNumber: string
    vatShare: 'full' | 'twoThirds' | 'quarter' | 'none'
    incomeTaxBp: number
    isFixedAsset: boolean
  }>`select t.id, ${typeName(ctx.caller.language)} as name, a.number as "accountNumber",
      t.vat_share as "vatShare", t.income_tax_bp as "incomeTaxBp", t.is_fixed_asset as "isFixedAsset"
    from expense_types t join accounts a on a.company_id = t.company_id and a.id = t.account_id
    where t.company_id = ${ctx.companyId} and t.archived_at is null order by a.number, 2`.execute(ctx.tx)
  return rows
}
