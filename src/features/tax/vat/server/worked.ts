import type { Period } from '#domain/day.ts'
import { inOrder, type SourcedEntry } from '#domain/vat/entries.ts'
import { outcomeOf, type Outcome, type WholeOutcome } from '#domain/vat/outcome.ts'
import type { InputPaper, SalePaper } from '#domain/vat/papers.ts'
import { looseOf } from '#domain/vat/part.ts'
import { forbidden } from '#kit/describe/errors.ts'
import { seesWhole } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { basisOn, reportingCompany, type Basis, type BasisChange, type ReportingCompany } from './basis.ts'
import { billedOf, booksOf } from './books.ts'
import type { DayPart } from './days.ts'
import { papersOf, type Papers } from './papers.ts'

/** An outcome with what it was worked out by. */
export interface WorkedPeriod extends WholeOutcome, Omit<Papers, 'sales' | 'inputs'> {
  period: Period
  basis: Basis
}

const reportingOf = (ctx: Ctx, period: Period, { taxId, reportType }: ReportingCompany) => ({
  period,
  dealer: taxId,
  reportType,
  today: ctx.today,
})

/** A period worked out from both sides. People who see a part of the business get no totals of the whole. */
export async function workOut(ctx: Ctx, period: Period): Promise<WorkedPeriod> {
  if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
  const company = await reportingCompany(ctx)
  const isNonProfit = company.reportType === '6'
  const papers = await papersOf(ctx, period, isNonProfit)
  const { sales, inputs, paid, changes, brought } = papers
  const books = isNonProfit
    ? await billedOf(ctx, inputs)
    : await booksOf(ctx, period, paid, changes, brought.figures)
  const outcome = outcomeOf(reportingOf(ctx, period, company), {
    sales,
    inputs,
    books,
    brought: brought.keys,
  })
  return { ...papers, ...outcome, period, basis: basisOn(changes, period.to) }
}

/** A period that is kept in parts: its sales by their days, and its other papers. */
export interface InParts {
  parts: readonly DayPart[]
  sales: readonly SalePaper[]
  inputs: readonly InputPaper[]
  changes: readonly BasisChange[]
}

/** What a period in parts comes to; it has no file, as the days keep their own lines. */
export async function workOutParts(
  ctx: Ctx,
  period: Period,
  company: ReportingCompany,
  of: InParts,
): Promise<Outcome & { basis: Basis }> {
  const { parts, sales, inputs, changes } = of
  const { sums, ...loose } = looseOf(parts)
  const books = await booksOf(ctx, period, new Map(), changes, new Map(), sums)
  const outcome = outcomeOf(reportingOf(ctx, period, company), {
    sales,
    inputs,
    books,
    brought: new Set(),
    parts,
    loose,
  })
  return { ...outcome, basis: basisOn(changes, period.to) }
}

/** Where a paper is opened: a document, an expense, an entry. */
export function openOf(key: string): string {
  const [kind, id] = key.split(':')
  if (kind === 'document') return `/invoice/preview/${id}`
  return kind === 'expense' ? `/invoice/Expenses/all/${id}` : `/invoice/entries/${id}`
}

const mostPapers = 20

/**
 * Faults in the order of their numbers with the papers they lead to, each once: a rule the authority counts
 * twice is reported once.
 */
export function findingsOf({ found, papersOf: papersWith }: Pick<Outcome, 'found' | 'papersOf'>) {
  const twin: Record<number, number> = { 303: 216, 304: 217, 311: 128 }
  const byCode = new Map<number, { isWarning: boolean; entries: SourcedEntry[] }>()
  for (const { fault, entry } of found) {
    const code = twin[fault.code] ?? fault.code
    const finding = byCode.get(code) ?? { isWarning: fault.isWarning === true, entries: [] }
    if (entry) finding.entries.push(entry)
    byCode.set(code, finding)
  }
  const told = [...byCode]
    .toSorted(([a], [b]) => a - b)
    .map(([code, { isWarning, entries }]) => {
      const keys = new Set<string>()
      for (const entry of inOrder(entries))
        for (const key of entry.keys) if (keys.size < mostPapers) keys.add(key)
      return { code: String(code), isWarning, keys: [...keys] }
    })
  const paperOf = new Map(
    papersWith(new Set(told.flatMap(({ keys }) => keys))).map((paper) => [paper.key, paper]),
  )
  return told.map(({ code, isWarning, keys }) => ({
    code,
    isWarning,
    papers: keys.map((key) => ({
      number: paperOf.get(key)?.number ?? '',
      name: paperOf.get(key)?.name ?? '',
      open: openOf(key),
    })),
  }))
}
