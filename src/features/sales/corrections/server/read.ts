import { statusFacts } from '#domain/documents/facts.ts'
import { discountOfPart } from '#domain/documents/joining.ts'
import { sql } from 'kysely'
import type { DocumentTotals } from '#domain/documents/arithmetic.ts'
import { differenceOf, planCorrection, type CorrectionPlan } from '#domain/documents/correction.ts'
import { documentTypes, vatKindById } from '#domain/documents/kinds.ts'
import type { Day, Period } from '#domain/day.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import { Failure } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isLive } from '#kit/server/data/documentFacts.ts'
import { companyOf, reportingDaysOf, vatPeriodsOf } from '#features/base/companies/server/index.ts'
import {
  contentOf,
  fixedBy,
  loadDocument,
  loadLines,
  loadPayments,
  prepareDocument,
  standingSettlements,
  type Content,
  type Prepared,
  type StandingSettlement,
  type StoredDocument,
} from '#features/sales/documents/server/index.ts'
import { typeById } from '#features/sales/documents/types/index.ts'
import { dueDayOf } from '#features/sales/documents/workOut.ts'
import type { Given } from '../endpoints.ts'

/** A wrong paper, the right one as far as it is known, and the way from one to the other. */
export interface Read {
  original: StoredDocument
  /** What it says. */
  wrong: Content
  /** The content of the right paper; lines that are left out stand in it with a quantity of zero. */
  content: Content
  /** What the lines of the right paper come to; absent where money alone makes the paper. */
  right: Prepared | undefined
  difference: DocumentTotals | undefined
  /** Of the wrong paper, before VAT and free of it, in agorot of the shekel. */
  untaxed: number
  /** What closed it or what it closed. */
  settled: StandingSettlement[]
  newCustomer: boolean
  /** The day asked for, when the day was the mistake. */
  day: string | undefined
  /** The VAT period of a day. */
  vatPeriodOn: (day: Day) => Period
  plan: CorrectionPlan
}

/**
 * Reads the paper and what hangs on it, compares it with what it should have been, and plans. Locks the
 * paper.
 */
export async function read(ctx: Ctx, given: Given): Promise<Read> {
  const original = await loadDocument(ctx, given.id, true)
  const type = typeById(original.type)!
  const company = await companyOf(ctx)
  const lines = await loadLines(ctx, original.id)
  const payments = await loadPayments(ctx, original.id)
  const stored = contentOf(original, lines, payments)
  const settled = await standingSettlements(ctx, original.id)

  const { lines: changed, touched } = changeLines(stored, given)
  const newCustomer = given.customerId !== undefined && given.customerId !== original.customer_id
  const newPayments = given.payments !== undefined && !samePayments(given.payments, stored.payments ?? [])
  const day = given.date !== undefined && given.date !== original.day ? given.date : undefined
  const content: Content = {
    ...stored,
    lines: changed,
    payments: given.payments ?? stored.payments,
    ...(given.cashException ? { cashException: given.cashException } : {}),
    ...(newCustomer ? { customerId: given.customerId, ...(await withoutCustomer(ctx, original)) } : {}),
  }

  const isInvoice = type.cancelledBy === 'creditInvoice'
  const isIssued = statusFacts(original.status).isLive
  const right =
    isInvoice && isIssued && touched.size
      ? await prepareDocument(
          ctx,
          { ...content, customerId: original.customer_id, payments: [] },
          { ...fixedBy(original), company },
        )
      : undefined
  const difference =
    right &&
    differenceOf(
      {
        lines: lines.map((l) => ({
          vatKind: vatKindById(l.vat_kind)!,
          vatClass: l.vat_class,
          net: l.net_agorot,
          vat: l.vat_agorot,
        })),
        rounding: original.rounding_agorot,
        total: original.total_agorot,
      },
      right.totals,
      touched,
    )
  const facts = await factsOf(ctx, original)
  const isTaxDocument = documentTypes[type.name].isTaxDocument
  const vatPeriodOn = await vatPeriodsOf(ctx)
  const vatDueOn = (await reportingDaysOf(ctx)).vat
  const plan = planCorrection(
    {
      type: type.name,
      status: original.status,
      day: original.day,
      undoneBy: type.cancelledBy
        ? 'credit'
        : type.cancelledByItself
          ? 'itself'
          : type.posts
            ? undefined
            : 'mark',
      hasMoney: payments.length > 0,
      isPaid: settled.length > 0,
      isCredited: original.credited_agorot !== 0,
      isUsed: facts.used || (!!type.asks && original.asked_agorot !== original.total_agorot),
      isBanked: facts.banked,
    },
    {
      customer: newCustomer,
      payments: newPayments,
      lines: touched.size > 0,
      isLess: difference !== undefined,
      isNothing:
        touched.size > 0 && !type.linesOptional && (right ? right.totals.total <= 0 : isEmpty(changed)),
      day,
    },
    {
      today: ctx.today,
      locked: facts.locked,
      backDatingAllowed: company.backDating,
      vatPeriodOn,
      vatDueOn,
      lastOfSeries: facts.last ?? undefined,
      isTaxDocument,
    },
  )
  return {
    original,
    wrong: stored,
    content,
    right,
    difference,
    untaxed: facts.untaxed,
    settled,
    newCustomer,
    day,
    vatPeriodOn,
    plan,
  }
}

/**
 * What the wrong customer brought to the document is dropped: the place of delivery, and the customer's own terms,
 * language and agent. What somebody chose for this document stays; so does a due day that is not the one its terms
 * give.
 */
async function withoutCustomer(ctx: Ctx, original: StoredDocument): Promise<Partial<Content>> {
  const { rows } = await sql<{
    terms: string | null
    language: string
    agent: string | null
  }>`select p.language, p.agent_id as agent,
      coalesce(p.due_terms, (select t.due_terms from customer_types t where t.company_id = p.company_id
      and t.id = p.type_id),
        (select c.due_terms from companies c where c.id = p.company_id)) as terms
    from parties p where p.company_id = ${ctx.companyId} and p.id = ${original.customer_id}`.execute(ctx.tx)
  const own = rows[0]
  return {
    deliverTo: undefined,
    ...(own?.language === original.language ? { language: undefined } : {}),
    ...(own?.agent === original.agent_id ? { agentId: undefined } : {}),
    ...(own?.terms === original.due_terms && original.due_day === dueDayOf(original.day, original.due_terms)
      ? { dueTerms: undefined, dueDate: null }
      : {}),
  }
}

const isEmpty = (lines: Content['lines']): boolean => lines.every((l) => parseDecimal4(l.quantity) === 0)

/** The lines as they should have been, and the places of those that differ. */
function changeLines(
  stored: Content,
  { lines: wished = [] }: Given,
): { lines: Content['lines']; touched: Set<number> } {
  const touched = new Set<number>()
  wished.forEach(({ line }, i) => {
    if (!stored.lines[line - 1])
      throw new Failure('kit.badInput', {}, [{ path: `lines.${i}.line`, code: 'fields.ref' }])
  })
  const lines = stored.lines.map((l, i) => {
    const wish = wished.findLast(({ line }) => line === i + 1)
    const quantity = wish?.quantity ?? l.quantity
    const unitPrice = wish?.unitPrice ?? l.unitPrice
    const vatKind = wish?.vatKind ?? l.vatKind
    const isSame =
      parseDecimal4(quantity) === parseDecimal4(l.quantity) &&
      parseDecimal4(unitPrice) === parseDecimal4(l.unitPrice) &&
      vatKind === l.vatKind
    if (isSame) return l
    touched.add(i)
    // It takes no more of an earlier paper than it did.
    const taken =
      l.source && (parseDecimal4(quantity) ?? 0) < (parseDecimal4(l.source.quantity ?? l.quantity) ?? 0)
        ? quantity
        : l.source?.quantity
    const discount = discountOfPart(l.discount, {
      whole: parseDecimal4(l.quantity) ?? 0,
      left: parseDecimal4(l.quantity) ?? 0,
      taken: parseDecimal4(quantity) ?? 0,
      unitPrice: parseDecimal4(unitPrice) ?? 0,
    })
    return {
      ...l,
      discount,
      quantity,
      unitPrice,
      vatKind,
      ...(l.source ? { source: { ...l.source, quantity: taken } } : {}),
    }
  })
  return { lines, touched }
}

type Payments = NonNullable<Content['payments']>
/** An empty detail is no detail, and a day not named is the paper's own. */
function samePayments(given: Payments, stored: Payments): boolean {
  const plain = (some: Payments, other: Payments) =>
    JSON.stringify(
      some.map((one, i) =>
        Object.entries({
          ...one,
          date: one.date ?? other[i]?.date,
          dueDate: one.dueDate ?? other[i]?.dueDate,
        })
          .filter(([, value]) => value !== undefined && value !== null && value !== '')
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
    )
  return plain(given, stored) === plain(stored, stored)
}

interface Facts {
  used: boolean
  banked: boolean
  last: string | null
  untaxed: number
  locked: (Period & { kind: 'vat' | 'month' | 'year' })[]
}

async function factsOf(ctx: Ctx, original: StoredDocument): Promise<Facts> {
  const series = `${typeById(original.type)!.series}${original.branch ? `@${original.branch}` : ''}`
  const { rows } = await sql<Facts>`select
      exists (select 1 from document_lines l join documents d on d.company_id = l.company_id
      and d.id = l.document_id
        where l.company_id = ${ctx.companyId} and l.source_document_id = ${original.id}
          and ${isLive('d')}) as used,
      exists (select 1 from document_payments y where y.company_id = ${ctx.companyId}
      and y.document_id = ${original.id} and y.state <> 'received') as banked,
      (select s.last_day::text from number_series s where s.company_id = ${ctx.companyId}
      and s.series = ${series}) as last,
      (select d.ils_untaxed_agorot from documents d where d.company_id = ${ctx.companyId}
      and d.id = ${original.id}) as untaxed,
      coalesce((select jsonb_agg(jsonb_build_object('kind', p.kind, 'from', p.from_day, 'to', p.to_day)
      order by p.from_day) from locked_periods p
        where p.company_id = ${ctx.companyId} and p.reopened_at is null), '[]') as locked`.execute(ctx.tx)
  return rows[0]!
}
