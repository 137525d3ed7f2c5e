import type { Business } from '../world.ts'
import * as calls from '../../src/features/documents/endpoints.ts'
import type { DocumentAnswer, OpenItem } from '../../src/features/documents/endpoints.ts'
import * as money from '../../src/features/payments/endpoints.ts'

/*
 * Random lives of documents: a business does one thing after another, whatever is possible, and after every step its books must agree. The
 * randomness is seeded, so that a life that fails can be lived again.
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

interface Life {
  business: Business
  random: () => number
  customers: string[]
  /** Of each customer, what has been issued so far. */
  documents: Map<string, DocumentAnswer[]>
  /** The day things happen on; it never runs back. */
  today: () => string
}

const pick = <T>(life: Life, of: readonly T[]): T => of[Math.floor(life.random() * of.length)]!
const upTo = (life: Life, n: number): number => 1 + Math.floor(life.random() * n)

const price = (life: Life): string => (upTo(life, 99_999) / pick(life, [1, 10, 100, 10_000])).toFixed(4).replace(/\.?0+$/, '')

const lines = (life: Life) =>
  Array.from({ length: upTo(life, 4) }, (_, i) => ({
    description: `שורה ${i + 1}`,
    quantity: String(upTo(life, 30) / pick(life, [1, 1, 2, 8])),
    unitPrice: price(life),
    vatKind: pick(life, [1, 1, 1, 2, 4] as const),
    ...(life.random() < 0.2 ? { discount: { basisPoints: upTo(life, 3_000) } } : {}),
  }))

/** A part of a quantity, in the four decimals a quantity has. */
const share = (left: string | null, parts: number): string => String(Math.ceil((Number(left) / parts) * 10_000) / 10_000)

const currencyOf = (life: Life) =>
  life.random() < 0.15 ? { currency: pick(life, ['USD', 'EUR']), rate: (3 + life.random()).toFixed(4) } : {}

/** Means of payment that come to a sum; cash stays within the law. */
function means(life: Life, agorot: number) {
  const first = life.random() < 0.5 && agorot > 1 ? upTo(life, agorot - 1) : agorot
  const rest = agorot - first
  return [{ means: pick(life, [2, 3, 4, 5, 7]), amountAgorot: first, number: '100' }, ...(rest ? [{ means: 3, amountAgorot: rest }] : [])]
}

const openOf = async (life: Life, customerId: string): Promise<OpenItem[]> =>
  (await life.business.call(calls.openItems, { customerId })).rows

type Step = (life: Life, customerId: string) => Promise<DocumentAnswer | undefined>

const issueNew =
  (type: number): Step =>
  (life, customerId) =>
    life.business.call(calls.createDocument, {
      type,
      customerId,
      date: life.today(),
      lines: lines(life),
      ...currencyOf(life),
      ...(life.random() < 0.25 ? { discount: { basisPoints: upTo(life, 2_000) } } : {}),
    })

const convertOne: Step = async (life, customerId) => {
  const from = pick(
    life,
    (life.documents.get(customerId) ?? []).filter((d) => [1, 2, 3, 5].includes(d.type)),
  )
  if (!from) return undefined
  const type = pick(life, ({ 1: [2, 3, 5, 8], 2: [3, 8], 3: [8, 4], 5: [8] } as Record<number, number[]>)[from.type]!)
  const fresh = await life.business.call(calls.getDocument, { id: from.id })
  const open = fresh.lines.filter((l) => Number(l.left) > 0)
  if (!open.length || fresh.status === 'cancelled') return undefined
  const part =
    life.random() < 0.5
      ? {
          lines: open.slice(0, upTo(life, open.length)).map((l) => ({ line: l.line, quantity: share(l.left, pick(life, [1, 1, 2])) })),
        }
      : {}
  const draft = await life.business.call(calls.convertDocument, { id: from.id, type, ...part })
  await life.business.call(calls.changeDocument, { ...inputOf(draft), id: draft.id, date: life.today() })
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
  lines: d.lines.map((l) => ({
    description: l.description,
    quantity: l.quantity,
    unitPrice: l.unitPrice,
    vatKind: l.vatKind as 1,
    ...(l.discountBp ? { discount: { basisPoints: l.discountBp } } : {}),
    ...(l.source ? { source: l.source } : {}),
  })),
})

const receive: Step = async (life, customerId) => {
  const debts = (await openOf(life, customerId)).filter((o) => o.openInCurrencyAgorot > 0)
  const currency = debts[0]?.currency ?? 'ILS'
  const same = debts.filter((o) => o.currency === currency).slice(0, upTo(life, 3))
  const closes = same.map((o) => ({
    documentId: o.id,
    amountAgorot: life.random() < 0.6 ? o.openInCurrencyAgorot : upTo(life, o.openInCurrencyAgorot),
  }))
  const asks = new Set(same.filter((o) => o.asks).map((o) => o.id))
  const debt = closes.filter((c) => !asks.has(c.documentId)).reduce((sum, c) => sum + c.amountAgorot, 0)
  // Exactly, or more, which stays on account.
  const total = Math.max(1, debt + (life.random() < 0.3 ? upTo(life, 50_000) : 0))
  return life.business.call(calls.createDocument, {
    type: 6,
    customerId,
    date: life.today(),
    ...(currency === 'ILS' ? {} : { currency, rate: (3 + life.random()).toFixed(4) }),
    payments: means(life, total),
    closes,
  })
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
  const debt = money && open.find((o) => o.openInCurrencyAgorot > 0 && !o.asks && o.currency === money.currency)
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
  if (life.random() < 0.4) return life.business.call(calls.creditDocument, { ...base, agorot: upTo(life, left) })
  const open = fresh.lines.filter((l) => Number(l.left) > 0)
  if (!open.length) return undefined
  const l = pick(life, open)
  return life.business.call(calls.creditDocument, {
    ...base,
    lines: [{ line: l.line, quantity: share(l.left, pick(life, [1, 2])) }],
  })
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
  const { rows } = await life.business.get<{ rows: { id: string }[] }>('/api4/invoice/deposits?state=deposited')
  const one = pick(life, rows)
  if (one) await life.business.call(money.undoDeposit, { id: one.id })
  return undefined
}

/** A payment comes back, a cheque is given back, or either is taken back, whatever may be done with it. */
const comesBack: Step = async (life, customerId) => {
  const { rows } = await life.business.get<{ rows: { id: string }[] }>(`/api4/invoice/payments?customerId=${customerId}&size=200`)
  const one = pick(life, rows)
  if (!one) return undefined
  const { may } = await life.business.call(money.getPayment, { id: one.id })
  if (may.bounce) await life.business.call(money.bouncePayment, { id: one.id, feeAgorot: life.random() < 0.3 ? upTo(life, 5_000) : 0 })
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

const steps: readonly (readonly [weight: number, name: string, step: Step])[] = [
  [6, 'invoice', issueNew(8)],
  [1, 'quote', issueNew(1)],
  [1, 'order', issueNew(2)],
  [1, 'request', issueNew(5)],
  [5, 'convert', convertOne],
  [7, 'receive', receive],
  [2, 'invoiceReceipt', invoiceReceipt],
  [3, 'useMoney', useMoney],
  [1, 'takeBack', takeBack],
  [3, 'creditPart', creditPart],
  [2, 'cancel', cancelOne],
  [2, 'deposit', deposit],
  [1, 'undoDeposit', undoOneDeposit],
  [3, 'comesBack', comesBack],
  [2, 'refund', refund],
]
const weights = steps.reduce((sum, [w]) => sum + w, 0)

/** Refusals that are part of life: the person tried what is not possible any more. Anything else is a fault. */
const ordinary = new Set([
  'documents.cannotCancel',
  'documents.alreadyCancelled',
  'documents.cannotConvert',
  'documents.nothingLeft',
  'documents.creditsTooMuch',
  'documents.takesTooMuch',
  'documents.closesTooMuch',
  'documents.notSettled',
  'payments.cameBack',
])

/** One step of a life; answers what was done, or why it was refused. */
export async function live(life: Life): Promise<string> {
  let at = life.random() * weights
  const [, name, step] = steps.find(([w]) => (at -= w) < 0) ?? steps[0]!
  const customerId = pick(life, life.customers)
  try {
    const made = await step(life, customerId)
    if (made) life.documents.set(customerId, [...(life.documents.get(customerId) ?? []), made])
    return name
  } catch (e) {
    const { code = '', errors = [] } = e as { code?: string; errors?: { code: string }[] }
    if (ordinary.has(code) || errors.some((one) => ordinary.has(one.code))) return `${name}: refused`
    throw new Error(`${name}: ${(e as Error).message}`, { cause: e })
  }
}

export type { Life }
