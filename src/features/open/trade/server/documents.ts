import { statusFacts, statusesThat, typeFacts } from '#domain/documents/facts.ts'
import {
  type DocumentStatus,
  documentStatuses,
  documentTypeById,
  labelOf,
  type PaperLabel,
  vatKinds,
} from '#domain/documents/kinds.ts'
import { machineMoney } from '#domain/format.ts'
import { divideRounded, parseMoney, toSafeNumber } from '#domain/money.ts'
import { Failure, failField, type FieldError } from '#kit/describe/errors.ts'
import { say } from '#kit/server/words.ts'
import { paperLink } from '#features/sales/documents/server/index.ts'
import { languageIds, vatTypeIds, type tradeCalls } from '../calls.ts'
import type { Read } from '../fields.ts'
import { doBeside, refuseBeside } from './beside.ts'
import type { Desk, Handler } from './desk.ts'
import { currencyOf } from './numbers.ts'
import { fromSource } from './source.ts'
import { customerOf, found, given, idOf, pageOf, refOf, sortOf } from './registers.ts'

const base = '/api4/invoice/documents'

/** What is read of a document's answer. */
interface Paper {
  id: string
  type: number
  number: number | null
  subType: number
  pro: boolean
  status: DocumentStatus
  currency: string
  language: string
  customer: { name: string; email: string | null; phone: string | null } | null
  totals: { totalAgorot: number | null; openInCurrencyAgorot: number | null; askedAgorot: number | null }
  allocationState: string
  allocationNumber: string | null
  urls: Record<'page' | 'pay' | 'sign', string>
}

const typeName = (desk: Desk, type: number, label: PaperLabel | null): string =>
  say(desk.language, `documents.types.${label ?? documentTypeById(type) ?? 'taxInvoice'}`)
/** A sum; of the person who may not see figures, none. */
const sumOf = (agorot: number | null): string => (agorot === null ? '' : machineMoney(agorot))
/**
 * 1 issued, 2 draft, 3 cancelled, 4 closed; one that is closed in part is still open, which programs know as
 * issued.
 */
const statusOf = (status: DocumentStatus): number =>
  documentStatuses[statusFacts(status).isOpen ? 'issued' : status]

/**
 * Addresses of files open without a key: programs hand them on to people, and none of them sends a key when
 * it fetches one.
 */
function shown(desk: Desk, of: Paper) {
  const key = of.urls.page.split('/').at(-1)
  const copy = (variant: 'copy' | 'certified' | 'thermal') => (key ? paperLink(desk.app, key, variant) : '')
  return {
    id: of.id,
    DocumentType: of.type,
    DocumentTypeName: typeName(desk, of.type, labelOf(of)),
    docNumber: of.number,
    statusID: statusOf(of.status),
    TotalPrice: sumOf(of.totals.totalAgorot),
    OpenPrice: sumOf(of.totals.askedAgorot || of.totals.openInCurrencyAgorot),
    Currency: of.currency,
    url: of.urls.page,
    pdfurl: key ? new URL(`/api2/invoice/page/${key}/pdf`, desk.app.publicUrl()).href : '',
    copypdfurl: copy('copy'),
    loyalpdfurl: copy('certified'),
    pdf80mm: copy('thermal'),
    paymenturl: of.urls.pay,
    signurl: of.urls.sign,
    AllocationState: of.allocationState,
    AllocationNumber: of.allocationNumber ?? '',
  }
}

type Takes = Read<(typeof tradeCalls)['createDocument']['takes']>

/**
 * The customer that is meant: by id, by the program's own id, by dealer number, by email;
 * else a new one is made of what was sent.
 */
export async function customerFor(
  desk: Desk,
  of: Takes['Customer'],
  key: string | undefined,
): Promise<string | undefined> {
  if (!of) return undefined
  const known =
    idOf(of.ID) ??
    (await found(desk, 'customers', 'customKey', of.CustomKey)) ??
    (await found(desk, 'customers', 'taxId', of.NumberID)) ??
    // Who has a number on either side is known by it; two of one family may share a mail address.
    (of.CustomKey || of.NumberID
      ? undefined
      : await found(desk, 'customers', 'email', of.EmailAddress?.toLowerCase()))
  if (known) return known
  if (!of.Name && !of.FullName) throw failField('Customer.Name', 'trade.customer')
  const { id } = await desk.ask<{ id: string }>(
    'POST',
    '/api4/invoice/customers',
    customerOf(of),
    key === undefined ? undefined : `trade:${key}:customer`,
  )
  return id
}

/** A sum as the trade writes it, in agorot. */
export const agorot = (path: string, written: string): number => {
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
    notesInternal: takes.HideNotes,
    orderNumber: takes.OrderNumber ?? takes.refdocNumber,
    sourceId: idOf(takes.fromDocID),
    clientKey: takes.DocumentUniqueKey,
    // What nothing here reads is kept for the program to find.
    metadata: metadataOf(takes),
    vatRateBp:
      isWithoutVat(takes) || takes.vatPercentage === undefined ? undefined : hundredths(takes.vatPercentage),
    rounding: roundingOf(takes),
    discount:
      takes.discount && Number(takes.discount.amount) !== 0
        ? takes.discount.typeid === 1
          ? { basisPoints: Math.round(Number(takes.discount.amount) * 100) }
          : { agorot: agorot('discount.amount', takes.discount.amount) }
        : undefined,
    lines: (takes.items ?? []).map((line, i) =>
      given({
        itemId: refOf(`items.${i}.SkuID`, line.SkuID),
        sku: line.Sku,
        description: line.Name ?? line.Sku,
        quantity: line.Quantity,
        unitPrice: line.Price,
        incomeKindId: refOf('incomeID', takes.incomeID),
        vatKind: isWithoutVat(takes) ? vatKinds.withoutVat : vatKindOf(line),
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

/**
 * A price that is said is before VAT unless it is said otherwise; the catalogue's is as the catalogue has it.
 */
const vatKindOf = ({ vatType, Price }: NonNullable<Takes['items']>[number]): number | undefined =>
  vatType === undefined && Price === undefined
    ? undefined
    : vatTypeIds[(vatType ?? 1) as keyof typeof vatTypeIds]

const hundredths = (share: string): number => Math.round(Number(share) * 100)

/** A document at no rate: whatever its lines say, VAT is not charged. */
const isWithoutVat = ({ vatPercentage }: Takes): boolean =>
  vatPercentage !== undefined && Number(vatPercentage) === 0

function roundingOf({ roundPrice, RoundPriceAuto }: Takes): 'half' | 'whole' | undefined {
  if (Number(roundPrice ?? 0) === 0.5) return 'half'
  return Number(roundPrice ?? 0) === 1 || RoundPriceAuto ? 'whole' : undefined
}

function metadataOf({ refurl, sourceType, refdocNumber }: Takes): Record<string, unknown> | undefined {
  const kept = given({ refurl, sourceType, refdocNumber })
  return Object.keys(kept).length ? kept : undefined
}

/** Names of the contract under which a refusal comes, and what the program calls them. */
const theirs: Readonly<Record<string, string>> = {
  type: 'DocumentType',
  date: 'DateCreated',
  dueDate: 'MaxDate',
  currency: 'CurrencyID',
  rate: 'ExchangeRate',
  subject: 'Title',
  notes: 'Notes',
  notesBelow: 'NotesBottom',
  notesInternal: 'HideNotes',
  orderNumber: 'OrderNumber',
  sourceId: 'fromDocID',
  customerId: 'Customer.ID',
  vatRateBp: 'vatPercentage',
  lines: 'items',
  'lines.sku': 'items.Sku',
  'lines.itemId': 'items.SkuID',
  'lines.description': 'items.Name',
  'lines.quantity': 'items.Quantity',
  'lines.unitPrice': 'items.Price',
  'lines.incomeKindId': 'incomeID',
  'payments.means': 'payments.TypeID',
  'payments.amountAgorot': 'payments.Price',
  'payments.date': 'payments.DateCreated',
  'payments.cardLast4': 'payments.CardLastDigits',
  'payments.cardBrand': 'payments.CardType',
  'payments.instalments': 'payments.NumberofPayments',
  'payments.bank': 'payments.BankNumber',
  'payments.branch': 'payments.BranchNumber',
  'payments.account': 'payments.AccountNumber',
  'payments.number': 'payments.CheckNumber',
  'payments.reference': 'payments.Reference',
}

/** A refusal of the contract, told at the field the program sent. */
function atTheirFields(e: unknown): unknown {
  if (!(e instanceof Failure) || !e.errors.length) return e
  const errors = e.errors.map((one) => {
    const [, list = '', at = '', field = one.path] = /^(lines|payments)\.(\d+)\.(.+)$/.exec(one.path) ?? []
    const name = theirs[list ? `${list}.${field}` : field]
    return name === undefined
      ? one
      : { ...one, path: list && name.includes('.') ? name.replace('.', `.${at}.`) : name }
  })
  return new Failure(e.code, e.params, errors, e.retryAfter)
}

const isDraft = ({ isDraft: asked, statusID }: Takes): boolean => asked || statusID === 2

export const createDocument: Handler<'createDocument'> = async (desk, takes) => {
  const key = takes.DocumentUniqueKey
  // Sent again with the same key it is the same document, and nobody gets a second letter.
  const before = key === undefined ? undefined : await byKey(desk, key)
  if (before) return { value: shown(desk, before) }
  const { made, notDone } = await make(desk, takes, key)
  return { value: shown(desk, made), notDone }
}

/** Undefined where no document has that key. */
const byKey = (desk: Desk, key: string): Promise<Paper | undefined> =>
  desk
    .ask<Paper>('GET', `/api4/invoice/documentKeys/${encodeURIComponent(key)}`)
    .catch((e: { code?: string }) => {
      if (e.code === 'kit.notFound') return undefined
      throw e
    })

async function make(
  desk: Desk,
  takes: Takes,
  key: string | undefined,
): Promise<{ made: Paper; notDone: FieldError[] }> {
  const draft = isDraft(takes)
  // What cannot be understood is refused before anybody is made for it.
  if (idOf(takes.payCreditPluginID)) throw failField('payCreditPluginID', 'trade.payCredit')
  refuseBeside(desk, takes, draft)
  const content = contentOf(desk, takes)
  const customerId = await customerFor(desk, takes.Customer, key)
  const askAllocation = takes.DontCreateIsraelTaxNumber && !draft ? false : undefined
  const made = await desk
    .ask<Paper>(
      'POST',
      base,
      {
        ...(await fromSource(desk, given({ ...content, customerId }), customerId)),
        ...given({ askAllocation }),
        draft,
      },
      key === undefined ? undefined : `trade:${key}`,
    )
    .catch((e: unknown) => {
      throw atTheirFields(e)
    })
  const notDone = await doBeside(desk, takes, made, draft)
  // The signer has a page now.
  return {
    made: takes.sendSign && !notDone.length ? await desk.ask<Paper>('GET', `${base}/${made.id}`) : made,
    notDone,
  }
}

export const getDocument: Handler<'getDocument'> = async (desk, { id, DocumentUniqueKey }) => {
  if (id) return { value: shown(desk, await desk.ask<Paper>('GET', `${base}/${encodeURIComponent(id)}`)) }
  if (!DocumentUniqueKey) throw failField('id', 'fields.need')
  return {
    value: shown(
      desk,
      await desk.ask<Paper>('GET', `/api4/invoice/documentKeys/${encodeURIComponent(DocumentUniqueKey)}`),
    ),
  }
}

export const cancelDocument: Handler<'cancelDocument'> = async (desk, { id, Reason }) => {
  const reason = Reason ?? say(desk.language, 'trade.cancelled')
  return {
    value: shown(desk, await desk.ask<Paper>('POST', `${base}/${encodeURIComponent(id)}/cancel`, { reason })),
  }
}

/** The document that is meant, by its id or by the key the program gave it. */
const meant = ({
  id,
  DocumentUniqueKey,
}: {
  id: string | undefined
  DocumentUniqueKey: string | undefined
}): string => {
  if (id) return `${base}/${encodeURIComponent(id)}`
  if (DocumentUniqueKey) return `/api4/invoice/documentKeys/${encodeURIComponent(DocumentUniqueKey)}`
  throw failField('id', 'fields.need')
}

/**
 * Sends an issued document to the person who is named, and answers where it is read; with nobody named it only
 * answers.
 */
export const share: Handler<'share'> = async (desk, { EmailAddress, Phone, ...of }) => {
  const paper = await desk.ask<Paper>('GET', meant(of))
  if (EmailAddress) await desk.ask('POST', `${base}/${paper.id}/send`, { to: EmailAddress, attach: true })
  if (Phone) await desk.ask('POST', `${base}/${paper.id}/sms`, { to: Phone })
  const { url, pdfurl } = shown(desk, paper)
  return { value: { url, pdfurl, sent: Boolean(EmailAddress ?? Phone) } }
}

/** Shops work out amounts to many places, and by floats: what was paid is whole agorot. */
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
 * An order of the plug-in for shops: prices hold their tax, coupons and their tax are taken off, shipping is
 * a line, and the order is the key, so each makes one document. The document comes to what the order says was
 * paid, or there is none.
 */
export const wcOrder: Handler<'wcOrder'> = async (desk, takes) => {
  const {
    billing,
    id: order,
    order_key: chance,
    payment_method_title: how,
    shipping_total: shipping,
    shipping_tax: shippingTax,
  } = takes.OrderDetails
  const sums = (takes.Products ?? []).map((one, i) => ({
    ...one,
    agorot: paidAgorot(`Products.${i}.price`, one.price),
  }))
  const shippingAgorot =
    paidAgorot('OrderDetails.shipping_total', shipping) + paidAgorot('OrderDetails.shipping_tax', shippingTax)
  const coupons = (takes.Coupons ?? []).reduce(
    (all, one, i) =>
      all + paidAgorot(`Coupons.${i}.price`, one.price) + paidAgorot(`Coupons.${i}.tax`, one.tax),
    0,
  )
  const goods = sums.reduce((all, one) => all + Math.round(one.agorot * Number(one.quantity)), 0) - coupons
  const paid =
    takes.OrderDetails.total === undefined
      ? undefined
      : paidAgorot('OrderDetails.total', takes.OrderDetails.total)
  // A shop that bills its courier elsewhere leaves the line out; where what was paid holds the courier, the
  // document does too.
  const hasShipping = takes.createshipping || (paid !== undefined && Math.abs(paid - goods) > roundingAgorot)
  const lines = goods + (hasShipping ? shippingAgorot : 0)
  const total = paid ?? lines
  const rounding = total - lines
  if (Math.abs(rounding) > roundingAgorot)
    throw failField('OrderDetails.total', 'trade.orderSum', {
      lines: machineMoney(lines),
      total: machineMoney(total),
    })
  const off = coupons + Math.max(0, -rounding)
  const extra = (word: string, sum: number, isTaxed: boolean) =>
    sum > 0
      ? [
          {
            Name: say(desk.language, word),
            Quantity: '1',
            Price: machineMoney(sum),
            vatType: isTaxed ? 2 : 4,
          },
        ]
      : []
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
    SendEmail: takes.sendemail || takes.sendinvoice,
    SendSMS: false,
    // Two shops of one business both have an order 1001: what an order was given by chance tells them apart.
    DocumentUniqueKey:
      order === undefined
        ? undefined
        : chance === undefined
          ? `wc-${order}`.slice(0, 20)
          : `wc-${order.slice(0, 9)}-${chance.slice(-7)}`,
    Customer: {
      Name: name || undefined,
      EmailAddress: billing?.email,
      Phone: billing?.phone,
      Address: billing?.address_1,
      City: billing?.city,
      ZipCode: billing?.postcode,
    },
    // A receipt has no lines: it says what was paid.
    items: typeFacts(takes.DocumentType).isPaidInvoice
      ? [
          ...sums.map((one) => ({
            Name: one.description,
            Quantity: one.quantity,
            Price: machineMoney(one.agorot),
            vatType: one.taxable ? 2 : 4,
            Sku: one.sku,
          })),
          ...extra('trade.shipping', hasShipping ? shippingAgorot : 0, Number(shippingTax ?? 0) > 0),
          ...extra('trade.rounding', rounding, true),
        ]
      : undefined,
    discount:
      typeFacts(takes.DocumentType).isPaidInvoice && off > 0
        ? { amount: machineMoney(off), typeid: 2 }
        : undefined,
    payments: [{ TypeID: 4, Price: machineMoney(total), Reference: how }],
  }
  return createDocument(desk, content as unknown as Takes)
}

interface Row {
  id: string
  type: number
  number: number | null
  day: string
  dueDay: string | null
  status: DocumentStatus
  customerId: string | null
  customerIdName: string | null
  label: PaperLabel | null
  currency: string
  totalAgorot: number | null
  openInCurrencyAgorot: number | null
  unpaidAgorot: number | null
}

const ofDocuments = {
  id: 'createdAt',
  docnumber: 'number',
  documenttype: 'type',
  datecreated: 'day',
  date: 'day',
  maxdate: 'dueDay',
  totalprice: 'totalAgorot',
  openprice: 'openInCurrencyAgorot',
  currency: 'currency',
  statusid: 'status',
}

export async function listDocuments(
  desk: Desk,
  {
    CustomerID,
    docTypeID,
    from,
    to,
    Search,
    orderby,
    ...page
  }: Read<(typeof tradeCalls)['invoices']['takes']>,
  onlyOpen: boolean,
): Promise<{ value: unknown; total: number }> {
  const { rows, total } = await pageOf<Row>(desk, base, page, {
    q: Search,
    sort: sortOf(orderby, ofDocuments),
    type: docTypeID || undefined,
    customerId: refOf('CustomerID', CustomerID),
    'day.gte': from,
    'day.lte': to,
    ...(onlyOpen ? { 'status.in': statusesThat('isOpen').join(','), 'unpaidAgorot.gte': 1 } : {}),
  })
  const value = rows.map((row) => ({
    id: row.id,
    DocumentType: row.type,
    DocumentTypeName: typeName(desk, row.type, row.label),
    docNumber: row.number,
    // Clients read the same under these names.
    DocumentNumber: row.number,
    DateCreated: row.day,
    Date: row.day,
    MaxDate: row.dueDay ?? '',
    MaxDateToPay: row.dueDay ?? '',
    CustomerID: row.customerId ?? '',
    CustomerName: row.customerIdName ?? '',
    Currency: row.currency,
    TotalPrice: sumOf(row.totalAgorot),
    OpenPrice: sumOf(row.unpaidAgorot || row.openInCurrencyAgorot),
    statusID: statusOf(row.status),
  }))
  return { value, total }
}
