import { addDays, addMonths, daysBetween, type Day } from '../day.ts'
import { median } from './habit.ts'

/** A supplier's bill as far as its rhythm is concerned. */
export interface PastBill {
  supplierId: string
  typeId: string
  day: Day
  agorot: number
  /** Of it, VAT that is deducted. */
  vatAgorot: number
  /** How many days after its day it was paid; null while it is not. */
  paidAfter: number | null
}

export const rhythms = ['weekly', 'monthly', 'twoMonthly', 'quarterly'] as const
export type Rhythm = (typeof rhythms)[number]

/** Days between two bills of a rhythm, and by how many they may be early or late. */
const steps: Readonly<Record<Rhythm, readonly [days: number, give: number]>> = {
  weekly: [7, 2],
  monthly: [30, 7],
  twoMonthly: [61, 10],
  quarterly: [91, 14],
}
const monthsOf: Readonly<Record<Exclude<Rhythm, 'weekly'>, number>> = {
  monthly: 1,
  twoMonthly: 2,
  quarterly: 3,
}

/** The same bill comes back: about the same sum in a regular rhythm. */
export interface Series {
  /** Stays the same while the series does: what a person switched off stays off. */
  key: string
  supplierId: string
  typeId: string
  rhythm: Rhythm
  agorot: number
  vatAgorot: number
  lastDay: Day
  bills: number
  /** Days from a bill to its payment; null when none was paid yet. */
  paidAfter: number | null
}

/** Fewer than these are no rhythm. */
const fewestBills = 3
/** Between the smallest and the largest of one series: three tenths. */
const aboutTheSame = 1.3

/**
 * Recognizes recurring bills: of one supplier and kind, about the same amount, a week, one, two or three months
 * apart, one of them missing at most, and the last not longer ago than one and a half times that. Two contracts with
 * one supplier are two series when their amounts differ.
 */
export function recognise(bills: readonly PastBill[], today: Day): Series[] {
  const groups = new Map<string, PastBill[]>()
  for (const bill of bills) {
    if (bill.agorot <= 0 || bill.day > today) continue
    const key = `${bill.supplierId}:${bill.typeId}`
    const group = groups.get(key)
    if (group) group.push(bill)
    else groups.set(key, [bill])
  }
  const found: Series[] = []
  for (const [group, members] of [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const taken = new Map<string, number>()
    for (const alike of alikeIn(members)) {
      const series = rhythmOf(alike, today)
      if (!series) continue
      const count = (taken.get(series.rhythm) ?? 0) + 1
      taken.set(series.rhythm, count)
      found.push({ ...series, key: `${group}:${series.rhythm}${count > 1 ? `:${count}` : ''}` })
    }
  }
  return found
}

/** Bills of about the same amount, the smallest first. */
function alikeIn(bills: readonly PastBill[]): PastBill[][] {
  const clusters: PastBill[][] = []
  for (const bill of bills.toSorted((a, b) => a.agorot - b.agorot || (a.day < b.day ? -1 : 1))) {
    const last = clusters.at(-1)
    if (last && bill.agorot <= last[0]!.agorot * aboutTheSame) last.push(bill)
    else clusters.push([bill])
  }
  return clusters
}

function rhythmOf(bills: readonly PastBill[], today: Day): Omit<Series, 'key'> | undefined {
  if (bills.length < fewestBills) return undefined
  const sorted = bills.toSorted((a, b) => (a.day < b.day ? -1 : 1))
  const gaps = sorted.slice(1).map((bill, i) => daysBetween(sorted[i]!.day, bill.day))
  const usual = median(gaps)!
  const rhythm = rhythms.find((one) => Math.abs(usual - steps[one][0]) <= steps[one][1])
  if (!rhythm) return undefined
  const [days, give] = steps[rhythm]
  const odd = gaps.filter((gap) => Math.abs(gap - days) > give)
  // One that did not come, or was entered under another kind.
  const misses = odd.filter((gap) => Math.abs(gap - 2 * days) <= 2 * give)
  if (odd.length > misses.length || misses.length > 1) return undefined
  const last = sorted.at(-1)!
  if (daysBetween(last.day, today) > days * 1.5 + give) return undefined
  const newest = sorted.slice(-3)
  const agorot = median(newest.map((bill) => bill.agorot))!
  return {
    supplierId: last.supplierId,
    typeId: last.typeId,
    rhythm,
    agorot,
    vatAgorot: newest.find((bill) => bill.agorot === agorot)!.vatAgorot,
    lastDay: last.day,
    bills: sorted.length,
    paidAfter: median(sorted.flatMap(({ paidAfter }) => (paidAfter === null ? [] : [paidAfter]))) ?? null,
  }
}

const cycleMonths: Readonly<Record<string, number>> = { monthly: 1, twoMonthly: 2, quarterly: 3, yearly: 12 }

/**
 * The days of bills by contract from the one that is awaited on, up to a day; one that should have come
 * already comes tomorrow.
 */
export function nextByCycle(cycle: string, awaited: Day, today: Day, until: Day): Day[] {
  const days: Day[] = []
  for (let n = 0; ; n++) {
    const day = addMonths(awaited, (cycleMonths[cycle] ?? 1) * n)
    if (day > until) return days
    if (day <= today) days[0] = addDays(today, 1)
    else days.push(day)
  }
}

/**
 * The days on which the bills after the last one come, up to a day; one that should have come already comes
 * tomorrow.
 */
export function comingBills(
  { rhythm, lastDay }: Pick<Series, 'rhythm' | 'lastDay'>,
  today: Day,
  until: Day,
): Day[] {
  const days: Day[] = []
  for (let n = 1; ; n++) {
    const day = rhythm === 'weekly' ? addDays(lastDay, 7 * n) : addMonths(lastDay, monthsOf[rhythm] * n)
    if (day > until) return days
    // Of several that are missing one is still awaited.
    if (day <= today) days[0] = addDays(today, 1)
    else days.push(day)
  }
}

export const cycles = ['once', 'weekly', 'monthly', 'twoMonthly', 'yearly'] as const
export type Cycle = (typeof cycles)[number]

/**
 * The days of a sum that was typed in, between two days (both included). A month that has no such day has its
 * last one.
 */
export function plannedDays(
  sum: { firstDay: Day; cycle: Cycle; lastDay: Day | null },
  from: Day,
  to: Day,
): Day[] {
  const end = sum.lastDay !== null && sum.lastDay < to ? sum.lastDay : to
  if (sum.cycle === 'once') return sum.firstDay >= from && sum.firstDay <= end ? [sum.firstDay] : []
  const days: Day[] = []
  const months = sum.cycle === 'monthly' ? 1 : sum.cycle === 'twoMonthly' ? 2 : 12
  for (let n = 0; ; n++) {
    const day = sum.cycle === 'weekly' ? addDays(sum.firstDay, 7 * n) : addMonths(sum.firstDay, months * n)
    if (day > end) return days
    if (day >= from) days.push(day)
  }
}
