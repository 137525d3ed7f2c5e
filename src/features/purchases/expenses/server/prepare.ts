import { sql } from 'kysely'
import type { z } from 'zod'
import type { Day } from '#domain/day.ts'
import { refuseCash } from '#domain/documents/cashLaw.ts'
import { chargesVat } from '#domain/documents/kinds.ts'
import { numberKey, refuseVatDay } from '#domain/vat/bills.ts'
import { lastVatDay } from '#domain/law/terms.ts'
import { isSelfInvoice, papers, type ExpensePaper, type VatShare } from '#domain/vat/shares.ts'
import { workOutExpense, type WorkedExpense } from '#domain/expenses/workOut.ts'
import { formatMoney } from '#domain/format.ts'
import { failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { Company } from '#features/base/companies/endpoints.ts'
import { companyOf, vatPeriodsOf } from '#features/base/companies/server/index.ts'
import { millionths } from '#features/sales/documents/workOut.ts'
import type { expenseInput } from '../endpoints.ts'
import { lockOn } from './locks.ts'
import { supplierOf, type Supplier } from './suppliers.ts'
import { ensureTypes } from './types.ts'

export type Content = z.output<typeof expenseInput>

export interface ExpenseType {
  id: string
  key: string | null
  accountId: string
  vatShare: VatShare
  incomeTaxBp: number
  isFixedAsset: boolean
  depreciationBp: number
}

export interface PreparedLine extends Omit<ExpenseType, 'id' | 'key'> {
  typeId: string
  details: string
  netAgorot: number
  vatAgorot: number
  projectId: string | null
}

/** An expense ready to be kept: everything the input left open is settled and every sum is worked out. */
export interface Prepared {
  content: Content
  company: Company
  supplier: Supplier | null
  number: string
  numberKey: string
  paper: ExpensePaper
  day: Day
  vatDay: Day
  claimsVat: boolean
  currency: string
  rate: string
  lines: PreparedLine[]
  worked: WorkedExpense
  means: NonNullable<Content['means']>
  paidDay: Day | null
  /** The type of the largest line. */
  typeId: string
}

/** Kinds of expense by id. */
export async function typesOf(ctx: Ctx, ids: string[]): Promise<Map<string, ExpenseType>> {
  const { rows } = await sql<ExpenseType>`select id, key, account_id as "accountId", vat_share as "vatShare",
        income_tax_bp as "incomeTaxBp",
    is_fixed_asset as "isFixedAsset", depreciation_bp as "depreciationBp" from expense_types
    where company_id = ${ctx.companyId} and id = any(${ids}::uuid[])`.execute(ctx.tx)
  return new Map(rows.map((t) => [t.id, t]))
}

/** Settles what the input left open and works the expense out; refuses what no bill can say. */
export async function prepare(ctx: Ctx, content: Content): Promise<Prepared> {
  await ensureTypes(ctx)
  const company = await companyOf(ctx)
  const supplier = await supplierOf(ctx, content)
  const types = await typesOf(
    ctx,
    content.lines.map((l) => l.typeId),
  )
  const paper = content.paper ?? 'taxInvoice'
  if (isSelfInvoice(paper) && !deductsVat(company)) throw failField('paper', 'fields.choice')
  const day = content.date ?? ctx.today
  const currency = content.currency ?? 'ILS'
  if (currency !== 'ILS' && !content.rate) throw failField('rate', 'expenses.noRate')
  const rate = currency === 'ILS' ? '1' : content.rate!
  if (millionths(rate) <= 0) throw failField('rate', 'fields.range')

  const lines = content.lines.map((l, i): PreparedLine => {
    const type = types.get(l.typeId)
    if (!type) throw failField(`lines.${i}.typeId`, 'fields.ref')
    // An import entry may carry the VAT of goods that another paper has billed.
    if (
      l.vatAgorot * l.netAgorot < 0 ||
      (paper !== 'import' && Math.abs(l.vatAgorot) > Math.abs(l.netAgorot))
    )
      throw failField(`lines.${i}.vatAgorot`, 'fields.range')
    const { id: _, key: __, ...facts } = type
    return {
      ...facts,
      typeId: type.id,
      vatShare: l.vatShare ?? type.vatShare,
      details: l.details ?? '',
      netAgorot: l.netAgorot,
      vatAgorot: l.vatAgorot,
      projectId: l.projectId ?? null,
    }
  })
  await checkProjects(ctx, lines)

  const claimsVat = content.claimsVat ?? true
  const recognisesVat = deductsVat(company) && papers[paper].carriesVat && claimsVat
  const worked = workOutOrRefuse(lines, millionths(rate), recognisesVat)
  const means = content.means ?? 'onCredit'
  const paidDay = means === 'onCredit' ? null : (content.paidDate ?? day)
  if (means === 'cash') {
    const refusal = refuseCash({
      day: paidDay!,
      price: Math.abs(worked.total),
      cash: Math.abs(worked.total),
      deal: 'business',
    })
    if (refusal)
      throw failField('means', 'expenses.cashAboveLimit', { limit: formatMoney(refusal.params.limit) })
  }
  const number = content.supplierNumber ?? ''
  const largest = lines.reduce((best, l) => (Math.abs(l.netAgorot) > Math.abs(best.netAgorot) ? l : best))
  return {
    content,
    company,
    supplier,
    number,
    numberKey: numberKey(number),
    paper,
    day,
    vatDay:
      worked.recognisedVat || (isSelfInvoice(paper) && worked.vat)
        ? await settleVatDay(ctx, day, content.vatDate ?? undefined)
        : day,
    claimsVat,
    currency,
    rate,
    lines,
    worked,
    means,
    paidDay,
    typeId: largest.typeId,
  }
}

/** A business that charges no VAT deducts none: what it pays is part of the expense. */
export const deductsVat = (company: Pick<Company, 'kind'>): boolean => chargesVat(company.kind)

/**
 * The day asked for, or the paper's own; when its period was reported already, today. Refuses what the law
 * does.
 */
export async function settleVatDay(ctx: Ctx, day: Day, asked: Day | undefined): Promise<Day> {
  const vatDay = asked ?? ((await lockOn(ctx, day, 'vat')) ? ctx.today : day)
  const periodOn = await vatPeriodsOf(ctx)
  const wrong = refuseVatDay(day, vatDay, periodOn)
  if (wrong === 'tooLate') throw failField('vatDate', 'expenses.vatTooOld', { last: lastVatDay(day) })
  if (wrong === 'tooEarly') throw failField('vatDate', 'expenses.vatTooEarly')
  if (vatDay > periodOn(ctx.today).to) throw failField('vatDate', 'expenses.vatInFuture')
  return vatDay
}

function workOutOrRefuse(
  lines: readonly PreparedLine[],
  rateMillionths: number,
  recognisesVat: boolean,
): WorkedExpense {
  try {
    return workOutExpense(
      lines.map((l) => ({
        net: l.netAgorot,
        vat: l.vatAgorot,
        vatShare: l.vatShare,
        incomeTaxBp: l.incomeTaxBp,
        isFixedAsset: l.isFixedAsset,
      })),
      { rateMillionths, recognisesVat },
    )
  } catch (e) {
    if (e instanceof RangeError) throw failField('lines.0.netAgorot', 'fields.range')
    throw e
  }
}

async function checkProjects(ctx: Ctx, lines: readonly PreparedLine[]): Promise<void> {
  const ids = [...new Set(lines.flatMap((l) => (l.projectId ? [l.projectId] : [])))]
  if (!ids.length) return
  const { rows } = await sql<{
    id: string
  }>`select id from projects where company_id = ${ctx.companyId} and id = any(${ids}::uuid[])`.execute(ctx.tx)
  const known = new Set(rows.map((r) => r.id))
  const at = lines.findIndex((l) => l.projectId && !known.has(l.projectId))
  if (at >= 0) throw failField(`lines.${at}.projectId`, 'fields.ref')
}
