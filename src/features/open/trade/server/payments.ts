import { Failure, failField } from '#kit/describe/errors.ts'
import { machineMoney } from '#domain/format.ts'
import { asCaller } from '#kit/server/context.ts'
import { outsideUrl } from '#kit/server/outside/reach.ts'
import { say } from '#kit/server/words.ts'
import { backUrl } from '#features/money/paymentLinks/server/index.ts'
import { tellOfPayment } from '#features/open/webhooks/server/index.ts'
import { languageIds, type tradeCalls } from '../calls.ts'
import type { Read } from '../fields.ts'
import type { Desk, Handler } from './desk.ts'
import { agorot, customerFor } from './documents.ts'
import { currencyOf } from './numbers.ts'
import { given } from './registers.ts'

const base = '/api4/invoice/paymentLinks'

type Takes = Read<(typeof tradeCalls)['createPayment']['takes']>

/** What is read of a link's answer. */
interface Link {
  id: string
  url: string
  state: 'open' | 'paid' | 'expired' | 'cancelled'
  description: string
  reference: string | null
  amountAgorot: number | null
  sumAgorot: number | null
  metadata: Record<string, unknown>
  charge: {
    id: string
    state: string
    sumAgorot: number
    givenBackAgorot: number
    paper: { id: string; type: number; number: number } | null
    refunds: { state: string }[]
  } | null
}

/** DocumentType of what the money is given. */
const papers: Readonly<Record<number, string>> = { 6: 'receipt', 9: 'invoiceReceipt', 11: 'donation' }

/** The contract's name of a field, by the program's name: a refusal is at the program's field. */
const theirs: Readonly<Record<string, string>> = {
  amountAgorot: 'TotalPrice',
  mostInstalments: 'MaxPayments',
  paper: 'DocumentType',
  reference: 'UniqueID',
  email: 'InvoiceEmailAddress',
  name: 'InvoiceName',
  taxId: 'InvoiceNumberID',
  mobile: 'InvoicePhone',
  street: 'InvoiceAddress',
  city: 'InvoiceCity',
  clientKey: 'RefundUniqueID',
  reason: 'Reason',
}

async function inTheirNames<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (e) {
    if (!(e instanceof Failure) || !e.errors.length) throw e
    const errors = e.errors.map((one) => ({ ...one, path: theirs[one.path] ?? one.path }))
    throw new Failure(e.code, e.params, errors, e.retryAfter)
  }
}

/**
 * What would be done otherwise than it was asked is refused: nobody is charged who was to be held only, and
 * no sale gets two papers.
 */
function refuseWhatIsNotDone({ PaymentType, NoCreateInvoice, MinPayments }: Takes): void {
  if (PaymentType === 2) throw failField('PaymentType', 'trade.onlyCharge')
  if (NoCreateInvoice) throw failField('NoCreateInvoice', 'trade.alwaysPaper')
  if (MinPayments !== undefined && MinPayments > 1) throw failField('MinPayments', 'trade.payerChooses')
}

function notifyUrl({ app }: Desk, url: string): string {
  const found = outsideUrl(url, app.settings.webhooks)
  if ('why' in found) throw failField('NotifyUrl', `webhooks.${found.why}`)
  return found.url
}

/**
 * The payment a program means by its own key of it; undefined where there is none, or where it was cancelled.
 */
async function known(desk: Desk, uniqueId: string | undefined): Promise<Link | undefined> {
  if (uniqueId === undefined) return undefined
  const link = await find(desk, uniqueId).catch((e: { code?: string }) => {
    if (e.code === 'kit.notFound') return undefined
    throw e
  })
  return link?.state === 'cancelled' ? undefined : link
}

const find = (desk: Desk, uniqueId: string): Promise<Link> =>
  desk.ask<Link>('GET', `/api4/invoice/paymentLinkReferences/${encodeURIComponent(uniqueId)}`)

/**
 * A page where a sum is paid by card: the paper is issued when the money came. Sent again with the same
 * UniqueID it is the same page.
 */
export const createPayment: Handler<'createPayment'> = (desk, takes) =>
  inTheirNames(async () => {
    refuseWhatIsNotDone(takes)
    const currency = currencyOf('CurrencyID', takes.CurrencyID, desk.trade)
    if (currency !== undefined && currency !== 'ILS')
      throw failField('CurrencyID', 'paymentLinks.onlyShekels')
    // What can never be told or led to is refused before anything is made.
    const told = takes.NotifyUrl === undefined ? undefined : notifyUrl(desk, takes.NotifyUrl)
    const back = (name: 'SuccessUrl' | 'ErrorUrl') =>
      takes[name] === undefined ? undefined : backUrl(desk, name, takes[name])
    const ways = { successUrl: back('SuccessUrl'), errorUrl: back('ErrorUrl') }
    const amountAgorot = agorot('TotalPrice', takes.TotalPrice)
    const link = (await known(desk, takes.UniqueID)) ?? (await make(desk, takes, amountAgorot, ways))
    // Another sum under the same key is another payment, and the person who opened this page would pay the wrong
    // one.
    if (link.amountAgorot !== amountAgorot)
      throw failField('UniqueID', 'fields.taken', { name: link.description })
    if (told)
      await asCaller(desk.app, desk.caller, '', (ctx) =>
        tellOfPayment(ctx, {
          linkId: link.id,
          url: told,
          uniqueId: takes.UniqueID ?? '',
          orderNumber: takes.OrderNumber ?? '',
        }),
      )
    return { value: link.url }
  })

async function make(
  desk: Desk,
  takes: Takes,
  amountAgorot: number,
  ways: Record<string, string | undefined>,
): Promise<Link> {
  const customer = {
    Name: takes.InvoiceName,
    // Shops send the number of their own account of the buyer here; no dealer or person has so short a one.
    NumberID: /^\d{1,6}$/.test(takes.InvoiceNumberID ?? '') ? undefined : takes.InvoiceNumberID,
    EmailAddress: takes.InvoiceEmailAddress,
    Phone: takes.InvoicePhone,
    Address: takes.InvoiceAddress,
    City: takes.InvoiceCity,
  }
  const key = takes.UniqueID === undefined ? undefined : `pay:${takes.UniqueID}`
  const customerId = takes.InvoiceName
    ? await customerFor(desk, customer as Parameters<typeof customerFor>[1], key)
    : undefined
  const { OrderNumber, Fields1, Fields2, Fields3 } = takes
  const made = desk.ask<Link>(
    'POST',
    base,
    given({
      ...ways,
      description: OrderNumber
        ? `${say(desk.language, 'trade.order')} ${OrderNumber}`
        : say(desk.language, 'trade.payment'),
      amountAgorot,
      customerId,
      email: takes.InvoiceEmailAddress,
      language: Object.entries(languageIds).find(([, number]) => number === takes.InvoiceLangID)?.[0],
      mostInstalments: takes.MaxPayments,
      paper: takes.DocumentType === undefined ? undefined : papers[takes.DocumentType],
      mailsPaper: takes.SendInvoiceEmail,
      reference: takes.UniqueID,
      metadata: given({ OrderNumber, Fields1, Fields2, Fields3 }),
    }),
  )
  return made.catch(async (e: unknown) => {
    // Somebody was quicker with the same key.
    const isTaken =
      e instanceof Failure &&
      e.errors.some(({ path, code }) => path === 'reference' && code === 'fields.taken')
    const other = isTaken ? await known(desk, takes.UniqueID) : undefined
    if (!other) throw e
    return other
  })
}

/** What became of a payment, in one word. */
function statusOf({ state, charge }: Link): string {
  if (state === 'cancelled' || state === 'expired') return state
  if (state === 'open') {
    if (charge?.state === 'declined') return 'declined'
    return charge?.state === 'unknown' || charge?.state === 'needsPerson' ? 'inDoubt' : 'open'
  }
  if (charge?.state === 'givenBack') return 'refunded'
  if (charge?.state === 'disputed') return 'disputed'
  return charge && charge.givenBackAgorot > 0 ? 'partlyRefunded' : 'paid'
}

/** A value that a program sent along, as it is returned: '' where none was. */
const valueOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function shown(link: Link) {
  const { charge, metadata } = link
  const isPaid = link.state === 'paid'
  return {
    UniqueID: link.reference ?? '',
    OrderNumber: valueOf(metadata.OrderNumber),
    status: statusOf(link),
    transaction_id: charge?.id ?? '',
    TotalPrice: machineMoney((isPaid ? charge?.sumAgorot : undefined) ?? link.sumAgorot ?? 0),
    RefundedPrice: machineMoney(charge?.givenBackAgorot ?? 0),
    RefundStatus: charge?.refunds.at(-1)?.state ?? '',
    Currency: 'ILS',
    DocumentID: isPaid ? (charge?.paper?.id ?? '') : '',
    DocumentType: isPaid ? (charge?.paper?.type ?? null) : null,
    docNumber: isPaid ? (charge?.paper?.number ?? null) : null,
    paymenturl: link.url,
    Fields1: valueOf(metadata.Fields1),
    Fields2: valueOf(metadata.Fields2),
    Fields3: valueOf(metadata.Fields3),
  }
}

export const paymentStatus: Handler<'paymentStatus'> = async (desk, { UniqueID }) => ({
  value: shown(await find(desk, UniqueID)),
})

/** All of what was paid, or a part under a new key: a repeated request refunds nothing again. */
export const refundPayment: Handler<'refundPayment'> = (
  desk,
  { UniqueID, TotalPrice, RefundUniqueID, Reason },
) =>
  inTheirNames(async () => {
    if (TotalPrice !== undefined && RefundUniqueID === undefined)
      throw failField('RefundUniqueID', 'fields.need')
    const amountAgorot = TotalPrice === undefined ? undefined : agorot('TotalPrice', TotalPrice)
    const { id } = await find(desk, UniqueID)
    const reason = Reason ?? say(desk.language, 'trade.refunded')
    const link = await desk.ask<Link>(
      'POST',
      `${base}/${id}/refund`,
      given({ amountAgorot, reason, clientKey: RefundUniqueID }),
    )
    return { value: shown(link) }
  })
