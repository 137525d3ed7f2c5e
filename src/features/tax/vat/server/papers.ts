import { sql, type RawBuilder } from 'kysely'
import type { Day, Period } from '#domain/day.ts'
import { typeFacts } from '#domain/documents/facts.ts'
import { countryCode } from '#domain/countries.ts'
import { vatRateOn } from '#domain/vat/rates.ts'
import type { ExpensePaper } from '#domain/vat/shares.ts'
import { soldWith } from '#domain/vat/openItems.ts'
import { partInPeriod, type InputPaper, type SaleKind, type SalePaper } from '#domain/vat/papers.ts'
import type { Ctx } from '#kit/server/context.ts'
import {
  incomeNet,
  incomeUntaxed,
  isCancelled,
  isCredit,
  isInvoiceOrCredit,
  isIssued,
  isOnAccount,
  isSelfBilled,
} from '#kit/server/data/documentFacts.ts'
import { basisChanges, basisDayOf, bringsVat, countsWhenPaid, type BasisChange } from './basis.ts'
import { plainGroup, referenceGroup } from '#domain/vat/referenceGroup.ts'
import { broughtIn } from './books.ts'
import type { Paid } from './paid.ts'

interface SaleRow {
  id: string
  type: number
  series: string
  number: number
  day: Day
  basisDay: Day | null
  taxId: string | null
  name: string | null
  country: string | null
  net: number
  untaxed: number
  vat: number
  rateBp: number
  currency: string
  allocation: string | null
  exportEntry: string | null
}

const saleColumns = sql`d.id, d.type, d.series, d.number, d.day, ${basisDayOf('d')} as "basisDay",
    d.customer->>'taxId' as "taxId", d.customer->>'name' as name, d.customer->>'country' as country,
  ${incomeNet('d')} as net, ${incomeUntaxed('d')} as untaxed, d.ils_vat_agorot as vat,
  d.vat_rate_bp as "rateBp", d.currency, d.allocation_number as allocation,
  x.number as "exportEntry"`

const withExports = (ctx: Ctx) =>
  sql`documents d left
    join (select document_id, number from export_entries where company_id = ${ctx.companyId}) x
      on x.document_id = d.id`

/** By the customer's country as the document has it; one that is not understood is at home. */
export function saleKindOf(written: string | null): SaleKind {
  const country = countryCode(written)
  if (country === undefined || country === 'IL') return 'home'
  return country === 'PS' ? 'palestinian' : 'abroad'
}

/** Another program marks a cancelled document as void and writes no credit to it, as this one does. */
const isVoid = sql`(${isCancelled('d')}
    and exists (select 1 from uniform_papers u where u.company_id = d.company_id and u.document_id = d.id)
  and not exists (select 1 from documents c where c.company_id = d.company_id and c.source_id = d.id
  and ${isCredit('c')}))`

function saleOf(row: SaleRow): SalePaper {
  const sign = typeFacts(row.type).isCredit ? -1 : 1
  const signed = (amount: number) => sign * amount || 0
  return {
    key: `document:${row.id}`,
    number: String(row.number),
    group: referenceGroup(row.series),
    day: row.day,
    taxId: row.taxId || null,
    name: row.name ?? '',
    kind: saleKindOf(row.country),
    exportEntry: row.exportEntry ?? '',
    beside: 0,
    gross: null,
    taxable: signed(row.net - row.untaxed),
    untaxed: signed(row.untaxed),
    vat: signed(row.vat),
    rateBp: row.rateBp,
    isForeign: row.currency !== 'ILS',
    allocation: row.allocation ?? '',
  }
}

interface ItemRow {
  id: string
  number: string
  day: Day
  taxId: string | null
  name: string | null
  country: string | null
  total: number
  vat: number
  allocation: string | null
}

/** Their numbers are of the program before. */
const openingGroup = referenceGroup('taxInvoice#opening')

/** Open items from before the books as the invoices they were: whole, by the number they had. */
async function itemsOf(ctx: Ctx, ids: readonly string[]): Promise<SalePaper[]> {
  const { rows } =
    await sql<ItemRow>`select i.document_id as id, i.number, i.day, d.customer->>'taxId' as "taxId",
        d.customer->>'name' as name,
      d.customer->>'country' as country, i.amount_agorot as total, i.vat_agorot as vat,
      i.allocation_number as allocation
    from opening_items i join documents d on d.company_id = i.company_id and d.id = i.document_id
    where i.company_id = ${ctx.companyId} and i.vat_agorot > 0 and i.document_id = any(${[...ids]}::uuid[])
    order by i.day, i.number`.execute(ctx.tx)
  return rows.map(({ id, number, day, taxId, name, country, total, vat, allocation }) => ({
    key: `document:${id}`,
    number,
    group: openingGroup,
    day,
    taxId: taxId || null,
    name: name ?? '',
    kind: saleKindOf(country),
    exportEntry: '',
    beside: 0,
    gross: null,
    ...soldWith(total, vat, day),
    rateBp: null,
    isForeign: false,
    allocation: allocation ?? '',
  }))
}

/**
 * What was paid in the period of documents on cash basis, and of open items from before that came with their
 * VAT. A payment that was entered after its period had been reported counts from the first day that was open
 * then, and stays there whatever is opened or reported later: it is in one return, never in two or in none. `asDated`:
 * those of the period as if they counted on their own day.
 */
export async function paidIn(
  ctx: Ctx,
  { from, to }: Period,
  changes: readonly BasisChange[],
  asDated = false,
): Promise<Map<string, Paid>> {
  if (
    !changes.some((c) => c.basis === 'cash') &&
    !(await sql<{ does: boolean }>`select ${bringsVat(ctx)} as does`.execute(ctx.tx)).rows[0]!.does
  )
    return new Map()
  const { rows } = await sql<Paid & { basisDay: Day | null; isItem: boolean }>`
    with locks as materialized
      (select from_day, to_day, locked_at, coalesce(reopened_at, 'infinity') as reopened_at
      from locked_periods
        where company_id = ${ctx.companyId} and kind = 'vat'),
      closed as (
      select s.to_id as id, s.to_ils_agorot as amount, s.day, s.created_at from settlements s
      where s.company_id = ${ctx.companyId}
      union all select s.from_id, s.from_ils_agorot, s.day, s.created_at from settlements s
      where s.company_id = ${ctx.companyId}),
    open as (
      select c.id, c.amount, c.day as dated,
        (select min(x.day)
        from (select c.day union all select l.to_day + 1 from locks l where l.to_day >= c.day) x (day)
          where not exists (select 1 from locks l where x.day between l.from_day and l.to_day
            and l.locked_at < c.created_at and c.created_at < l.reopened_at)) as day
        from closed c),
    counted as (
      select o.id, o.amount, case when ${asDated} and o.dated between ${from} and ${to} then o.dated
        else o.day end as day, case when o.dated between ${from} and ${to} and o.day > ${to} then o.day
        end as late
        from open o)
    select d.id, ${basisDayOf('d')} as "basisDay", i.document_id is not null as "isItem", case
      when i.document_id is null then d.ils_total_agorot else -d.ils_total_agorot end as total,
      coalesce(sum(c.amount) filter (where c.day < ${from}), 0)::bigint as before,
      coalesce(sum(c.amount) filter (where c.day <= ${to}), 0)::bigint as after,
      max(c.day) filter (where c.day <= ${to}) as day, max(c.late) as "countedFrom"
    from counted c join documents d on d.company_id = ${ctx.companyId} and d.id = c.id and ${isIssued('d')}
      left join opening_items i on i.company_id = d.company_id and i.document_id = d.id and i.vat_agorot > 0
    where ${isOnAccount('d')} or i.document_id is not null
    group by d.company_id, d.id, d.day, d.ils_total_agorot, d.type, d.source_id, i.document_id
    having bool_or(c.day between ${from} and ${to})`.execute(ctx.tx)
  return new Map(rows.filter((r) => r.isItem || countsWhenPaid(changes, r.basisDay)).map((r) => [r.id, r]))
}

/** Sales of the period from documents: their own figures, nothing of the books. */
export async function salesOf(
  ctx: Ctx,
  period: Period,
  paid: ReadonlyMap<string, Paid>,
  changes: readonly BasisChange[],
): Promise<SalePaper[]> {
  const { rows } =
    await sql<SaleRow>`select ${saleColumns} from ${withExports(ctx)} where d.company_id = ${ctx.companyId}
        and ${isIssued('d')}
    and ${isInvoiceOrCredit('d')} and d.day between ${period.from} and ${period.to} and not ${isVoid}
    order by d.day, d.type, d.number`.execute(ctx.tx)
  // An invoice with its receipt is paid as it is written, on either basis.
  const invoiced = rows
    .filter((r) => typeFacts(r.type).isPaidInvoice || !countsWhenPaid(changes, r.basisDay))
    .map(saleOf)
  if (!paid.size) return invoiced
  const { rows: old } =
    await sql<SaleRow>`select ${saleColumns} from ${withExports(ctx)} where d.company_id = ${ctx.companyId}
    and d.id = any(${[...paid.keys()]}::uuid[]) and ${isOnAccount('d')}
    order by d.day, d.type, d.number`.execute(ctx.tx)
  const payable = [
    ...old.map((row) => ({ id: row.id, sale: saleOf(row) })),
    ...(await itemsOf(ctx, [...paid.keys()])).map((sale) => ({
      id: sale.key.slice('document:'.length),
      sale,
    })),
  ]
  return [
    ...invoiced,
    ...payable
      .map(({ id, sale }) => ({ ...partInPeriod(sale, paid.get(id)!), day: paid.get(id)!.day, rateBp: null }))
      .filter((s) => s.taxable !== 0 || s.untaxed !== 0 || s.vat !== 0),
  ]
}

interface InputRow {
  key: string
  paper: ExpensePaper
  number: string
  day: Day
  taxId: string | null
  name: string
  sign: 1 | -1
  net: number
  vat: number
  equipment: number
  gross: number | null
  allocation: string
  bySign: { net: number; vat: number; equipmentVat: number }[] | null
}

/**
 * The number a bill's supplier has, or that of the supplier it was matched with: a record without one is often what
 * was merged.
 */
export const supplierNumber = sql`coalesce(nullif(p.tax_id, ''), nullif(k.tax_id, ''))`
export const withSuppliers = sql`left join parties p on p.company_id = e.company_id and p.id = e.supplier_id
  left join parties k on k.company_id = p.company_id and k.id = p.merged_into`

/** Which bills `e` count in a period: `times` the sign of each time, `which` the condition, both over the same rows. */
export interface Counting {
  times: RawBuilder<unknown>
  which: RawBuilder<unknown>
  /** Whether self-billed invoices without a bill count, too. */
  withDocuments: boolean
}

/** A bill counts where its VAT is claimed, its reversal where that is; both in one period count nowhere. */
const countedIn = ({ from, to }: Period): Counting => ({
  times: sql`(select 1 as sign where e.vat_day between ${from} and ${to}
      union all select -1 where e.cancelled_vat_day between ${from} and ${to})`,
  which: sql`(e.vat_day between ${from} and ${to} or e.cancelled_vat_day between ${from} and ${to})
    and not (e.state = 'cancelled' and e.vat_day between ${from} and ${to}
      and e.cancelled_vat_day between ${from} and ${to})`,
  withDocuments: true,
})

/** Bills dated into a period that entered the books after the moment `since` and are claimed in a later one. */
export const enteredAfter = ({ from, to }: Period, since: RawBuilder<unknown>): Counting => ({
  times: sql`(select 1 as sign)`,
  which: sql`e.state = 'approved' and e.day between ${from} and ${to} and e.vat_day > ${to}
    and (select min(n.created_at) from expense_entries b join entries n on n.company_id = b.company_id
      and n.id = b.entry_id where b.company_id = e.company_id and b.expense_id = e.id) > ${since}`,
  withDocuments: false,
})

/**
 * Bills of the period from the expenses, and from invoices written in a supplier's stead before these came
 * with a bill. A bill counts where its VAT is claimed, its reversal on the reversal's day; both in one period
 * show nowhere.
 */
export async function inputsOf(
  ctx: Ctx,
  { from, to }: Period,
  { times, which, withDocuments }: Counting = countedIn({ from, to }),
): Promise<InputPaper[]> {
  const { rows } = await sql<InputRow>`/*=*/
    select 'expense:' || e.id as key, e.paper, e.supplier_number as number, e.day,
      ${supplierNumber} as "taxId", coalesce(p.name, '') as name, x.sign,
      case when e.paper = 'selfInvoice' then ${taxedOf} else e.ils_net_agorot end as net,
      e.recognised_vat_agorot as vat, e.equipment_vat_agorot as equipment,
      case when e.supplier_id is not null and x.sign = 1 and e.paper <> 'selfInvoice' then e.ils_total_agorot
      end as gross, e.allocation_number as allocation, case
      when least(e.ils_net_agorot, e.recognised_vat_agorot) < 0
      and greatest(e.ils_net_agorot, e.recognised_vat_agorot) > 0 or e.paper = 'selfInvoice' then ${bySign}
      end as "bySign"
    from expenses e ${withSuppliers}
      cross join lateral ${times} x
    where e.company_id = ${ctx.companyId} and e.state in ('approved', 'cancelled')
      and e.recognised_vat_agorot <> 0 and ${which}
    union all
    select 'document:' || d.id, 'taxInvoice', d.number::text, d.day, d.customer->>'taxId',
      coalesce(d.customer->>'name', ''), 1, d.ils_net_agorot, d.ils_vat_agorot, 0,
      null, coalesce(d.allocation_number, ''), null
    from documents d where ${sql.lit(withDocuments)} and d.company_id = ${ctx.companyId} and ${isIssued('d')}
      and ${isSelfBilled('d')}
      and d.day between ${from} and ${to} and d.ils_vat_agorot <> 0
      and not exists (select 1 from expenses b where b.company_id = d.company_id and b.document_id = d.id)
    order by 4, 3`.execute(ctx.tx)
  return rows.map(({ sign, equipment, ...row }) => ({
    ...row,
    taxId: row.taxId || null,
    net: sign * row.net,
    vat: sign * row.vat || 0,
    equipmentVat: sign * equipment || 0,
    bySign:
      row.bySign?.map((part) => ({
        net: sign * part.net,
        vat: sign * part.vat,
        equipmentVat: sign * part.equipmentVat || 0,
      })) ?? null,
  }))
}

/** The lines of a bill with recognised VAT: what they charge together, and what they credit. */
const bySign = sql`(select
    jsonb_agg(jsonb_build_object('net', t.net, 'vat', t.vat, 'equipmentVat', t.equipment))
  from (select sum(l.ils_net_agorot) as net, sum(l.recognised_vat_agorot) as vat,
    coalesce(sum(l.recognised_vat_agorot) filter (where l.is_fixed_asset), 0) as equipment
    from expense_lines l where l.company_id = e.company_id and l.expense_id = e.id
      and l.recognised_vat_agorot <> 0 group by sign(l.recognised_vat_agorot)) t)`

interface SelfInvoiceRow {
  key: string
  number: string
  day: Day
  taxId: string | null
  name: string
  sign: 1 | -1
  net: number
  taxed: number
  vat: number
  allocation: string
  isForeign: boolean
}

/** Of a self-invoice its lines that carry VAT. */
const taxedOf = sql`(select coalesce(sum(l.ils_net_agorot), 0)::bigint from expense_lines l
  where l.company_id = e.company_id and l.expense_id = e.id and l.ils_vat_agorot <> 0)`

/**
 * What self-invoices of the period owe: the VAT of a bill that its buyer pays in the seller's stead, where it
 * is also deducted.
 */
export async function selfInvoicesOf(
  ctx: Ctx,
  period: Period,
  { times, which }: Counting = countedIn(period),
): Promise<SalePaper[]> {
  const { rows } = await sql<SelfInvoiceRow>`/*=*/
    select 'expense:' || e.id as key, e.supplier_number as number, e.day, ${supplierNumber} as "taxId",
      coalesce(p.name, '') as name, x.sign,
      e.ils_net_agorot as net, ${taxedOf} as taxed, e.ils_vat_agorot as vat,
      e.allocation_number as allocation, e.currency <> 'ILS' as "isForeign"
    from expenses e ${withSuppliers}
      cross join lateral ${times} x
    where e.company_id = ${ctx.companyId} and e.state in ('approved', 'cancelled') and e.paper = 'selfInvoice'
      and e.ils_vat_agorot <> 0 and ${which}
    order by e.day, e.supplier_number`.execute(ctx.tx)
  return rows.map(({ sign, net, taxed, vat, ...row }) => ({
    ...row,
    kind: 'selfInvoice',
    group: plainGroup,
    exportEntry: '',
    taxable: sign * taxed,
    untaxed: 0,
    vat: sign * vat,
    beside: sign * (net - taxed) || 0,
    gross: sign === 1 ? net : null,
    rateBp: vatRateOn(row.day),
  }))
}

/** What a non-profit bought in the period: it deducts nothing and names its bills all the same. */
export async function billsOf(ctx: Ctx, { from, to }: Period): Promise<InputPaper[]> {
  const { rows } = await sql<Omit<InputRow, 'sign' | 'vat' | 'equipment' | 'bySign'>>`
    select 'expense:' || e.id as key, e.paper, e.supplier_number as number, e.day,
      ${supplierNumber} as "taxId", coalesce(p.name, '') as name,
      e.ils_total_agorot as net, case when e.supplier_id is not null then e.ils_total_agorot end as gross,
      e.allocation_number as allocation
    from expenses e ${withSuppliers}
    where e.company_id = ${ctx.companyId} and e.state = 'approved' and e.paper <> 'selfInvoice'
      and e.source <> 'opening' and e.day between ${from} and ${to}
    order by e.day, e.supplier_number`.execute(ctx.tx)
  return rows.map((row) => ({ ...row, taxId: row.taxId || null, vat: 0, equipmentVat: 0 }))
}

interface JournalRow {
  key: string
  number: string
  day: Day
  details: string
  line: 'taxedSales' | 'exemptSales' | 'inputs' | 'equipmentInputs'
  sign: 1 | -1
  amount: number
  vat: number
  recognised: number
}

/**
 * Entries by hand whose lines say by a VAT code what they are: papers the business keyed into its journal.
 */
export async function journalPapers(
  ctx: Ctx,
  { from, to }: Period,
): Promise<{ sales: SalePaper[]; inputs: InputPaper[] }> {
  const { rows } = await sql<JournalRow>`/*=*/
    select 'entry:' || l.entry_id as key, l.reference as number, case when x.sign = 1 then n.day
      else r.day end as day, l.details, c.return_line as line,
      -- A line on the other side alone takes a sale or a purchase back.
      x.sign * case when c.return_line in ('taxedSales', 'exemptSales') then case
      when l.credit_account_id is null then -1 else 1 end
        when l.debit_account_id is null then -1 else 1 end as sign, l.amount_agorot as amount,
      coalesce(l.posted_vat_agorot, 0) as vat, coalesce(l.posted_recognised_agorot, 0) as recognised
    from journal_lines l join vat_codes c on c.company_id = l.company_id and c.id = l.vat_code_id
      and c.return_line <> 'none'
      join entries n on n.company_id = l.company_id and n.id = l.entry_id
      left join entries r on r.company_id = l.company_id and r.reverses_id = l.entry_id
      cross join lateral (select 1 as sign where n.day between ${from} and ${to} union all select -1
      where r.day between ${from} and ${to}) x
    where l.company_id = ${ctx.companyId} and l.entry_id is not null
      and not coalesce(n.day between ${from} and ${to} and r.day between ${from} and ${to}, false)
    order by n.day, l.position`.execute(ctx.tx)
  const isSale = (r: JournalRow) => r.line === 'taxedSales' || r.line === 'exemptSales'
  return {
    sales: rows.filter(isSale).map(({ key, number, day, details, line, sign, amount, vat }) => ({
      key,
      number,
      group: plainGroup,
      day,
      taxId: null,
      name: details,
      kind: 'home',
      exportEntry: '',
      beside: 0,
      gross: null,
      taxable: line === 'taxedSales' ? sign * (amount - vat) : 0,
      untaxed: line === 'exemptSales' ? sign * amount : 0,
      vat: line === 'taxedSales' ? sign * vat : 0,
      // A code may have its own rate.
      rateBp: null,
      isForeign: false,
      allocation: '',
    })),
    inputs: rows
      .filter((r) => !isSale(r))
      .map(({ key, number, day, details, line, sign, amount, vat, recognised }) => ({
        key,
        paper: 'byLaw',
        number,
        day,
        taxId: null,
        name: details,
        net: sign * (amount - vat),
        vat: sign * recognised,
        equipmentVat: line === 'equipmentInputs' ? sign * recognised : 0,
        gross: null,
        allocation: '',
      })),
  }
}

export interface Papers {
  sales: SalePaper[]
  inputs: InputPaper[]
  paid: Map<string, Paid>
  changes: BasisChange[]
  /** What came with another program's file: the keys of its papers, and what its entries say. */
  brought: Pick<Awaited<ReturnType<typeof broughtIn>>, 'keys' | 'figures'>
}

/** The first way: everything of the period from papers. */
export async function papersOf(ctx: Ctx, period: Period, isNonProfit: boolean): Promise<Papers> {
  if (isNonProfit)
    return {
      sales: [],
      inputs: await billsOf(ctx, period),
      paid: new Map(),
      changes: [],
      brought: { keys: new Set(), figures: new Map() },
    }
  const changes = await basisChanges(ctx)
  const paid = await paidIn(ctx, period, changes)
  const journal = await journalPapers(ctx, period)
  const { sales, inputs, ...brought } = await broughtIn(ctx, period, paid)
  return {
    sales: [
      ...(await salesOf(ctx, period, paid, changes)),
      ...(await selfInvoicesOf(ctx, period)),
      ...journal.sales,
      ...sales,
    ],
    inputs: [...(await inputsOf(ctx, period)), ...journal.inputs, ...inputs],
    paid,
    changes,
    brought,
  }
}
