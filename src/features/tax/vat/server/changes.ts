import { sql } from 'kysely'
import type { Day, Period } from '#domain/day.ts'
import { sum } from '#domain/money.ts'
import { changesOf, type PaperChange, type PeriodPapers } from '#domain/vat/changes.ts'
import { figureNames, figuresOf, type ReturnFigures } from '#domain/vat/papers.ts'
import type { Ctx } from '#kit/server/context.ts'
import { reportingCompany, type ReportingCompany } from './basis.ts'
import { refusePart } from './filings.ts'
import { enteredAfter, inputsOf, paidIn, papersOf, salesOf, selfInvoicesOf } from './papers.ts'

/*
 * What changed in a reported period since its return was filed. A filed return never changes: later documents of its
 * days count in a later period, and what is changed after the period was opened again waits for an amended return. Both
 * are listed document by document, so that a person decides about an amended return.
 */

/** A filing to compare with: the one in force, or the last one of a period that was opened again. */
interface Filed {
  id: string
  from: Day
  to: Day
  kind: 'detailed' | 'return'
  figures: ReturnFigures
  papers: PeriodPapers | null
}

export interface ChangesOfFiling {
  filing: Pick<Filed, 'id' | 'from' | 'to' | 'kind'>
  rows: (PaperChange & {
    /** The day it entered the books, by their clock; null of what only changed its details. */
    entered: Day | null
    /** The first day of the time in which it counts, of what counts later. */
    countedFrom: Day | null
  })[]
  /**
   * By how much the figures of the period are apart from those that were filed after all listed documents: not nothing
   * only of filings from before their documents were kept.
   */
  unexplainedAgorot: number
}

const filedWithin = (ctx: Ctx, { from, to }: Period) =>
  sql<Filed>`select f.id, f.from_day as "from", f.to_day as "to", f.kind, f.figures, k.papers
    from vat_filings f
    left join vat_filing_papers k on k.company_id = f.company_id and k.filing_id = f.id
    where f.company_id = ${ctx.companyId} and f.from_day <= ${to} and f.to_day >= ${from}
      and (f.reopened_at is null or not exists (select 1 from vat_filings o where o.company_id = f.company_id
        and o.id <> f.id and o.from_day <= f.to_day and o.to_day >= f.from_day
        and (o.reopened_at is null or (o.made_at, o.id) > (f.made_at, f.id))))
    order by f.from_day, f.id`

/** When each of these entered the books: by the clock of the entries. */
async function enteredOn(ctx: Ctx, keys: readonly string[]): Promise<Map<string, { day: Day; at: string }>> {
  const idsOf = (kind: string) =>
    keys.filter((key) => key.startsWith(`${kind}:`)).map((key) => key.slice(kind.length + 1))
  const { rows } = await sql<{ key: string; day: Day; at: string }>`
    select key, (min(at) at time zone 'Asia/Jerusalem')::date as day, min(at) as at from (
      select 'document:' || e.document_id as key, e.created_at as at from entries e
        where e.company_id = ${ctx.companyId} and e.document_id = any(${idsOf('document')}::uuid[])
      union all select 'expense:' || x.expense_id, e.created_at from expense_entries x
        join entries e on e.company_id = x.company_id and e.id = x.entry_id
        where x.company_id = ${ctx.companyId} and x.expense_id = any(${idsOf('expense')}::uuid[])
      union all select 'entry:' || e.id, e.created_at from entries e
        where e.company_id = ${ctx.companyId} and e.id = any(${idsOf('entry')}::uuid[])) of
    group by key`.execute(ctx.tx)
  return new Map(rows.map(({ key, ...row }) => [key, row]))
}

/** By the lock of the filing, which has the clock of the entries. */
const lockedAt = (ctx: Ctx, { id }: Filed) => sql`(select l.locked_at from vat_filings f
    join locked_periods l on l.company_id = f.company_id and l.id = f.lock_id
    where f.company_id = ${ctx.companyId} and f.id = ${id})`

/** What is dated into the period and counts later: bills, and payments where VAT is reported as it is paid. */
async function lateIn(ctx: Ctx, filed: Filed, company: ReportingCompany) {
  const counting = enteredAfter(filed, lockedAt(ctx, filed))
  const bills: PeriodPapers = {
    sales: await selfInvoicesOf(ctx, filed, counting),
    inputs: await inputsOf(ctx, filed, counting),
  }
  const counted = await papersOf(ctx, filed, false)
  const paid = await paidIn(ctx, filed, counted.changes, true)
  const dated = await salesOf(ctx, filed, paid, counted.changes)
  const isPaid = ({ key }: { key: string }) => paid.has(key.slice('document:'.length))
  const changes = [
    ...changesOf(
      { sales: [], inputs: [] },
      bills,
      { ...company, period: filed, dealer: company.taxId },
      true,
    ),
    ...changesOf(
      { sales: counted.sales.filter(isPaid), inputs: [] },
      { sales: dated.filter(isPaid), inputs: [] },
      { ...company, period: filed, dealer: company.taxId },
      true,
    ),
  ]
  const ids = changes.filter(({ key }) => key.startsWith('expense:')).map(({ key }) => key.slice(8))
  const { rows } = await sql<{ id: string; day: Day }>`select id, vat_day as day from expenses
    where company_id = ${ctx.companyId} and id = any(${ids}::uuid[])`.execute(ctx.tx)
  const vatDays = new Map(rows.map(({ id, day }) => [`expense:${id}`, day]))
  return {
    papers: counted,
    late: changes.map((change) => ({
      ...change,
      countedFrom:
        vatDays.get(change.key) ?? paid.get(change.key.slice('document:'.length))?.countedFrom ?? null,
    })),
  }
}

async function changesOfFiling(ctx: Ctx, filed: Filed, company: ReportingCompany): Promise<ChangesOfFiling> {
  const isNonProfit = company.reportType === '6'
  const { papers, late } = isNonProfit
    ? { papers: await papersOf(ctx, filed, true), late: [] }
    : await lateIn(ctx, filed, company)
  const now: PeriodPapers = { sales: papers.sales, inputs: papers.inputs }
  const entered = await enteredOn(ctx, [
    ...new Set([...now.sales, ...now.inputs, ...late].map(({ key }) => key)),
  ])
  const reporter = { period: filed, dealer: company.taxId, reportType: company.reportType }
  const changes = changesOf(filed.papers ?? (await withoutLater(ctx, filed, now)), now, reporter)
  const differs = figuresOf(now.sales, now.inputs)
  return {
    filing: { id: filed.id, from: filed.from, to: filed.to, kind: filed.kind },
    rows: [...changes.map((change) => ({ ...change, countedFrom: null })), ...late]
      .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : a.key < b.key ? -1 : 1))
      .map((change) => ({
        ...change,
        entered:
          change.kind === 'changed' || change.kind === 'removed'
            ? null
            : (entered.get(change.key)?.day ?? null),
      })),
    unexplainedAgorot: sum(
      figureNames.map((name) =>
        Math.abs(differs[name] - filed.figures[name] - sum(changes.map(({ effect }) => effect[name]))),
      ),
    ),
  }
}

/** Of a filing whose documents were not kept: those of the period that were in the books when it was filed. */
async function withoutLater(ctx: Ctx, filed: Filed, now: PeriodPapers): Promise<PeriodPapers> {
  const { rows } = await sql<{ at: string }>`select ${lockedAt(ctx, filed)} as at`.execute(ctx.tx)
  const entered = await enteredOn(
    ctx,
    [...now.sales, ...now.inputs].map(({ key }) => key),
  )
  const since = new Date(rows[0]!.at).getTime()
  const wasThere = ({ key }: { key: string }) => new Date(entered.get(key)?.at ?? 0).getTime() <= since
  return { sales: now.sales.filter(wasThere), inputs: now.inputs.filter(wasThere) }
}

/** What one report asked for: its rows and its checks are of the same. */
const asked = new WeakMap<Ctx, Map<string, Promise<ChangesOfFiling[]>>>()

/** What changed since filing in each period that was filed and has a day between these. */
export function changesSinceFiling(ctx: Ctx, period: Period): Promise<ChangesOfFiling[]> {
  const ofReport = asked.get(ctx) ?? new Map<string, Promise<ChangesOfFiling[]>>()
  asked.set(ctx, ofReport)
  const name = `${period.from} ${period.to}`
  const found = ofReport.get(name) ?? workOutChanges(ctx, period)
  ofReport.set(name, found)
  return found
}

async function workOutChanges(ctx: Ctx, period: Period): Promise<ChangesOfFiling[]> {
  refusePart(ctx)
  const company = await reportingCompany(ctx)
  const { rows } = await filedWithin(ctx, period).execute(ctx.tx)
  const found: ChangesOfFiling[] = []
  for (const filed of rows) found.push(await changesOfFiling(ctx, filed, company))
  return found
}
