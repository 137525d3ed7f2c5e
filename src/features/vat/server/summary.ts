import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Period } from '../../../domain/day.ts'
import { sum } from '../../../domain/money.ts'
import { fail } from '../../../kit/describe/errors.ts'
import { seesWhole } from '../../../kit/describe/session.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { bringsVat, reportingCompany, type BasisChange } from './basis.ts'
import { accountsByRole, billsIn } from './books.ts'
import { readDays, type Under } from './days.ts'
import { inputsOf, journalPapers, selfInvoicesOf } from './papers.ts'
import { findingsOf, openOf, workOut, type WorkedPeriod } from './worked.ts'

/** What a person is shown of a period: its figures both ways and what stands against filing it, without its papers. */
export interface Summary extends Pick<
  WorkedPeriod,
  'basis' | 'exact' | 'booked' | 'filed' | 'asReturn' | 'negative' | 'broughtDiffers' | 'differences'
> {
  /** How many there are; of `differences`, `unnamed` and `exports` the first ones are named. */
  counts: { sales: number; inputs: number; entries: number; differences: number }
  /** All differences together, each counted by its size: two that hide each other in a sum are two. */
  apartAgorot: number
  findings: ReturnType<typeof findingsOf>
  unnamed: { number: string; name: string; open: string }[]
  exports: { id: string; number: string; day: string; name: string; sumAgorot: number; exportEntry: string }[]
}

const mostDifferences = 200
const mostUnnamed = 50
const mostExports = 200

function summaryOf(worked: WorkedPeriod): Summary {
  const { basis, exact, booked, filed, asReturn, negative, broughtDiffers, differences, sales, inputs, entries } = worked
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
      sales: sales.length,
      inputs: inputs.filter((i) => i.vat !== 0).length,
      entries: entries.length,
      differences: differences.length,
    },
    apartAgorot: sum(differences.map((d) => Math.abs(d.paper - d.books))),
    findings: findingsOf(worked),
    unnamed: worked.unnamed.slice(0, mostUnnamed).map(({ key, number, name }) => ({ number, name, open: openOf(key) })),
    exports: sales
      .filter((s) => s.kind === 'abroad' && s.untaxed !== 0)
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
export const apartIn = async (ctx: Ctx, period: Period): Promise<number> => (await summaryFor(ctx, period)).apartAgorot

/** Summaries by business and period, each with the mark of what it was made of; the one that was not asked for longest goes first. */
const kept = new Map<string, { mark: string; summary: Summary }>()
const mostKept = 200

/**
 * The summary of a period. Comparing its papers one by one takes a while where there are fifteen thousand of them, and they are asked for again with
 * every look at the screen: so the outcome is kept for as long as the sums of the papers, the sums of the books and every bill are what they were when
 * they were compared, and after a change only the days that changed are read again. Filing never takes what was kept.
 */
export async function summarise(ctx: Ctx, period: Period): Promise<Summary> {
  if (!seesWhole(ctx.caller)) throw fail('session.forbidden')
  const source = await sourceOf(ctx, period)
  if (!source) return summaryOf(await workOut(ctx, period))
  const name = `${ctx.companyId} ${period.from} ${period.to}`
  const before = kept.get(name)
  kept.delete(name)
  if (before?.mark === source.mark) {
    kept.set(name, before)
    return before.summary
  }
  const summary = summaryOf(await workOut(ctx, period, await readDays(ctx, period, source.under)))
  // What changed while it was worked out is in the one and not in the other; where nobody wrote anything meanwhile, nothing did.
  if ((await momentOf(ctx)) === source.moment || (await sourceOf(ctx, period))?.mark === source.mark)
    kept.set(name, { mark: source.mark, summary })
  if (kept.size > mostKept) kept.delete(kept.keys().next().value!)
  return summary
}

/** Who is writing in the whole database, and who came last: the same twice, and nothing was written between. */
const moment = sql<string>`pg_current_snapshot()::text`
const momentOf = async (ctx: Ctx): Promise<string> =>
  (await sql<{ moment: string }>`select ${moment} as moment`.execute(ctx.tx)).rows[0]!.moment

const markOf = (told: unknown): string => createHash('sha256').update(JSON.stringify(told)).digest('base64')

/**
 * What the summary follows from, as short as it can be told: of issued papers and of posted lines, which never change, how many there are and their
 * sums; all the rest as it is. Lines on accounts of VAT, income and expense are read one by one; of the other accounts, which only stand against
 * them, the months' totals do. Undefined where it depends on more: payments on cash basis, another program's file, a non-profit.
 */
async function sourceOf(ctx: Ctx, period: Period): Promise<{ mark: string; moment: string; under: Under } | undefined> {
  const company = await reportingCompany(ctx)
  const { rows: facts } = await sql<{
    changes: BasisChange[]
    isBrought: boolean
    waits: boolean
    read: string[]
    accounts: string[]
    known: string
    rest: string
    months: string
    moment: string
  }>`
    with known as materialized ${accountsByRole(ctx)}
    select ${moment} as moment, (select coalesce(jsonb_agg(jsonb_build_object('from', b.from_day, 'basis', b.basis) order by b.from_day), '[]') from vat_basis_changes b
        where b.company_id = ${ctx.companyId}) as changes,
      exists (select 1 from uniform_papers where company_id = ${ctx.companyId}) or exists (select 1 from uniform_entries where company_id = ${ctx.companyId}) as "isBrought",
      ${bringsVat(ctx)} as waits,
      (select coalesce(jsonb_agg(id), '[]') from known where role in ('outputVat', 'inputVat', 'equipmentVat') or role = 'other' and kind in ('income', 'expense')) as read,
      (select coalesce(jsonb_agg(id), '[]') from known where role not in ('party', 'rounding')) as accounts,
      (select jsonb_agg(to_jsonb(k) order by k.id) from known k)::text as known,
      jsonb_build_array(
        (select jsonb_agg(to_jsonb(v) order by v.id) from vat_codes v where v.company_id = ${ctx.companyId}),
        (select jsonb_agg(to_jsonb(x) order by x.document_id) from export_entries x where x.company_id = ${ctx.companyId}))::text as rest,
      (select jsonb_agg(to_jsonb(m) order by m.account_id, m.month) from account_months m
          where m.company_id = ${ctx.companyId} and m.month between date_trunc('month', ${period.from}::date) and ${period.to})::text as months`.execute(
    ctx.tx,
  )
  const { changes, isBrought, waits, read, accounts, known, rest, months, moment: at } = facts[0]!
  if (isBrought || waits || company.reportType === '6' || changes.some(({ basis }) => basis === 'cash')) return undefined
  const { rows: sums } = await sql<{ papers: string; lines: string }>`select
      (select jsonb_agg(to_jsonb(x) order by type) from (select d.type, count(*) as papers, sum(d.ils_net_agorot) as net, sum(d.ils_vat_agorot) as vat,
          sum(d.ils_untaxed_agorot) as untaxed, count(d.allocation_number) as allocations from documents d
        where d.company_id = ${ctx.companyId} and d.status <> 'draft' and d.type in (8, 9, 10, 12) and d.day between ${period.from} and ${period.to}
        group by d.type) x)::text as papers,
      -- The accounts by name, so that only their part of the index is read.
      (select jsonb_agg(to_jsonb(x) order by account_id) from (select p.account_id, count(*) as lines, sum(p.amount_agorot) as amount from postings p
        where p.company_id = ${ctx.companyId} and p.account_id = any(${read}::uuid[]) and p.day between ${period.from} and ${period.to}
        group by 1) x)::text as lines`.execute(ctx.tx)
  const inputs = await inputsOf(ctx, period)
  const own = await selfInvoicesOf(ctx, period)
  const expenses = [...new Set([...inputs, ...own].filter(({ key }) => key.startsWith('expense:')).map(({ key }) => key.slice(8)))]
  const under = { mark: markOf([changes, known, rest]), accounts, changes }
  const mark = markOf([
    under.mark,
    months,
    company.taxId,
    // The day from which on a file may be sent, as its check sees it.
    ctx.today > period.to ? ctx.today : period.to,
    sums[0],
    inputs,
    own,
    expenses.length ? await billsIn(ctx, expenses) : [],
    await journalPapers(ctx, period),
  ])
  return { mark, moment: at, under }
}
