import { sql, type RawBuilder } from 'kysely'
import type { Day, Period } from '../../../domain/day.ts'
import { bookFiguresOf, type BookFigures, type LedgerLine } from '../../../domain/vat/twoWays.ts'
import { paidPart, type InputPaper } from '../../../domain/vat/papers.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { basisOn, type BasisChange } from './basis.ts'
import type { Paid } from './papers.ts'

type Line = LedgerLine & { accountId: string; documentId: string | null; type: number | null; docDay: Day | null }

/** Of these entries the turnover is read; what a settlement posts beside them is none. */
const saleKinds = sql`('taxInvoice', 'taxInvoiceReceipt', 'creditInvoice')`

/** Lines of the books with what they are about; the figures of a paper are never looked at. */
const linesWhere = (ctx: Ctx, where: RawBuilder<unknown>) => sql<Line>`
  select case when x.expense_id is not null then 'expense:' || x.expense_id when e.document_id is not null then 'document:' || e.document_id
      else 'entry:' || coalesce(e.reverses_id, e.id) end as key,
    e.kind in ${saleKinds} as "isSale", e.kind = 'expense' and p.party_id is not null as "isBill",
    case when a.number = '2100' or v.kind = 'sale' then 'outputVat' when a.number = '1200' or v.kind = 'input' then 'inputVat'
      when a.number = '1210' or v.kind = 'equipment' then 'equipmentVat' when a.number in ('1100', '2000') then 'party'
      when a.number = '8900' then 'rounding' else 'other' end as role,
    p.amount_agorot as amount, p.account_id as "accountId", e.document_id as "documentId", d.type, d.day as "docDay"
  from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id
    left join (select distinct on (account_id) account_id, kind from vat_codes where company_id = ${ctx.companyId} and account_id is not null
      and kind in ('sale', 'input', 'equipment') order by account_id, kind) v on v.account_id = a.id
    join entries e on e.company_id = p.company_id and e.id = p.entry_id
    left join expense_entries x on x.company_id = e.company_id and x.entry_id = e.id
    left join documents d on d.company_id = e.company_id and d.id = e.document_id
  where p.company_id = ${ctx.companyId} and ${where}`

/** The accounts of VAT: those of the chart, and those a VAT code of the business posts to. */
const ofVat = sql`(a.number in ('1200', '1210', '2100') or v.kind is not null)`

/** Whether an entry only moves what is owed for a period to the settlement account: our own and its reversal say so, one by hand touches it. */
const isSettlement = sql`(e.document_id is null and x.expense_id is null and (e.kind = 'vatSettlement'
  or exists (select 1 from entries o where o.company_id = e.company_id and o.id = e.reverses_id and o.kind = 'vatSettlement') or exists (select 1 from postings s join accounts b on b.company_id = s.company_id and b.id = s.account_id
  where s.company_id = p.company_id and s.entry_id = p.entry_id and b.number = '2110')))`

/** The lines of an invoice on cash basis count when it is paid, not when it stands in the books. */
const waitsBy = (changes: readonly BasisChange[]) => (l: Line) =>
  l.type !== null && l.type !== 9 && l.type !== 12 && basisOn(changes, l.docDay!) === 'cash'

/** What each account of VAT holds of a period, debit positive; what was paid of invoices on cash basis stands on `outputVat`. */
export async function vatByAccount(
  ctx: Ctx,
  period: Period,
  paid: ReadonlyMap<string, Paid>,
  changes: readonly BasisChange[],
  outputVat: string,
): Promise<Map<string, number>> {
  const { rows } = await linesWhere(ctx, sql`p.day between ${period.from} and ${period.to} and ${ofVat} and not ${isSettlement}`).execute(
    ctx.tx,
  )
  const waits = waitsBy(changes)
  const balances = new Map<string, number>()
  const add = (account: string, amount: number) => balances.set(account, (balances.get(account) ?? 0) + amount)
  for (const line of rows) if (!changes.length || !waits(line)) add(line.accountId, line.amount)
  if (paid.size) {
    const books = await booksOf(ctx, period, paid, changes)
    for (const id of paid.keys()) add(outputVat, -(books.get(`document:${id}`)?.outputVat ?? 0))
  }
  return new Map([...balances].filter(([, amount]) => amount !== 0))
}

/** The bills of a non-profit by their suppliers' cards: no account of VAT knows them. */
export async function billedOf(ctx: Ctx, inputs: readonly InputPaper[]): Promise<Map<string, BookFigures>> {
  const ids = inputs.flatMap(({ key, gross }) => (gross === null ? [] : [key.slice('expense:'.length)]))
  if (!ids.length) return new Map()
  const { rows } = await linesWhere(ctx, sql`x.expense_id = any(${ids}::uuid[]) and e.kind = 'expense' and a.number = '2000'`).execute(
    ctx.tx,
  )
  return bookFiguresOf(rows)
}

/** The second way: everything of the period from the lines of the books, by what they are about. */
export async function booksOf(
  ctx: Ctx,
  { from, to }: Period,
  paid: ReadonlyMap<string, Paid>,
  changes: readonly BasisChange[],
): Promise<Map<string, BookFigures>> {
  const { rows: vat } = await linesWhere(ctx, sql`p.day between ${from} and ${to} and ${ofVat} and not ${isSettlement}`).execute(ctx.tx)
  const { rows: sales } = await linesWhere(
    ctx,
    sql`p.day between ${from} and ${to} and e.document_id is not null and e.kind in ${saleKinds} and not ${ofVat}`,
  ).execute(ctx.tx)
  const bills = [...new Set(vat.map((l) => l.key).filter((key) => key.startsWith('expense:')))].map((key) => key.slice(8))
  const { rows: gross } = bills.length
    ? await linesWhere(ctx, sql`x.expense_id = any(${bills}::uuid[]) and e.kind = 'expense' and a.number = '2000'`).execute(ctx.tx)
    : { rows: [] }
  const waits = waitsBy(changes)
  const lines: Line[] = [...vat, ...sales, ...gross]
  const books = bookFiguresOf(changes.length ? lines.filter((l) => !waits(l)) : lines)
  if (!paid.size) return books
  const { rows: old } = await linesWhere(ctx, sql`e.document_id = any(${[...paid.keys()]}::uuid[]) and e.kind in ${saleKinds}`).execute(
    ctx.tx,
  )
  for (const [key, whole] of bookFiguresOf(old)) {
    const { before, after, total } = paid.get(key.slice('document:'.length))!
    const part = (amount: number) => paidPart(amount, after, total) - (before === 0 ? 0 : paidPart(amount, before, total))
    books.set(key, { ...whole, net: part(whole.net), outputVat: part(whole.outputVat) })
  }
  return books
}
