import { documentTypeById } from '#domain/documents/kinds.ts'
import { machineMoney } from '#domain/format.ts'
import { divideRounded, parseMoney, toSafeNumber } from '#domain/money.ts'
import { failField } from '#kit/describe/errors.ts'
import { say } from '#kit/server/words.ts'
import { languageIds, vatTypes, type tradeCalls } from '../calls.ts'
import type { Read } from '../fields.ts'
import type { Desk, Handler } from './desk.ts'
import { currencyOf } from './numbers.ts'
import { customerOf, found, given, idOf, pageOf } from './registers.ts'

const base = '/api4/invoice/documents'

/** What is read of a document's answer. */
interface Paper {
  id: string
  type: number
  number: number | null
  status: string
  currency: string
  customer: { email: string | null; phone: string | null } | null
  totals: { totalAgorot: number; openInCurrencyAgorot: number }
  urls: { original: string; copy: string; certified: string; thermal: string; page: string }
}

const typeName = (desk: Desk, type: number): string => say(desk.language, `documents.types.${documentTypeById(type) ?? 'taxInvoice'}`)
/** 1 issued, 2 draft. */
const statusOf = (status: string): number => (status === 'draft' ? 2 : 1)

/** Addresses of files: the customer's copy opens by its own key, the others by the key of the program. */
function shown(desk: Desk, of: Paper) {
  const key = of.urls.page.split('/').at(-1)
  const at = (path: string) => (path === '' ? '' : new URL(path, desk.app.publicUrl()).href)
  return {
    id: of.id,
    DocumentType: of.type,
    DocumentTypeName: typeName(desk, of.type),
    docNumber: of.number,
    statusID: statusOf(of.status),
    TotalPrice: machineMoney(of.totals.totalAgorot),
    OpenPrice: machineMoney(of.totals.openInCurrencyAgorot),
    Currency: of.currency,
    url: of.urls.page,
    pdfurl: key ? at(`/api2/invoice/page/${key}/pdf`) : '',
    copypdfurl: at(of.urls.copy),
    loyalpdfurl: at(of.urls.certified),
    pdf80mm: at(of.urls.thermal),
  }
}

type Takes = Read<(typeof tradeCalls)['createDocument']['takes']>

/** The customer that is meant: by his id, by what the program knows him by, by his dealer number, by his mail; else a new one is made of what was sent. */
async function customerFor(desk: Desk, of: Takes['Customer'], key: string | undefined): Promise<string | undefined> {
  if (!of) return undefined
  const known =
    idOf(of.ID) ??
    (await found(desk, 'customers', 'customKey', of.CustomKey)) ??
    (await found(desk, 'customers', 'taxId', of.NumberID)) ??
    // Who has a number on either side is known by it; two of one family may share a mail address.
    (of.CustomKey || of.NumberID ? undefined : await found(desk, 'customers', 'email', of.EmailAddress?.toLowerCase()))
  if (known) return known
  if (!of.Name) throw failField('Customer.Name', 'trade.customer')
  const { id } = await desk.ask<{ id: string }>(
    'POST',
    '/api4/invoice/customers',
    customerOf(of),
    key === undefined ? undefined : `trade:${key}:customer`,
  )
  return id
}

const agorot = (path: string, written: string): number => {
  const sum = parseMoney(written)
  if (sum === undefined) throw failField(path, 'fields.money')
  return sum
}

/** What was sent under names of the trade, as the contract takes it. */
const contentOf = (desk: Desk, takes: Takes): Record<string, unknown> =>
  given({
    type: takes.DocumentType,
    date: takes.DateCreated,
    dueDate: takes.MaxDate,
    currency: currencyOf('CurrencyID', takes.CurrencyID, desk.trade),
    rate: takes.ExchangeRate,
    language: Object.entries(languageIds).find(([, id]) => id === takes.LangID)?.[0],
    subject: takes.Title,
    notes: takes.Notes,
    notesBelow: takes.NotesBottom,
    orderNumber: takes.OrderNumber,
    sourceId: idOf(takes.fromDocID),
    clientKey: takes.DocumentUniqueKey,
    rounding: takes.RoundPriceAuto ? 'whole' : undefined,
    discount:
      takes.discount && Number(takes.discount.amount) !== 0
        ? takes.discount.typeid === 1
          ? { basisPoints: Math.round(Number(takes.discount.amount) * 100) }
          : { agorot: agorot('discount.amount', takes.discount.amount) }
        : undefined,
    lines: (takes.items ?? []).map((line) =>
      given({
        sku: line.Sku,
        description: line.Name ?? line.Sku,
        quantity: line.Quantity,
        unitPrice: line.Price,
        vatKind: vatTypes[line.vatType as keyof typeof vatTypes],
      }),
    ),
    payments: takes.payments?.map((of, i) =>
      given({
        means: of.TypeID,
        amountAgorot: agorot(`payments.${i}.Price`, of.Price),
        date: of.DateCreated,
        cardLast4: of.CardLastDigits,
        cardBrand: of.CardType,
        instalments: of.NumberofPayments,
        bank: of.BankNumber,
        branch: of.BranchNumber,
        account: of.AccountNumber,
        number: of.CheckNumber,
        reference: of.Reference,
      }),
    ),
  })

export const createDocument: Handler<'createDocument'> = async (desk, takes) => {
  const key = takes.DocumentUniqueKey
  const before = key === undefined ? undefined : await byKey(desk, key)
  const made = before ?? (await make(desk, takes, key))
  // Sent again with the same key it is the same document, and nobody gets a second letter.
  if (!before && made.status !== 'draft') await send(desk, takes, made)
  return { value: shown(desk, made) }
}

/** Undefined where no document has that key. */
const byKey = (desk: Desk, key: string): Promise<Paper | undefined> =>
  desk.ask<Paper>('GET', `${base}/bykey/${encodeURIComponent(key)}`).catch((e: { code?: string }) => {
    if (e.code === 'kit.notFound') return undefined
    throw e
  })

async function make(desk: Desk, takes: Takes, key: string | undefined): Promise<Paper> {
  // What cannot be understood is refused before anybody is made for it.
  const content = contentOf(desk, takes)
  const customerId = await customerFor(desk, takes.Customer, key)
  const draft = takes.isDraft || takes.statusID === 2
  return desk.ask<Paper>('POST', base, { ...content, ...given({ customerId }), draft }, key === undefined ? undefined : `trade:${key}`)
}

/** To whom the customer's card says; without an address nothing is sent, and the document stands. */
async function send(desk: Desk, { SendEmail, SendSMS }: Takes, { id, customer }: Paper): Promise<void> {
  if (SendEmail && customer?.email) await desk.ask('POST', `${base}/${id}/send`, { to: customer.email, attach: true }, `trade:${id}:mail`)
  if (SendSMS && customer?.phone) await desk.ask('POST', `${base}/${id}/sms`, { to: customer.phone }, `trade:${id}:sms`)
}

export const getDocument: Handler<'getDocument'> = async (desk, { id, DocumentUniqueKey }) => {
  if (id) return { value: shown(desk, await desk.ask<Paper>('GET', `${base}/${encodeURIComponent(id)}`)) }
  if (!DocumentUniqueKey) throw failField('id', 'fields.need')
  return { value: shown(desk, await desk.ask<Paper>('GET', `${base}/bykey/${encodeURIComponent(DocumentUniqueKey)}`)) }
}

export const cancelDocument: Handler<'cancelDocument'> = async (desk, { id, Reason }) => {
  const reason = Reason ?? say(desk.language, 'trade.cancelled')
  return { value: shown(desk, await desk.ask<Paper>('POST', `${base}/${encodeURIComponent(id)}/cancel`, { reason })) }
}

/** The document that is meant, by its id or by the key the program gave it. */
const meant = ({ id, DocumentUniqueKey }: { id: string | undefined; DocumentUniqueKey: string | undefined }): string => {
  if (id) return `${base}/${encodeURIComponent(id)}`
  if (DocumentUniqueKey) return `${base}/bykey/${encodeURIComponent(DocumentUniqueKey)}`
  throw failField('id', 'fields.need')
}

/** Sends an issued document to whoever is named, and answers where it is read; with nobody named it only answers. */
export const share: Handler<'share'> = async (desk, { EmailAddress, Phone, ...of }) => {
  const paper = await desk.ask<Paper>('GET', meant(of))
  if (EmailAddress) await desk.ask('POST', `${base}/${paper.id}/send`, { to: EmailAddress, attach: true })
  if (Phone) await desk.ask('POST', `${base}/${paper.id}/sms`, { to: Phone })
  const { url, pdfurl } = shown(desk, paper)
  return { value: { url, pdfurl, sent: Boolean(EmailAddress ?? Phone) } }
}

/** A page where a sum is paid by card: the receipt is issued when the money came. Sent again with the same UniqueID it is the same page. */
export const createPayment: Handler<'createPayment'> = async (desk, takes) => {
  const currency = currencyOf('CurrencyID', takes.CurrencyID, desk.trade)
  if (currency !== undefined && currency !== 'ILS') throw failField('CurrencyID', 'paymentLinks.onlyShekels')
  const key = takes.UniqueID === undefined ? undefined : `pay:${takes.UniqueID}`
  const customer = {
    Name: takes.InvoiceName,
    NumberID: takes.InvoiceNumberID,
    EmailAddress: takes.InvoiceEmailAddress,
    Phone: takes.InvoicePhone,
    Address: takes.InvoiceAddress,
    City: takes.InvoiceCity,
  }
  const customerId = takes.InvoiceName ? await customerFor(desk, customer as Takes['Customer'], key) : undefined
  const { url } = await desk.ask<{ url: string }>(
    'POST',
    '/api4/invoice/paymentLinks',
    given({
      description: takes.OrderNumber ? `${say(desk.language, 'trade.order')} ${takes.OrderNumber}` : say(desk.language, 'trade.payment'),
      amountAgorot: agorot('TotalPrice', takes.TotalPrice),
      customerId,
      email: takes.InvoiceEmailAddress,
      language: Object.entries(languageIds).find(([, number]) => number === takes.InvoiceLangID)?.[0],
      mostInstalments: takes.MaxPayments,
    }),
    key === undefined ? undefined : `trade:${key}`,
  )
  return { value: url }
}

/** Shops work out sums to many places, and by floats: what was paid is whole agorot. */
function paidAgorot(path: string, written = '0'): number {
  const [, minus, whole, part = ''] = /^(-?)(\d{1,12})(?:\.(\d{1,30}))?$/.exec(written) ?? []
  if (whole === undefined) throw failField(path, 'fields.money')
  const places = part.padEnd(2, '0')
  const sum = toSafeNumber(divideRounded(BigInt(whole + places), 10n ** BigInt(places.length - 2)))
  return minus ? -sum : sum
}

/** What the rounding of lines may differ by from an order's total. */
const roundingAgorot = 50

/**
 * An order of the plug-in for shops: prices hold their tax, coupons and their tax are taken off, shipping is a line, and the order is the key, so each
 * makes one document. The document comes to what the order says was paid, or there is none.
 */
export const wcOrder: Handler<'wcOrder'> = async (desk, takes) => {
  const { billing, id: order, payment_method_title: how, shipping_total: shipping, shipping_tax: shippingTax } = takes.OrderDetails
  const sums = (takes.Products ?? []).map((one, i) => ({ ...one, agorot: paidAgorot(`Products.${i}.price`, one.price) }))
  const shippingAgorot = paidAgorot('OrderDetails.shipping_total', shipping) + paidAgorot('OrderDetails.shipping_tax', shippingTax)
  const coupons = (takes.Coupons ?? []).reduce(
    (all, one, i) => all + paidAgorot(`Coupons.${i}.price`, one.price) + paidAgorot(`Coupons.${i}.tax`, one.tax),
    0,
  )
  const lines = sums.reduce((all, one) => all + Math.round(one.agorot * Number(one.quantity)), 0) + shippingAgorot - coupons
  const total = takes.OrderDetails.total === undefined ? lines : paidAgorot('OrderDetails.total', takes.OrderDetails.total)
  const rounding = total - lines
  if (Math.abs(rounding) > roundingAgorot)
    throw failField('OrderDetails.total', 'trade.orderSum', { lines: machineMoney(lines), total: machineMoney(total) })
  const off = coupons + Math.max(0, -rounding)
  const extra = (word: string, sum: number, isTaxed: boolean) =>
    sum > 0 ? [{ Name: say(desk.language, word), Quantity: '1', Price: machineMoney(sum), vatType: isTaxed ? 2 : 4 }] : []
  const name = billing?.company ?? [billing?.first_name, billing?.last_name].filter(Boolean).join(' ')
  const content = {
    DocumentType: takes.DocumentType,
    Title: takes.InvoiceTitle,
    Notes: takes.InvoiceNotes,
    NotesBottom: takes.InvoiceNotesBottom,
    CurrencyID: takes.CurrencyID,
    LangID: takes.LangID,
    OrderNumber: order,
    statusID: 1,
    isDraft: false,
    RoundPriceAuto: false,
    SendEmail: takes.sendemail,
    SendSMS: false,
    DocumentUniqueKey: order === undefined ? undefined : `wc-${order}`.slice(0, 20),
    Customer: {
      Name: name || undefined,
      EmailAddress: billing?.email,
      Phone: billing?.phone,
      Address: billing?.address_1,
      City: billing?.city,
      ZipCode: billing?.postcode,
    },
    // A receipt has no lines: it says what was paid.
    items:
      takes.DocumentType === 9
        ? [
            ...sums.map((one) => ({
              Name: one.description,
              Quantity: one.quantity,
              Price: machineMoney(one.agorot),
              vatType: one.taxable ? 2 : 4,
              Sku: one.sku,
            })),
            ...extra('trade.shipping', shippingAgorot, Number(shippingTax ?? 0) > 0),
            ...extra('trade.rounding', rounding, true),
          ]
        : undefined,
    discount: takes.DocumentType === 9 && off > 0 ? { amount: machineMoney(off), typeid: 2 } : undefined,
    payments: [{ TypeID: 4, Price: machineMoney(total), Reference: how }],
  }
  return createDocument(desk, content as unknown as Takes)
}

interface Row {
  id: string
  type: number
  number: number | null
  day: string
  status: string
  customerId: string | null
  customerIdName: string | null
  currency: string
  totalAgorot: number
  openAgorot: number
}

export async function listDocuments(
  desk: Desk,
  { CustomerID, docTypeID, from, to, ...page }: Read<(typeof tradeCalls)['invoices']['takes']>,
  onlyOpen: boolean,
): Promise<{ value: unknown; total: number }> {
  const { rows, total } = await pageOf<Row>(desk, base, page, {
    type: docTypeID || undefined,
    customerId: idOf(CustomerID),
    'day.gte': from,
    'day.lte': to,
    ...(onlyOpen ? { 'status.in': 'issued,partlyClosed', 'openAgorot.ne': 0 } : {}),
  })
  const value = rows.map((row) => ({
    id: row.id,
    DocumentType: row.type,
    DocumentTypeName: typeName(desk, row.type),
    docNumber: row.number,
    DateCreated: row.day,
    CustomerID: row.customerId ?? '',
    CustomerName: row.customerIdName ?? '',
    Currency: row.currency,
    TotalPrice: machineMoney(row.totalAgorot),
    OpenPrice: machineMoney(row.openAgorot),
    statusID: statusOf(row.status),
  }))
  return { value, total }
}
