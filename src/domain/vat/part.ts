import type { Fault } from './pcn874/check.ts'
import { inForceOn } from '../law/figures.ts'
import { faultsOfPart, unfitFault } from './pcn874/check.ts'
import { lineOf, parted, tallyOf, type Tally } from './pcn874/build.ts'
import { saleEntriesOf, type SaleEntries, type SourcedEntry } from './entries.ts'
import { figuresOf, type ReturnFigures, type SalePaper } from './papers.ts'
import { bookFiguresOf, differencesOf, noFigures, type BookFigures, type LedgerSums } from './twoWays.ts'

/*
 * A part of a period calculated separately, the sales of a day: all that the whole needs of it, so that a period of
 * fifteen thousand documents is not calculated again because of one. What depends on other parts stays open:
 * documents and entries about which the two ways do not agree within the part.
 */

export interface Part<S extends LedgerSums = LedgerSums> extends SaleEntries {
  sales: readonly SalePaper[]
  sums: readonly S[]
  figures: ReturnFigures
  notable: readonly SalePaper[]
  /** The keys of documents that the books of this part know by the same amounts, and all other keys in it. */
  agreed: ReadonlySet<string>
  loose: ReadonlySet<string>
  /** What the books say of those, together. */
  booked: BookFigures
  /** What its own entries come to as they are written, and as they are read again. */
  written: Tally
  read: Tally
  faults: { fault: Fault; entry: SourcedEntry }[]
}

/** Whether the detailed report should name the customer of a sale at home, and cannot. */
export const isUnnamed = (s: SalePaper): boolean =>
  !s.taxId &&
  s.kind === 'home' &&
  Math.abs(s.taxable + s.untaxed) > (inForceOn('namedSale', s.day) ?? Infinity)
export const isExport = (s: SalePaper): boolean => s.kind === 'abroad' && s.untaxed !== 0
export const isNotable = (s: SalePaper): boolean => isUnnamed(s) || isExport(s)

/** `header`: of the report the part belongs to. Parts of a period are of different days. */
export function partOf<S extends LedgerSums>(
  sales: readonly SalePaper[],
  sums: readonly S[],
  header: { dealer: string; period: string },
): Part<S> {
  const books = bookFiguresOf(sums)
  const agreed = new Set(sales.map(({ key }) => key))
  for (const { key } of differencesOf(sales, [], books)) agreed.delete(key)
  const made = saleEntriesOf(sales, header.dealer)
  const { unnamed } = made
  const { fit: entries, unfit } = parted(made.entries)
  const { faults, tally } = faultsOfPart(entries.map(lineOf), header)
  return {
    sales,
    sums,
    figures: figuresOf(sales, []),
    notable: sales.filter(isNotable),
    agreed,
    loose: new Set([...sales, ...sums].map(({ key }) => key).filter((key) => !agreed.has(key))),
    booked: together([...books].filter(([key]) => agreed.has(key)).map(([, of]) => of)),
    entries,
    unnamed,
    written: tallyOf(entries),
    read: tally,
    faults: [
      ...faults.map((fault) => ({ fault, entry: entries[fault.line! - 1]! })),
      ...unfit.map((entry) => ({ fault: unfitFault, entry })),
    ],
  }
}

/** Book figures of several papers in one sum. */
export function together(of: Iterable<BookFigures>): BookFigures {
  const all = { ...noFigures }
  for (const one of of) for (const name of Object.keys(all) as (keyof BookFigures)[]) all[name] += one[name]
  return all
}

/**
 * What must be compared over all parts, because a single part does not agree about it; and what the books say of all
 * the rest.
 */
export function looseOf<S extends LedgerSums>(
  parts: readonly Part<S>[],
): { sales: SalePaper[]; sums: S[]; booked: BookFigures } {
  const loose = new Set(parts.flatMap((part) => [...part.loose]))
  const all = { sales: [] as SalePaper[], sums: [] as S[], booked: { ...noFigures } }
  const isLoose = ({ key }: { key: string }) => loose.has(key)
  for (const part of parts) {
    // About which this part agrees and another has more.
    const isDrawn = [...loose].some((key) => part.agreed.has(key))
    all.booked = together([
      all.booked,
      ...(isDrawn ? bookFiguresOf(part.sums.filter((of) => !isLoose(of))).values() : [part.booked]),
    ])
    if (!isDrawn && !part.loose.size) continue
    all.sales.push(...part.sales.filter(isLoose))
    all.sums.push(...part.sums.filter(isLoose))
  }
  return all
}
