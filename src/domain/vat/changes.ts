import type { Day, Period } from '../day.ts'
import { sum, type Agorot } from '../money.ts'
import { entriesOf, nonProfitEntriesOf, type SourcedEntry } from './entries.ts'
import { figureNames, figuresOf, type InputPaper, type ReturnFigures, type SalePaper } from './papers.ts'

/*
 * What changed in a VAT period since it was filed: document by document, with the effect on each figure of the return
 * and on the records of the detailed report.
 */

/** The documents that a filing was worked out from. */
export interface PeriodPapers {
  sales: readonly SalePaper[]
  inputs: readonly InputPaper[]
}

/**
 * `late`: dated into the period and counted in a later one, because the period was filed. The others differ from what
 * was filed: a document that was not in it, one that was and is no more, and one whose figures or details changed.
 */
export type ChangeKind = 'late' | 'added' | 'removed' | 'changed'
export const changeKinds = ['late', 'added', 'removed', 'changed'] as const satisfies readonly ChangeKind[]

export interface PaperChange {
  key: string
  number: string
  name: string
  day: Day
  kind: ChangeKind
  /** By how much the document changes each figure, to the agora. */
  effect: ReturnFigures
  /** What it takes out of the detailed report and adds to it; each is rounded to shekels as the file rounds it. */
  removed: SourcedEntry[]
  added: SourcedEntry[]
}

interface Reporter {
  period: Period
  dealer: string
  /** Of the detailed report: '6' of a non-profit, which names its bills. */
  reportType: '1' | '6'
}

interface OfKey {
  sales: SalePaper[]
  inputs: InputPaper[]
}

function byKey({ sales, inputs }: PeriodPapers): Map<string, OfKey> {
  const found = new Map<string, OfKey>()
  const at = (key: string): OfKey => {
    const known = found.get(key)
    if (known) return known
    const made: OfKey = { sales: [], inputs: [] }
    found.set(key, made)
    return made
  }
  for (const paper of sales) at(paper.key).sales.push(paper)
  for (const paper of inputs) at(paper.key).inputs.push(paper)
  return found
}

/** Papers of a key as they were, which is what most of a period are: nothing of them is worked out. */
const isSame = <T extends object>(was: readonly T[], is: readonly T[]): boolean =>
  was.length === is.length &&
  was.every((one, i) => {
    const other = is[i]!
    return (Object.keys(other) as (keyof T)[]).every((name) => (one[name] ?? null) === (other[name] ?? null))
  })

const nothing: OfKey = { sales: [], inputs: [] }

const recordsOf = ({ sales, inputs }: OfKey, { period, dealer, reportType }: Reporter): SourcedEntry[] =>
  reportType === '6' ? nonProfitEntriesOf(inputs, period, dealer) : entriesOf(sales, inputs, period, dealer)

const markOf = ({ name: _, keys: __, ...record }: SourcedEntry): string => JSON.stringify(record)

/** Those that the others do not hold, each counted as often as it occurs. */
function without(records: readonly SourcedEntry[], others: readonly SourcedEntry[]): SourcedEntry[] {
  const left = new Map<string, number>()
  for (const mark of others.map(markOf)) left.set(mark, (left.get(mark) ?? 0) + 1)
  return records.filter((record) => {
    const mark = markOf(record)
    const count = left.get(mark) ?? 0
    if (count) left.set(mark, count - 1)
    return !count
  })
}

const less = (now: ReturnFigures, then: ReturnFigures): ReturnFigures =>
  Object.fromEntries(figureNames.map((name) => [name, now[name] - then[name]])) as unknown as ReturnFigures

/**
 * What parts two states of a period, by document. `late`: the second state holds what was dated into the period and is
 * counted elsewhere.
 */
export function changesOf(
  then: PeriodPapers,
  now: PeriodPapers,
  reporter: Reporter,
  late = false,
): PaperChange[] {
  const before = byKey(then)
  const after = byKey(now)
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key): PaperChange[] => {
    const was = before.get(key) ?? nothing
    const is = after.get(key) ?? nothing
    if (isSame(was.sales, is.sales) && isSame(was.inputs, is.inputs)) return []
    const effect = less(figuresOf(is.sales, is.inputs), figuresOf(was.sales, was.inputs))
    const records = { was: recordsOf(was, reporter), is: recordsOf(is, reporter) }
    const removed = without(records.was, records.is)
    const added = without(records.is, records.was)
    if (figureNames.every((name) => effect[name] === 0) && !removed.length && !added.length) return []
    const paper = is.sales[0] ?? is.inputs[0] ?? was.sales[0] ?? was.inputs[0]!
    return [
      {
        key,
        number: paper.number,
        name: paper.name,
        day: paper.day,
        kind: late ? 'late' : !before.has(key) ? 'added' : !after.has(key) ? 'removed' : 'changed',
        effect,
        removed,
        added,
      },
    ]
  })
}

/** By how much a change moves the amounts and the VAT of the detailed report, in agorot of whole shekels. */
export function inDetail({ removed, added }: Pick<PaperChange, 'removed' | 'added'>): {
  net: Agorot
  vat: Agorot
} {
  const of = (records: readonly SourcedEntry[], what: 'sum' | 'vat') =>
    sum(records.map((record) => (record.isCredit ? -100 : 100) * record[what]))
  return { net: of(added, 'sum') - of(removed, 'sum') || 0, vat: of(added, 'vat') - of(removed, 'vat') || 0 }
}
