import { sql } from 'kysely'
import { isDiscountAbove, type DocumentTotals } from '#domain/documents/arithmetic.ts'
import { refuseCash } from '#domain/documents/cashLaw.ts'
import { typeFacts } from '#domain/documents/facts.ts'
import { chargesVat, documentTypes, mayIssue, paymentMeansById } from '#domain/documents/kinds.ts'
import { isGroundOn, type ExemptGround, type ZeroGround } from '#domain/vat/grounds.ts'
import { formatMoney, formatNumber } from '#domain/format.ts'
import { missingDetails } from '#domain/documents/paymentDetails.ts'
import { mostPaperText, paperTextOf } from '#domain/documents/paperText.ts'
import { paid, paymentsInIls } from '#domain/documents/payments.ts'
import { sum, timesFraction } from '#domain/money.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import { Failure, fail, forbidden } from '#kit/describe/errors.ts'
import { can, canDocument, isOff } from '#kit/describe/session.ts'
import type { DocumentType } from '#kit/describe/documentType.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isType } from '#kit/server/data/documentFacts.ts'
import { companyOf, reportingDaysOf, vatPeriodsOf } from '#features/base/companies/server/index.ts'
import type { Company } from '#features/base/companies/endpoints.ts'
import { createCustomer } from '#features/registers/parties/server/index.ts'
import { thresholdsFor } from '#features/registers/rates/server/index.ts'
import { hasDueDay, isIncomeItself, isPurchase, typeById } from '../../types/index.ts'
import { deliverToOf } from './deliver.ts'
import { fillLines } from './fill.ts'
import { load, type StoredDocument } from './load.ts'
import { countsWhenPaid } from './opening.ts'
import {
  dueDayOf,
  millionths,
  rateFor,
  totalsInIls,
  totalsOfMoney,
  workOut,
  type Settled,
} from '../../workOut.ts'
import { exchangeKept, exchangeOf } from './exchange.ts'
import type { Content, CustomerSnapshot, Exchange, Given, Prepared, PreparedPayment, Shut } from './shapes.ts'

export function typeFor(ctx: Ctx, id: number, company: Company): DocumentType {
  const type = typeById(id)
  if (!type) throw new Failure('kit.badInput', {}, [{ path: 'type', code: 'documents.typeNotMade' }])
  if (!canDocument(ctx.caller, id)) throw fail('documents.typeNotAllowed')
  if (!mayIssue(company.kind, type.name)) throw fail('documents.kindMayNotIssue', { type: id })
  return type
}

interface CustomerRow extends CustomerSnapshot {
  id: string
  nameOnDocument: string | null
  mobile: string | null
  language: Company['language']
  dueTerms: string | null
  zeroRate: boolean
  zeroGround: ZeroGround | null
  exemptGround: ExemptGround | null
  hidesIls: boolean
  agentId: string | null
  shut: Shut | null
}

/** Customers and suppliers that were read before in the same call. */
export type KnownParties = Map<string, CustomerRow>

async function partyOf(
  ctx: Ctx,
  content: Given,
  role: 'customer' | 'supplier',
  known: KnownParties | undefined,
): Promise<CustomerRow | null> {
  let id = content.customerId
  if (!id && content.customer && role === 'customer') {
    // The person who may not add to the register does not add to it by a document either.
    if (!can(ctx.caller, 'customers.change')) throw forbidden({ rule: 'customers.change' })
    const { taxId, email, phone, ...rest } = content.customer
    id = (
      await createCustomer(ctx, { ...rest, taxId: taxId || null, email: email || null, phone: phone || null })
    ).id
  }
  if (!id) return null
  const before = known?.get(`${role} ${id}`)
  if (before) return before
  const { rows } =
    await sql<CustomerRow>`/*=*/ select id, name, name_on_document as "nameOnDocument", tax_id as "taxId",
        is_dealer as "isDealer", contact, email, phone, mobile, street, city, zip, country,
    language, coalesce(due_terms,
    (select t.due_terms from customer_types t where t.company_id = parties.company_id
    and t.id = parties.type_id)) as "dueTerms",
    zero_rate as "zeroRate", zero_ground as "zeroGround",
    exempt_ground as "exemptGround", hides_ils as "hidesIls", agent_id as "agentId", case
    when archived_at is not null
    or merged_into is not null or blocked then jsonb_build_object('archived', archived_at is not null,
      'blocked', blocked, 'reason', blocked_reason, 'merged',
      (select k.name from parties k where k.company_id = parties.company_id and k.id = parties.merged_into))
      end as shut
    from parties where company_id = ${ctx.companyId} and id = ${id} and role = ${role}`.execute(ctx.tx)
  if (!rows[0]) throw new Failure('kit.badInput', {}, [{ path: 'customerId', code: 'fields.ref' }])
  known?.set(`${role} ${id}`, rows[0])
  return rows[0]
}

/**
 * The worker who sold it: the person who was named, who works here or once sold something here; else the one in
 * charge of the customer.
 */
async function agentOf(ctx: Ctx, { agentId }: Given, customer: CustomerRow | null): Promise<string | null> {
  const own = customer?.agentId ?? null
  if (agentId === undefined || agentId === own) return own
  if (agentId === null) return null
  const { rows } = await sql`select 1 from agents where company_id = ${ctx.companyId} and id = ${agentId}
    union all select 1 from documents where company_id = ${ctx.companyId} and agent_id = ${agentId}
    limit 1`.execute(ctx.tx)
  if (!rows.length) throw new Failure('kit.badInput', {}, [{ path: 'agentId', code: 'fields.ref' }])
  return agentId
}

/**
 * What a paper keeps of the one it corrects, whatever holds today: how VAT treats the supply, and the rate of
 * exchange with its day.
 */
export interface Fixed {
  vatRateBp?: number
  correctsNegative?: boolean
  /** Whether the customer was at zero rate. */
  zeroRate?: boolean
  /** What it named as the grounds of that. */
  zeroGround?: ZeroGround | null
  exemptGround?: ExemptGround | null
  exchange?: Exchange
  /** It is about a debt that was written off. */
  isBadDebt?: boolean
}

function refuseLongText({ lines }: Content): void {
  const now = paperTextOf(lines)
  if (now <= mostPaperText) return
  const params = { now: formatNumber(now), most: formatNumber(mostPaperText) }
  throw new Failure('documents.tooMuchText', params, [
    { path: 'lines', code: 'documents.tooMuchText', params },
  ])
}

/** The supply of an issued paper, for what corrects it. */
export const fixedBy = (
  d: Pick<
    StoredDocument,
    'vat_rate_bp' | 'zero_rate' | 'zero_ground' | 'exempt_ground' | 'total_agorot' | 'is_bad_debt'
  > &
    Parameters<typeof exchangeKept>[0],
): Required<Pick<Fixed, 'vatRateBp' | 'zeroRate'>> & Fixed => ({
  vatRateBp: d.vat_rate_bp,
  zeroRate: d.zero_rate,
  zeroGround: d.zero_ground,
  exemptGround: d.exempt_ground,
  correctsNegative: d.total_agorot < 0,
  isBadDebt: d.is_bad_debt,
  ...exchangeKept(d),
})

/**
 * A credit is taxed as the invoice it credits, whatever the rate of its own day and whatever its customer has
 * become since.
 */
async function fixedBySource(ctx: Ctx, type: DocumentType, { sourceId }: Given): Promise<Fixed> {
  if (type.name !== 'creditInvoice') return {}
  if (!sourceId) throw new Failure('kit.badInput', {}, [{ path: 'sourceId', code: 'fields.need' }])
  return fixedBy(await load(ctx, sourceId))
}

/** Settles what the input left open (date, terms, language, rates) and works the document out. */
export async function prepare(
  ctx: Ctx,
  given: Given,
  fixed: Fixed & { exactly?: number; company?: Company; parties?: KnownParties } = {},
): Promise<Prepared> {
  const asked = typeById(given.type)
  const [company, customer] = await Promise.all([
    fixed.company ?? companyOf(ctx),
    partyOf(ctx, given, asked && isPurchase(asked) ? 'supplier' : 'customer', fixed.parties),
  ])
  const type = typeFor(ctx, given.type, company)
  // What corrects a paper may come when none of its kind is begun any more.
  if (type.area && fixed.correctsNegative === undefined && isOff(ctx.caller, type.area))
    throw fail('kit.areaOff', { area: type.area })
  const day = given.date ?? ctx.today
  const currency = given.currency ?? 'ILS'
  const content = await fillLines(ctx, given, { customerId: customer?.id ?? null, day, currency })
  // What corrects an issued paper repeats its words, however many they are.
  if (fixed.correctsNegative === undefined) refuseLongText(content)
  const source = await fixedBySource(ctx, type, given)
  const exchange = await exchangeOf(ctx, {
    currency,
    day,
    rate: content.rate,
    kept: source.exchange ?? fixed.exchange,
  })
  const dueTerms = content.dueTerms ?? customer?.dueTerms ?? company.dueTerms
  const vatRateBp = chargesVat(company.kind)
    ? (fixed.vatRateBp ?? source.vatRateBp ?? rateFor(company.kind, day))
    : 0
  const zeroRate = fixed.zeroRate ?? source.zeroRate ?? customer?.zeroRate ?? false
  const settled = {
    kind: company.kind,
    zeroRate,
    vatRateBp,
    defaultVatKind: company.defaultVatKind,
    rounding: company.rounding,
  }
  const isIncome =
    isIncomeItself(type, company.kind) &&
    (type.incomeItself === 'always' || (await bringsIncome(ctx, content)))
  const totals = reach(totalsFor(type, content, settled, isIncome), fixed.exactly)
  const grounds = groundsOf(
    content,
    { day, isZero: zeroRate && vatRateBp > 0, isExempt: totals.netExempt !== 0 && vatRateBp > 0 },
    { ...fixed, ...source },
    customer,
  )
  const ils = currency === 'ILS' ? totals : totalsInIls(totals, millionths(exchange.rate))
  return {
    type,
    content,
    company,
    day,
    currency,
    rate: exchange.rate,
    rateSource: exchange.source,
    rateDay: exchange.day,
    dueTerms,
    agentId: await agentOf(ctx, given, customer),
    zeroRate,
    ...grounds,
    hidesIls: currency === 'ILS' ? null : (content.hidesIls ?? customer?.hidesIls ?? false),
    vatRateBp,
    isIncome,
    correctsNegative: source.correctsNegative ?? fixed.correctsNegative ?? false,
    isBadDebt: source.isBadDebt ?? fixed.isBadDebt ?? false,
    totals,
    allocationFrom: (await thresholdsFor(ctx))(day),
    dueDay: hasDueDay(type) ? (content.dueDate ?? dueDayOf(day, dueTerms)) : null,
    language: content.language ?? customer?.language ?? company.language,
    customerId: customer?.id ?? null,
    shut: customer?.shut ?? null,
    customer: customer && {
      name: customer.nameOnDocument || customer.name,
      taxId: customer.taxId,
      isDealer: customer.isDealer,
      contact: customer.contact,
      email: customer.email,
      phone: customer.mobile || customer.phone,
      street: customer.street,
      city: customer.city,
      zip: customer.zip,
      country: customer.country,
    },
    deliverTo: await deliverToOf(ctx, type, customer?.id ?? null, content.deliverTo),
    ils,
    payments: preparePayments(content, day, ils.total),
  }
}

/**
 * The grounds that a document names: what was chosen for it, else what it corrects named, else the customer's. A ground
 * of zero rate is printed on a document at zero rate only, the customer's ground of exemption where something is exempt,
 * and each from the day of its law.
 */
function groundsOf(
  { zeroGround, exemptGround }: Content,
  { day, isZero, isExempt }: { day: string; isZero: boolean; isExempt: boolean },
  fixed: Fixed,
  customer: CustomerRow | null,
): Pick<Prepared, 'zeroGround' | 'exemptGround'> {
  const kept = {
    zeroGround: fixed.zeroRate === undefined ? customer?.zeroGround : fixed.zeroGround,
    exemptGround:
      fixed.zeroRate === undefined && isExempt ? customer?.exemptGround : (fixed.exemptGround ?? null),
  }
  const grounds = {
    zeroGround: isZero ? ((zeroGround === undefined ? kept.zeroGround : zeroGround) ?? null) : null,
    exemptGround: (exemptGround === undefined ? kept.exemptGround : exemptGround) ?? null,
  }
  for (const [path, ground] of Object.entries(grounds))
    if (ground && !isGroundOn(ground, day))
      throw new Failure('kit.badInput', {}, [{ path, code: 'fields.choice' }])
  return grounds
}

/**
 * A paper for a sum that is known meets it, where its own arithmetic lies no more than a rounding to half a
 * shekel apart.
 */
function reach(totals: DocumentTotals, exactly: number | undefined): DocumentTotals {
  const difference = (exactly ?? totals.total) - totals.total
  return difference && Math.abs(difference) <= 100
    ? { ...totals, rounding: totals.rounding + difference, total: totals.total + difference }
    : totals
}

/**
 * A paper with lines is worked out from them. A receipt without lines comes to what was paid; it is income
 * only where it is the income itself, else its nets stay zero. Lines on a receipt that is no income are a
 * description.
 */
function totalsFor(
  type: DocumentType,
  content: Content,
  settled: Settled,
  isIncome: boolean,
): DocumentTotals {
  const totals = workOutOrRefuse(content, settled)
  if (!type.linesOptional || (content.lines.length && isIncome)) return totals
  const paidInAll = sum((content.payments ?? []).map((p) => p.amountAgorot))
  return totalsOfMoney(totals, paidInAll, isIncome)
}

/**
 * Whether money is income where the receipt is it: not when it closes what was income before, or refunds the
 * customer's credit. Answering a payment request is neither. A debt that no year has counted yet is income as it is
 * paid, and a refund of such money reverses the income.
 */
async function bringsIncome(ctx: Ctx, content: Content): Promise<boolean> {
  const ids = (content.closes ?? []).map((c) => c.documentId)
  if (!ids.length) return true
  const { rows } = await sql<{ id: string; type: number; wasIncome: boolean }>`select id, type,
      open_in_currency_agorot < 0 and ${isType('', 'receipt')} and ils_net_agorot <> 0 as "wasIncome"
    from documents where company_id = ${ctx.companyId} and id = any(${ids}::uuid[])
      and open_in_currency_agorot <> 0`.execute(ctx.tx)
  const closed = rows.filter((row) => !typeById(row.type)?.asks)
  if (!closed.length) return true
  const counts = await countsWhenPaid(ctx, ids)
  const income = closed.filter((row) => row.wasIncome || counts.has(row.id))
  if (income.length && income.length < closed.length)
    throw new Failure('kit.badInput', {}, [{ path: 'closes', code: 'documents.incomeAndDebt' }])
  return income.length > 0
}

function preparePayments(content: Content, day: string, totalIls: number): PreparedPayment[] {
  const given = content.payments ?? []
  const amounts = given.map((p) => p.amountAgorot)
  let ils: number[]
  try {
    ils = paymentsInIls(amounts, given.length ? totalIls : 0)
  } catch {
    throw new Failure('kit.badInput', {}, [{ path: 'payments', code: 'documents.paymentsMixed' }])
  }
  return given.map((p, i) => ({
    means: p.means,
    amount: p.amountAgorot,
    ils: ils[i]!,
    day: p.date ?? day,
    dueDay: p.dueDate ?? p.date ?? day,
    given: p,
  }))
}

/**
 * An invoice with a negative total is a credit, and a credit with one is an invoice: its values are positive, its
 * type negates them (uniform file, 330).
 */
function refuseNegative({ type, totals, correctsNegative }: Prepared): void {
  if (totals.total >= 0 || correctsNegative || !typeFacts(type.name).isVatDocument) return
  const code = type.name === 'creditInvoice' ? 'documents.negativeCredit' : 'documents.negativeInvoice'
  throw new Failure('kit.badInput', {}, [{ path: 'lines', code }])
}

/**
 * A receipt that comes to less than zero gives money back. One that turns another round names it; any other
 * says why.
 */
function refuseSilentGivingBack({ totals, content }: Prepared): void {
  if (totals.total < 0 && !content.sourceId && !content.reason?.trim())
    throw new Failure('kit.badInput', {}, [{ path: 'reason', code: 'documents.givesBackReason' }])
}

/**
 * Money that was received has the details that its payment method requires. Money that goes back repeats the
 * payment that it turns, with what was known of it.
 */
function refuseMissingDetails({ payments }: Prepared): void {
  const faults = payments.flatMap(({ means, amount, given }, i) =>
    amount > 0
      ? missingDetails(paymentMeansById(means) ?? 'other', given).map((detail) => ({
          path: `payments.${i}.${detail}`,
          code: 'documents.paymentDetail',
        }))
      : [],
  )
  if (faults.length) throw new Failure('kit.badInput', {}, faults)
}

/**
 * A document whose lines come to nothing to pay, such as the final one of a deal that a deposit covered, proves income
 * without a payment.
 */
const needsNoPayment = ({ type, isIncome, totals }: Prepared): boolean =>
  totals.total === 0 &&
  (!type.linesOptional || isIncome) &&
  (totals.vat !== 0 || totals.rounding !== 0 || totals.lines.some((line) => line.net !== 0))

/**
 * What its amounts must satisfy before a document is issued: no invoice has a total below zero; payments, where
 * there are some, equal its total, with no more cash than the law allows (Law for Reducing the Use of Cash; the
 * price of the deal is what the money closes, or the document's own total).
 */
export function checkPayments(p: Prepared, deal: { price: number; cashBefore: number }): void {
  refuseNegative(p)
  if (!p.type.parts.includes('payments')) {
    if (p.payments.length)
      throw new Failure('kit.badInput', {}, [
        { path: 'payments', code: 'fields.unknown', params: { keys: 'payments' } },
      ])
    return
  }
  refuseSilentGivingBack(p)
  if (!p.payments.length && !needsNoPayment(p))
    throw new Failure('kit.badInput', {}, [{ path: 'payments', code: 'documents.noPayments' }])
  const difference = paid(p.payments) - p.totals.total
  if (difference)
    throw new Failure('kit.badInput', {}, [
      {
        path: 'payments',
        code: 'documents.paymentsDiffer',
        params: { totalAgorot: p.totals.total, differenceAgorot: difference },
      },
    ])
  refuseMissingDetails(p)
  const cash = sum(p.payments.map((one) => (paymentMeansById(one.means) === 'cash' ? one.ils : 0)))
  if (cash <= 0 || p.content.cashException?.trim()) return
  const refusal = refuseCash({
    day: p.day,
    price: Math.max(deal.price, p.ils.total),
    cash: cash + deal.cashBefore,
    deal: 'business',
  })
  if (refusal)
    throw new Failure('kit.badInput', {}, [
      { path: 'payments', code: refusal.code, params: { limit: formatMoney(refusal.params.limit) } },
    ])
}

/**
 * A part of a line's quantity as a share of its sum, rounded half away from zero: for credits by quantity.
 * @public
 */
export const partOf = (agorot: number, part: number, whole: number): number =>
  timesFraction(agorot, part, whole, 'halfAwayFromZero')

function workOutOrRefuse(content: Content, settled: Settled): DocumentTotals {
  try {
    return workOut(content, settled)
  } catch (e) {
    // Amounts beyond what is exact, or a discount above the amount.
    if (e instanceof RangeError) refuseDiscounts(content)
    if (e instanceof RangeError)
      throw new Failure('kit.badInput', {}, [{ path: 'lines', code: 'fields.range' }])
    throw e
  }
}

/** A discount by sum that is above its line is said at the line. */
function refuseDiscounts({ lines }: Content): void {
  const faults = lines.flatMap(({ quantity, unitPrice, discount }, i) => {
    const line = {
      quantity: parseDecimal4(quantity) ?? 0,
      unitPrice: parseDecimal4(unitPrice) ?? 0,
      ...(discount ? { discount } : {}),
    }
    return isDiscountAbove(line)
      ? [{ path: `lines.${i}.discount`, code: 'documents.discountAboveLine', params: { line: i + 1 } }]
      : []
  })
  if (faults.length) throw new Failure('kit.badInput', {}, faults)
}

/** The VAT period a day falls in, and the day its return is due. */
export async function vatDue(ctx: Ctx, day: string): Promise<{ from: string; to: string; dueDay: string }> {
  const period = (await vatPeriodsOf(ctx))(day)
  return { ...period, dueDay: (await reportingDaysOf(ctx)).vat(period.to) }
}

export const isTaxDocument = (type: DocumentType): boolean => documentTypes[type.name].isTaxDocument
