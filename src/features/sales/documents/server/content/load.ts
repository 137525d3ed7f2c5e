import { sql } from 'kysely'
import { termsShown } from '../../workOut.ts'
import type { Discount } from '#domain/documents/arithmetic.ts'
import { statusFacts } from '#domain/documents/facts.ts'
import { leftFor, leftOpen, type Taken } from '#domain/documents/following.ts'
import { documentTypeById, type PaperLabel } from '#domain/documents/kinds.ts'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import type { ExemptGround, ZeroGround } from '#domain/vat/grounds.ts'
import { fail } from '#kit/describe/errors.ts'
import { canDocument } from '#kit/describe/session.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isLive } from '#kit/server/data/documentFacts.ts'
import type { DeliverTo, DocumentAnswer } from '../../endpoints.ts'
import { successors, typeId } from '../../types/index.ts'
import { signPageOf, takesOnline } from '../paper/online.ts'
import { isOpeningItem, openingNumber, paperLabel } from './opening.ts'
import type { CustomerSnapshot, Content } from './shapes.ts'
import { seenCloses } from './sight.ts'

export interface BusinessSnapshot {
  name: string
  kind: 'licensedDealer' | 'partnership' | 'company' | 'nonProfit' | 'exemptDealer'
  taxId: string
  street: string
  city: string
  zip: string
  phone: string
  email: string
  website: string
  bankDetails: string
  /** Of the account for money from abroad; absent where none is set, and on documents from before it could be. */
  iban?: string
  swift?: string
  /** In a foreign currency or language: its account is printed in full. */
  isPaidFromAbroad?: boolean
  layout: 'classic' | 'modern' | 'compact'
  accent: string
  textAbove: string
  textBelow: string
  showCreditLine: boolean
  /** In place of the usual sentence; absent on documents from before it could be set. */
  section46Text?: string
}

/** A document as it is stored. */
export interface StoredDocument {
  id: string
  type: number
  series: string
  number: number | null
  status: DocumentAnswer['status']
  day: string
  due_day: string | null
  due_terms: string
  currency: string
  rate: string
  /** The day the rate was published for; a typed rate has none. */
  rate_day: string | null
  rate_source: 'bank' | 'own' | 'typed' | null
  language: DocumentAnswer['language']
  customer_id: string | null
  customer: Partial<CustomerSnapshot>
  business: BusinessSnapshot
  subject: string
  notes: string
  notes_below: string
  notes_internal: string
  order_number: string
  project_id: string | null
  /** The worker who sold it. */
  agent_id: string | null
  discount_bp: number
  discount_sum_agorot: number
  rounding: 'none' | 'whole' | 'half'
  zero_rate: boolean
  /** Why it is at zero rate or exempt; null where nobody chose. */
  zero_ground: ZeroGround | null
  exempt_ground: ExemptGround | null
  /** In a foreign currency: without its amounts in shekels, where it carries no VAT. */
  hides_ils: boolean | null
  vat_rate_bp: number
  subtotal_agorot: number
  discount_agorot: number
  net_taxable_agorot: number
  net_exempt_agorot: number
  net_zero_agorot: number
  vat_agorot: number
  rounding_agorot: number
  total_agorot: number
  ils_net_agorot: number
  ils_held_agorot: number
  /** It writes a debt off, or charges what was paid of one that was written off. */
  is_bad_debt: boolean
  ils_vat_agorot: number
  ils_total_agorot: number
  open_agorot: number
  open_in_currency_agorot: number
  asked_agorot: number
  credited_agorot: number
  sub_type: number
  pro: boolean
  branch: string
  valid_until: string | null
  deliver_to: DeliverTo | null
  by_hand: boolean
  /** What a draft will do when it is issued and no column holds. */
  pending: {
    closes: NonNullable<Content['closes']>
    handNumber: number | null
    cashException?: string
    classException?: string
  } | null
  source_id: string | null
  cancelled_by_id: string | null
  reason: string
  page_key: string
  /** The key of the program that made it. */
  client_key: string | null
  allocation_state: string
  allocation_number: string | null
  donation_number: string | null
  sent_at: string | null
  viewed_at: string | null
  issued_at: string | null
  issued_by: string | null
  created_at: string
  created_by: string | null
  updated_at: string
}

export interface StoredLine {
  line: number
  item_id: string | null
  sku: string
  description: string
  details: string
  quantity: string
  unit: string
  unit_price: string
  income_kind_id: string | null
  discount_bp: number
  discount_sum_agorot: number
  vat_kind: 1 | 2 | 3 | 4
  vat_class: 'standard' | 'exempt' | 'zero'
  amount_agorot: number
  discount_share_agorot: number
  net_agorot: number
  vat_agorot: number
  total_agorot: number
  ils_net_agorot: number
  source_document_id: string | null
  source_line: number | null
  takes: string
}

export interface StoredPayment {
  id: string
  line: number
  means: number
  amount_agorot: number
  ils_agorot: number
  day: string
  due_day: string
  instalments: number | null
  card_brand: string
  card_last4: string
  bank: string
  branch: string
  account: string
  number: string
  reference: string
  state: string
  /** Where the money lay when the paper was issued; none of a draft. */
  account_id: string | null
}

/** One document of the business; locked when something is about to happen to it. */
export async function load(ctx: Ctx, id: string, lock = false): Promise<StoredDocument> {
  const { rows } = await sql<StoredDocument>`select * from documents where company_id = ${ctx.companyId}
        and id = ${id} ${lock ? sql`for update` : sql``}`.execute(ctx.tx)
  if (!rows[0] || (ctx.caller.docsAllow.length && !ctx.caller.docsAllow.includes(rows[0].type)))
    throw fail('kit.notFound')
  return rows[0]
}

export async function loadLines(ctx: Ctx, id: string): Promise<StoredLine[]> {
  const { rows } = await sql<StoredLine>`select * from document_lines where company_id = ${ctx.companyId}
        and document_id = ${id} order by line`.execute(ctx.tx)
  return rows
}

export async function loadPayments(ctx: Ctx, id: string): Promise<StoredPayment[]> {
  const { rows } =
    await sql<StoredPayment>`select * from document_payments where company_id = ${ctx.companyId}
        and document_id = ${id} order by line`.execute(ctx.tx)
  return rows
}

/** numeric comes as '3.0000'; people and clients see '3'. */
export const plainDecimal = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

type Linked = { id: string; type: number; number: number | null; label: PaperLabel | null } | null

export async function answerOf(ctx: Ctx, id: string): Promise<DocumentAnswer> {
  const other = (column: string) =>
    sql`(select jsonb_build_object('id', o.id, 'type', o.type, 'number', o.number, 'label',
        ${paperLabel('o')}) from documents o where o.company_id = d.company_id
        and o.id = d.${sql.ref(column)})`
  // One round trip for the document, its lines, what it is linked to and whether it could be paid on its
  // page.
  const asked = sql<
    StoredDocument & {
      lines: StoredLine[]
      /** What later papers took of each line, in ten-thousandths, by line and type. */
      taken: Record<string, Record<string, number>>
      payments: StoredPayment[]
      settlements: DocumentAnswer['settlements']
      source: Linked
      cancelled_by: Linked
      issuer: string | null
      project_name: string | null
      agent_name: string | null
      opening: string | null
    }
  >`/*=*/ select d.*, ${other('source_id')} as source, ${other('cancelled_by_id')} as cancelled_by,
      (select u.full_name from users u where u.id = d.issued_by) as issuer,
      (select p.name from projects p where p.company_id = d.company_id and p.id = d.project_id) as
      project_name,
      (select u.full_name from users u where u.id = d.agent_id) as agent_name,
      ${openingNumber('d')} as opening,
      coalesce((select
      jsonb_agg(to_jsonb(l) || jsonb_build_object('quantity', l.quantity::text, 'unit_price',
      l.unit_price::text, 'takes', l.takes::text${
        ctx.caller.docsAllow.length
          ? sql`, 'source_document_id', seen_document(l.company_id, l.source_document_id)`
          : sql``
      }) order by l.line)
        from document_lines l where l.company_id = d.company_id and l.document_id = d.id), '[]') as lines,
      coalesce((select jsonb_object_agg(n.line, n.by_type)
      from (select m.line, jsonb_object_agg(m.type, m.takes) as by_type from
          (select t.source_line as line, o.type, (sum(t.takes) * 10000)::bigint as takes from document_lines t
            join documents o on o.company_id = t.company_id and o.id = t.document_id
            where t.company_id = d.company_id and t.source_document_id = d.id
              and ${isLive('o')} group by 1, 2) m
          group by 1) n), '{}') as taken,
      coalesce((select jsonb_agg(to_jsonb(y) order by y.line) from document_payments y
      where y.company_id = d.company_id and y.document_id = d.id), '[]') as payments,
      ${settlementsOf} as settlements
    from documents d where d.company_id = ${ctx.companyId} and d.id = ${id}`.execute(ctx.tx)
  const [{ rows }, isTaken] = await Promise.all([asked, takesOnline(ctx)])
  const d = rows[0]
  if (!d || (ctx.caller.docsAllow.length && !ctx.caller.docsAllow.includes(d.type)))
    throw fail('kit.notFound')
  const { lines, payments, settlements } = d
  const shown = (link: Linked) => (link && canDocument(ctx.caller, link.type) ? link : null)
  // A draft has no paper yet and an opening debt none of ours; the customer's page is nothing but figures.
  const hasPages = statusFacts(d.status).isIssued && !isOpeningItem(d.series) && !ctx.caller.hideTotalPrices
  const pdf = (variant: string) => (hasPages ? `/api4/invoice/documents/${d.id}/pdf?variant=${variant}` : '')
  const page = hasPages ? `${siteOf(ctx.app)}/paymentdoc/${d.page_key}` : ''
  const isDue =
    hasPages &&
    !statusFacts(d.status).isCancelled &&
    d.currency === 'ILS' &&
    Math.max(d.open_in_currency_agorot, d.asked_agorot) > 0
  return {
    id: d.id,
    type: d.type,
    number: d.number,
    status: d.status,
    date: d.day,
    dueDate: d.due_day,
    dueTerms: termsShown(d.day, d.due_day, d.due_terms),
    currency: d.currency,
    rate: plainDecimal(d.rate),
    rateDate: d.rate_day,
    language: d.language,
    customerId: d.customer_id,
    customer: d.customer.name
      ? {
          name: d.customer.name,
          taxId: d.customer.taxId ?? null,
          email: d.customer.email ?? null,
          phone: d.customer.phone ?? null,
          city: d.customer.city ?? null,
        }
      : null,
    subject: d.subject,
    notes: d.notes,
    notesBelow: d.notes_below,
    notesInternal: d.notes_internal,
    orderNumber: d.order_number,
    projectId: d.project_id,
    projectName: d.project_name,
    agentId: d.agent_id,
    agentName: d.agent_name,
    discount: d.discount_bp
      ? { basisPoints: d.discount_bp }
      : d.discount_sum_agorot
        ? { agorot: d.discount_sum_agorot }
        : null,
    rounding: d.rounding,
    vatRateBp: d.vat_rate_bp,
    zeroGround: d.zero_ground,
    exemptGround: d.exempt_ground,
    hidesIls: d.hides_ils ?? false,
    lines: lines.map((l) => ({
      line: l.line,
      itemId: l.item_id,
      sku: l.sku,
      description: l.description,
      details: l.details,
      quantity: plainDecimal(l.quantity),
      unit: l.unit,
      unitPrice: plainDecimal(l.unit_price),
      incomeKindId: l.income_kind_id,
      discountBp: l.discount_bp,
      discountAgorot: l.discount_sum_agorot,
      vatKind: l.vat_kind,
      vatClass: l.vat_class,
      source: l.source_document_id
        ? { documentId: l.source_document_id, line: l.source_line!, quantity: plainDecimal(l.takes) }
        : null,
      ...leftIn(d, l, d.taken[l.line]),
      amountAgorot: l.amount_agorot,
      netAgorot: l.net_agorot,
      vatAgorot: l.vat_agorot,
      totalAgorot: l.total_agorot,
    })),
    payments: payments.map(paymentAnswerOf),
    settlements,
    closes: await seenCloses(ctx, d.pending?.closes ?? []),
    cashException: d.pending?.cashException ?? '',
    handNumber: d.pending?.handNumber ?? null,
    subType: d.sub_type,
    pro: d.pro,
    branch: d.branch,
    validUntil: d.valid_until,
    deliverTo: d.deliver_to,
    byHand: d.by_hand,
    business: shownBusiness(d.business),
    isOpening: isOpeningItem(d.series),
    isBadDebt: d.is_bad_debt,
    openingNumber: d.opening ?? '',
    totals: {
      subtotalAgorot: d.subtotal_agorot,
      discountAgorot: d.discount_agorot,
      netTaxableAgorot: d.net_taxable_agorot,
      netExemptAgorot: d.net_exempt_agorot,
      netZeroAgorot: d.net_zero_agorot,
      vatAgorot: d.vat_agorot,
      roundingAgorot: d.rounding_agorot,
      totalAgorot: d.total_agorot,
      openAgorot: d.open_agorot,
      openInCurrencyAgorot: d.open_in_currency_agorot,
      askedAgorot: d.asked_agorot,
      creditedAgorot: d.credited_agorot,
      ilsTotalAgorot: d.ils_total_agorot,
    },
    allocationState: d.allocation_state,
    allocationNumber: d.allocation_number,
    source: shown(d.source),
    cancelledBy: shown(d.cancelled_by),
    reason: d.reason,
    sentAt: d.sent_at,
    viewedAt: d.viewed_at,
    issuedAt: d.issued_at,
    issuedByName: d.issuer,
    createdAt: d.created_at,
    updatedAt: d.updated_at,
    urls: {
      original: pdf('original'),
      copy: pdf('copy'),
      certified: pdf('certified'),
      thermal: pdf('thermal'),
      page,
      pay: isDue && isTaken ? page : '',
      sign: hasPages && !statusFacts(d.status).isCancelled ? await signPageOf(ctx, d) : '',
    },
  }
}

/** The business as the document shows it, in its language; a draft follows the settings until it is issued. */
const shownBusiness = (b: Partial<BusinessSnapshot>): DocumentAnswer['business'] => ({
  name: b.name ?? '',
  street: b.street ?? '',
  city: b.city ?? '',
  bankDetails: b.bankDetails ?? '',
  iban: b.iban ?? '',
  swift: b.swift ?? '',
})

/**
 * What is left of a line: of what keeps the paper open, and for each paper that may be made from it. A draft
 * has nothing to give.
 */
function leftIn(
  d: StoredDocument,
  l: StoredLine,
  takenOf: Record<string, number> = {},
): Pick<DocumentAnswer['lines'][number], 'left' | 'leftFor'> {
  const source = documentTypeById(d.type)
  if (statusFacts(d.status).isDraft || !source) return { left: null, leftFor: [] }
  const quantity = parseDecimal4(l.quantity) ?? 0
  const taken = Object.fromEntries(
    Object.entries(takenOf).map(([type, takes]) => [documentTypeById(Number(type)), takes]),
  ) as Taken
  return {
    left: toText(leftOpen(source, quantity, taken)),
    leftFor: successors(source, d.business.kind).map(({ name }) => ({
      type: typeId(name),
      quantity: toText(leftFor(source, name, quantity, taken)),
    })),
  }
}

/**
 * What is left of each line of a paper for one of the given type, as text; below nothing where a charged line
 * came back.
 */
export async function leftOf(ctx: Ctx, id: string, follower: number): Promise<Map<number, string>> {
  const { rows } = await sql<{
    line: number
    left_: string
  }>`select line, left_::text from left_of_lines(${ctx.companyId}, ${id}, ${follower})`.execute(ctx.tx)
  return new Map(rows.map((row) => [row.line, row.left_]))
}

export const paymentAnswerOf = (y: StoredPayment): DocumentAnswer['payments'][number] => ({
  id: y.id,
  line: y.line,
  means: y.means,
  amountAgorot: y.amount_agorot,
  date: y.day,
  dueDate: y.due_day,
  instalments: y.instalments,
  cardBrand: y.card_brand,
  cardLast4: y.card_last4,
  bank: y.bank,
  branch: y.branch,
  account: y.account,
  number: y.number,
  reference: y.reference,
  state: y.state,
})

/** A settlement `x` that was not reversed. */
export const standing = sql`x.reverses_id is null
    and not exists (select 1 from settlements r where r.company_id = x.company_id and r.reverses_id = x.id)`

/**
 * What closed it, or what it closed: still standing settlements and answers to payment requests, in this
 * document's currency. Each side is asked by its own index, and the other papers are looked up one by one
 * (`offset 0`): joined, they were found by going through all papers of the business.
 */
const settlementsOf = sql`coalesce((select
    jsonb_agg(jsonb_build_object('id', s.id, 'documentId', o.id, 'type', o.type, 'number', o.number, 'label',
    o.label, 'opening', o.opening, 'date', s.day,
    'amountAgorot', s.amount) order by s.day, s.id) from (
      select x.id, x.day, x.to_id as other, x.from_agorot as amount from settlements x
        where x.company_id = d.company_id and x.from_id = d.id and ${standing}
      union all select x.id, x.day, x.from_id, x.to_agorot from settlements x
      where x.company_id = d.company_id and x.to_id = d.id and ${standing}
      union all select min(a.id::text)::uuid, min(a.created_at at time zone 'Asia/Jerusalem')::date, case
        when a.request_id = d.id then a.document_id else a.request_id end, sum(a.agorot)::bigint
      from asked_payments a where a.company_id = d.company_id
        and (a.request_id = d.id or a.document_id = d.id) group by 3 having sum(a.agorot) <> 0
    ) s join lateral (select p.id, p.type, p.number, ${paperLabel('p')} as label,
    ${openingNumber('p')} as opening from documents p where p.company_id = d.company_id
    and p.id = s.other and sees_type(p.type) offset 0) o on true), '[]')`

/** The discount of a line as it was given. */
export const discountOf = (
  l: Pick<StoredLine, 'discount_bp' | 'discount_sum_agorot'>,
): Discount | undefined =>
  l.discount_bp
    ? { basisPoints: l.discount_bp }
    : l.discount_sum_agorot
      ? { agorot: l.discount_sum_agorot }
      : undefined

/** What a stored document says, as input again: for issuing a draft, for a copy of it, for its credit. */
export function contentOf(d: StoredDocument, lines: StoredLine[], payments: StoredPayment[] = []): Content {
  return {
    type: d.type,
    customerId: d.customer_id,
    date: d.day,
    dueDate: d.due_day,
    dueTerms: d.due_terms,
    currency: d.currency,
    // A draft goes by the rate of the day it is issued, unless a person wrote one.
    rate:
      statusFacts(d.status).isDraft && (d.rate_source === 'bank' || d.rate_source === 'own')
        ? undefined
        : plainDecimal(d.rate),
    language: d.language,
    subject: d.subject,
    notes: d.notes,
    notesBelow: d.notes_below,
    notesInternal: d.notes_internal,
    orderNumber: d.order_number,
    projectId: d.project_id,
    agentId: d.agent_id,
    sourceId: d.source_id,
    discount: d.discount_bp
      ? { basisPoints: d.discount_bp }
      : d.discount_sum_agorot
        ? { agorot: d.discount_sum_agorot }
        : null,
    rounding: d.rounding,
    ...(d.zero_ground ? { zeroGround: d.zero_ground } : {}),
    exemptGround: d.exempt_ground,
    ...(d.hides_ils === null ? {} : { hidesIls: d.hides_ils }),
    subType: d.sub_type,
    pro: d.pro,
    branch: d.branch,
    validUntil: d.valid_until,
    // None stays none: what a person took away does not come back when the draft is issued.
    deliverTo: d.deliver_to,
    reason: d.reason,
    ...(d.pending
      ? {
          closes: d.pending.closes,
          handNumber: d.pending.handNumber,
          cashException: d.pending.cashException ?? '',
          classException: d.pending.classException ?? '',
        }
      : {}),
    payments: payments.map(({ line: _, state: __, ...y }) => ({
      means: y.means,
      amountAgorot: y.amount_agorot,
      date: y.day,
      dueDate: y.due_day,
      instalments: y.instalments,
      cardBrand: y.card_brand,
      cardLast4: y.card_last4,
      bank: y.bank,
      branch: y.branch,
      account: y.account,
      number: y.number,
      reference: y.reference,
    })),
    lines: lines.map((l) => ({
      itemId: l.item_id,
      sku: l.sku,
      description: l.description,
      details: l.details,
      quantity: l.quantity,
      unit: l.unit,
      unitPrice: l.unit_price,
      incomeKindId: l.income_kind_id,
      vatKind: l.vat_kind,
      ...(discountOf(l) ? { discount: discountOf(l) } : {}),
      ...(l.source_document_id
        ? {
            source: {
              documentId: l.source_document_id,
              line: l.source_line!,
              quantity: plainDecimal(l.takes),
            },
          }
        : {}),
    })),
  }
}

/**
 * The same paper again, as a new one: what was said of that one alone (its days, what it came from and took,
 * what it closed, why it was cancelled) does not come along.
 */
export function freshOf(d: StoredDocument, lines: StoredLine[]): Content {
  const content = contentOf(d, lines)
  return {
    ...content,
    date: undefined,
    dueDate: null,
    validUntil: null,
    sourceId: null,
    reason: '',
    rate: undefined,
    closes: undefined,
    handNumber: undefined,
    cashException: undefined,
    classException: undefined,
    clientKey: undefined,
    lines: content.lines.map((line) => ({ ...line, source: undefined })),
  }
}
