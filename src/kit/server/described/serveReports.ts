import { z } from 'zod'
import { fail } from '#kit/describe/errors.ts'
import { areaOf } from '#kit/describe/area.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { reportAnswer } from '#kit/describe/reportAnswer.ts'
import type { Day } from '#domain/day.ts'
import { formatPeriod } from '#domain/format.ts'
import { comparedTo } from '#domain/ledger/compared.ts'
import type { ReportAnswer, ReportCheck, ReportRow } from '#kit/describe/report.ts'
import {
  againstBudget,
  arranged,
  compared,
  isLedger,
  totalsOf,
  viewFrom,
  type ReportView,
} from '#kit/describe/reportView.ts'
import { isOff } from '#kit/describe/session.ts'
import type { Field, Fields } from '#kit/fields/field.ts'
import { schemaOf } from '#kit/fields/schema.ts'
import { parse } from '../contract/failures.ts'
import { budgetFor, hasBudgets } from './budgets.ts'
import type { Ctx } from '../context.ts'
import { reportPaper, type Letterhead } from './exports/reportPdf.ts'
import { exportTable } from './exports/exportTable.ts'
import type { ExportTable } from './exports/table.ts'
import { implement, Later, type FileAnswer, type Implementation } from '../contract/implement.ts'
import { columnsOf, faultsOf, mayOpen, refuseUnlessOpen, type Report } from './reports.ts'
import { say } from '../words.ts'
import { queryBoolean, queryNumber } from '#kit/fields/query.ts'

const filterSchema = (filters: Fields) =>
  z.object(
    Object.fromEntries(
      Object.entries(filters).map(([name, field]: [string, Field]) => {
        const one =
          field.kind === 'flag'
            ? queryBoolean
            : field.kind === 'number'
              ? queryNumber(z.int())
              : schemaOf(field)
        return [name, field.need ? one : one.optional()]
      }),
    ),
  )

/** More rows than a screen shows at once; files and papers hold all of them. */
const onScreen = 20_000

/** A custom report has the words of its kind, not of its name. */
const wordsOf = (report: Report): string =>
  `${report.feature}.reports.${report.title === undefined ? report.name : 'own'}`

/** A report under the view that the query asks for, with all its rows or with as many as `most` says. */
export async function runReport(
  ctx: Ctx,
  report: Report,
  query: Record<string, unknown>,
  most?: number,
): Promise<ReportAnswer> {
  const view = viewFrom(query)
  // The person who sorts, searches or compares means all the rows, and sees the first of them.
  const wants = view.group ?? view.order ?? view.find ?? view.vs
  if (wants === undefined) return arranged(await rowsOf(ctx, report, query, most), view)
  const now = await rowsOf(
    ctx,
    report,
    view.vs && report.vsFilter ? { ...query, [report.vsFilter]: view.vs } : query,
  )
  const both =
    view.vs === 'budget'
      ? await besideBudget(ctx, report, now)
      : view.vs && report.key
        ? await besideThen(ctx, report, query, view.vs, now)
        : now
  return cutTo(arranged(both, view), most)
}

/** The same report of the other period beside it. A report without days of its own has none. */
async function besideThen(
  ctx: Ctx,
  report: Report,
  query: Record<string, unknown>,
  by: Exclude<NonNullable<ReportView['vs']>, 'budget'>,
  now: ReportAnswer,
): Promise<ReportAnswer> {
  const { from, to } = now.filters as { from?: Day; to?: Day }
  // People from whom amounts are hidden would see zeros.
  if (!from || !to || !report.key || ctx.caller.hideTotalPrices) return now
  const other = comparedTo(by, from, to)
  const then = await rowsOf(ctx, report, { ...query, ...other })
  const change = say(ctx.caller.language, 'kit.reports.change')
  return compared(now, then, report.key, { before: formatPeriod(other), change })
}

/** A filter besides the days leaves a part of each account, against which its whole budget would be held. */
const isNarrowed = (filters: Record<string, unknown>): boolean =>
  Object.entries(filters).some(
    ([name, value]) => name !== 'from' && name !== 'to' && value !== undefined && value !== false,
  )

/** The report beside the budget of its days, where its rows are those of accounts. */
async function besideBudget(ctx: Ctx, { budget: by }: Report, now: ReportAnswer): Promise<ReportAnswer> {
  const { from, to } = now.filters as { from?: Day; to?: Day }
  if (!by || !from || !to || isNarrowed(now.filters)) return now
  const budget = await budgetFor(ctx, { from, to })
  if (!budget) return now
  const there = new Set(now.rows.map((row) => row[by.account]))
  const absent = [...budget].filter(([id, agorot]) => agorot !== 0 && !there.has(id)).map(([id]) => id)
  const missing = absent.length > 0 ? await by.missing(ctx, absent) : []
  const { language } = ctx.caller
  return againstBudget(
    now,
    { account: by.account, budget, missing },
    {
      before: say(language, 'kit.reports.vs.budget'),
      change: say(language, 'kit.reports.change'),
    },
  )
}

/** The first rows of an answer that has them all; its totals and checks stay those of the whole. */
function cutTo(answer: ReportAnswer, most: number | undefined): ReportAnswer {
  if (most === undefined || answer.rows.length <= most) return answer
  const rows = upToGroup(answer.rows, most, answer.shape.group)
  return { ...answer, rows, cut: rows.length, of: answer.rows.length }
}

/**
 * So many rows and no group in part, whose subtotal would be wrong; a group that is longer than all of them
 * is cut nevertheless.
 */
function upToGroup(rows: ReportRow[], most: number, by: string | undefined): ReportRow[] {
  if (by === undefined) return rows.slice(0, most)
  let end = most
  while (end > 0 && rows[end - 1]![by] === rows[most]![by]) end--
  return rows.slice(0, end || most)
}

async function rowsOf(
  ctx: Ctx,
  declared: Report,
  query: Record<string, unknown>,
  most?: number,
): Promise<ReportAnswer> {
  const filters = parse(filterSchema(declared.filters), query) as Record<string, unknown>
  const made = await declared.found?.(ctx, filters as never, most === undefined ? null : most + 1)
  const report: Report = made
    ? { ...declared, columns: made.columns, totals: made.totals, groupBy: made.groupBy }
    : declared
  const found = made?.rows ?? (await report.rows(ctx, filters as never, most === undefined ? null : most + 1))
  const isCut = most !== undefined && found.length > most
  const rows = isCut ? upToGroup(found, most, report.groupBy) : found
  // A report that takes `most` knows no more than it was asked for; every other has answered all its rows.
  const whole = isCut && (made ? declared.found! : report.rows).length > 2 ? undefined : found
  const asked = whole ? undefined : await report.sums?.(ctx, filters as never)
  const totals: Record<string, number> =
    made?.sums ?? (whole ? totalsOf(report.totals, whole) : (asked?.totals ?? {}))
  const of = whole?.length ?? asked?.rows
  const checks: ReportCheck[] = []
  for (const [name, ask] of Object.entries(report.apart ?? {})) {
    const apartAgorot = await ask(ctx, filters as never)
    checks.push({
      name,
      ok: apartAgorot === 0,
      ...(apartAgorot && !ctx.caller.hideTotalPrices ? { apartAgorot } : {}),
    })
  }
  if (whole)
    for (const [name, holds] of Object.entries(report.must ?? {}))
      checks.push({ name, ok: holds(totals, whole) })
  const headings = report.headings?.(filters as never, ctx.today, ctx.caller.language) ?? {}
  const columns = Object.fromEntries(
    Object.entries(report.columns)
      .filter(
        ([name, column]) =>
          !column.whenFilled ||
          totals[name] ||
          (whole ?? rows).some((row) => row[name] !== null && row[name] !== undefined),
      )
      .map(([name, column]) => [
        name,
        headings[name] === undefined ? column : { ...column, heading: headings[name] },
      ]),
  )
  const shape = {
    name: report.name,
    words: wordsOf(report),
    ...(report.title === undefined ? {} : { title: report.title }),
    ...(made ? { told: made.told } : {}),
    columns,
    filters: report.filters,
    totals: report.totals.filter((name) => columns[name]),
    ...(report.groupBy ? { group: report.groupBy } : {}),
    ...(report.key ? { compares: true as const } : {}),
    ...(report.budget && hasBudgets(ctx) && !isNarrowed(filters) ? { budgets: true as const } : {}),
    ...(report.explained ? { explained: report.explained } : {}),
    ...(report.entered ? { entered: report.entered } : {}),
  }
  const cut = isCut ? { cut: rows.length, ...(of === undefined ? {} : { of }) } : {}
  if (!ctx.caller.hideTotalPrices) return { shape, filters, rows, totals, checks, ...cut }
  const hidden = Object.keys(report.columns).filter((c) =>
    ['money', 'price'].includes(report.columns[c]!.kind),
  )
  return {
    shape,
    filters,
    rows: rows.map((r) => ({ ...r, ...Object.fromEntries(hidden.map((h) => [h, null])) })),
    totals: {},
    checks,
    ...cut,
  }
}

const looseQuery = z.object({}).catchall(z.union([z.string().max(500), z.array(z.string())]))

let served: readonly Report[] = []
let letterheadOf: Letterhead

/** Custom reports of a business: callers find those they may see among the others, and by name. */
export interface OwnReports {
  list: (ctx: Ctx) => Promise<Report[]>
  find: (ctx: Ctx, name: string) => Promise<Report | undefined>
}

let own: OwnReports | undefined

/** Called by the feature that keeps them. */
export const registerOwnReports = (reports: OwnReports): void => void (own = reports)

/** A report by its name, declared or made; whether the caller may open it is asked apart. */
export const reportNamed = async (ctx: Ctx, name: string): Promise<Report | undefined> =>
  served.find((one) => one.name === name) ?? (await own?.find(ctx, name))

/** Every report that is served. */
export const allReports = (): readonly Report[] => served

/** A report that the caller may open; refuses every other as the calls do. */
export async function reportFor(ctx: Ctx, name: string): Promise<Report> {
  const report = await reportNamed(ctx, name)
  if (!report) throw fail('kit.notFound')
  const area = areaOf(report.allow)
  if (area && isOff(ctx.caller, area)) throw fail('kit.areaOff', { area })
  refuseUnlessOpen(ctx, report)
  return report
}

/** A served report as a file, for what is mailed; `ctx` says in whose sight and language. */
export async function reportAs(
  ctx: Ctx,
  name: string,
  format: 'csv' | 'xlsx' | 'pdf',
  query: Record<string, unknown>,
): Promise<FileAnswer> {
  const report = await reportNamed(ctx, name)
  if (!report) throw fail('kit.notFound')
  return reportAsFile(ctx, report, format, query)
}

/** A report that may be served nowhere, as a file. */
export const reportAsFile = async (
  ctx: Ctx,
  report: Report,
  format: 'csv' | 'xlsx' | 'pdf',
  query: Record<string, unknown>,
): Promise<FileAnswer> => (await readForFile(ctx, report, format, query))()

/** Reads all that a file of a report says; what is answered writes it. */
async function readForFile(
  ctx: Ctx,
  report: Report,
  format: 'csv' | 'xlsx' | 'pdf',
  query: Record<string, unknown>,
): Promise<() => Promise<FileAnswer>> {
  const answer = await runReport(ctx, report, query)
  report.beforeFile?.(answer)
  const { columns, group } = answer.shape
  const shown = { ...report, columns, totals: answer.shape.totals, ...(group ? { groupBy: group } : {}) }
  if (format === 'pdf') return reportPaper(ctx, shown, answer, await letterheadOf(ctx))
  const words = answer.shape.words
  const table: ExportTable = {
    format,
    language: ctx.caller.language,
    name: report.name,
    title: `${words}.title`,
    ...(answer.shape.title === undefined ? {} : { heading: answer.shape.title }),
    columns: columnsOf(shown, words),
    rows: answer.rows,
    totals: answer.totals,
    ...(group && !isLedger(answer) ? { groupBy: group } : {}),
    notes: faultsOf(ctx, answer),
  }
  return () => exportTable(table)
}

/** The calls of all reports: the list, one with its rows, one as a file. */
export function serveReports(reports: Report[], letterhead: Letterhead): Implementation[] {
  served = reports
  letterheadOf = letterhead
  const listing = z.object({
    name: z.string(),
    words: z.string(),
    title: z.string().optional(),
    group: z.string(),
    path: z.string(),
    filters: z.record(z.string(), z.any()),
  })
  return [
    implement(
      defineEndpoint({
        name: 'reports.list',
        method: 'GET',
        path: '/api4/invoice/reports',
        access: 'member',
        input: z.object({}),
        output: z.object({ rows: z.array(listing) }),
        summary: 'The reports I may open',
      }),
      async (ctx) => ({
        rows: [...((await own?.list(ctx)) ?? []), ...reports]
          .filter((r) => mayOpen(ctx, r))
          .map((r) => ({
            name: r.name,
            words: wordsOf(r),
            ...(r.title === undefined ? {} : { title: r.title }),
            group: r.group,
            path: r.path,
            filters: r.filters,
          })),
      }),
    ),
    implement(
      defineEndpoint({
        name: 'reports.run',
        method: 'GET',
        path: '/api4/invoice/reports/{name}',
        access: 'member',
        input: looseQuery.extend({
          name: z.string().max(60),
          first: queryNumber(z.int().min(1).max(onScreen)).optional(),
        }),
        output: reportAnswer,
        summary:
          'A report: its columns, rows, totals and checks; of a very long one, or with `first`, the first rows: `cut` says how many, `of` how many there are',
        errors: ['kit.notFound'],
      }),
      async (ctx, { name, first = onScreen, ...query }) =>
        runReport(ctx, await reportFor(ctx, name), query, first),
    ),
    implement(
      defineEndpoint({
        name: 'reports.export',
        method: 'GET',
        path: '/api4/invoiceexport/reports/{file}',
        access: 'member',
        file: true,
        input: looseQuery.extend({ file: z.string().regex(/^\w{1,60}\.(csv|xlsx|pdf)$/) }),
        output: z.any(),
        summary: 'A report as CSV, XLSX or PDF: {name}.{csv|xlsx|pdf}',
        errors: ['kit.notFound'],
      }),
      async (ctx, { file, ...query }) => {
        const [name = '', format = ''] = file.split('.')
        return new Later(
          await readForFile(ctx, await reportFor(ctx, name), format as 'csv' | 'xlsx' | 'pdf', query),
        )
      },
    ),
  ]
}
