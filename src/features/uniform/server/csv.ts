import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '../../../kit/server/context.ts'
import { harmless } from '../../../kit/server/exports/table.ts'
import { inPages } from './rows.ts'
import type { Range } from './uniformFile.ts'

interface Table {
  name: string
  /** Columns by name; those that end with _agorot come in units of the currency. */
  query: (ctx: Ctx, range: Range) => RawBuilder<Record<string, unknown>>
}

const all = (name: string, table: string, columns: string, order: string): Table => ({
  name,
  query: (ctx) => sql`select ${sql.raw(columns)} from ${sql.table(table)} where company_id = ${ctx.companyId} order by ${sql.raw(order)}`,
})
const ofDays = (name: string, table: string, columns: string, dayed: string, link: string, order: string): Table => ({
  name,
  query: (
    ctx,
    { from, to },
  ) => sql`select ${sql.raw(columns)} from ${sql.table(table)} t join ${sql.table(dayed)} d on d.company_id = t.company_id and d.id = t.${sql.ref(link)}
    where t.company_id = ${ctx.companyId} and d.day between ${from} and ${to} order by ${sql.raw(order)}`,
})

const partyColumns =
  'id, name, name_on_document, tax_id, is_dealer, contact, email, phone, mobile, street, city, zip, country, language, due_terms, zero_rate, notes, tags, bank_code, bank_branch, bank_account, iban, created_at, archived_at'

/** Every register whole, and what happened in the range. Keys of pages, tokens and what the program keeps for itself stay out. */
const tables: readonly Table[] = [
  all('accounts', 'accounts', 'id, number, name, kind, sort_code, code6111, archived_at', 'number'),
  ...(['customer', 'supplier'] as const).map((role): Table => ({
    name: `${role}s`,
    query: (ctx) => sql`select ${sql.raw(partyColumns)} from parties where company_id = ${ctx.companyId} and role = ${role} order by id`,
  })),
  all(
    'items',
    'items',
    'id, sku, barcode, name, details, unit, price, currency, vat_kind, cost, is_stocked, account_id, archived_at',
    'id',
  ),
  all('projects', 'projects', 'id, name', 'id'),
  all('expense-types', 'expense_types', 'id, key, name, account_id, vat_share, income_tax_bp, is_fixed_asset, archived_at', 'id'),
  {
    name: 'documents',
    query: (
      ctx,
      { from, to },
    ) => sql`select id, type, series, number, status, day, due_day, currency, rate, language, customer_id, customer->>'name' as customer_name,
        customer->>'taxId' as customer_tax_id, subject, notes, order_number, vat_rate_bp, subtotal_agorot, discount_agorot, net_taxable_agorot, net_exempt_agorot,
        net_zero_agorot, vat_agorot, rounding_agorot, total_agorot, ils_net_agorot, ils_vat_agorot, ils_total_agorot, open_agorot, source_id, cancelled_by_id,
        reason, by_hand, allocation_number, issued_at
      from documents where company_id = ${ctx.companyId} and status <> 'draft' and day between ${from} and ${to} order by day, type, number`,
  },
  ofDays(
    'document-lines',
    'document_lines',
    't.document_id, t.line, t.item_id, t.sku, t.description, t.quantity, t.unit, t.unit_price, t.discount_bp, t.discount_sum_agorot, t.vat_kind, t.vat_class, t.amount_agorot, t.discount_share_agorot, t.net_agorot, t.vat_agorot, t.total_agorot, t.ils_net_agorot, t.account_id',
    'documents',
    'document_id',
    'd.day, t.document_id, t.line',
  ),
  ofDays(
    'document-payments',
    'document_payments',
    't.document_id, t.line, t.means, t.amount_agorot, t.ils_agorot, t.day, t.due_day, t.instalments, t.card_brand, t.card_last4, t.bank, t.branch, t.account, t.number, t.reference, t.state',
    'documents',
    'document_id',
    'd.day, t.document_id, t.line',
  ),
  {
    name: 'settlements',
    query: (
      ctx,
      { from, to },
    ) => sql`select id, day, from_id, to_id, from_agorot, to_agorot, from_ils_agorot, to_ils_agorot, reverses_id from settlements
      where company_id = ${ctx.companyId} and day between ${from} and ${to} order by day, id`,
  },
  {
    name: 'expenses',
    query: (
      ctx,
      { from, to },
    ) => sql`select id, supplier_id, supplier_number, paper, day, vat_day, books_day, due_day, allocation_number, details, currency, rate, net_agorot, vat_agorot,
        total_agorot, ils_net_agorot, ils_vat_agorot, ils_total_agorot, recognised_vat_agorot, equipment_vat_agorot, open_agorot, type_id, state, means, paid_day
      from expenses where company_id = ${ctx.companyId} and day between ${from} and ${to} order by day, id`,
  },
  ofDays(
    'expense-lines',
    'expense_lines',
    't.expense_id, t.line, t.type_id, t.account_id, t.details, t.net_agorot, t.vat_agorot, t.ils_net_agorot, t.ils_vat_agorot, t.vat_share, t.recognised_vat_agorot, t.income_tax_bp, t.is_fixed_asset',
    'expenses',
    'expense_id',
    'd.day, t.expense_id, t.line',
  ),
  {
    name: 'supplier-payments',
    query: (
      ctx,
      { from, to },
    ) => sql`select id, number, supplier_id, day, means, reference, gross_agorot, withheld_agorot, net_agorot, withheld_bp, cancelled_at from supplier_payments
      where company_id = ${ctx.companyId} and day between ${from} and ${to} order by day, id`,
  },
  {
    name: 'entries',
    query: (ctx, { from, to }) => sql`select id, day, value_day, kind, reference, details, document_id, reverses_id, created_at from entries
      where company_id = ${ctx.companyId} and day between ${from} and ${to} order by day, id`,
  },
  {
    name: 'postings',
    query: (
      ctx,
      { from, to },
    ) => sql`select p.entry_id, p.line, p.day, a.number as account, a.name as account_name, p.party_id, q.name as party, p.amount_agorot, p.currency, p.foreign_amount
      from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id left join parties q on q.company_id = p.company_id and q.id = p.party_id
      where p.company_id = ${ctx.companyId} and p.day between ${from} and ${to} order by p.day, p.entry_id, p.line`,
  },
]

const cell = (column: string, value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (column.endsWith('_agorot') || column === 'foreign_amount') return (Number(value) / 100).toFixed(2)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = value instanceof Date ? value.toISOString() : Array.isArray(value) ? value.join(', ') : String(value)
  // A decimal is a decimal; whatever else begins like a formula may not run.
  const safe = /^-?\d+(\.\d+)?$/.test(text) ? text : harmless(text)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Everything as CSV files; answers the number of rows of each. Heads are the names of the columns, sums in units of their currency. */
export async function writeCsv(
  ctx: Ctx,
  range: Range,
  open: (name: string) => { write: (text: string) => void; end: () => void },
  tell: (rows: number) => Promise<void>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  let rows = 0
  for (const table of tables) {
    const file = open(`${table.name}.csv`)
    counts[table.name] = 0
    let columns: string[] | undefined
    for await (const page of inPages(ctx, table.query(ctx, range))) {
      if (!columns) {
        columns = Object.keys(page[0]!)
        file.write(`\ufeff${columns.map((column) => column.replace(/_agorot$/, '')).join(',')}\r\n`)
      }
      file.write(page.map((row) => `${columns!.map((column) => cell(column, row[column])).join(',')}\r\n`).join(''))
      counts[table.name]! += page.length
      rows += page.length
      await tell(rows)
    }
    file.end()
  }
  return counts
}
