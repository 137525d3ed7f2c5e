import { addDays, addMonths, daysBetween, endOfMonth, startOfMonth, type Day, type Period } from '../day.ts'
import {
  splitByLargestRemainder,
  sum,
  timesFraction,
  timesRate,
  type Agorot,
  type BasisPoints,
} from '../money.ts'
import { expectedOn, type Habit, type HabitSource } from './habit.ts'

/*
 * The cash of the days to come: what is in the bank and the till today, and everything that is known or
 * expected to come and go. Pure: facts in, a line and what it is made of out.
 */

export const forecastDays = 90

export const movementKinds = [
  'debt',
  'asked',
  'debit',
  'cheque',
  'clearing',
  'newIncome',
  'order',
  'booked',
  'bill',
  'chequeGiven',
  'cards',
  'expected',
  'recurring',
  'vat',
  'advance',
  'withheld',
  'wages',
  'payroll',
  'typed',
] as const
export type MovementKind = (typeof movementKinds)[number]

/** Money that comes (plus) or goes (minus) on a day. */
export interface Movement {
  day: Day
  agorot: Agorot
  kind: MovementKind
  /** The customer, the supplier, or what somebody called it. */
  who: string
  /** The paper's number, or which period it is. */
  what: string
  /** Where it is shown in detail. */
  open: string | null
  /** Of a debt: how late its payer usually is, and whose habit that is. */
  late?: { days: number; by: HabitSource } | undefined
  /** What a tax to come is made of. */
  parts?: { what: 'soFar' | 'newIncome' | 'bills'; agorot: Agorot }[] | undefined
}

/** What a customer owes by one paper. */
export interface Debt {
  customerId: string
  customer: string
  what: string
  /** By the books, or only asked for. */
  kind: 'debt' | 'asked'
  due: Day
  agorot: Agorot
  open: string
  /** A debit is at the bank for that day. */
  debitOn: Day | null
  /** The customer lets us debit their account on the due day. */
  byMandate: boolean
}

/** What is sold in a month as the last months went. */
export interface UsualSales {
  /** VAT included. */
  monthlyAgorot: Agorot
  /** How much of that is VAT. */
  vatBp: BasisPoints
  /** How much of it is paid as it is sold. */
  atOnceBp: BasisPoints
  /** Days from the sale to the money of the rest. */
  delayDays: number
}

/**
 * A bill that is expected, once or repeatedly; a standing order is one the other way round, its amounts negative.
 */
export interface ExpectedBill {
  kind: 'expected' | 'recurring' | 'order'
  who: string
  what: string
  open: string | null
  agorot: Agorot
  vatAgorot: Agorot
  days: { billed: Day; paid: Day }[]
}

/** VAT of a period as far as it is known. */
export interface VatPeriod extends Period {
  payDay: Day
  soFarAgorot: Agorot
  what: string
  open: string
}

/** Turnover of a period of advances as far as it is known. */
export interface AdvancePeriod extends Period {
  payDay: Day
  turnoverAgorot: Agorot
  withheldAgorot: Agorot
  rateBp: BasisPoints
  what: string
  open: string
}

export interface CashFacts {
  today: Day
  openingAgorot: Agorot
  debts: readonly Debt[]
  habits: ReadonlyMap<string, Habit>
  habitOfAll: Habit | undefined
  sales: UsualSales | undefined
  bills: readonly ExpectedBill[]
  vat: readonly VatPeriod[]
  advances: readonly AdvancePeriod[]
  /** All else, by its day. */
  known: readonly Movement[]
}

/** What if. */
export interface Stress {
  /** The so many customers who owe most pay later. */
  biggest: number
  laterDays: number
  noNewIncome: boolean
}
export const calm: Stress = { biggest: 0, laterDays: 0, noNewIncome: false }

/** Sales of one stretch of days to come. */
interface SaleSlice {
  day: Day
  agorot: Agorot
  vatAgorot: Agorot
}

/** Sales to come, in three stretches a month, each on its last day; of the running one what is left of it. */
export function salesAhead({ monthlyAgorot, vatBp }: UsualSales, today: Day, until: Day): SaleSlice[] {
  const slices: SaleSlice[] = []
  for (let month = startOfMonth(today); month <= until; month = addMonths(month, 1)) {
    const ends = [addDays(month, 9), addDays(month, 19), endOfMonth(month)]
    splitByLargestRemainder(monthlyAgorot, [1, 1, 1]).forEach((whole, i) => {
      const day = ends[i]!
      const first = i === 0 ? month : addDays(ends[i - 1]!, 1)
      if (day <= today || day > until) return
      const agorot =
        first > today
          ? whole
          : timesFraction(whole, daysBetween(today, day), daysBetween(first, day) + 1, 'halfAwayFromZero')
      slices.push({ day, agorot, vatAgorot: timesRate(agorot, vatBp, 'halfAwayFromZero') })
    })
  }
  return slices
}

/**
 * Debts less each customer's credit (money on account, a credit invoice), deducted from those that fall due first.
 */
export function lessCredits(items: readonly Debt[]): Debt[] {
  const credit = new Map<string, Agorot>()
  for (const { customerId, agorot } of items)
    if (agorot < 0) credit.set(customerId, (credit.get(customerId) ?? 0) - agorot)
  return items
    .filter(({ agorot }) => agorot > 0)
    .toSorted((a, b) => (a.due < b.due ? -1 : a.due > b.due ? 1 : 0))
    .flatMap((debt) => {
      // What is only asked for is no debt that money on account could have closed.
      const left = debt.kind === 'asked' ? 0 : (credit.get(debt.customerId) ?? 0)
      const taken = Math.min(left, debt.agorot)
      if (taken > 0) credit.set(debt.customerId, left - taken)
      return debt.agorot > taken ? [{ ...debt, agorot: debt.agorot - taken }] : []
    })
}

/** Who owes most, the largest first; of equals the one whose name comes first. */
export function biggestDebtors(debts: readonly Debt[], most: number): Set<string> {
  const owed = new Map<string, { agorot: Agorot; name: string }>()
  for (const { customerId, customer, agorot } of debts)
    owed.set(customerId, { agorot: (owed.get(customerId)?.agorot ?? 0) + agorot, name: customer })
  return new Set(
    [...owed]
      .toSorted(([, a], [, b]) => b.agorot - a.agorot || (a.name < b.name ? -1 : 1))
      .slice(0, most)
      .map(([id]) => id),
  )
}

/** A tax to come; a refund is not counted on before it is here. */
const owedOf = (parts: NonNullable<Movement['parts']>): Agorot =>
  Math.max(0, sum(parts.map(({ agorot }) => agorot)))

const isIn = (day: Day, { from, to }: Period): boolean => day >= from && day <= to

/**
 * Everything that comes and goes from tomorrow to the last day, under a stress; and debts too old to be
 * counted on.
 */
export function movementsOf(
  facts: CashFacts,
  stress: Stress = calm,
): { movements: Movement[]; doubtfulAgorot: Agorot } {
  const { today } = facts
  const last = addDays(today, forecastDays)
  const tomorrow = addDays(today, 1)
  const late = biggestDebtors(facts.debts, stress.biggest)
  let doubtfulAgorot = 0
  const all: Movement[] = [...facts.known]
  for (const debt of facts.debts) {
    const { customerId, customer: who, what, open, agorot } = debt
    const later = late.has(customerId) ? stress.laterDays : 0
    if (debt.debitOn !== null) {
      all.push({ day: addDays(debt.debitOn, later), agorot, kind: 'debit', who, what, open })
      continue
    }
    const expected = debt.byMandate
      ? expectedOn(debt.due, undefined, undefined, today)
      : expectedOn(debt.due, facts.habits.get(customerId), facts.habitOfAll, today)
    if (expected.day === null) doubtfulAgorot += agorot
    else
      all.push({
        day: addDays(expected.day, later),
        agorot,
        kind: debt.kind,
        who,
        what,
        open,
        late: { days: expected.lateDays, by: expected.by },
      })
  }
  const slices = facts.sales && !stress.noNewIncome ? salesAhead(facts.sales, today, last) : []
  for (const slice of slices) {
    const atOnce = timesRate(slice.agorot, facts.sales!.atOnceBp, 'halfAwayFromZero')
    const sale = { kind: 'newIncome', who: '', what: '', open: null } as const
    all.push({ ...sale, day: slice.day, agorot: atOnce })
    all.push({ ...sale, day: addDays(slice.day, facts.sales!.delayDays), agorot: slice.agorot - atOnce })
  }
  for (const { days, agorot, kind, who, what, open } of facts.bills)
    for (const { paid } of days) all.push({ day: paid, agorot: -agorot, kind, who, what, open })
  for (const period of facts.vat) {
    const parts: NonNullable<Movement['parts']> = [
      { what: 'soFar', agorot: period.soFarAgorot },
      {
        what: 'newIncome',
        agorot: sum(slices.filter(({ day }) => isIn(day, period)).map(({ vatAgorot }) => vatAgorot)),
      },
      {
        what: 'bills',
        agorot: -sum(
          facts.bills.map(
            ({ days, vatAgorot }) => vatAgorot * days.filter(({ billed }) => isIn(billed, period)).length,
          ),
        ),
      },
    ]
    all.push({
      day: period.payDay,
      agorot: -owedOf(parts),
      kind: 'vat',
      who: '',
      what: period.what,
      open: period.open,
      parts,
    })
  }
  for (const period of facts.advances) {
    const ahead = sum(
      slices.filter(({ day }) => isIn(day, period)).map(({ agorot, vatAgorot }) => agorot - vatAgorot),
    )
    const known = timesRate(Math.max(0, period.turnoverAgorot), period.rateBp, 'halfAwayFromZero')
    const whole = timesRate(Math.max(0, period.turnoverAgorot + ahead), period.rateBp, 'halfAwayFromZero')
    const parts: NonNullable<Movement['parts']> = [
      { what: 'soFar', agorot: known - period.withheldAgorot },
      { what: 'newIncome', agorot: whole - known },
    ]
    all.push({
      day: period.payDay,
      agorot: -owedOf(parts),
      kind: 'advance',
      who: '',
      what: period.what,
      open: period.open,
      parts,
    })
  }
  const movements = all
    .filter(({ agorot }) => agorot !== 0)
    // What should have moved already moves tomorrow.
    .map((one) => (one.day > today ? one : { ...one, day: tomorrow }))
    .filter(({ day }) => day <= last)
    .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : b.agorot - a.agorot))
  return { movements, doubtfulAgorot }
}

/** What there is at the end of a day. */
export interface Point {
  day: Day
  agorot: Agorot
  inAgorot: Agorot
  outAgorot: Agorot
}

/** The line: the balance of today, and of each day after it. */
export function lineOf(today: Day, openingAgorot: Agorot, movements: readonly Movement[]): Point[] {
  const points: Point[] = [{ day: today, agorot: openingAgorot, inAgorot: 0, outAgorot: 0 }]
  const byDay = new Map<Day, Agorot[]>()
  for (const { day, agorot } of movements) byDay.set(day, [...(byDay.get(day) ?? []), agorot])
  for (let n = 1; n <= forecastDays; n++) {
    const day = addDays(today, n)
    const moved = byDay.get(day) ?? []
    const inAgorot = sum(moved.filter((agorot) => agorot > 0))
    const outAgorot = -sum(moved.filter((agorot) => agorot < 0)) || 0
    points.push({ day, agorot: points.at(-1)!.agorot + inAgorot - outAgorot, inAgorot, outAgorot })
  }
  return points
}

/** What a line says first: its lowest point, and the first days below nothing and below a floor. */
export function tellingOf(
  points: readonly Point[],
  floorAgorot: Agorot | null,
): { lowest: Point; belowZero: Day | null; belowFloor: Day | null } {
  const firstBelow = (floor: Agorot) => points.find(({ agorot }) => agorot < floor)?.day ?? null
  return {
    lowest: points.reduce((least, one) => (one.agorot < least.agorot ? one : least)),
    belowZero: firstBelow(0),
    belowFloor: floorAgorot === null ? null : firstBelow(floorAgorot),
  }
}

/** By when what a month brought is paid, on one day of every next month. */
export const onDay =
  (dayOfMonth: number) =>
  (month: Day): Day =>
    addDays(addMonths(startOfMonth(month), 1), dayOfMonth - 1)

/**
 * What is owed every month by a day of the next: of what is owed today, what this month brought is due next month,
 * all else this month, or tomorrow when its day has passed.
 */
export function monthlyDuty(
  owedAgorot: Agorot,
  ofThisMonthAgorot: Agorot,
  today: Day,
  dueOn: (month: Day) => Day,
): { day: Day; agorot: Agorot }[] {
  const owed = Math.max(0, owedAgorot)
  const later = Math.min(owed, Math.max(0, ofThisMonthAgorot))
  const payDay = dueOn(addMonths(startOfMonth(today), -1))
  return [
    { day: payDay > today ? payDay : addDays(today, 1), agorot: owed - later },
    { day: dueOn(startOfMonth(today)), agorot: later },
  ].filter(({ agorot }) => agorot > 0)
}
