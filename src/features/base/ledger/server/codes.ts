import { sql } from 'kysely'
import {
  balanceCodeTemplates,
  cardKindTemplates,
  sortCodeTemplates,
  vatCodeTemplates,
} from '#domain/ledger/codes.ts'
import { vatRateOn } from '#domain/vat/rates.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { seesWhole } from '#kit/describe/session.ts'
import { checkWithin, wholeShare } from '#kit/server/contract/bounds.ts'
import { databaseFailures } from '#kit/server/contract/failures.ts'
import { newId, type Ctx, type Language } from '#kit/server/context.ts'
import type { Implementation } from '#kit/server/contract/implement.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { serveResource, type ServedResource } from '#kit/server/described/resources.ts'
import { say } from '#kit/server/words.ts'
import { todayThere } from '#kit/server/data/todayThere.ts'
import { balanceCodes, cardKinds, sortCodes, vatAccounts, vatCodes, vatCodeTerms } from '../codes.ts'
import { balanceToday } from './sums.ts'
import '../rules.ts'

databaseFailures.PK220 = () => failField('parentId', 'ledger.belowItself')

/**
 * Gives a business the customary codes when it asks for them the first time, named in its language like its
 * accounts.
 */
export async function ensureCodes(ctx: Ctx): Promise<void> {
  const { rows } = await sql`select 1 from card_kinds where company_id = ${ctx.companyId} limit 1`.execute(
    ctx.tx,
  )
  if (rows.length) return
  const { rows: companies } = await sql<{
    language: Language
  }>`select language from companies where id = ${ctx.companyId}`.execute(ctx.tx)
  const language = companies[0]?.language ?? 'he'
  const name = (table: string, key: string) => say(language, `ledger.template.${table}.${key}`)
  const put = (table: string, given: Record<string, unknown>[]) => {
    const columns = sql.join(Object.keys(given[0]!).map((column) => sql.ref(column)))
    return sql`insert into ${sql.table(table)} (${columns})
      select ${columns}
      from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(given)}::jsonb)
      on conflict do nothing`.execute(ctx.tx)
  }
  const own = { company_id: ctx.companyId }
  await put(
    'card_kinds',
    cardKindTemplates.map(([key, kind, from, to]) => ({
      ...own,
      id: newId(),
      key,
      name: name('cardKinds', key),
      kind,
      from_number: from,
      to_number: to,
    })),
  )
  const balanceIds = new Map(balanceCodeTemplates.map(([code]) => [code, newId()]))
  await put(
    'balance_codes',
    balanceCodeTemplates.map(([code, key, side, parent], position) => ({
      ...own,
      id: balanceIds.get(code),
      key,
      code,
      name: name('balanceCodes', key),
      parent_id: parent ? balanceIds.get(parent) : null,
      position,
      side,
    })),
  )
  const sortIds = new Map(sortCodeTemplates.map(({ code }) => [code, newId()]))
  await put(
    'sort_codes',
    sortCodeTemplates.map(({ code, key, side, parent, profitLine, balance }, position) => ({
      ...own,
      id: sortIds.get(code),
      key,
      code,
      name: name('sortCodes', key),
      parent_id: parent ? sortIds.get(parent) : null,
      position,
      side,
      profit_line: profitLine ?? null,
      balance_code_id: balance ? balanceIds.get(balance) : null,
    })),
  )
  const { rows: accounts } = await sql<{
    id: string
    number: string
  }>`select id, number from accounts where company_id = ${ctx.companyId}`.execute(ctx.tx)
  const accountId = (number: string | undefined) => accounts.find((a) => a.number === number)?.id ?? null
  // Who charges no VAT needs the code of what is exempt only.
  const charges = accountId('2100') !== null
  await put(
    'vat_codes',
    vatCodeTemplates
      .filter(({ key }) => charges || key === 'exempt')
      .map(({ code, key, kind, share, line, account }) => ({
        ...own,
        id: newId(),
        key,
        code,
        name: name('vatCodes', key),
        kind,
        vat_share: share,
        return_line: line,
        account_id: accountId(account),
      })),
  )
  await sql`update accounts a set card_kind_id = k.id from card_kinds k where a.company_id = ${ctx.companyId}
      and k.company_id = a.company_id
    and a.card_kind_id is null and a.number ~ '^[0-9]{1,15}$'
    and a.number::numeric between k.from_number::numeric and k.to_number::numeric`.execute(ctx.tx)
}

/** Calls of a resource of codes: the business has its codes before the first of them. */
const withCodes = (source: ServedResource): Implementation[] =>
  serveResource(source).map((one) => ({
    ...one,
    inside: async (ctx: Ctx, input: never) => {
      await ensureCodes(ctx)
      return one.inside!(ctx, input)
    },
  }))

const inUse = async (ctx: Ctx, title: unknown, query: ReturnType<typeof sql>): Promise<void> => {
  const { rows } = await query.execute(ctx.tx)
  if (rows.length) throw fail('ledger.codeInUse', { code: String(title) })
}

/** The code a column points to, by which it is also found when it comes from a file. */
const coded = (table: string, column: string) =>
  sql`(select c.code from ${sql.table(table)} c where c.company_id = t.company_id
      and c.id = ${sql.ref(`t.${column}`)})`

/** What of a code holds today by its terms; null before the first. `t` is the code. */
const termNow = (column: 'rate_bp' | 'vat_share') =>
  sql`(select n.${sql.ref(column)} from vat_code_terms n where n.company_id = t.company_id
      and n.vat_code_id = t.id and n.archived_at is null
    and n.from_day <= ${todayThere} order by n.from_day desc limit 1)`

/** Two terms of one day would each say something else. */
async function oncePerDay(ctx: Ctx, vatCodeId: string, day: string, own: unknown): Promise<void> {
  const { rows } =
    await sql`select 1 from vat_code_terms where company_id = ${ctx.companyId} and vat_code_id = ${vatCodeId}
        and from_day = ${day}
    and archived_at is null and id is distinct from ${own ?? null}::uuid`.execute(ctx.tx)
  if (rows.length) throw failField('fromDay', 'ledger.termTwice')
}

export const codeImplementations = [
  ...withCodes({
    resource: cardKinds,
    refuses: ['ledger.codeInUse'],
    compute: {
      accountCount: sql`(select count(*) from accounts a where a.company_id = t.company_id
          and a.card_kind_id = t.id and a.archived_at is null)::int`,
    },
    beforeSave: async (_ctx, values, before) => {
      for (const name of ['fromNumber', 'toNumber'])
        if (values[name] !== undefined && !/^\d{1,15}$/.test(String(values[name])))
          throw failField(name, 'fields.number')
      const [from, to] = [values.fromNumber ?? before?.fromNumber, values.toNumber ?? before?.toNumber]
      if (BigInt(String(from)) > BigInt(String(to))) throw failField('toNumber', 'ledger.rangeTurned')
      return values
    },
    beforeMove: async (ctx, row, to) => {
      if (to === 'archive')
        await inUse(
          ctx,
          row.name,
          sql`select 1 from accounts where company_id = ${ctx.companyId} and card_kind_id = ${row.id}
              and archived_at is null limit 1`,
        )
    },
  }),
  ...withCodes({
    resource: sortCodes,
    refuses: ['ledger.codeInUse'],
    compute: {
      accountCount: sql`(select count(*) from accounts a where a.company_id = t.company_id
          and a.sort_code = t.code and a.archived_at is null)::int`,
    },
    refNames: {
      parentId: coded('sort_codes', 'parent_id'),
      balanceCodeId: coded('balance_codes', 'balance_code_id'),
    },
    beforeSave: async (ctx, values, before) => {
      await checkRef(ctx, 'parentId', 'sort_codes', values.parentId)
      await checkRef(ctx, 'balanceCodeId', 'balance_codes', values.balanceCodeId)
      // Accounts carry the code itself: they follow when it is written again.
      if (before && values.code !== undefined && values.code !== before.code)
        await sql`update accounts set sort_code = ${values.code}, updated_at = now()
          where company_id = ${ctx.companyId} and sort_code = ${before.code}`.execute(ctx.tx)
      return values
    },
    beforeMove: async (ctx, row, to) => {
      if (to === 'archive')
        await inUse(
          ctx,
          row.code,
          sql`select 1 from accounts where company_id = ${ctx.companyId} and sort_code = ${row.code}
              and archived_at is null
            union all select 1 from sort_codes where company_id = ${ctx.companyId} and parent_id = ${row.id}
              and archived_at is null limit 1`,
        )
    },
  }),
  ...withCodes({
    resource: balanceCodes,
    refuses: ['ledger.codeInUse'],
    compute: {
      sortCount: sql`(select count(*) from sort_codes s where s.company_id = t.company_id
          and s.balance_code_id = t.id and s.archived_at is null)::int`,
    },
    refNames: { parentId: coded('balance_codes', 'parent_id') },
    beforeSave: async (ctx, values) => {
      await checkRef(ctx, 'parentId', 'balance_codes', values.parentId)
      return values
    },
    beforeMove: async (ctx, row, to) => {
      if (to === 'archive')
        await inUse(
          ctx,
          row.code,
          sql`select 1 from sort_codes where company_id = ${ctx.companyId} and balance_code_id = ${row.id}
              and archived_at is null
            union all select 1 from balance_codes where company_id = ${ctx.companyId}
              and parent_id = ${row.id} and archived_at is null limit 1`,
        )
    },
  }),
  ...withCodes({
    resource: vatCodes,
    compute: {
      nowBp: sql`case when t.kind in ('exempt', 'zero') then 0
          else coalesce(${termNow('rate_bp')}, ${vatRateOn('2100-01-01')}) end`,
      nowShare: sql`coalesce(${termNow('vat_share')}, t.vat_share)`,
    },
  }),
  ...withCodes({
    resource: vatCodeTerms,
    compute: {
      title: sql`(select c.name from vat_codes c where c.company_id = t.company_id and c.id = t.vat_code_id)
          || ' ' || to_char(t.from_day, 'DD/MM/YYYY')`,
    },
    refNames: {
      vatCodeId: sql`(select c.name from vat_codes c where c.company_id = t.company_id
          and c.id = t.vat_code_id)`,
    },
    beforeSave: async (ctx, values, before) => {
      await checkRef(ctx, 'vatCodeId', 'vat_codes', values.vatCodeId)
      const { vatCodeId, fromDay, rateBp } = { ...before, ...values } as {
        vatCodeId: string
        fromDay: string
        rateBp: number | null
      }
      checkWithin('rateBp', rateBp, wholeShare)
      await oncePerDay(ctx, vatCodeId, fromDay, before?.id)
      return values
    },
    beforeMove: async (ctx, row, to) => {
      if (to === 'restore') await oncePerDay(ctx, String(row.vatCodeId), String(row.fromDay), row.id)
    },
  }),
  ...withCodes({
    resource: vatAccounts,
    verbs: ['list', 'get', 'change', 'export'],
    keptFrom: (ctx) => (seesWhole(ctx.caller) ? [] : ['balanceAgorot']),
    compute: {
      code: sql`t.code`,
      name: sql`t.name`,
      kind: sql`t.kind`,
      // An account of VAT is of the balance sheet.
      balanceAgorot: balanceToday(sql`t.account_id`, sql`false`),
    },
    refNames: {
      accountId: sql`(select a.number || ' ' || a.name from accounts a where a.company_id = t.company_id
          and a.id = t.account_id)`,
    },
    beforeSave: async (ctx, values) => {
      await checkRef(
        ctx,
        'accountId',
        'accounts',
        values.accountId,
        sql`kind in ('asset', 'liability') and archived_at is null`,
      )
      return values
    },
  }),
]
