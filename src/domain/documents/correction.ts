import type { Day, Period } from '../day.ts'
import { openVatPeriod } from '../law/frequency.ts'
import { apportion, splitByLargestRemainder, sum, type Agorot } from '../money.ts'
import type { DocumentTotals, LineTotals, VatClass } from './arithmetic.ts'
import { described, type DocumentStatus, type DocumentTypeName } from './kinds.ts'
import { refuseIssueDate } from './life.ts'

/*
 * How a mistake in an issued document is corrected. Nothing issued is changed: what was too much is credited, what
 * was wrong is offset completely and written again. This file decides which documents that takes, on which days, and
 * their amounts; it does not carry them out.
 */

/** The present document, and what happened to it since. */
export interface WrongPaper {
  readonly type: DocumentTypeName
  readonly status: DocumentStatus
  readonly day: Day
  /**
   * What offsets it: a credit invoice, a document of its type with negated amounts, a mark where it moved nothing;
   * nothing may.
   */
  readonly undoneBy: 'credit' | 'itself' | 'mark' | undefined
  /** Its own money came with it: an invoice with receipt. */
  readonly hasMoney: boolean
  /** Money or credits that closed it. */
  readonly isPaid: boolean
  /** A credit has taken a part of it already. */
  readonly isCredited: boolean
  /** Later papers were made from it. */
  readonly isUsed: boolean
  /** A cheque or a card slip of it was deposited or came back. */
  readonly isBanked: boolean
}

/** What should have been otherwise. */
export interface Wish {
  readonly customer: boolean
  readonly payments: boolean
  /** Prices, quantities or kinds of VAT. */
  readonly lines: boolean
  /** The change of the lines only takes away: see `differenceOf`. */
  readonly isLess: boolean
  /** The lines come to nothing. */
  readonly isNothing: boolean
  readonly day: Day | undefined
}

/** Days as the law and the books have them. */
export interface Calendar {
  readonly today: Day
  readonly locked: readonly (Period & { readonly kind: 'vat' | 'month' | 'year' })[]
  /** A setting: a day before the last of the series is let through while it lies in the open VAT period. */
  readonly backDatingAllowed: boolean
  /** The VAT period of a day. */
  readonly vatPeriodOn: (day: Day) => Period
  /** By when the VAT of a period that ends on a day is reported. */
  readonly vatDueOn: (to: Day) => Day
  readonly lastOfSeries: Day | undefined
  readonly isTaxDocument: boolean
}

export type Chain = 'partialCredit' | 'creditAndReissue' | 'reverseAndReissue' | 'markAndReissue'
/**
 * release: money that closed it is free again; credit: of the whole, or of the difference; giveBack: the
 * receipt turned round; mark: it moved nothing and is only marked; reissue: the right paper; use: the
 * released money closes the right paper.
 */
export type StepKind = 'release' | 'credit' | 'creditDifference' | 'giveBack' | 'mark' | 'reissue' | 'use'

export interface Step {
  readonly kind: StepKind
  /** The paper it issues; none for what only moves money between papers. */
  readonly type: DocumentTypeName | undefined
  readonly day: Day
}

/** Codes are word keys; parameters are days. */
export interface Refusal {
  readonly code: string
  readonly params: Readonly<Record<string, string>>
}

/**
 * periodReported: what was reported stays; rateKept: the rate of VAT of the wrong paper; creditStays: what
 * was paid too much is the customer's credit; moneyStays: money that closed it stays with the customer who
 * paid; debtsOpen: what it closed is open again.
 */
export type Remark = 'periodReported' | 'rateKept' | 'creditStays' | 'moneyStays' | 'debtsOpen'

export interface CorrectionPlan {
  readonly chain: Chain
  readonly steps: readonly Step[]
  readonly refusals: readonly Refusal[]
  readonly remarks: readonly Remark[]
}

/**
 * The legal way from the paper that is to the one that should have been. All of it is dated today, so that a
 * return that was handed in is never touched; only a day that was itself the mistake is the day of the new
 * paper, if the law lets it.
 */
export function planCorrection(paper: WrongPaper, wish: Wish, calendar: Calendar): CorrectionPlan {
  const chain = chainFor(paper, wish)
  return {
    chain,
    steps: stepsOf(chain, paper, wish, calendar.today),
    refusals: refusalsOf(chain, paper, wish, calendar),
    remarks: remarksOf(chain, paper, wish, calendar),
  }
}

function chainFor(paper: WrongPaper, wish: Wish): Chain {
  if (paper.undoneBy === 'mark') return 'markAndReissue'
  if (paper.undoneBy === 'itself') return 'reverseAndReissue'
  // A credit can only lessen; who, when and how it was paid stand on the paper itself.
  const onlyLess = wish.lines && wish.isLess && !wish.customer && !wish.payments && wish.day === undefined
  return onlyLess ? 'partialCredit' : 'creditAndReissue'
}

function stepsOf(chain: Chain, paper: WrongPaper, wish: Wish, today: Day): Step[] {
  const step = (kind: StepKind, type?: DocumentTypeName, day = today): Step => ({ kind, type, day })
  const reissue = step('reissue', paper.type, wish.day ?? today)
  const release = paper.isPaid ? [step('release')] : []
  switch (chain) {
    case 'partialCredit':
      return [step('creditDifference', 'creditInvoice')]
    case 'markAndReissue':
      return [step('mark'), reissue]
    case 'reverseAndReissue':
      return [...release, step('giveBack', paper.type), reissue]
    case 'creditAndReissue':
      return [
        ...release,
        step('credit', 'creditInvoice'),
        ...(paper.hasMoney ? [step('giveBack', 'receipt')] : []),
        reissue,
        ...(paper.isPaid && !wish.customer ? [step('use')] : []),
      ]
  }
}

function refusalsOf(chain: Chain, paper: WrongPaper, wish: Wish, calendar: Calendar): Refusal[] {
  const refuse = (code: string, params: Refusal['params'] = {}): Refusal => ({ code, params })
  if (paper.status === 'draft') return [refuse('documents.stillDraft')]
  if (paper.status === 'cancelled') return [refuse('corrections.cancelled')]
  // The only document that posts and that nothing reverses.
  if (!paper.undoneBy) return [refuse('corrections.ofCredit')]
  if (!wish.customer && !wish.payments && !wish.lines && wish.day === undefined)
    return [refuse('corrections.nothingChanged')]

  const refusals: Refusal[] = []
  if (wish.isNothing) refusals.push(refuse('corrections.nothingLeft'))
  if (paper.isCredited) refusals.push(refuse('corrections.credited'))
  // A partial credit leaves the paper, and what hangs on it, where it is.
  if (chain !== 'partialCredit' && paper.isUsed) refusals.push(refuse('corrections.used'))
  if (chain !== 'partialCredit' && paper.isBanked) refusals.push(refuse('corrections.banked'))
  const offsets = lockedOn(calendar.today, calendar)
  if (offsets && chain !== 'markAndReissue')
    refusals.push(refuse('corrections.todayLocked', { from: offsets.from, to: offsets.to }))
  if (wish.day !== undefined) {
    const refusal = refuseIssueDate({
      day: wish.day,
      today: calendar.today,
      isTaxDocument: calendar.isTaxDocument,
      lastOfSeries: calendar.lastOfSeries,
      lockedPeriods: calendar.locked.filter(({ kind }) => kind !== 'vat' || calendar.isTaxDocument),
      backDatingAllowed: calendar.backDatingAllowed,
      openVatPeriod: openVatPeriod(
        calendar.today,
        calendar.vatPeriodOn,
        calendar.vatDueOn,
        calendar.locked.filter(({ kind }) => kind === 'vat'),
      ),
    })
    if (refusal) refusals.push(refuse(refusal.code, refusal.params))
  }
  return refusals
}

function remarksOf(chain: Chain, paper: WrongPaper, wish: Wish, calendar: Calendar): Remark[] {
  const remarks: Remark[] = []
  if (chain !== 'markAndReissue' && lockedOn(paper.day, calendar)) remarks.push('periodReported')
  if (chain === 'creditAndReissue' && wish.day === undefined) remarks.push('rateKept')
  if (chain === 'partialCredit' && (paper.isPaid || paper.hasMoney)) remarks.push('creditStays')
  if (chain !== 'partialCredit' && paper.isPaid && wish.customer)
    remarks.push(chain === 'reverseAndReissue' ? 'debtsOpen' : 'moneyStays')
  return remarks
}

const lockedOn = (day: Day, { locked, isTaxDocument }: Calendar): Period | undefined =>
  locked.find((period) => (period.kind !== 'vat' || isTaxDocument) && period.from <= day && day <= period.to)

/** A line as it was issued; amounts in agorot. */
export interface IssuedLine {
  readonly vatKind: LineTotals['vatKind']
  readonly vatClass: VatClass
  readonly net: Agorot
  readonly vat: Agorot
}
export interface IssuedSums {
  readonly lines: readonly IssuedLine[]
  readonly rounding: Agorot
  readonly total: Agorot
}

/**
 * What the paper was above what it should have been, as the figures of one credit: by line in the order
 * given, zero for lines nobody touched. Nets by class of VAT, VAT, rounding and total are exactly the
 * difference, so that paper less credit is the right paper to the agora. Undefined when a credit cannot say
 * it: something grew, or a line is taxed another way.
 */
export function differenceOf(
  was: IssuedSums,
  right: DocumentTotals,
  touched: ReadonlySet<number>,
): DocumentTotals | undefined {
  if (
    was.lines.some(
      (line, i) => line.vatClass !== right.lines[i]?.vatClass || line.vatKind !== right.lines[i].vatKind,
    )
  )
    return undefined
  const own = (line: IssuedLine) => (includesVat(line) ? line.net + line.vat : line.net)
  const less = was.lines.map((line, i) => own(line) - own(right.lines[i]!))
  // An untouched line may lie an agora apart, where shares were rounded another way; what it has is the
  // touched lines' affair.
  if (less.some((part, i) => (touched.has(i) ? part < 0 : Math.abs(part) > 1) || isBelowZero(was.lines[i]!)))
    return undefined

  const nets = was.lines.map(() => 0)
  const vats = was.lines.map(() => 0)
  for (const group of groupsOf(was.lines)) {
    const gone = (of: 'net' | 'vat') => sum(group.map((i) => was.lines[i]![of] - right.lines[i]![of]))
    const takers = group.filter((i) => touched.has(i) && less[i]! > 0)
    if (!takers.length) {
      if (gone('net') || gone('vat')) return undefined
      continue
    }
    const weights = takers.map((i) => less[i]!)
    splitByLargestRemainder(gone('vat'), weights).forEach((part, place) => (vats[takers[place]!] = part))
    if (includesVat(was.lines[group[0]!]!))
      splitByLargestRemainder(gone('net') + gone('vat'), weights).forEach(
        (part, place) => (nets[takers[place]!] = part - vats[takers[place]!]!),
      )
    else splitByLargestRemainder(gone('net'), weights).forEach((part, place) => (nets[takers[place]!] = part))
  }
  if (nets.some((net) => net < 0) || vats.some((vat) => vat < 0)) return undefined
  const lines = was.lines.map(({ vatKind, vatClass }, i): LineTotals => {
    const [net, vat] = [nets[i]!, vats[i]!]
    return {
      vatKind,
      vatClass,
      amount: includesVat({ vatKind, vatClass }) ? net + vat : net,
      discountShare: 0,
      net,
      vat,
      gross: net + vat,
    }
  })
  const netOf = (vatClass: VatClass) =>
    sum(lines.filter((line) => line.vatClass === vatClass).map((line) => line.net))
  const [net, vat, total] = [sum(nets), sum(vats), was.total - right.total]
  if (total <= 0) return undefined
  return {
    lines,
    subtotal: sum(lines.map((line) => line.amount)),
    discount: 0,
    netTaxable: netOf('standard'),
    netExempt: netOf('exempt'),
    netZero: netOf('zero'),
    net,
    vat,
    rounding: total - net - vat,
    total,
  }
}

/**
 * The difference in shekels: total, VAT, rounding and what bears no VAT are exactly what the two papers lie
 * apart there, the lines in proportion.
 */
export function differenceInIls(
  difference: DocumentTotals,
  gone: { readonly total: Agorot; readonly vat: Agorot; readonly rounding: Agorot; readonly untaxed: Agorot },
): DocumentTotals {
  const net = gone.total - gone.vat - gone.rounding
  const netsOf = (isTaxed: boolean) =>
    difference.lines.map((line) => ((line.vatClass === 'standard') === isTaxed ? line.net : 0))
  const [taxed, untaxed] = [netsOf(true), netsOf(false)]
  // An agora that belongs to lines which are not on the credit goes with the others.
  const isParted = (sum(untaxed) !== 0 || gone.untaxed === 0) && (sum(taxed) !== 0 || gone.untaxed === net)
  const [ofUntaxed, ofTaxed] = [shared(gone.untaxed, untaxed), shared(net - gone.untaxed, taxed)]
  const nets = isParted
    ? difference.lines.map((line, i) => (line.vatClass === 'standard' ? ofTaxed : ofUntaxed)[i]!)
    : shared(
        net,
        difference.lines.map((line) => line.net),
      )
  const vats = shared(
    gone.vat,
    difference.lines.map((line) => line.vat),
  )
  const lines = difference.lines.map((line, i) => {
    const [net, vat] = [nets[i]!, vats[i]!]
    return { ...line, net, vat, gross: net + vat, amount: includesVat(line) ? net + vat : net }
  })
  const netOf = (vatClass: VatClass) =>
    sum(lines.filter((line) => line.vatClass === vatClass).map((line) => line.net))
  return {
    lines,
    subtotal: sum(lines.map((line) => line.amount)),
    discount: 0,
    netTaxable: netOf('standard'),
    netExempt: netOf('exempt'),
    netZero: netOf('zero'),
    net: sum(nets),
    vat: sum(vats),
    rounding: gone.rounding,
    total: gone.total,
  }
}

const shared = (total: Agorot, weights: readonly Agorot[]): Agorot[] => {
  const whole = sum(weights)
  if (!whole) return weights.map((_, i) => (i === 0 ? total : 0))
  return apportion(
    total,
    weights.map((weight) => BigInt(weight) * BigInt(total)),
    BigInt(whole),
  )
}

const includesVat = (line: Pick<IssuedLine, 'vatKind' | 'vatClass'>): boolean =>
  line.vatKind === 'includingVat' && line.vatClass === 'standard'
const isBelowZero = (line: IssuedLine): boolean => line.net + line.vat < 0

/** Lines whose VAT was worked out together. */
function groupsOf(lines: readonly IssuedLine[]): number[][] {
  const groups = new Map<string, number[]>()
  lines.forEach((line, i) => {
    const key = line.vatClass + String(includesVat(line))
    groups.set(key, [...(groups.get(key) ?? []), i])
  })
  return [...groups.values()]
}

/** A line of a paper that a correction issues, or of one that it marks as cancelled (`isUndone`). */
export interface GoodsLine {
  readonly item: string
  readonly type: DocumentTypeName
  /** In ten-thousandths. */
  readonly quantity: number
  readonly isUndone: boolean
}

/**
 * By item, in the order they come: how many come back, how many go out, in ten-thousandths. A paper that is
 * undone goes the other way.
 */
export function goodsOf(lines: readonly GoodsLine[]): { item: string; back: number; out: number }[] {
  const goods = new Map<string, { item: string; back: number; out: number }>()
  for (const { item, type, quantity, isUndone } of lines) {
    // What is sold or delivered leaves the store; what is credited, returned or received comes to it.
    const way = described(type).goods
    if (!way || !quantity) continue
    const one = goods.get(item) ?? { item, back: 0, out: 0 }
    const isOut = (way === 'out') !== isUndone
    goods.set(item, { ...one, ...(isOut ? { out: one.out + quantity } : { back: one.back + quantity }) })
  }
  return [...goods.values()]
}

/** A line that a correction posts. */
export interface Moved {
  readonly account: string
  readonly day: Day
  /** Debit positive. */
  readonly amount: Agorot
  readonly party: string | undefined
}

export interface Effect {
  /** By account, what a correction leaves there; accounts it only passed through are left out. */
  readonly accounts: readonly { readonly account: string; readonly amount: Agorot }[]
  /** By customer, the additional (or lower) debt. */
  readonly parties: readonly { readonly party: string; readonly amount: Agorot }[]
  /** By VAT period, what is to be paid more (or less). */
  readonly vat: readonly { readonly period: Period; readonly amount: Agorot }[]
}

/**
 * What a correction does to the books, told by what it posts. `isVat` says which accounts hold VAT on sales,
 * `vatPeriodOn` the period of a day.
 */
export function effectOf(
  moved: readonly Moved[],
  isVat: (account: string) => boolean,
  vatPeriodOn: (day: Day) => Period,
): Effect {
  const gather = (rows: readonly Moved[], keyOf: (row: Moved) => string): [string, Agorot][] => {
    const sums = new Map<string, Agorot>()
    for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row.amount)
    return [...sums].filter(([, amount]) => amount !== 0)
  }
  const vat = moved.filter((row) => isVat(row.account))
  return {
    accounts: gather(moved, (row) => row.account).map(([account, amount]) => ({ account, amount })),
    parties: gather(
      moved.filter((row) => row.party !== undefined),
      (row) => row.party!,
    ).map(([party, amount]) => ({ party, amount })),
    vat: gather(vat, (row) => vatPeriodOn(row.day).from)
      .map(([from, amount]) => ({ period: vatPeriodOn(from), amount: -amount }))
      .toSorted((a, b) => (a.period.from < b.period.from ? -1 : 1)),
  }
}
