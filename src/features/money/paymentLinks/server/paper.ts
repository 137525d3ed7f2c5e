import { documentTypes, mayIssue } from '#domain/documents/kinds.ts'
import { formatMoney } from '#domain/format.ts'
import type { Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import {
  contentOf,
  issuePrepared,
  loadDocument,
  loadLines,
  prepareDocument,
  sendDocument,
  type Content,
} from '#features/sales/documents/server/index.ts'
import { typeId } from '#features/sales/documents/types/index.ts'
import type { Charge } from '#features/money/acquirers/server/index.ts'
import { isRequest, payableOf, type Link } from './payable.ts'

type Given = Parameters<typeof prepareDocument>[1]

/** A sum with VAT as a unit price. */
const priceOf = (agorot: number): string => formatMoney(agorot).replaceAll(',', '')

/**
 * Issues what a card payment is given: a receipt that closes the document it pays, an invoice-receipt where no invoice stands before it and
 * the business wants one, a receipt for donations. What was paid above the debt stays to the customer's credit.
 */
export async function issueFor(
  ctx: Ctx,
  charge: Charge,
  link:
    | (Pick<Link, 'description' | 'paper' | 'customer_id' | 'email'> & Partial<Pick<Link, 'mails_paper'>>)
    | undefined,
  /** A receipt whatever the business gives usually. */
  always?: 'receipt',
): Promise<{ id: string; number: number; customerId: string | null }> {
  const company = await companyOf(ctx)
  const agorot = charge.amount_agorot
  const payable = charge.document_id ? await payableOf(ctx, charge.document_id, true) : undefined
  const customerId = payable?.customerId ?? charge.customer_id ?? link?.customer_id ?? null
  const { name = '', email, phone, taxId } = charge.payer
  const subject = link?.description ?? ''
  const common = {
    ...(customerId
      ? { customerId }
      : {
          customer: {
            name,
            ...(email ? { email } : {}),
            ...(phone ? { phone } : {}),
            ...(taxId ? { taxId } : {}),
          },
        }),
    language: charge.language,
    subject,
    payments: [
      {
        means: 4,
        amountAgorot: agorot,
        ...(charge.instalments && charge.instalments > 1 ? { instalments: charge.instalments } : {}),
        cardBrand: charge.card_brand,
        cardLast4: charge.card_last4,
        number: charge.approval,
        reference: charge.uid,
      },
    ],
    closes:
      payable && payable.dueAgorot > 0
        ? [{ documentId: payable.id, amountAgorot: Math.min(payable.dueAgorot, agorot) }]
        : [],
  }
  const receipt = {
    ...common,
    type: typeId(link?.paper === 'donation' ? 'donationReceipt' : 'receipt'),
    lines: [],
  }
  const wanted = always ?? (link?.paper && link.paper !== 'usual' ? link.paper : company.onlinePaper)
  const asInvoice =
    wanted === 'invoiceReceipt' &&
    mayIssue(company.kind, 'taxInvoiceReceipt') &&
    (!payable || isRequest(payable.type))
  const invoice = asInvoice
    ? await invoiceReceiptOf(
        ctx,
        { ...common, type: documentTypes.taxInvoiceReceipt.id },
        charge,
        payable?.id,
      )
    : undefined
  const prepared = invoice ?? (await prepareDocument(ctx, receipt))
  const issued = await issuePrepared(ctx, prepared)
  const to = email || prepared.customer?.email || link?.email
  // Whoever pays online waits for his receipt, unless whoever made the link sends it himself; the letter goes behind the commit.
  if (to && link?.mails_paper !== false) await sendDocument(ctx, { id: issued.id, to, attach: true })
  return { ...issued, customerId: prepared.customerId }
}

/** The lines of the request when it is paid whole and nothing of it was taken yet, else one line of the sum; undefined when neither comes to it. */
async function invoiceReceiptOf(
  ctx: Ctx,
  base: Omit<Given, 'lines'>,
  charge: Charge,
  requestId: string | undefined,
) {
  const agorot = charge.amount_agorot
  const request = requestId ? await loadDocument(ctx, requestId) : undefined
  if (
    request &&
    request.asked_agorot === agorot &&
    request.total_agorot === agorot &&
    request.status === 'issued'
  ) {
    const lines = await loadLines(ctx, request.id)
    const of: Content = contentOf(request, lines)
    const prepared = await prepareDocument(
      ctx,
      {
        ...base,
        subject: base.subject || request.subject,
        sourceId: request.id,
        discount: of.discount,
        rounding: of.rounding,
        lines: of.lines.map((l, i) => ({
          ...l,
          source: { documentId: request.id, line: lines[i]!.line, quantity: l.quantity },
        })),
      },
      { exactly: agorot },
    )
    if (prepared.totals.total === agorot) return prepared
  }
  const description = base.subject || request?.subject || say(charge.language, 'paymentLinks.line')
  const prepared = await prepareDocument(
    ctx,
    {
      ...base,
      rounding: 'none',
      lines: [{ description, quantity: '1', unitPrice: priceOf(agorot), vatKind: 2 }],
    },
    { exactly: agorot },
  )
  return prepared.totals.total === agorot ? prepared : undefined
}
