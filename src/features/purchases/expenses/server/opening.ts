import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import { numberKey } from '#domain/vat/bills.ts'

export interface OpeningBill {
  supplierId: string
  /** As it is on the original bill. */
  number: string
  day: Day
  dueDay: Day | null
  /** The day the books begin. */
  booksDay: Day
  currency: string
  rate: string
  /** Owed by us in its currency, and in shekels at the rate; negative: money or a credit of ours. */
  agorot: number
  ilsAgorot: number
}

/**
 * Against what it was carried over: the account of opening balances, and what that is called among the kinds
 * of expenses.
 */
interface Carried {
  accountId: string
  name: string
}

/**
 * Of no VAT and no cost: both were counted where the bill was booked. Of all kinds this one is never offered.
 */
async function openingType(ctx: Ctx, { accountId, name }: Carried): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`select id from expense_types where company_id = ${ctx.companyId} and account_id = ${accountId}
    and vat_share = 'none' and archived_at is not null order by id limit 1`.execute(ctx.tx)
  if (rows[0]) return rows[0].id
  const id = newId()
  await sql`insert into expense_types (company_id, id, name, account_id, vat_share, archived_at)
    values (${ctx.companyId}, ${id}, ${name}, ${accountId}, 'none', now())`.execute(ctx.tx)
  return id
}

/**
 * Keeps what was owed to suppliers before the books began here as open bills; their entries are the caller's
 * affair. Answers their ids.
 */
export async function keepOpeningBills(
  ctx: Ctx,
  bills: readonly OpeningBill[],
  carried: Carried,
): Promise<string[]> {
  if (!bills.length) return []
  const typeId = await openingType(ctx, carried)
  const by = byOf(ctx)
  const kept = bills.map((bill) => ({ ...bill, id: newId(), numberKey: numberKey(bill.number) }))
  const rows = sql`jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as b
      (id uuid, "supplierId" uuid, number text, "numberKey" text, day date, "dueDay" date,
    "booksDay" date, currency text, rate numeric, agorot bigint, "ilsAgorot" bigint)`
  await sql`insert into expenses (company_id, id, supplier_id, supplier_number, number_key, paper, day,
      vat_day, claims_vat, books_day, due_day, details, currency, rate,
      net_agorot, vat_agorot, total_agorot, ils_net_agorot, ils_vat_agorot, ils_total_agorot,
      recognised_vat_agorot, equipment_vat_agorot, open_agorot, type_id, state,
      means, source, entered_by, approved_by, approved_at)
    select ${ctx.companyId}, b.id, b."supplierId", b.number, b."numberKey", 'receipt', b.day, b.day, false,
      b."booksDay", b."dueDay", ${carried.name}, b.currency, b.rate,
      b.agorot, 0, b.agorot, b."ilsAgorot", 0, b."ilsAgorot", 0, 0, b."ilsAgorot", ${typeId}, 'approved',
      'onCredit', 'opening', ${by}, ${by}, ${ctx.now.toISOString()}
    from ${rows}`.execute(ctx.tx)
  await sql`insert into expense_lines (company_id, expense_id, line, type_id, account_id, net_agorot,
      vat_agorot, ils_net_agorot, ils_vat_agorot, vat_share,
      recognised_vat_agorot, income_tax_bp, is_fixed_asset, depreciation_bp)
    select ${ctx.companyId}, b.id, 1, ${typeId}, ${carried.accountId}, b.agorot, 0, b."ilsAgorot", 0, 'none',
      0, 0, false, 0 from ${rows}`.execute(ctx.tx)
  return kept.map(({ id }) => id)
}

/** That an entry came of a bill. */
export const tieOpeningBills = (ctx: Ctx, ties: readonly { expenseId: string; entryId: string }[]) =>
  sql`insert into expense_entries (company_id, entry_id, expense_id) select ${ctx.companyId}, t."entryId",
      t."expenseId"
    from jsonb_to_recordset(${JSON.stringify(ties)}::jsonb) as t ("entryId" uuid, "expenseId" uuid)`.execute(
    ctx.tx,
  )

/**
 * Takes opening bills back that nothing has paid yet, not even in part; false when something has paid one of
 * them.
 */
export async function dropOpeningBills(ctx: Ctx, ids: readonly string[]): Promise<boolean> {
  const { rows } =
    await sql`update expenses set state = 'cancelled', open_agorot = 0, cancelled_vat_day = vat_day,
        updated_at = now()
    where company_id = ${ctx.companyId} and id = any(${[...ids]}::uuid[]) and source = 'opening'
      and state = 'approved' and open_agorot = ils_total_agorot returning id`.execute(ctx.tx)
  return rows.length === ids.length
}
