import { statusFacts } from '#domain/documents/facts.ts'
import { vatKinds, type DocumentTypeName, type VatKind } from '#domain/documents/kinds.ts'
import type { MoneyReceived } from '#domain/documents/needed.ts'
import { formatMoney } from '#domain/format.ts'
import { splitByLargestRemainder } from '#domain/money.ts'
import type { Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import {
  contentOf,
  issuePrepared,
  loadDocument,
  loadLines,
  neededByCard,
  prepareDocument,
  sendDocument,
  type Content,
  type Prepared,
} from '#features/sales/documents/server/index.ts'
import { typeId } from '#features/sales/documents/types/index.ts'
import type { Charge } from '#features/money/acquirers/server/index.ts'
import { isRequest, payableOf, type Link, type Payable } from './payable.ts'

type Given = Parameters<typeof prepareDocument>[1]
type VatKindId = (typeof vatKinds)[VatKind]

/** The document that a payment of a link, of a document or of neither is given. */
export function documentOfPayment(
  ctx: Ctx,
  link: Pick<Link, 'paper'> | undefined,
  payable: Pick<Payable, 'type'> | undefined,
): Promise<DocumentTypeName> {
  const pays = paysOf(payable)
  return neededByCard(ctx, {
    for: link?.paper === 'donation' && pays !== 'invoice' ? 'donation' : 'sale',
    pays,
  })
}

/** A sum with VAT as a unit price. */
const priceOf = (agorot: number): string => formatMoney(agorot).replaceAll(',', '')

/**
 * Issues the document that a card payment needs: a receipt that closes the invoice it pays, or where no invoice was
 * issued, a tax invoice/receipt of a business that charges VAT and a receipt of one that does not. What was paid above
 * the debt stays to the customer's credit.
 */
export async function issueFor(
  ctx: Ctx,
  charge: Charge,
  link:
    | (Pick<Link, 'description' | 'paper' | 'customer_id' | 'email'> & Partial<Pick<Link, 'mails_paper'>>)
    | undefined,
): Promise<{ id: string; number: number; customerId: string | null }> {
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
    payments: [paymentOf(charge)],
    closes:
      payable && payable.openAgorot > 0
        ? [{ documentId: payable.id, amountAgorot: Math.min(payable.openAgorot, agorot) }]
        : [],
  }
  const document = await documentOfPayment(ctx, link, payable)
  const given = { ...common, type: typeId(document) }
  const prepared = isOwnSale(document, paysOf(payable))
    ? await withItsLines(ctx, given, charge, payable?.id)
    : await prepareDocument(ctx, { ...given, lines: [] })
  const issued = await issuePrepared(ctx, prepared)
  const to = email || prepared.customer?.email || link?.email
  // Online payers wait for their receipt, unless the author of the link sends it; the email is sent after the commit.
  if (to && link?.mails_paper !== false) await sendDocument(ctx, { id: issued.id, to, attach: true })
  return { ...issued, customerId: prepared.customerId }
}

/** The card payment of a charge, as documents carry it. */
const paymentOf = (charge: Charge) => ({
  means: 4,
  amountAgorot: charge.amount_agorot,
  ...(charge.instalments && charge.instalments > 1 ? { instalments: charge.instalments } : {}),
  cardBrand: charge.card_brand,
  cardLast4: charge.card_last4,
  number: charge.approval,
  reference: charge.uid,
})

/**
 * Issues the one document of a payment of several: a receipt that closes all invoices, or what money for requests needs,
 * with the lines of each request in their VAT kinds.
 */
export async function issueForDocuments(
  ctx: Ctx,
  charge: Charge,
  parts: readonly { payable: Payable; agorot: number }[],
): Promise<{ id: string; number: number; customerId: string | null }> {
  const { payable } = parts[0]!
  const document = await documentOfPayment(ctx, undefined, payable)
  const lines = []
  if (isOwnSale(document, paysOf(payable)))
    for (const part of parts) {
      const sold = await loadLines(ctx, part.payable.id)
      lines.push(
        ...linesOfAmount(
          part.payable.name,
          part.agorot,
          sold.map((line) => ({ vatKind: line.vat_kind, agorot: line.total_agorot })),
        ),
      )
    }
  const prepared = await prepareDocument(ctx, {
    type: typeId(document),
    ...(payable.customerId ? { customerId: payable.customerId } : {}),
    language: charge.language,
    subject: '',
    payments: [paymentOf(charge)],
    closes: parts.map((part) => ({ documentId: part.payable.id, amountAgorot: part.agorot })),
    ...(lines.length ? { rounding: 'none' as const } : {}),
    lines,
  } as Given)
  const issued = await issuePrepared(ctx, prepared)
  const to = charge.payer.email || prepared.customer?.email
  if (to) await sendDocument(ctx, { id: issued.id, to, attach: true })
  return { ...issued, customerId: prepared.customerId }
}

/** Whether the document is the only proof of the sale: it then lists what was sold. */
const isOwnSale = (document: DocumentTypeName, pays: MoneyReceived['pays']): boolean =>
  document === 'taxInvoiceReceipt' || (document === 'receipt' && pays !== 'invoice')

/** What is paid: an invoice or another debt, a request for payment, or nothing that was issued. */
export const paysOf = (payable: Pick<Payable, 'type'> | undefined): MoneyReceived['pays'] =>
  !payable ? 'nothing' : isRequest(payable.type) ? 'request' : 'invoice'

/**
 * An amount as lines of a document, a line for each VAT kind of what it pays for, in proportion. The lines come to the
 * amount exactly: none of their prices is before VAT.
 */
export function linesOfAmount(
  description: string,
  agorot: number,
  sold: readonly { readonly vatKind: VatKindId; readonly agorot: number }[],
) {
  const byKind = new Map<VatKindId, number>()
  for (const { vatKind, agorot: one } of sold) {
    const kind = vatKind === vatKinds.beforeVat ? vatKinds.includingVat : vatKind
    byKind.set(kind, (byKind.get(kind) ?? 0) + one)
  }
  // What came down to nothing has no proportion.
  const kinds = [...byKind].filter(([, of]) => of > 0)
  if (!kinds.length) kinds.push([vatKinds.includingVat, 1])
  const parts = splitByLargestRemainder(
    agorot,
    kinds.map(([, of]) => of),
  )
  return kinds
    .map(([vatKind], i) => ({ description, quantity: '1', unitPrice: priceOf(parts[i]!), vatKind }))
    .filter((_, i) => parts[i] !== 0)
}

/**
 * The lines of the request when it is paid whole and nothing of it was taken yet, else lines of the amount that was
 * paid.
 */
async function withItsLines(
  ctx: Ctx,
  base: Omit<Given, 'lines'>,
  charge: Charge,
  requestId: string | undefined,
): Promise<Prepared> {
  const agorot = charge.amount_agorot
  const request = requestId ? await loadDocument(ctx, requestId) : undefined
  const lines = request ? await loadLines(ctx, request.id) : []
  if (
    request &&
    request.asked_agorot === agorot &&
    request.total_agorot === agorot &&
    statusFacts(request.status).isUntouched
  ) {
    const of: Content = contentOf(request, lines)
    const prepared = await prepareDocument(
      ctx,
      {
        ...base,
        subject: base.subject || request.subject,
        discount: of.discount,
        rounding: of.rounding,
        // A receipt answers the request by what it closes, an invoice by its lines.
        ...(base.type === typeId('receipt')
          ? { lines: of.lines.map(({ source: _, ...l }) => l) }
          : {
              sourceId: request.id,
              lines: of.lines.map((l, i) => ({
                ...l,
                source: { documentId: request.id, line: lines[i]!.line, quantity: l.quantity },
              })),
            }),
      },
      { exactly: agorot },
    )
    if (prepared.totals.total === agorot) return prepared
  }
  const description = base.subject || request?.subject || say(charge.language, 'paymentLinks.line')
  return prepareDocument(ctx, {
    ...base,
    rounding: 'none',
    lines: linesOfAmount(
      description,
      agorot,
      lines.map((line) => ({ vatKind: line.vat_kind, agorot: line.total_agorot })),
    ),
  })
}
