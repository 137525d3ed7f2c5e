import { sql } from 'kysely'
import type { VatClass } from '#domain/documents/arithmetic.ts'
import { heldIn, needsAllocation, netOfInvoice } from '#domain/vat/allocation.ts'
import { askApproval, ordered } from '#kit/server/rights/authority.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import { isDraft } from '#kit/server/data/documentFacts.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { headOf } from '#features/base/companies/server/index.ts'
import { isPurchase, typeId } from '../../types/index.ts'
import { countsAsDealer } from '../../workOut.ts'
import { logDraft, saidBy, type DraftRows } from './draftLog.ts'
import { loadLines, loadPayments, type StoredDocument } from './load.ts'
import type { Prepared } from './shapes.ts'

/** The columns of a document, for a draft and for issuing alike. */
export function columnsOf(
  ctx: Ctx,
  p: Prepared,
  id: string,
  kept?: { page_key: string; client_key: string | null; created_at: string; created_by: string | null },
): Record<string, unknown> {
  const { content, totals, ils, company } = p
  const discount = content.discount ?? null
  return {
    id,
    type: typeId(p.type.name),
    series: seriesOf(p),
    day: p.day,
    due_day: p.dueDay,
    due_terms: p.dueTerms,
    currency: p.currency,
    rate: p.rate,
    rate_day: p.rateDay,
    rate_source: p.rateSource,
    language: p.language,
    customer_id: p.customerId,
    customer: p.customer ?? {},
    business: businessSnapshot(p),
    subject: content.subject ?? '',
    notes: content.notes ?? '',
    notes_below: content.notesBelow ?? '',
    notes_internal: content.notesInternal ?? '',
    order_number: content.orderNumber ?? '',
    project_id: content.projectId ?? null,
    agent_id: p.agentId,
    discount_bp: discount && 'basisPoints' in discount ? discount.basisPoints : 0,
    discount_sum_agorot: discount && 'agorot' in discount ? discount.agorot : 0,
    rounding: content.rounding ?? company.rounding,
    zero_rate: p.zeroRate,
    zero_ground: p.zeroGround,
    exempt_ground: p.exemptGround,
    hides_ils: p.hidesIls,
    vat_rate_bp: p.vatRateBp,
    subtotal_agorot: totals.subtotal,
    discount_agorot: totals.discount,
    net_taxable_agorot: totals.netTaxable,
    net_exempt_agorot: totals.netExempt,
    net_zero_agorot: totals.netZero,
    vat_agorot: totals.vat,
    rounding_agorot: totals.rounding,
    total_agorot: totals.total,
    ils_net_agorot: ils.net,
    ils_vat_agorot: ils.vat,
    ils_total_agorot: ils.total,
    ils_untaxed_agorot: ils.netExempt + ils.netZero,
    ils_held_agorot: heldOf(p),
    is_bad_debt: p.isBadDebt,
    source_id: content.sourceId ?? null,
    reason: content.reason?.trim() ?? '',
    page_key: kept?.page_key ?? newToken(),
    client_key: content.clientKey || (kept?.client_key ?? null),
    created_by: kept ? kept.created_by : byOf(ctx),
    created_at: kept?.created_at ?? ctx.now.toISOString(),
    allocation_state: 'notNeeded',
    allocation_number: null,
    open_agorot: 0,
    open_in_currency_agorot: 0,
    asked_agorot: 0,
    credited_agorot: 0,
    sub_type: content.subType ?? 0,
    pro: content.pro ?? false,
    branch: content.branch?.trim() ?? '',
    valid_until: content.validUntil ?? null,
    deliver_to: p.deliverTo,
    by_hand: !!content.handNumber,
    pending: {
      closes: content.closes ?? [],
      handNumber: content.handNumber ?? null,
      cashException: content.cashException ?? '',
      classException: content.classException ?? '',
    },
    issued_by: null,
    cancelled_by_id: null,
    sent_at: null,
    viewed_at: null,
  }
}

/** What the lines hold in trust for its owner; lines of a receipt that is no income are a description. */
const heldOf = ({ type, isIncome, ils }: Prepared): number =>
  isPurchase(type) || (type.linesOptional && !isIncome) ? 0 : heldIn(ils)

/** A series per type, and per branch where one is named; paper books number themselves. */
export const seriesOf = ({ type, content }: Pick<Prepared, 'type' | 'content'>): string =>
  `${type.series}${content.branch?.trim() ? `@${content.branch.trim()}` : ''}${content.handNumber ? '#hand' : ''}`

/** What the paper says of the business, frozen with the document so that it prints the same for ever. */
const businessSnapshot = ({ company, language, currency }: Prepared) => ({
  ...headOf(company, language),
  ...(currency !== 'ILS' || language !== company.language ? { isPaidFromAbroad: true } : {}),
  textAbove: company.textAbove,
  textBelow: company.textBelow,
  showCreditLine: company.showCreditLine,
  section46Text: company.section46Text,
})

export function linesOf(
  p: Prepared,
  accountOf: (itemAccount: string | null, vatClass: VatClass, vatKind: number) => string | null = () => null,
  itemAccounts: ReadonlyMap<string, string | null> = new Map(),
): Record<string, unknown>[] {
  return p.content.lines.map((l, i) => {
    const t = p.totals.lines[i]!
    const vatKind = l.vatKind ?? p.company.defaultVatKind
    return {
      line: i + 1,
      item_id: l.itemId ?? null,
      sku: l.sku ?? '',
      description: l.description,
      details: l.details ?? '',
      quantity: l.quantity,
      unit: l.unit ?? '',
      unit_price: l.unitPrice,
      income_kind_id: l.incomeKindId ?? null,
      discount_bp: l.discount && 'basisPoints' in l.discount ? l.discount.basisPoints : 0,
      discount_sum_agorot: l.discount && 'agorot' in l.discount ? l.discount.agorot : 0,
      vat_kind: vatKind,
      vat_class: t.vatClass,
      amount_agorot: t.amount,
      discount_share_agorot: t.discountShare,
      net_agorot: t.net,
      vat_agorot: t.vat,
      total_agorot: t.gross,
      ils_net_agorot: p.ils.lines[i]!.net,
      source_document_id: l.source?.documentId ?? null,
      source_line: l.source?.line ?? null,
      takes: l.source ? (l.source.quantity ?? l.quantity) : '0',
      account_id: accountOf(
        itemAccounts.get(l.incomeKindId ?? '') ?? itemAccounts.get(l.itemId ?? '') ?? null,
        t.vatClass,
        vatKind,
      ),
    }
  })
}

/** The means of payment as rows; the account is where the money lands. */
export const paymentsOf = (
  p: Prepared,
  accountOf: (means: number, at: number) => string | null = () => null,
): Record<string, unknown>[] =>
  p.payments.map(({ means, amount, ils, day, dueDay, given }, i) => ({
    id: newId(),
    line: i + 1,
    means,
    amount_agorot: amount,
    ils_agorot: ils,
    day,
    due_day: dueDay,
    instalments: given.instalments ?? null,
    card_brand: given.cardBrand ?? '',
    card_last4: given.cardLast4 ?? '',
    bank: given.bank ?? '',
    branch: given.branch ?? '',
    account: given.account ?? '',
    number: given.number ?? '',
    reference: given.reference ?? '',
    account_id: accountOf(means, i),
  }))

/** Keeps a draft: new, or in place of what it was. Drafts have no number and stand in no report. */
export async function keepDraft(ctx: Ctx, p: Prepared, existing?: StoredDocument): Promise<string> {
  const id = existing?.id ?? newId()
  const columns = {
    ...columnsOf(ctx, p, id, existing),
    company_id: ctx.companyId,
    status: 'draft',
    number: null,
    issued_at: null,
    updated_at: ctx.now.toISOString(),
  }
  const stored = existing && saidBy(await rowsOfDraft(ctx, existing))
  if (existing)
    await sql`delete from documents where company_id = ${ctx.companyId} and id = ${id}
        and ${isDraft()}`.execute(ctx.tx)
  await sql`insert into documents select *
    from jsonb_populate_record(null::documents, ${JSON.stringify(columns)}::jsonb)`.execute(ctx.tx)
  const [lines, payments] = [linesOf(p), paymentsOf(p)]
  await sql`insert into document_lines select * from jsonb_populate_recordset(null::document_lines,
    ${JSON.stringify(lines.map((l) => ({ ...l, company_id: ctx.companyId, document_id: id })))}::jsonb)`.execute(
    ctx.tx,
  )
  if (payments.length)
    await sql`insert into document_payments select * from jsonb_populate_recordset(null::document_payments,
      ${JSON.stringify(payments.map((l) => ({ ...l, company_id: ctx.companyId, document_id: id, state: 'received', created_at: ctx.now.toISOString(), updated_at: ctx.now.toISOString() })))}::jsonb)`.execute(
      ctx.tx,
    )
  await logDraft(ctx, id, stored, saidBy({ document: columns, lines, payments }))
  await askToIssue(ctx, id, p)
  return id
}

/** What drafts of programs are called where they wait for approval. */
export const draftKind = 'drafts'

/** A draft of a program that may not issue it waits for a person. */
async function askToIssue(ctx: Ctx, id: string, p: Prepared): Promise<void> {
  const { apiKey, userId } = ctx.caller
  if (!apiKey?.draftsOnly) return
  await ordered(ctx, draftKind, id)
  await askApproval(
    ctx,
    { kind: draftKind, id, userId, keyId: apiKey.id },
    {
      effect: 'issue',
      why: 'draftsOnly',
      agorot: p.ils.total,
      limitAgorot: null,
      documentType: typeId(p.type.name),
    },
  )
}

/** A stored draft with its rows, as the log looks at it. */
export const rowsOfDraft = async (ctx: Ctx, document: StoredDocument): Promise<DraftRows> => ({
  document,
  lines: await loadLines(ctx, document.id),
  payments: await loadPayments(ctx, document.id),
})

/** Whether the authority's number is asked for; a customer with a dealer's number counts as a dealer. */
export const allocationStateOf = (p: Prepared): 'waiting' | 'notNeeded' =>
  needsAllocation(
    {
      documentAllows: p.type.mayNeedAllocation,
      day: p.day,
      net: netOfInvoice(p.ils),
      vat: p.ils.vat,
      customerIsDealer: !!p.customer && countsAsDealer(p.customer),
    },
    () => p.allocationFrom,
  )
    ? 'waiting'
    : 'notNeeded'
