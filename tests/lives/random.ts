import type { Business } from '../world.ts'
import { addDays, addMonths } from '#domain/day.ts'
import { chargesVat, documentTypeById, mayIssue, type BusinessKind } from '#domain/documents/kinds.ts'
import * as calls from '#features/sales/documents/endpoints.ts'
import type { DocumentAnswer, OpenItem } from '#features/sales/documents/endpoints.ts'
import { successors, typeById, typeId } from '#features/sales/documents/types/index.ts'
import * as money from '#features/sales/payments/endpoints.ts'
import * as suppliers from '#features/purchases/supplierPayments/endpoints.ts'
import * as debts from '#features/tax/badDebts/endpoints.ts'
import { grounds } from '#features/tax/badDebts/rules.ts'
import * as vat from '#features/tax/vat/endpoints.ts'

/*
 * Random lives of documents: a business does one thing after another, whatever is possible, and after every
 * step its books must agree. The randomness is seeded, so that a life that fails can be lived again.
 */

/** mulberry32: small, seeded, good enough to choose what happens next. */
export function seeded(seed: number): () => number {
  let a = seed >>> 0
  return () => {
    a = (a + 0x6d2b79f5) >>> 0
    let t = a
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export interface Life {
  business: Business
  kind: BusinessKind
  random: () => number
  customers: string[]
  suppliers: string[]
  /** Of each customer and supplier, what has been issued so far. */
  documents: Map<string, DocumentAnswer[]>
  /** Credit invoices of debts that were written off. */
  badDebts: Set<string>
  /** The last month whose VAT was reported. */
  reported: string
  /** The day things happen on; it never runs back. */
  today: () => string
}

export const pick = <T>(life: Life, of: readonly T[]): T => of[Math.floor(life.random() * of.length)]!
export const upTo = (life: Life, n: number): number => 1 + Math.floor(life.random() * n)

const price = (life: Life): string =>
  (upTo(life, 99_999) / pick(life, [1, 10, 100, 10_000])).toFixed(4).replace(/\.?0+$/, '')

const lines = (life: Life) =>
  Array.from({ length: upTo(life, 4) }, (_, i) => ({
    description: `שורה ${i + 1}`,
    quantity: String(upTo(life, 30) / pick(life, [1, 1, 2, 8])),
    unitPrice: price(life),
    vatKind: pick(life, [1, 1, 1, 1, 1, 1, 2, 2, 4, 4, 3] as const),
  })).map((line) => ({ ...line, ...discountFor(life, line) }))

/** Sometimes a discount of the line, by percent or by a sum that is not above it. */
function discountFor(life: Life, { quantity, unitPrice }: { quantity: string; unitPrice: string }) {
  if (life.random() >= 0.3) return {}
  if (life.random() < 0.5) return { discount: { basisPoints: upTo(life, 3_000) } }
  return {
    discount: { agorot: upTo(life, Math.max(1, Math.floor(Number(quantity) * Number(unitPrice) * 60))) - 1 },
  }
}

/** A part of a quantity, in the four decimals a quantity has. */
const share = (left: string | null, parts: number): string =>
  String(Math.ceil((Number(left) / parts) * 10_000) / 10_000)

const currencyOf = (life: Life) =>
  life.random() < 0.15 ? { currency: pick(life, ['USD', 'EUR']), rate: (3 + life.random()).toFixed(4) } : {}

const cheque = { bank: '12', branch: '600', account: '123456', number: '100' }

/** Means of payment that come to a sum; cash stays within the law. */
function means(life: Life, agorot: number) {
  const first = life.random() < 0.5 && agorot > 1 ? upTo(life, agorot - 1) : agorot
  const rest = agorot - first
  return [
    { means: pick(life, [2, 2, 3, 4, 5, 6, 7, 8]), amountAgorot: first, ...cheque },
    ...(rest ? [{ means: 3, amountAgorot: rest }] : []),
  ]
}

const openOf = async (life: Life, customerId: string): Promise<OpenItem[]> =>
  (await life.business.call(calls.openItems, { customerId })).rows

export type Step = (life: Life, partyId: string) => Promise<DocumentAnswer | undefined>

/** Sometimes some days back, inside the open period. */
const dayOf = (life: Life): string => {
  const back = addDays(life.today(), -upTo(life, 6))
  return life.random() < 0.15 && back.slice(0, 7) === life.today().slice(0, 7) ? back : life.today()
}

const issueNew =
  (type: number): Step =>
  (life, customerId) =>
    life.business.call(calls.createDocument, {
      type,
      customerId,
      date: dayOf(life),
      lines: lines(life),
      ...currencyOf(life),
      ...(life.random() < 0.25 ? { discount: { basisPoints: upTo(life, 2_000) } } : {}),
    })

/** A paper that is money and nothing else: a donation, a deposit, a receipt before any debt. */
const issueMoney =
  (type: number): Step =>
  (life, customerId) =>
    life.business.call(calls.createDocument, {
      type,
      customerId,
      date: life.today(),
      payments: means(life, upTo(life, 400_000)),
    })

/** Written in the paper book while the computer was down: the number is the book's. */
const byHand: Step = (life, customerId) =>
  life.business.call(calls.createDocument, {
    type: 8,
    customerId,
    date: life.today(),
    handNumber: 50_000 + [...life.documents.values()].reduce((sum, of) => sum + of.length, 0),
    lines: lines(life),
  })

/**
 * One paper, or two of a kind together, becomes any of the papers that may follow it, whole or by parts of
 * its lines.
 */
const convertOne: Step = async (life, partyId) => {
  const may = (d: DocumentAnswer) => successors(documentTypeById(d.type)!, life.kind)
  const all = life.documents.get(partyId) ?? []
  const from = pick(
    life,
    all.filter((d) => may(d).length),
  )
  if (!from) return undefined
  const target = pick(life, may(from))
  const fresh = await life.business.call(calls.getDocument, { id: from.id })
  const takesMoney = target.parts.includes('closes')
  const leftFor = (l: (typeof fresh.lines)[number]) =>
    l.leftFor.find((one) => one.type === typeId(target.name))?.quantity ?? '0'
  const open = fresh.lines.filter((l) => Number(leftFor(l)) > 0)
  if ((!open.length && !takesMoney) || fresh.status === 'cancelled') return undefined
  const part =
    !takesMoney && life.random() < 0.5
      ? {
          lines: open
            .slice(0, upTo(life, open.length))
            .map((l) => ({ line: l.line, quantity: share(leftFor(l), pick(life, [1, 1, 2])) })),
        }
      : {}
  const other =
    life.random() < 0.3 &&
    all.find((d) => d.id !== from.id && d.type === from.type && d.currency === from.currency)
  const draft = await life.business.call(calls.convertDocument, {
    id: from.id,
    type: typeId(target.name),
    ...part,
    ...(other ? { with: [other.id] } : {}),
  })
  const input = { ...inputOf(draft), id: draft.id, date: life.today() }
  if (!target.parts.includes('payments')) await life.business.call(calls.changeDocument, input)
  else {
    const asked = await life.business.call(calls.changeDocument, input)
    const owed = takesMoney
      ? asked.closes.reduce((sum, c) => sum + c.amountAgorot, 0) || upTo(life, 50_000)
      : asked.totals.totalAgorot
    if (owed <= 0) return undefined
    await life.business.call(calls.changeDocument, { ...input, payments: means(life, owed) })
  }
  return life.business.call(calls.issueDocument, { id: draft.id })
}

/** A draft as input again, with another day. */
const inputOf = (d: DocumentAnswer) => ({
  type: d.type,
  customerId: d.customerId,
  currency: d.currency,
  rate: d.rate,
  discount: d.discount,
  sourceId: d.source?.id ?? null,
  closes: d.closes,
  lines: d.lines.map((l) => ({
    description: l.description,
    quantity: l.quantity,
    unitPrice: l.unitPrice,
    vatKind: l.vatKind as 1,
    ...(l.discountBp
      ? { discount: { basisPoints: l.discountBp } }
      : l.discountAgorot
        ? { discount: { agorot: l.discountAgorot } }
        : {}),
    ...(l.source ? { source: l.source } : {}),
  })),
})

const receive: Step = async (life, customerId) => {
  const debts = (await openOf(life, customerId)).filter((o) => o.openInCurrencyAgorot > 0)
  const currency = debts[0]?.currency ?? 'ILS'
  // Where the receipt is the income, a debt that was income before has a separate receipt, to the agora.
  const once = !chargesVat(life.kind)
  const same = debts
    .filter((o) => o.currency === currency && (!once || o.asks === debts[0]!.asks))
    .slice(0, upTo(life, 3))
  const closes = same.map((o) => ({
    documentId: o.id,
    amountAgorot: life.random() < 0.6 ? o.openInCurrencyAgorot : upTo(life, o.openInCurrencyAgorot),
  }))
  const asks = new Set(same.filter((o) => o.asks).map((o) => o.id))
  const debt = closes.filter((c) => !asks.has(c.documentId)).reduce((sum, c) => sum + c.amountAgorot, 0)
  // Exactly, or more, which stays on account.
  const total = Math.max(1, debt + (life.random() < 0.3 && !(once && debt) ? upTo(life, 50_000) : 0))
  return life.business.call(calls.createDocument, {
    type: 6,
    customerId,
    date: dayOf(life),
    ...(currency === 'ILS' ? {} : { currency, rate: (3 + life.random()).toFixed(4) }),
    payments: means(life, total),
    closes,
  })
}

/** Papers of many kinds in one call, and two receipts that share one debt. */
const together: Step = async (life, customerId) => {
  const debt = (await openOf(life, customerId)).find(
    (o) => o.currency === 'ILS' && !o.asks && o.openInCurrencyAgorot > 1,
  )
  const first = debt && upTo(life, debt.openInCurrencyAgorot - 1)
  const paid = debt && first ? [first, upTo(life, debt.openInCurrencyAgorot - first)] : []
  const types = [1, 8, 2, 8, 5, 3].filter((type) => type !== 8 || mayIssue(life.kind, typeById(8)!.name))
  const documents = [
    ...types
      .slice(0, 1 + upTo(life, types.length - 1))
      .map((type) => ({ type, customerId, date: life.today(), lines: lines(life) })),
    ...paid.map((agorot) => ({
      type: 6,
      customerId,
      date: life.today(),
      payments: means(life, agorot),
      closes: [{ documentId: debt!.id, amountAgorot: agorot }],
    })),
  ]
  const { rows } = await life.business.call(calls.batchDocuments, { documents } as never)
  const made = await Promise.all(rows.map(({ id }) => life.business.call(calls.getDocument, { id })))
  life.documents.set(customerId, [...(life.documents.get(customerId) ?? []), ...made.slice(1)])
  return made[0]
}

const invoiceReceipt: Step = async (life, customerId) => {
  const input = { type: 9, customerId, date: life.today(), lines: lines(life) }
  const { totals } = await life.business.call(calls.createDocument, { ...input, draft: true })
  if (totals.totalAgorot <= 0) return undefined
  return life.business.call(calls.createDocument, { ...input, payments: means(life, totals.totalAgorot) })
}

const useMoney: Step = async (life, customerId) => {
  const open = await openOf(life, customerId)
  const money = open.find((o) => o.openInCurrencyAgorot < 0)
  const debt =
    money && open.find((o) => o.openInCurrencyAgorot > 0 && !o.asks && o.currency === money.currency)
  if (!money || !debt) return undefined
  const amountAgorot = upTo(life, Math.min(-money.openInCurrencyAgorot, debt.openInCurrencyAgorot))
  await life.business.call(calls.settleDocument, { id: money.id, documentId: debt.id, amountAgorot })
  return undefined
}

const takeBack: Step = async (life, customerId) => {
  const receipt = pick(
    life,
    (life.documents.get(customerId) ?? []).filter((d) => d.type === 6),
  )
  if (!receipt) return undefined
  const { settlements } = await life.business.call(calls.getDocument, { id: receipt.id })
  const one = settlements.find((s) => s.type !== 5)
  if (one) await life.business.call(calls.unsettleDocument, { id: receipt.id, settlementId: one.id })
  return undefined
}

const creditPart: Step = async (life, customerId) => {
  const invoice = pick(
    life,
    (life.documents.get(customerId) ?? []).filter((d) => d.type === 8 || d.type === 9),
  )
  if (!invoice) return undefined
  const fresh = await life.business.call(calls.getDocument, { id: invoice.id })
  const left = fresh.totals.totalAgorot - fresh.totals.creditedAgorot
  if (left <= 0 || fresh.status === 'cancelled') return undefined
  const base = { id: invoice.id, reason: 'החזרה', date: life.today() }
  const how = life.random()
  if (how < 0.3) return life.business.call(calls.creditDocument, { ...base, agorot: upTo(life, left) })
  // All that is left is what the screen begins with: it must always be possible.
  if (how < 0.6)
    return life.business.call(calls.creditDocument, base).catch((e: unknown) => {
      throw new Error('all that is left cannot be credited', { cause: e })
    })
  const open = fresh.lines.filter((l) => Number(l.left) > 0)
  if (!open.length) return undefined
  const l = pick(life, open)
  return life.business.call(calls.creditDocument, {
    ...base,
    lines: [{ line: l.line, quantity: share(l.left, pick(life, [1, 2])) }],
  })
}

/** A debt that will not be paid is written off; of one written off before some is paid after all. */
const badDebt: Step = async (life, customerId) => {
  const written = (life.documents.get(customerId) ?? []).filter((d) => life.badDebts.has(d.id))
  if (written.length && life.random() < 0.4) {
    const { id } = pick(life, written)
    const { leftAgorot } = await life.business.call(debts.standingOfDebt, { id })
    if (leftAgorot <= 0) return undefined
    const { id: invoiceId } = await life.business.call(debts.recoverDebt, {
      id,
      ...(life.random() < 0.5 ? { agorot: upTo(life, leftAgorot) } : {}),
      date: life.today(),
    })
    return life.business.call(calls.getDocument, { id: invoiceId })
  }
  const all = (await openOf(life, customerId)).filter((o) => o.type === 8 && o.openInCurrencyAgorot > 0)
  // Where it can be one that was reported, and is half a year old.
  const old = all.filter((o) => o.date.slice(0, 7) <= life.reported && addMonths(o.date, 6) <= life.today())
  const debt = old.length ? pick(life, old) : all[0]
  if (!debt) return undefined
  const { id } = await life.business.call(debts.writeOffDebt, {
    id: debt.id,
    ...(life.random() < 0.5 ? { agorot: upTo(life, debt.openInCurrencyAgorot) } : {}),
    ground: pick(life, grounds),
    steps: 'מכתבים ושיחות',
    vatPaid: true,
    date: life.today(),
  })
  life.badDebts.add(id)
  return life.business.call(calls.getDocument, { id })
}

/** Another country, another treatment: what was issued before keeps its own. */
const switchZeroRate: Step = async (life, customerId) => {
  const { zeroRate } = await life.business.get<{ zeroRate: boolean }>(`/api4/invoice/customers/${customerId}`)
  await life.business.send('PATCH', `/api4/invoice/customers/${customerId}`, { zeroRate: !zeroRate })
  return undefined
}

const cancelOne: Step = async (life, customerId) => {
  const d = pick(life, life.documents.get(customerId) ?? [])
  if (d) await life.business.call(calls.cancelDocument, { id: d.id, reason: 'טעות' })
  return undefined
}

/** What is in hand and due, or some of it, goes to the bank. */
const deposit: Step = async (life) => {
  const { cheques } = await life.business.call(money.moneyInHand, {})
  const ready = cheques.filter((one) => one.dueDay <= life.today() && life.random() < 0.6)
  if (!ready.length) return undefined
  await life.business.call(money.createDeposit, { payments: ready.map((one) => one.id) })
  return undefined
}

const undoOneDeposit: Step = async (life) => {
  const { rows } = await life.business.get<{ rows: { id: string }[] }>(
    '/api4/invoice/deposits?state=deposited',
  )
  const one = pick(life, rows)
  if (one) await life.business.call(money.undoDeposit, { id: one.id })
  return undefined
}

/** A payment is returned, a cheque is returned, or either is reversed, whatever may be done with it. */
const comesBack: Step = async (life, customerId) => {
  const { rows } = await life.business.get<{ rows: { id: string }[] }>(
    `/api4/invoice/payments?customerId=${customerId}&size=200`,
  )
  const one = pick(life, rows)
  if (!one) return undefined
  const { may } = await life.business.call(money.getPayment, { id: one.id })
  if (may.bounce)
    await life.business.call(money.bouncePayment, {
      id: one.id,
      feeAgorot: life.random() < 0.3 ? upTo(life, 5_000) : 0,
    })
  else if (may.giveBack) await life.business.call(money.giveBackPayment, { id: one.id })
  else if (may.undo) await life.business.call(money.undoReturn, { id: one.id })
  return undefined
}

const refund: Step = async (life, customerId) => {
  const source = (await openOf(life, customerId)).find((o) => o.openInCurrencyAgorot < 0)
  if (!source) return undefined
  const made = await life.business.call(money.refundMoney, {
    documentId: source.id,
    amountAgorot: upTo(life, -source.openInCurrencyAgorot),
    means: pick(life, [3, 4, 5] as const),
    date: life.today(),
  })
  return life.business.call(calls.getDocument, { id: made.id })
}

const paySupplier: Step = async (life, supplierId) => {
  const { rows } = await life.business.call(suppliers.openBills, { supplierId })
  const some = rows.filter((one) => one.openAgorot > 0).slice(0, upTo(life, 3))
  if (!some.length) return undefined
  await life.business.call(suppliers.createSupplierPayment, {
    supplierId,
    date: life.today(),
    means: pick(life, ['bank', 'cheque', 'owner'] as const),
    bills: some.map(({ id, openAgorot }) => ({
      id,
      amountAgorot: life.random() < 0.6 ? openAgorot : upTo(life, openAgorot),
    })),
  })
  return undefined
}

const takeSupplierPaymentBack: Step = async (life, supplierId) => {
  const { rows } = await life.business.get<{ rows: { id: string; state: string; supplierId: string }[] }>(
    `/api4/invoice/supplierpayments?state=paid&supplierId=${supplierId}`,
  )
  const one = pick(life, rows)
  if (one) await life.business.call(suppliers.cancelPaymentOfSupplier, { id: one.id })
  return undefined
}

/**
 * The first month that is over and was not reported yet; both ways to its figures must agree, or it is
 * refused.
 */
const reportVat: Step = async (life) => {
  const period = addMonths(`${life.reported}-01`, 1).slice(0, 7)
  if (period >= life.today().slice(0, 7)) return undefined
  await life.business.call(vat.fileReturn, { period, kind: 'return' })
  life.reported = period
  return undefined
}

/**
 * What a step may be chosen for: with whom it is done, and the paper it begins with, if the law keeps that
 * from some businesses.
 */
export interface Deed {
  weight: number
  name: string
  step: Step
  whom?: 'suppliers' | 'anybody'
  type?: number
}

const deeds: readonly Deed[] = (
  [
    [6, 'invoice', issueNew(8), { type: 8 }],
    [2, 'byHand', byHand, { type: 8 }],
    [2, 'quote', issueNew(1)],
    [2, 'order', issueNew(2)],
    [2, 'delivery', issueNew(3)],
    [2, 'return', issueNew(4)],
    [2, 'request', issueNew(5)],
    [2, 'money', issueMoney(6)],
    [2, 'donation', issueMoney(11), { type: 11 }],
    [2, 'held', issueMoney(14)],
    [2, 'purchaseOrder', issueNew(7), { whom: 'suppliers' }],
    [2, 'goods', issueNew(13), { whom: 'suppliers' }],
    [2, 'selfBilled', issueNew(12), { whom: 'suppliers', type: 12 }],
    [3, 'paySupplier', paySupplier, { whom: 'suppliers', type: 12 }],
    [2, 'unpaySupplier', takeSupplierPaymentBack, { whom: 'suppliers', type: 12 }],
    [8, 'convert', convertOne, { whom: 'anybody' }],
    [7, 'receive', receive],
    [2, 'together', together],
    [2, 'invoiceReceipt', invoiceReceipt, { type: 9 }],
    [3, 'useMoney', useMoney, { type: 8 }],
    [2, 'takeBack', takeBack],
    [3, 'creditPart', creditPart, { type: 10 }],
    [1, 'zeroRate', switchZeroRate, { type: 8 }],
    [2, 'badDebt', badDebt, { type: 8 }],
    [5, 'cancel', cancelOne, { whom: 'anybody' }],
    [2, 'deposit', deposit],
    [2, 'undoDeposit', undoOneDeposit],
    [3, 'comesBack', comesBack],
    [2, 'refund', refund, { type: 8 }],
    [4, 'reportVat', reportVat, { type: 8 }],
  ] as const satisfies readonly (readonly [number, string, Step, Partial<Deed>?])[]
).map(([weight, name, step, more]) => ({ weight, name, step, ...more }))

/** What a business of this kind does; in a life long enough, all of it. */
export const deedsOf = (kind: BusinessKind): readonly Deed[] =>
  deeds.filter(({ type }) => type === undefined || mayIssue(kind, typeById(type)!.name))

/**
 * Refusals that are part of life: the person tried what is not possible any more. Anything else is a fault.
 */
export const ordinary: ReadonlySet<string> = new Set([
  'documents.cannotCancel',
  'documents.alreadyCancelled',
  'documents.cannotConvert',
  'documents.nothingLeft',
  'documents.creditsTooMuch',
  'documents.creditsTooMuchOf.standard',
  'documents.creditsTooMuchOf.exempt',
  'documents.creditsTooMuchOf.zero',
  'documents.takesTooMuch',
  'documents.closesTooMuch',
  'documents.closesAboveReceived',
  'documents.notSettled',
  'payments.cameBack',
  'expenses.hasPayments',
  'badDebts.tooEarly',
  'badDebts.notInvoice',
  'badDebts.held',
  'badDebts.nothingOpen',
  'badDebts.notReported',
  'badDebts.allRecovered',
])

/** One step of a life, any or the one that is named; answers what was done, or why it was refused. */
export async function live(
  life: Life,
  named?: string,
  own: readonly Deed[] = deedsOf(life.kind),
  refusals: ReadonlySet<string> = ordinary,
): Promise<string> {
  let at = life.random() * own.reduce((sum, { weight }) => sum + weight, 0)
  const { name, step, whom } =
    own.find((one) => one.name === named) ?? own.find(({ weight }) => (at -= weight) < 0) ?? own[0]!
  const toSupplier = whom === 'suppliers' || (whom === 'anybody' && life.random() < 0.25)
  const partyId = pick(life, toSupplier ? life.suppliers : life.customers)
  try {
    const made = await step(life, partyId)
    if (made) life.documents.set(partyId, [...(life.documents.get(partyId) ?? []), made])
    return name
  } catch (e) {
    const { code = '', errors = [] } = e as { code?: string; errors?: { code: string }[] }
    if (refusals.has(code) || errors.some((one) => refusals.has(one.code))) return `${name}: refused`
    throw new Error(`${name}: ${(e as Error).message}`, { cause: e })
  }
}
