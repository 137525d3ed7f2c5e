import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Period } from '#domain/day.ts'
import type { Outcome } from '#domain/vat/outcome.ts'
import { isExport, isUnnamed } from '#domain/vat/part.ts'
import { sum } from '#domain/money.ts'
import { forbidden } from '#kit/describe/errors.ts'
import { seesWhole } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { monthName } from '../period.ts'
import { bringsVat, reportingCompany, type Basis, type BasisChange, type ReportingCompany } from './basis.ts'
import { accountsByRole, billsIn } from './books.ts'
import { marksOfDays, partsByDay, type Under } from './days.ts'
import { inputsOf, journalPapers, selfInvoicesOf } from './papers.ts'
import { findingsOf, openOf, workOut, workOutParts } from './worked.ts'

/**
 * What a person is shown of a period: its figures both ways and what prevents filing it, without its
 * papers.
 */
export interface Summary extends Pick<
  Outcome & { basis: Basis },
  'basis' | 'exact' | 'booked' | 'filed' | 'asReturn' | 'negative' | 'broughtDiffers' | 'differences'
> {
  /** How many there are; of `differences`, `unnamed` and `exports` the first ones are named. */
  counts: { sales: number; inputs: number; entries: number; differences: number }
  /** All differences together, each counted by its size: two that hide each other in a sum are two. */
  apartAgorot: number
  findings: ReturnType<typeof findingsOf>
  /** Sales above the sum from which the customer must be named, and is not. */
  unnamed: { number: string; name: string; open: string }[]
  exports: { id: string; number: string; day: string; name: string; sumAgorot: number; exportEntry: string }[]
}

const mostDifferences = 200
const mostUnnamed = 50
const mostExports = 200

function summaryOf(worked: Outcome & { basis: Basis }): Summary {
  const {
    basis,
    exact,
    booked,
    filed,
    asReturn,
    negative,
    broughtDiffers,
    differences,
    saleCount,
    inputs,
    entryCount,
    notable,
  } = worked
  return {
    basis,
    exact,
    booked,
    filed,
    asReturn,
    negative,
    broughtDiffers,
    differences: differences.slice(0, mostDifferences),
    counts: {
      sales: saleCount,
      inputs: inputs.filter((i) => i.vat !== 0).length,
      entries: entryCount,
      differences: differences.length,
    },
    apartAgorot: sum(differences.map((d) => Math.abs(d.paper - d.books))),
    findings: findingsOf(worked),
    unnamed: notable
      .filter(isUnnamed)
      .slice(0, mostUnnamed)
      .map(({ key, number, name }) => ({ number, name, open: openOf(key) })),
    exports: notable
      .filter(isExport)
      .slice(0, mostExports)
      .map(({ key, number, day, name, untaxed, exportEntry }) => ({
        id: key.slice('document:'.length),
        number,
        day,
        name,
        sumAgorot: untaxed,
        exportEntry,
      })),
  }
}

/** What one report asked for, by the period: its rows and its checks are of the same. */
const asked = new WeakMap<Ctx, Map<string, Promise<Summary>>>()

/** The summary of a period for a report, which asks more than once and changes nothing between. */
export function summaryFor(ctx: Ctx, period: Period): Promise<Summary> {
  const ofReport = asked.get(ctx) ?? new Map<string, Promise<Summary>>()
  asked.set(ctx, ofReport)
  const name = `${period.from} ${period.to}`
  const found = ofReport.get(name) ?? summarise(ctx, period)
  ofReport.set(name, found)
  return found
}

/** By how much papers and books of a period are apart. */
export const apartIn = async (ctx: Ctx, period: Period): Promise<number> =>
  (await summaryFor(ctx, period)).apartAgorot

/**
 * Summaries by business and period, each with the mark of what it was made of; the one that was not asked for
 * longest goes first.
 */
const kept = new Map<string, { mark: string; summary: Summary }>()
const mostKept = 200

/**
 * The summary of a period. Comparing its papers one by one takes a while where there are fifteen thousand of
 * them, and they are asked for again with every look at the screen: so the outcome is kept for as long as
 * everything it follows from is as it was, and after a change only the days that changed are read again.
 * Filing never takes what was kept.
 */
export async function summarise(ctx: Ctx, period: Period): Promise<Summary> {
  if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
  const company = await reportingCompany(ctx)
  const source = await sourceOf(ctx, period, company)
  if (!source) return summaryOf(await workOut(ctx, period))
  const name = `${ctx.companyId} ${period.from} ${period.to}`
  const before = kept.get(name)
  kept.delete(name)
  if (before?.mark === source.mark) {
    kept.set(name, before)
    return before.summary
  }
  const { changes, days, under, sales, inputs } = source
  const parts = await partsByDay(ctx, period, days, under)
  const summary = summaryOf(await workOutParts(ctx, period, company, { parts, sales, inputs, changes }))
  kept.set(name, { mark: source.mark, summary })
  if (kept.size > mostKept) kept.delete(kept.keys().next().value!)
  return summary
}

const markOf = (told: unknown): string => createHash('sha256').update(JSON.stringify(told)).digest('base64')

/**
 * What the summary follows from: of documents and posted lines when each day last changed, all the rest as it
 * is, and the mark of all of it. Undefined where it depends on more: payments on cash basis, another
 * program's file, a non-profit.
 */
async function sourceOf(ctx: Ctx, period: Period, { taxId, reportType }: ReportingCompany) {
  const { rows: facts } = await sql<{
    changes: BasisChange[]
    isBrought: boolean
    waits: boolean
    told: string
  }>`/*=*/
    select (select
      coalesce(jsonb_agg(jsonb_build_object('from', b.from_day, 'basis', b.basis) order by b.from_day), '[]')
      from vat_basis_changes b
        where b.company_id = ${ctx.companyId}) as changes,
      exists (select 1 from uniform_papers where company_id = ${ctx.companyId})
      or exists (select 1 from uniform_entries where company_id = ${ctx.companyId}) as "isBrought",
      ${bringsVat(ctx)} as waits,
      jsonb_build_array(
        (select jsonb_agg(to_jsonb(k) order by k.id) from ${accountsByRole(ctx)} k),
        (select jsonb_agg(to_jsonb(v) order by v.id) from vat_codes v where v.company_id = ${ctx.companyId}),
        (select jsonb_agg(to_jsonb(x) order by x.document_id) from export_entries x
        where x.company_id = ${ctx.companyId}))::text as told`.execute(ctx.tx)
  const { changes, isBrought, waits, told } = facts[0]!
  if (isBrought || waits || reportType === '6' || changes.some(({ basis }) => basis === 'cash'))
    return undefined
  const days = await marksOfDays(ctx, period)
  const bills = await inputsOf(ctx, period)
  const own = await selfInvoicesOf(ctx, period)
  const journal = await journalPapers(ctx, period)
  const expenses = [
    ...new Set(
      [...bills, ...own].filter(({ key }) => key.startsWith('expense:')).map(({ key }) => key.slice(8)),
    ),
  ]
  const under: Under = {
    mark: markOf([changes, told, taxId]),
    dealer: taxId,
    period: monthName(period),
    basis: changes,
  }
  const mark = markOf([
    under.mark,
    // The day from which on a file may be sent, as its check sees it.
    ctx.today > period.to ? ctx.today : period.to,
    [...days],
    bills,
    own,
    expenses.length ? await billsIn(ctx, expenses) : [],
    journal,
  ])
  return {
    mark,
    under,
    changes,
    days,
    sales: [...own, ...journal.sales],
    inputs: [...bills, ...journal.inputs],
  }
}
