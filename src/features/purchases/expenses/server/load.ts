import { sql } from 'kysely'
import { chargesVat } from '#domain/documents/kinds.ts'
import { papers, type ExpensePaper } from '#domain/vat/shares.ts'
import { workOutExpense } from '#domain/expenses/workOut.ts'
import { fail } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { millionths } from '#features/sales/documents/workOut.ts'
import type { ExpenseAnswer } from '../endpoints.ts'
import { warningsOf } from './checks.ts'
import type { Content, Prepared } from './prepare.ts'
import { typeName } from './types.ts'

/** An expense as it is stored. */
export interface StoredExpense {
  id: string
  supplier_id: string | null
  supplier_number: string
  number_key: string
  paper: ExpensePaper
  day: string
  vat_day: string
  claims_vat: boolean
  books_day: string | null
  due_day: string | null
  allocation_number: string
  details: string
  notes: string
  currency: string
  rate: string
  net_agorot: number
  vat_agorot: number
  total_agorot: number
  ils_net_agorot: number
  ils_vat_agorot: number
  ils_total_agorot: number
  /** To its supplier; of a self-invoice without the VAT. */
  owed_agorot: number
  recognised_vat_agorot: number
  equipment_vat_agorot: number
  open_agorot: number
  type_id: string
  state: ExpenseAnswer['state']
  means: ExpenseAnswer['means']
  paid_day: string | null
  source: ExpenseAnswer['source']
  recurring_id: string | null
  recurring_day: string | null
  /** The self-billed invoice it came with. */
  document_id: string | null
  reason: string
  entered_by: string | null
  approved_by: string | null
  approved_at: string | null
  created_at: string
  updated_at: string
}

export interface StoredLine {
  line: number
  type_id: string
  account_id: string
  details: string
  net_agorot: number
  vat_agorot: number
  ils_net_agorot: number
  ils_vat_agorot: number
  vat_share: ExpenseAnswer['lines'][number]['vatShare']
  recognised_vat_agorot: number
  income_tax_bp: number
  is_fixed_asset: boolean
  depreciation_bp: number
  project_id: string | null
}

/** People who only enter expenses reach those they entered; for them the rest does not exist. */
export async function load(ctx: Ctx, id: string, forUpdate = false): Promise<StoredExpense> {
  const own =
    can(ctx.caller, 'expenses.see') || can(ctx.caller, 'expenses.approve')
      ? sql``
      : sql`and entered_by = ${ctx.caller.userId}`
  const { rows } = await sql<StoredExpense>`select * from expenses where company_id = ${ctx.companyId}
        and id = ${id} ${own} ${forUpdate ? sql`for update` : sql``}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

export async function loadLines(ctx: Ctx, id: string): Promise<StoredLine[]> {
  const { rows } = await sql<StoredLine>`select * from expense_lines where company_id = ${ctx.companyId}
        and expense_id = ${id} order by line`.execute(ctx.tx)
  return rows
}

/** A stored expense as it would be entered again. */
export const contentOf = (e: StoredExpense, lines: readonly StoredLine[]): Content => ({
  supplierId: e.supplier_id,
  supplierNumber: e.supplier_number,
  paper: e.paper,
  date: e.day,
  vatDate: e.vat_day,
  claimsVat: e.claims_vat,
  dueDate: e.due_day,
  allocationNumber: e.allocation_number,
  details: e.details,
  notes: e.notes,
  currency: e.currency,
  rate: e.rate,
  means: e.means,
  paidDate: e.paid_day,
  recurringId: e.recurring_id,
  lines: lines.map((l) => ({
    typeId: l.type_id,
    details: l.details,
    netAgorot: l.net_agorot,
    vatAgorot: l.vat_agorot,
    vatShare: l.vat_share,
    projectId: l.project_id,
  })),
})

export async function answerOf(ctx: Ctx, id: string): Promise<ExpenseAnswer> {
  const e = await load(ctx, id)
  const lines = await loadLines(ctx, id)
  const { language } = ctx.caller
  const { rows: names } = await sql<{
    line: number
    typeName: string
    accountNumber: string
    accountName: string
  }>`
    select l.line, ${typeName(language)} as "typeName", a.number as "accountNumber", a.name as "accountName"
    from expense_lines l
    join expense_types t on t.company_id = l.company_id and t.id = l.type_id
    join accounts a on a.company_id = l.company_id and a.id = l.account_id
    where l.company_id = ${ctx.companyId} and l.expense_id = ${id} order by l.line`.execute(ctx.tx)
  const { rows: people } = await sql<{
    supplierName: string | null
    supplierTaxId: string | null
    enteredBy: string | null
    approvedBy: string | null
    document: ExpenseAnswer['document']
  }>`
    select (select name from parties where company_id = ${ctx.companyId} and id = ${e.supplier_id}) as
      "supplierName",
      (select tax_id from parties where company_id = ${ctx.companyId} and id = ${e.supplier_id}) as
      "supplierTaxId",
      (select full_name from users where id = ${e.entered_by}) as "enteredBy",
      (select full_name from users where id = ${e.approved_by}) as "approvedBy",
      (select jsonb_build_object('id', id, 'type', type, 'number', number) from documents
      where company_id = ${ctx.companyId} and id = ${e.document_id}) as document`.execute(ctx.tx)
  const { rows: payments } = await sql<
    ExpenseAnswer['payments'][number]
  >`select id, day, means, reference, amount_agorot as "amountAgorot", at_once as "atOnce",
      cancelled_at is not null as cancelled
    from expense_payments where company_id = ${ctx.companyId} and expense_id = ${id}
    order by day, created_at`.execute(ctx.tx)
  const { rows: files } = await sql<
    ExpenseAnswer['files'][number]
  >`select f.id, f.name, f.mime from file_links k join files f on f.company_id = k.company_id
      and f.id = k.file_id
    where k.company_id = ${ctx.companyId} and k.entity = 'expenses' and k.entity_id = ${id}
    order by k.created_at, f.id`.execute(ctx.tx)
  const { supplierName, supplierTaxId, enteredBy, approvedBy, document } = people[0]!
  return {
    id: e.id,
    state: e.state,
    supplierId: e.supplier_id,
    supplierName,
    supplierTaxId,
    supplierNumber: e.supplier_number,
    paper: e.paper,
    date: e.day,
    vatDate: e.vat_day,
    claimsVat: e.claims_vat,
    booksDate: e.books_day,
    dueDate: e.due_day,
    allocationNumber: e.allocation_number,
    details: e.details,
    notes: e.notes,
    currency: e.currency,
    rate: e.rate,
    lines: lines.map((l, i) => ({
      line: l.line,
      typeId: l.type_id,
      typeName: names[i]!.typeName,
      accountId: l.account_id,
      accountNumber: names[i]!.accountNumber,
      accountName: names[i]!.accountName,
      details: l.details,
      netAgorot: l.net_agorot,
      vatAgorot: l.vat_agorot,
      vatShare: l.vat_share,
      recognisedVatAgorot: l.recognised_vat_agorot,
      incomeTaxBp: l.income_tax_bp,
      isFixedAsset: l.is_fixed_asset,
      projectId: l.project_id,
    })),
    paperNetAgorot: e.net_agorot,
    paperVatAgorot: e.vat_agorot,
    paperTotalAgorot: e.total_agorot,
    netAgorot: e.ils_net_agorot,
    vatAgorot: e.ils_vat_agorot,
    totalAgorot: e.ils_total_agorot,
    owedAgorot: e.owed_agorot,
    recognisedVatAgorot: e.recognised_vat_agorot,
    equipmentVatAgorot: e.equipment_vat_agorot,
    openAgorot: e.open_agorot,
    movesOn: payments.findLast((one) => !one.cancelled && one.day > ctx.today)?.day ?? null,
    means: e.means,
    paidDate: e.paid_day,
    payments,
    files,
    source: e.source,
    recurringId: e.recurring_id,
    document,
    reason: e.reason,
    enteredBy,
    enteredByMe: e.entered_by === ctx.caller.userId,
    approvedBy,
    approvedAt: e.approved_at,
    createdAt: e.created_at,
    updatedAt: e.updated_at,
    warnings: await warningsNow(ctx, e, lines, supplierName, supplierTaxId),
  }
}

/**
 * Warnings that still matter: for a posted bill nobody needs to know that the day for its VAT has passed since.
 */
async function warningsNow(
  ctx: Ctx,
  e: StoredExpense,
  lines: readonly StoredLine[],
  name: string | null,
  taxId: string | null,
) {
  if (e.state === 'rejected' || e.state === 'cancelled') return []
  const found = await warningsOf(ctx, await storedAsPrepared(ctx, e, lines, name, taxId), e.id)
  if (e.state === 'waiting') found.push(...(await askedOf(ctx, e.id, found)))
  return e.state === 'approved' ? found.filter((one) => one.code !== 'expenses.vatOld') : found
}

/** What was asked about the paper of an expense that waits, and is not among its warnings. */
async function askedOf(
  ctx: Ctx,
  id: string,
  found: readonly ExpenseAnswer['warnings'][number][],
): Promise<ExpenseAnswer['warnings']> {
  if (ctx.caller.hideTotalPrices) return []
  const { rows } = await sql<{
    questions: { code: string; params: Record<string, string | number> }[]
  }>`select questions from captured_papers where company_id = ${ctx.companyId}
    and expense_id = ${id}`.execute(ctx.tx)
  const isSaid = found.some((one) => one.code === 'expenses.sameNumber')
  return rows
    .flatMap((row) => row.questions)
    .filter((one) => !(isSaid && one.code === 'expenses.askSameNumber'))
    .map((one) => ({ ...one, path: '', twinId: null }))
}

/** What the checks read of a stored expense, without asking again what the law says of its days. */
async function storedAsPrepared(
  ctx: Ctx,
  e: StoredExpense,
  lines: readonly StoredLine[],
  name: string | null,
  taxId: string | null,
): Promise<Prepared> {
  const company = await companyOf(ctx)
  return {
    content: contentOf(e, lines),
    company,
    supplier: e.supplier_id ? { id: e.supplier_id, name: name ?? '', taxId, dueTerms: null } : null,
    number: e.supplier_number,
    numberKey: e.number_key,
    paper: e.paper,
    day: e.day,
    vatDay: e.vat_day,
    claimsVat: e.claims_vat,
    currency: e.currency,
    rate: e.rate,
    lines: [],
    worked: workOutExpense(
      lines.map((l) => ({
        net: l.net_agorot,
        vat: l.vat_agorot,
        vatShare: l.vat_share,
        incomeTaxBp: l.income_tax_bp,
        isFixedAsset: l.is_fixed_asset,
      })),
      {
        rateMillionths: millionths(e.rate),
        recognisesVat: chargesVat(company.kind) && papers[e.paper].carriesVat && e.claims_vat,
      },
    ),
    means: e.means,
    paidDay: e.paid_day,
    typeId: e.type_id,
  }
}
