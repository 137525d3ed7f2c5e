import { daysBetween as daysFrom, type Day } from '../day.ts'
import { fold } from '../fold.ts'
import { sum, type Agorot } from '../money.ts'
import { nameFinder, numbersIn, type Named } from './names.ts'
import { waysTo } from './sums.ts'

/** A line of a bank that is not matched yet; `text` is all the bank says of it. */
export interface OpenLine {
  readonly id: string
  readonly bankAccountId: string
  readonly day: Day
  readonly amount: Agorot
  readonly text: string
  readonly reference: string
}

/** A posting on the bank's account in the books that is not matched yet; a debit is positive. */
export interface OpenPosting {
  readonly key: string
  readonly entryId: string
  readonly day: Day
  readonly amount: Agorot
  readonly kind: string
  /** The customer's or supplier's, where the entry has one. */
  readonly partyId: string | null
  /** Numbers it is known by: of its paper, its slip, its cheques, the bank's own reference. */
  readonly numbers: readonly string[]
  /** The entry this one reverses. */
  readonly reversesId: string | null
  /** The file for the bank it was paid or collected by: the bank moves such a file in one sum. */
  readonly runId?: string | null
}

/** What is still owed: to us by a customer, or by us to a supplier. Always positive. */
export interface OpenDebt {
  readonly id: string
  readonly partyId: string
  readonly role: 'customer' | 'supplier'
  readonly number: string
  readonly day: Day
  readonly open: Agorot
}

export interface OpenParty extends Named {
  readonly role: 'customer' | 'supplier'
}

/** Money of a customer that lies in the bank and could come back. */
export interface Returnable {
  readonly paymentId: string
  readonly number: string
  readonly amount: Agorot
  readonly since: Day
}

/** What a line that has no posting is booked as. */
export const deeds = ['fee', 'interest', 'transfer', 'receipt', 'supplier', 'bounce', 'account'] as const
export type Deed = (typeof deeds)[number]

/** A rule of the business: what a line is whose text contains some words. */
export interface OwnRule {
  readonly id: string
  readonly contains: string
  readonly direction: 'in' | 'out' | 'both'
  readonly deed: Exclude<Deed, 'bounce'>
  readonly accountId: string | null
  readonly partyId: string | null
  readonly bankAccountId: string | null
  /** Booked without being asked for. */
  readonly automatic: boolean
}

export interface Facts {
  readonly lines: readonly OpenLine[]
  readonly postings: readonly OpenPosting[]
  readonly debts: readonly OpenDebt[]
  readonly parties: readonly OpenParty[]
  readonly returnables: readonly Returnable[]
  readonly rules: readonly OwnRule[]
  /** Open lines of the business's other bank accounts. */
  readonly others: readonly OpenLine[]
}

export const reasonCodes = [
  'sameSum',
  'sameReference',
  'name',
  'sameDay',
  'nearDay',
  'sumOfPostings',
  'sumOfLines',
  'chequeNumbers',
  'reversal',
  'openInvoice',
  'openBill',
  'words',
  'rule',
  'paymentRun',
  'otherAccount',
  'returned',
] as const
export type ReasonCode = (typeof reasonCodes)[number]

/** `certain` may be accepted without a look, `likely` deserves one, `possible` is one of several ways. */
export type Confidence = 'certain' | 'likely' | 'possible'

export interface Proposal {
  readonly lines: readonly string[]
  readonly postings: readonly string[]
  /** How what has no posting is booked; null when lines and postings meet. */
  readonly deed: Deed | null
  readonly confidence: Confidence
  readonly reasons: readonly ReasonCode[]
  readonly partyId?: string
  readonly accountId?: string
  readonly bankAccountId?: string
  readonly otherLineId?: string
  readonly paymentId?: string
  readonly ruleId?: string
  /** Debts the money closes, with how much of each. */
  readonly closes?: readonly { id: string; amount: Agorot }[]
}

const epoch: Day = '2000-01-01'
const numberOfDay = new Map<Day, number>()
/** Days are compared by the million here, and there are few of them: each is worked out once. */
function dayNumber(day: Day): number {
  let number = numberOfDay.get(day)
  if (number === undefined) numberOfDay.set(day, (number = daysFrom(epoch, day)))
  return number
}
const daysBetween = (from: Day, to: Day): number => dayNumber(to) - dayNumber(from)

/**
 * Further apart than this a posting and a line of the same sum have nothing to do with each other unless a
 * number says so.
 */
const farthest = 45
/** Parts of one sum come within so many days. */
const together = 10
const mostParts = 14

interface Pair {
  line: OpenLine
  posting: OpenPosting
  weight: number
  reasons: ReasonCode[]
  /** A number or a name ties the two, not only the sum. */
  tied: boolean
}

const dayReason = (apart: number): ReasonCode[] => (apart === 0 ? ['sameDay'] : apart <= 5 ? ['nearDay'] : [])
const dayWeight = (apart: number): number =>
  apart === 0 ? 25 : apart <= 2 ? 20 : apart <= 5 ? 12 : apart <= 10 ? 5 : 0
const bare = (number: string): string => number.replace(/^0+/, '')

/**
 * Proposes what each line of a bank is. Nothing is proposed twice: what one proposal takes, no later one has.
 * A match is `certain` only where a number or a name ties both sides beside the sum, and no other pair comes
 * near; where only sum and day agree it is `likely`, and `possible` when there are several ways. Bookings are
 * never certain, but for a rule of the business that says so.
 */
export function propose(facts: Facts): Proposal[] {
  const proposals: Proposal[] = []
  const usedLines = new Set<string>()
  const usedPostings = new Set<string>()
  const named = nameFinder(facts.parties)
  const partyOf = new Map(facts.lines.map((line) => [line.id, named(line.text)]))
  const numbersOf = new Map(facts.lines.map((line) => [line.id, numbersIn(`${line.text} ${line.reference}`)]))
  const take = (proposal: Proposal) => {
    for (const id of proposal.lines) usedLines.add(id)
    for (const key of proposal.postings) usedPostings.add(key)
    proposals.push(proposal)
  }
  const freeLines = () => facts.lines.filter((line) => !usedLines.has(line.id))
  const freePostings = () => facts.postings.filter((posting) => !usedPostings.has(posting.key))

  runs(facts, take)
  reversals(
    facts.postings.filter((posting) => !usedPostings.has(posting.key)),
    take,
  )

  const postingsAround = aroundDay(facts.postings)
  const known = new Map(
    facts.postings.map((posting) => [posting, posting.numbers.map(bare).filter((one) => one.length >= 3)]),
  )
  const says = (line: OpenLine, posting: OpenPosting) => {
    const numbers = numbersOf.get(line.id)!
    const number = known.get(posting)!.find((one) => numbers.has(one))
    const party = partyOf.get(line.id)
    const sameParty = !!party && party.id === posting.partyId
    // The text speaks of somebody else.
    const other = !!party && !!posting.partyId && party.id !== posting.partyId
    return { number, sameParty, other }
  }

  const pairs = pairsOf(freeLines(), freePostings(), says)
  const pairsOfLine = grouped(pairs, (pair) => pair.line)
  const pairsOfPosting = grouped(pairs, (pair) => pair.posting)
  const words = new Map(facts.lines.map((line) => [line.id, `${line.reference}|${fold(line.text)}`]))
  // Two lines of one sum that speak of the same party, or in the same words.
  const isTwinLine = (a: OpenLine, b: OpenLine): boolean =>
    (partyOf.get(a.id) !== undefined && partyOf.get(a.id) === partyOf.get(b.id)) ||
    words.get(a.id) === words.get(b.id)
  // The surest first. What is left open here because of rivals may be settled by what the others take.
  const hasRival = (pair: Pair): boolean => {
    const isNear = (one: Pair) => one !== pair && pair.weight - one.weight < 20
    return (
      pairsOfLine
        .get(pair.line)!
        .some(
          (one) => isNear(one) && !usedPostings.has(one.posting.key) && !isTwin(one.posting, pair.posting),
        ) ||
      pairsOfPosting
        .get(pair.posting)!
        .some((one) => isNear(one) && !usedLines.has(one.line.id) && !isTwinLine(one.line, pair.line))
    )
  }
  for (const isSecond of [false, true])
    for (const pair of pairs) {
      if (usedLines.has(pair.line.id) || usedPostings.has(pair.posting.key)) continue
      const isSure = pair.tied && pair.weight >= 60
      if (isSecond ? pair.weight < 20 : !isSure) continue
      const alone = !hasRival(pair)
      if (!isSecond && !alone) continue
      const confidence = isSure && alone ? 'certain' : alone && pair.weight >= 32 ? 'likely' : 'possible'
      // Before a merely equal amount counts, totals of several that a number or a name links are tried.
      if (isSecond && !pair.tied && tiedParts(pair.line)) continue
      take({
        lines: [pair.line.id],
        postings: [pair.posting.key],
        deed: null,
        confidence,
        reasons: pair.reasons,
      })
    }

  /** Whether several postings tied to this line make its sum. */
  function tiedParts(line: OpenLine): boolean {
    return partsOf(line)?.confidence === 'certain'
  }

  function partsOf(line: OpenLine): Proposal | undefined {
    const near = postingsAround(line.day).filter(
      (posting) =>
        !usedPostings.has(posting.key) &&
        Math.sign(posting.amount) === Math.sign(line.amount) &&
        Math.abs(posting.amount) < Math.abs(line.amount),
    )
    const of = (postings: OpenPosting[], confidence: Confidence, reason: ReasonCode): Proposal => ({
      lines: [line.id],
      postings: postings.map((posting) => posting.key),
      deed: null,
      confidence,
      reasons: ['sumOfPostings', reason],
    })
    const byNumber = near.filter((posting) => says(line, posting).number)
    if (byNumber.length >= 2 && sum(byNumber.map((one) => one.amount)) === line.amount)
      return of(byNumber, 'certain', 'sameReference')
    const byName = near.filter((posting) => says(line, posting).sameParty)
    if (byName.length >= 2) {
      if (sum(byName.map((one) => one.amount)) === line.amount) return of(byName, 'certain', 'name')
      const ways = waysTo(line.amount, nearest(byName, line.day), 4)
      if (ways.length === 1) return of(ways[0]!, 'certain', 'name')
      if (ways.length > 1) return of(ways[0]!, 'possible', 'name')
    }
    const others = near.filter((posting) => !says(line, posting).other)
    const ways = waysTo(line.amount, nearest(others, line.day), 3)
    if (ways.length === 1) {
      const [way] = ways as [OpenPosting[]]
      const isOneParty = way.every((one) => one.partyId !== null && one.partyId === way[0]!.partyId)
      return of(way, isOneParty ? 'likely' : 'possible', 'nearDay')
    }
    return undefined
  }

  const linesAround = aroundDay(facts.lines)
  for (const posting of freePostings()) {
    const near = linesAround(posting.day).filter((line) => !usedLines.has(line.id))
    const found = linesOf(posting, near, says)
    if (found) take(found)
  }
  for (const line of freeLines()) {
    const found = partsOf(line)
    if (found) take(found)
  }

  const returned = [...facts.returnables]
  const otherLines = [...facts.others]
  const debts = debtsBook(facts.debts)
  const rules = facts.rules.map((rule) => ({ ...rule, folded: fold(rule.contains) }))
  for (const line of freeLines()) {
    const booking = bookingOf(line, {
      rules,
      party: partyOf.get(line.id),
      numbers: numbersOf.get(line.id)!,
      returned,
      otherLines,
      debts,
    })
    if (booking) take(booking)
  }
  return proposals
}

/**
 * Payments of one file for the bank, which it moves in one amount: however many they are, and with those that were
 * returned later, because their money went and comes again. What was reversed before the bank moved anything is not
 * in the amount.
 */
function runs({ lines, postings }: Facts, take: (proposal: Proposal) => void): void {
  const byRun = grouped(
    postings.filter((posting) => posting.runId),
    (posting) => posting.runId,
  )
  const back = new Set(postings.flatMap((posting) => posting.reversesId ?? []))
  const used = new Set<string>()
  for (const all of byRun.values())
    for (const run of [all, all.filter((posting) => !back.has(posting.entryId))]) {
      if (run.length < 2) continue
      const total = sum(run.map((posting) => posting.amount))
      const found = lines
        .filter(
          (line) =>
            line.amount === total &&
            !used.has(line.id) &&
            Math.abs(daysBetween(run[0]!.day, line.day)) <= together,
        )
        .toSorted(
          (a, b) => Math.abs(daysBetween(run[0]!.day, a.day)) - Math.abs(daysBetween(run[0]!.day, b.day)),
        )
      if (!found[0]) continue
      used.add(found[0].id)
      take({
        lines: [found[0].id],
        postings: run.map((posting) => posting.key),
        deed: null,
        confidence: found.length === 1 ? 'likely' : 'possible',
        reasons: [
          'paymentRun',
          'sumOfPostings',
          ...dayReason(Math.abs(daysBetween(run[0]!.day, found[0].day))),
        ],
      })
      break
    }
}

/** An entry and the one that takes it back are no affair of the bank. */
function reversals(postings: readonly OpenPosting[], take: (proposal: Proposal) => void): void {
  const byEntry = grouped(postings, (posting) => posting.entryId)
  for (const posting of postings) {
    const original = posting.reversesId
      ? byEntry.get(posting.reversesId)?.find((one) => one.amount === -posting.amount)
      : undefined
    if (original)
      take({
        lines: [],
        postings: [original.key, posting.key],
        deed: null,
        confidence: 'certain',
        reasons: ['reversal'],
      })
  }
}

function grouped<T, K>(all: readonly T[], keyOf: (one: T) => K): ReadonlyMap<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const one of all) {
    const group = groups.get(keyOf(one))
    if (group) group.push(one)
    else groups.set(keyOf(one), [one])
  }
  return groups
}

/** Those that come together with a day, in the order they had: of a whole account each day knows a few. */
function aroundDay<T extends { readonly day: Day }>(all: readonly T[]): (day: Day) => T[] {
  const ofDay = grouped(all, (one) => dayNumber(one.day))
  const place = new Map(all.map((one, i) => [one, i]))
  return (day) => {
    const found: T[] = []
    for (let at = dayNumber(day) - together; at <= dayNumber(day) + together; at++)
      found.push(...(ofDay.get(at) ?? []))
    return found.toSorted((a, b) => place.get(a)! - place.get(b)!)
  }
}

/** Every line with every posting of its sum, by how much speaks for it. */
function pairsOf(
  lines: readonly OpenLine[],
  postings: readonly OpenPosting[],
  says: (
    line: OpenLine,
    posting: OpenPosting,
  ) => { number: string | undefined; sameParty: boolean; other: boolean },
): Pair[] {
  const bySum = grouped(postings, (posting) => posting.amount)
  const pairs: Pair[] = []
  for (const line of lines)
    for (const posting of bySum.get(line.amount) ?? []) {
      const apart = Math.abs(daysBetween(posting.day, line.day))
      if (apart > farthest) continue
      const { number, sameParty, other } = says(line, posting)
      // A short number may stand in a text by chance.
      const weight =
        20 +
        dayWeight(apart) +
        (number ? (number.length >= 4 ? 60 : 35) : 0) +
        (sameParty ? 40 : 0) -
        (other ? 60 : 0)
      const reasons: ReasonCode[] = [
        'sameSum',
        ...(number ? (['sameReference'] as const) : []),
        ...(sameParty ? (['name'] as const) : []),
        ...dayReason(apart),
      ]
      pairs.push({ line, posting, weight, reasons, tied: (!!number || sameParty) && !other })
    }
  return pairs.toSorted((a, b) => b.weight - a.weight || daysBetween(b.line.day, a.line.day))
}

/** Two postings that stand for the same: whichever is taken, the books say the same. */
const isTwin = (a: OpenPosting, b: OpenPosting): boolean =>
  a.partyId !== null && a.partyId === b.partyId && a.kind === b.kind

/** Those nearest to a day, few enough to try. */
const nearest = (postings: readonly OpenPosting[], day: Day): OpenPosting[] =>
  postings
    .toSorted((a, b) => Math.abs(daysBetween(a.day, day)) - Math.abs(daysBetween(b.day, day)))
    .slice(0, mostParts)

/** A deposit that the bank shows cheque by cheque, or a payment that came in parts. */
function linesOf(
  posting: OpenPosting,
  around: readonly OpenLine[],
  says: (
    line: OpenLine,
    posting: OpenPosting,
  ) => { number: string | undefined; sameParty: boolean; other: boolean },
): Proposal | undefined {
  const near = around.filter(
    (line) =>
      Math.sign(line.amount) === Math.sign(posting.amount) &&
      Math.abs(line.amount) < Math.abs(posting.amount),
  )
  if (near.length < 2) return undefined
  const of = (chosen: readonly OpenLine[], confidence: Confidence, reason: ReasonCode): Proposal => ({
    lines: chosen.map((line) => line.id),
    postings: [posting.key],
    deed: null,
    confidence,
    reasons: ['sumOfLines', reason],
  })
  const byNumber = near.filter((line) => says(line, posting).number)
  if (byNumber.length >= 2 && sum(byNumber.map((one) => one.amount)) === posting.amount)
    return of(byNumber, 'certain', posting.kind === 'deposit' ? 'chequeNumbers' : 'sameReference')
  const byName = near.filter((line) => says(line, posting).sameParty)
  if (byName.length >= 2 && sum(byName.map((one) => one.amount)) === posting.amount)
    return of(byName, 'certain', 'name')
  if (posting.kind !== 'deposit' && posting.partyId === null) return undefined
  const free = near.filter(
    (line) => !says(line, posting).other && Math.abs(daysBetween(posting.day, line.day)) <= 5,
  )
  const ways = waysTo(posting.amount, free.slice(0, mostParts), 4)
  return ways.length === 1 ? of(ways[0]!, 'possible', 'nearDay') : undefined
}

/**
 * Beginnings of what banks write, a space before those that must begin a word. Fees are looked for first:
 * 'עמלת ריבית' is a fee.
 */
const words: Readonly<Record<'fee' | 'interest' | 'bounce' | 'transfer', readonly string[]>> = {
  fee: [
    ' עמל',
    ' דמי ניהול',
    ' דמי כרטיס',
    ' דמי טיפול',
    ' דמי פנקס',
    ' הקצאת אשראי',
    ' fee',
    ' commission',
    ' bank charge',
  ],
  interest: [' ריבית', ' interest'],
  bounce: [' חוזר', ' הוחזר', ' החזרת', ' החזר ', ' ללא כיסוי', ' returned', ' bounced', ' unpaid'],
  transfer: [' בין חשבונות', ' העברה עצמית', ' own account', ' between accounts'],
}
// Folding trims, so the space is put before what is folded.
const folded = Object.fromEntries(
  Object.entries(words).map(([kind, list]) => [kind, list.map((word) => ` ${fold(word)}`)]),
)

/**
 * A text as words are looked for in it, folded once: each line is asked about every rule and every kind of
 * word.
 */
interface Told {
  plain: string
  padded: string
}

const toldOf = (text: string): Told => {
  const plain = fold(text)
  return { plain, padded: ` ${plain.replace(/[^\p{L}\p{N}]+/gu, ' ')} ` }
}

const isOf = (kind: keyof typeof words, { padded }: Told): boolean =>
  folded[kind]!.some((word) => padded.includes(word))

interface About {
  /** With what their words come to folded. */
  rules: readonly (OwnRule & { folded: string })[]
  party: OpenParty | undefined
  numbers: ReadonlySet<string>
  returned: Returnable[]
  otherLines: OpenLine[]
  debts: DebtsBook
}

/**
 * Open debts, found by number, by whose they are and by sum: there may be tens of thousands, and each line
 * asks for a few.
 */
interface DebtsBook {
  /** Those of any of these numbers, in their order. */
  byNumbers: (numbers: Iterable<string>) => OpenDebt[]
  ofParty: (id: string) => OpenDebt[]
  ofSum: (size: Agorot) => OpenDebt[]
  /** What a proposal closes, no later one finds. */
  close: (debts: readonly OpenDebt[]) => void
}

function debtsBook(debts: readonly OpenDebt[]): DebtsBook {
  const closed = new Set<OpenDebt>()
  const left = (found: readonly OpenDebt[] | undefined) => (found ?? []).filter((debt) => !closed.has(debt))
  const place = new Map(debts.map((debt, i) => [debt, i]))
  const [numbered, partied, summed] = [
    grouped(debts, (debt) => bare(debt.number)),
    grouped(debts, (debt) => debt.partyId),
    grouped(debts, (debt) => debt.open),
  ]
  return {
    byNumbers: (numbers) =>
      [...numbers]
        .flatMap((number) => left(numbered.get(number)))
        .toSorted((a, b) => place.get(a)! - place.get(b)!),
    ofParty: (id) => left(partied.get(id)),
    ofSum: (size) => left(summed.get(size)),
    close: (settled) => settled.forEach((debt) => closed.add(debt)),
  }
}

function bookingOf(line: OpenLine, about: About): Proposal | undefined {
  const { rules, party, numbers } = about
  const told = toldOf(line.text)
  const base = { lines: [line.id], postings: [] }
  const isIn = line.amount > 0
  const rule = rules.find(
    (one) =>
      told.plain.includes(one.folded) &&
      (one.direction === 'both' || (one.direction === 'in') === isIn) &&
      // Money that goes out is no receipt, whatever the words.
      (one.deed === 'receipt' ? isIn : one.deed === 'supplier' ? !isIn : true),
  )
  if (rule)
    return {
      ...base,
      deed: rule.deed,
      confidence: rule.automatic ? 'certain' : 'likely',
      reasons: ['rule'],
      ruleId: rule.id,
      ...(rule.accountId ? { accountId: rule.accountId } : {}),
      ...(rule.partyId ? { partyId: rule.partyId } : {}),
      ...(rule.bankAccountId ? { bankAccountId: rule.bankAccountId } : {}),
    }
  return (
    bounceOf(line, told, about, base) ??
    transferOf(line, told, about, base) ??
    wordsOf(line, told, base) ??
    debtOf(line, party, numbers, about, base)
  )
}

type Base = Pick<Proposal, 'lines' | 'postings'>

function bounceOf(
  line: OpenLine,
  told: Told,
  { returned, numbers }: About,
  base: Base,
): Proposal | undefined {
  if (line.amount >= 0 || !isOf('bounce', told)) return undefined
  const same = returned.filter((one) => one.amount === -line.amount && one.since <= line.day)
  const found = same.find((one) => numbers.has(bare(one.number))) ?? (same.length === 1 ? same[0] : undefined)
  if (!found) return undefined
  returned.splice(returned.indexOf(found), 1)
  const isNumbered = numbers.has(bare(found.number))
  return {
    ...base,
    deed: 'bounce',
    confidence: 'likely',
    reasons: ['returned', 'sameSum', ...(isNumbered ? (['sameReference'] as const) : [])],
    paymentId: found.paymentId,
  }
}

function transferOf(line: OpenLine, told: Told, { otherLines }: About, base: Base): Proposal | undefined {
  const near = otherLines.filter(
    (one) => one.amount === -line.amount && Math.abs(daysBetween(one.day, line.day)) <= 3,
  )
  const isWorded = isOf('transfer', told)
  const sameReference = near.filter(
    (one) => one.reference !== '' && bare(one.reference) === bare(line.reference),
  )
  const found = sameReference.length === 1 ? sameReference[0] : near.length === 1 ? near[0] : undefined
  if (!found || !(isWorded || sameReference.length === 1 || isOf('transfer', toldOf(found.text))))
    return undefined
  otherLines.splice(otherLines.indexOf(found), 1)
  return {
    ...base,
    deed: 'transfer',
    confidence: 'likely',
    reasons: ['otherAccount', 'sameSum', ...(sameReference.length === 1 ? (['sameReference'] as const) : [])],
    bankAccountId: found.bankAccountId,
    otherLineId: found.id,
  }
}

function wordsOf(line: OpenLine, told: Told, base: Base): Proposal | undefined {
  // What looks like a fee and is a fortune is none.
  if (isOf('fee', told) && Math.abs(line.amount) <= 100_000)
    return { ...base, deed: 'fee', confidence: 'likely', reasons: ['words'] }
  if (isOf('interest', told)) return { ...base, deed: 'interest', confidence: 'likely', reasons: ['words'] }
  return undefined
}

/**
 * Money of a customer, or to a supplier, that nobody wrote down: by the number of what it pays, or by the
 * name.
 */
function debtOf(
  line: OpenLine,
  party: OpenParty | undefined,
  numbers: ReadonlySet<string>,
  { debts }: About,
  base: Base,
): Proposal | undefined {
  const role = line.amount > 0 ? 'customer' : 'supplier'
  const size = Math.abs(line.amount)
  const own = (found: readonly OpenDebt[]) => found.filter((debt) => debt.role === role && debt.open <= size)
  const byNumber = own(debts.byNumbers(numbers)).filter((debt) => !party || party.id === debt.partyId)
  const settle = (closed: readonly OpenDebt[], confidence: Confidence, reasons: ReasonCode[]): Proposal => {
    debts.close(closed)
    return {
      ...base,
      deed: role === 'customer' ? 'receipt' : 'supplier',
      confidence,
      reasons,
      partyId: closed[0]!.partyId,
      closes: closed.map((debt) => ({ id: debt.id, amount: debt.open })),
    }
  }
  const open = role === 'customer' ? 'openInvoice' : 'openBill'
  if (byNumber.length === 1 && byNumber[0]!.open === size)
    return settle(byNumber, 'likely', ['sameReference', 'sameSum', open])
  if (
    byNumber.length > 1 &&
    sum(byNumber.map((one) => one.open)) === size &&
    byNumber.every((one) => one.partyId === byNumber[0]!.partyId)
  )
    return settle(byNumber, 'likely', ['sameReference', 'sumOfPostings', open])
  if (party?.role === role) {
    const his = own(debts.ofParty(party.id))
    const exact = his.filter((debt) => debt.open === size)
    // Of several bills of one sum the oldest is paid.
    if (exact.length)
      return settle([exact.toSorted((a, b) => daysBetween(b.day, a.day))[0]!], 'likely', [
        'name',
        'sameSum',
        open,
      ])
    if (his.length > 1 && sum(his.map((one) => one.open)) === size)
      return settle(his, 'likely', ['name', 'sumOfPostings', open])
    // A payment to a supplier without a bill is not booked from here: what it is for is not known.
    if (role === 'customer')
      return { ...base, deed: 'receipt', confidence: 'possible', reasons: ['name'], partyId: party.id }
    return undefined
  }
  const exact = own(debts.ofSum(size))
  return exact.length === 1 ? settle(exact, 'possible', ['sameSum', open]) : undefined
}
