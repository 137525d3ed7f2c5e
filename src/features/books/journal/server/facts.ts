import { sql } from 'kysely'
import type { z } from 'zod'
import { systemAccounts } from '#domain/ledger/chart.ts'
import { can } from '#kit/describe/session.ts'
import { newId, type Ctx, type Language } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { ensureCodes } from '#features/base/ledger/server/index.ts'
import type { journalFacts } from '../endpoints.ts'
import { heldBy, termsOf } from './judge.ts'

/**
 * Kinds of movement most books know: the word, the accounts by their customary numbers, the VAT code by its
 * key.
 */
const templates = [
  { code: '1', key: 'sale', debit: '1010', credit: '4000', vat: 'sale' },
  { code: '2', key: 'purchase', debit: '6900', credit: '1010', vat: 'input' },
  { code: '3', key: 'equipment', debit: '1500', credit: '1010', vat: 'equipment' },
  { code: '4', key: 'bankFee', debit: '6200', credit: '1010' },
  { code: '5', key: 'cashToBank', debit: '1010', credit: '1000' },
  { code: '6', key: 'wages', debit: '6130', credit: '2400' },
  { code: '7', key: 'depreciation', debit: '6180', credit: '1590' },
  { code: '8', key: 'ownerDrawing', debit: '3010', credit: '1010' },
] as const

/** Gives a business a few kinds of movement when it asks for them the first time. */
export async function ensureKinds(ctx: Ctx): Promise<void> {
  await ensureCodes(ctx)
  const { rows } =
    await sql`select 1 from movement_kinds where company_id = ${ctx.companyId} limit 1`.execute(ctx.tx)
  if (rows.length) return
  const { rows: companies } = await sql<{
    language: Language
  }>`select language from companies where id = ${ctx.companyId}`.execute(ctx.tx)
  const { rows: accounts } = await sql<{
    id: string
    number: string
  }>`select id, number from accounts where company_id = ${ctx.companyId}`.execute(ctx.tx)
  const { rows: codes } = await sql<{
    id: string
    key: string | null
  }>`select id, key from vat_codes where company_id = ${ctx.companyId}`.execute(ctx.tx)
  const account = (number: string) => accounts.find((a) => a.number === number)?.id ?? null
  const given = templates
    .filter(({ debit, credit }) => account(debit) && account(credit))
    .map((one) => ({
      company_id: ctx.companyId,
      id: newId(),
      code: one.code,
      name: say(companies[0]?.language ?? 'he', `journal.template.${one.key}`),
      debit_account_id: account(one.debit),
      credit_account_id: account(one.credit),
      vat_code_id: 'vat' in one ? (codes.find((c) => c.key === one.vat)?.id ?? null) : null,
    }))
  await sql`insert into movement_kinds (company_id, id, code, name, debit_account_id, credit_account_id,
      vat_code_id)
    select company_id, id, code, name, debit_account_id, credit_account_id, vat_code_id
    from jsonb_populate_recordset(null::movement_kinds, ${JSON.stringify(given)}::jsonb)
    on conflict do nothing`.execute(ctx.tx)
}

type Facts = z.input<typeof journalFacts.output>

/** What the grid needs to know; archived accounts and codes are not offered. */
export async function factsOf(ctx: Ctx): Promise<Facts> {
  await ensureKinds(ctx)
  const { rows: accounts } = await sql<Facts['accounts'][number]>`select a.id, a.number, a.name, a.kind,
      case a.number when ${systemAccounts.customers} then 'customers' when ${systemAccounts.suppliers} then
      'suppliers' end as control,
      nullif(${heldBy}, 'ILS') as held
    from accounts a where a.company_id = ${ctx.companyId} and a.archived_at is null
    order by a.number`.execute(ctx.tx)
  const { rows: vatCodes } = await sql<
    Facts['vatCodes'][number]
  >`select c.id, c.code, c.name, c.kind, c.vat_share as share, ${termsOf} as terms,
      c.account_id as "accountId" from vat_codes c where c.company_id = ${ctx.companyId}
      and c.archived_at is null order by length(c.code), c.code`.execute(ctx.tx)
  const { rows: kinds } = await sql<
    Facts['kinds'][number]
  >`select id, code, name, details, debit_account_id as "debitAccountId",
      credit_account_id as "creditAccountId", vat_code_id as "vatCodeId"
    from movement_kinds where company_id = ${ctx.companyId} and archived_at is null
    order by length(code), code`.execute(ctx.tx)
  const { rows: projects } = can(ctx.caller, 'projects.see')
    ? await sql<Facts['projects'][number]>`select id, coalesce(number, '') as number, name from projects
        where company_id = ${ctx.companyId} and archived_at is null and state = 'open' order by name
        limit 2000`.execute(ctx.tx)
    : { rows: [] }
  return { today: ctx.today, accounts, vatCodes, kinds, projects }
}
