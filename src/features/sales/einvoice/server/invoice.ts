import { sql } from 'kysely'
import { statusFacts, typeFacts } from '#domain/documents/facts.ts'
import { normaliseIban } from '#domain/iban.ts'
import {
  documentTypeById,
  paymentMeans,
  paymentMeansById,
  type PaymentMeans,
} from '#domain/documents/kinds.ts'
import { countryCode } from '#domain/countries.ts'
import { fromDocument, type SourceWords } from '#domain/einvoice/fromDocument.ts'
import type { EInvoice } from '#domain/einvoice/model.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import { isTaxId } from '#domain/taxId.ts'
import { fail, forbidden } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import {
  loadDocument,
  loadLines,
  loadPayments,
  termsOnPaper,
  type StoredDocument,
} from '#features/sales/documents/server/index.ts'

/** The document in the terms of EN 16931, and whose it is; refuses drafts and papers that are no invoices. */
export async function invoiceOf(
  ctx: Ctx,
  id: string,
): Promise<{ invoice: EInvoice; document: StoredDocument }> {
  const d = await loadDocument(ctx, id)
  if (statusFacts(d.status).isDraft) throw fail('documents.stillDraft')
  const type = documentTypeById(d.type)
  if (!type || !typeFacts(type).isVatDocument) throw fail('einvoice.notThisType')
  // An electronic invoice is nothing but figures: the person who may not see them does not get it.
  if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
  const lines = await loadLines(ctx, id)
  const payments = type === 'taxInvoiceReceipt' ? await loadPayments(ctx, id) : []
  const credited =
    typeFacts(d.type).isCredit && d.source_id ? await loadDocument(ctx, d.source_id) : undefined
  const isSelfBilled = type === 'selfBilledInvoice'
  const other = await buyerOf(ctx, d)
  const business = {
    name: d.business.name,
    taxId: d.business.taxId,
    street: d.business.street,
    city: d.business.city,
    zip: d.business.zip,
    phone: d.business.phone,
    email: d.business.email || undefined,
  }
  const invoice = fromDocument({
    isCredit: typeFacts(d.type).isCredit,
    isSelfBilled,
    number: d.number!,
    day: d.day,
    dueDay: d.due_day ?? undefined,
    currency: d.currency,
    rateBp: d.vat_rate_bp,
    orderNumber: d.order_number || undefined,
    notes: [d.subject, d.reason, ...zeroNote(d), d.notes, d.notes_below, ...exchangeNote(d)].filter(Boolean),
    preceding: credited?.number ? { number: credited.number, day: credited.day } : undefined,
    allocationNumber: d.allocation_number ?? undefined,
    // The issuer writes it, the supplier sells: on a self-billed invoice these are two parties.
    ...(isSelfBilled
      ? { seller: sellerOf(other), buyer: { ...business, isDealer: true, country: 'IL' } }
      : { seller: { ...business, iban: d.business.iban ?? ibanIn(d.business.bankDetails) }, buyer: other }),
    deliverTo: d.deliver_to
      ? { ...writtenOf(d.deliver_to), country: countryCode(d.deliver_to.country) ?? other?.country ?? 'IL' }
      : undefined,
    lines: lines.map((line) => ({
      line: line.line,
      description: line.description,
      details: line.details,
      sku: line.sku,
      unit: line.unit,
      quantity: parseDecimal4(line.quantity)!,
      unitPrice: parseDecimal4(line.unit_price)!,
      hasDiscount: line.discount_bp > 0 || line.discount_sum_agorot > 0,
      pricesIncludeVat: line.vat_kind === 2,
      isDeposit: line.vat_kind === 3,
      vatClass: line.vat_class,
      amount: line.amount_agorot,
      discountShare: line.discount_share_agorot,
      net: line.net_agorot,
      vat: line.vat_agorot,
    })),
    vat: d.vat_agorot,
    ilsVat: d.ils_vat_agorot,
    rounding: d.rounding_agorot,
    total: d.total_agorot,
    payments: payments.map((one) => ({
      means: paymentMeansById(one.means)!,
      amount: one.amount_agorot,
      card: /^\d{4,6}$/.test(one.card_last4) ? one.card_last4 : undefined,
    })),
    words: wordsFor(d),
  })
  return { invoice, document: d }
}

/**
 * The customer as printed on the document. A country that is missing on the document, or cannot be understood, is
 * taken from the present customer record, so that it can still be filled in; without any, a valid Israeli number
 * implies Israel.
 */
async function buyerOf(ctx: Ctx, d: StoredDocument) {
  const { customer: c } = d
  if (!c.name) return undefined
  const given = (text: string | null | undefined) => text || undefined
  return {
    name: c.name,
    taxId: given(c.taxId),
    isDealer: Boolean(c.isDealer) || /^5[1-8]/.test(c.taxId ?? ''),
    contact: given(c.contact),
    email: given(c.email),
    phone: given(c.phone),
    street: given(c.street),
    city: given(c.city),
    zip: given(c.zip),
    country:
      countryCode(c.country) ??
      (await countryToday(ctx, d.customer_id)) ??
      (!c.country && isTaxId(c.taxId ?? '') ? 'IL' : undefined),
  }
}

/** What is empty of an address is not in the file. */
const writtenOf = ({ name, street, city, zip }: NonNullable<StoredDocument['deliver_to']>) => ({
  name: name || undefined,
  street: street || undefined,
  city: city || undefined,
  zip: zip || undefined,
})

/**
 * The supplier on a self-billed invoice: charging VAT implies a dealer in Israel; without the supplier's number the
 * standard refuses it.
 */
function sellerOf(supplier: Awaited<ReturnType<typeof buyerOf>>) {
  const { isDealer: _, country: __, ...seller } = supplier ?? { name: '', isDealer: true, country: undefined }
  return seller
}

async function countryToday(ctx: Ctx, customerId: string | null): Promise<string | undefined> {
  if (!customerId) return undefined
  const { rows } = await sql<{
    country: string | null
  }>`select country from parties where company_id = ${ctx.companyId} and id = ${customerId}`.execute(ctx.tx)
  return countryCode(rows[0]?.country)
}

/** A reason beside zero rate is refused by the standard (BR-Z-10): its ground is a note. */
const zeroNote = (d: StoredDocument): string[] =>
  d.zero_ground && d.net_zero_agorot !== 0 ? [say(d.language, `paper.ground.${d.zero_ground}`)] : []

/** The standard has no place for the rate itself, only for the VAT in shekels. */
const exchangeNote = (d: StoredDocument): string[] =>
  d.currency === 'ILS'
    ? []
    : [
        say(d.language, 'einvoice.paper.rate', {
          currency: d.currency,
          rate: d.rate.replace(/\.?0+$/, ''),
        }).replace(/[\u2066-\u2069]/g, ''),
      ]

function ibanIn(bankDetails: string): string | undefined {
  const found = /IL\d{2}[\d\s-]{19,30}/i.exec(bankDetails)?.[0]
  return found ? normaliseIban(found.replace(/[^\dA-Z]/gi, '').slice(0, 23)) : undefined
}

function wordsFor(d: StoredDocument): SourceWords {
  const word = (key: string) => say(d.language, key)
  const names = Object.keys(paymentMeans) as PaymentMeans[]
  return {
    discount: word('einvoice.paper.discount'),
    charge: word('einvoice.paper.charge'),
    exempt: d.exempt_ground ? word(`paper.ground.${d.exempt_ground}`) : word('einvoice.paper.exempt'),
    deposit: word('einvoice.paper.deposit'),
    allocation: word('einvoice.paper.allocation'),
    terms: typeFacts(d.type).isCredit ? word('einvoice.paper.creditTerms') : termsOnPaper(d).terms,
    means: Object.fromEntries(names.map((name) => [name, word(`documents.means.${name}`)])) as Record<
      PaymentMeans,
      string
    >,
  }
}
