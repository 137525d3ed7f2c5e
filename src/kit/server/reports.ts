import type { Day } from '#domain/day.ts'
import { formatMoney } from '#domain/format.ts'
<<<<<<< 766a690c1f5a0b5ea6e275cd78c6ffc50a8edac2
import type { ReportAnswer, ReportColumn, ReportRow, ReportShape } from '#kit/describe/report.ts'
import { can } from '#kit/describe/session.ts'
import type { Fields } from '#kit/fields/field.ts'
=======
import { fail } from '#kit/describe/errors.ts'
import { areaOf } from '#kit/describe/area.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import type { ReportAnswer, ReportCheck, ReportColumn, ReportRow, ReportShape } from '#kit/describe/report.ts'
import { can, isOff } from '#kit/describe/session.ts'
import type { Field, Fields } from '#kit/fields/field.ts'
import { schemaOf } from '#kit/fields/schema.ts'
import { parse } from './api.ts'
>>>>>>> b2a8f8dc0209408110fc69a9c04b2ae96de96432
import type { Ctx } from './context.ts'
import type { ExportColumn } from './exports/table.ts'
import { say } from './words.ts'

export interface Report {
  name: string
  feature: string
  /** Where it stands among the reports. */
  group: 'sales' | 'debts' | 'expenses' | 'bookkeeping' | 'tax' | 'items'
  path: string
  allow: string
  /**
   * Whose limited sight its rows keep to: people with customers of their own, people with some types of documents. A report that names
   * nobody shows the business whole, and is refused to whoever sees a part of it.
   */
  respects?: readonly ('ownCustomers' | 'documentTypes')[]
  filters: Fields
  columns: Record<string, ReportColumn>
  /** Headings that follow from what was asked, by column. */
  headings?: (filters: never, today: Day) => Record<string, string>
  /** Columns of kind money or number whose sum is shown. */
  totals: string[]
  /** The column whose change starts a new group; rows come in its order. */
  groupBy?: string
  /** `most` rows are enough where it is said; a report that can be long asks the database for no more. */
  rows: (ctx: Ctx, filters: never, most: number | null) => Promise<ReportRow[]>
  /** What must hold of the totals and rows; a report that fails it says so. */
  must?: Record<string, (totals: Record<string, number>, rows: ReportRow[]) => boolean>
  /** What must be nothing, asked of the database and not of the rows: by how much two ways to the same figures are apart. */
  apart?: Record<string, (ctx: Ctx, filters: never) => Promise<number>>
  /** Where a check that fails is told line by line: a path that takes the same `from` and `to`. */
  explained?: Record<string, string>
  /** Where what a check asks for is entered: a path, and the word of the screen. */
  entered?: ReportShape['entered']
  /** Refuses a file of a report that may not leave as it is. */
  beforeFile?: (answer: ReportAnswer) => void
}

type FilterValues<F extends Fields> = {
  [K in keyof F]: F[K] extends { need?: true } ? NonNullable<F[K]['type']> : NonNullable<F[K]['type']> | undefined
}

/** A report is one file: filters, columns, rows, totals, what a click opens, what must be true of it. */
export function defineReport<const F extends Fields>(
  report: Omit<Report, 'filters' | 'rows' | 'headings' | 'apart'> & {
    filters: F
    apart?: Record<string, (ctx: Ctx, filters: FilterValues<F>) => Promise<number>>
    headings?: (filters: FilterValues<F>, today: Day) => Record<string, string>
    rows: (ctx: Ctx, filters: FilterValues<F>, most: number | null) => Promise<ReportRow[]>
  },
): Report {
  return report as unknown as Report
}

/** Whether a caller may open a report: he has its rule, and it keeps to what he may see. */
export const mayOpen = ({ caller }: Pick<Ctx, 'caller'>, { allow, respects = [] }: Report): boolean =>
  can(caller, allow) &&
  (!caller.ownCustomersOnly || respects.includes('ownCustomers')) &&
  (caller.docsAllow.length === 0 || respects.includes('documentTypes'))

/** A report's columns as files show them. */
export const columnsOf = (report: Report, words: string): ExportColumn[] =>
  Object.entries(report.columns).map(([column, field]) => ({
    name: column,
    field,
    title: `${words}.columns.${column}`,
    ...(field.heading === undefined ? {} : { heading: field.heading }),
    words: `${words}.${column}`,
  }))

/** What a report says of itself that does not hold, in words: a file goes on to people who never saw the screen. */
export const faultsOf = (ctx: Ctx, { checks, shape }: Pick<ReportAnswer, 'checks' | 'shape'>): string[] =>
  checks
    .filter(({ ok }) => !ok)
    .map(({ name, apartAgorot }) => {
      const check = say(ctx.caller.language, `${shape.words}.checks.${name}`)
      return apartAgorot === undefined
        ? say(ctx.caller.language, 'kit.report.checkFails', { check })
        : say(ctx.caller.language, 'kit.report.checkFailsBy', { check, sum: formatMoney(apartAgorot) })
    })
<<<<<<< 766a690c1f5a0b5ea6e275cd78c6ffc50a8edac2
=======

/** A served report as a file, for what is mailed; `ctx` says in whose sight and language. */
export async function reportAs(
  ctx: Ctx,
  name: string,
  format: 'csv' | 'xlsx' | 'pdf',
  query: Record<string, unknown>,
): Promise<FileAnswer> {
  const report = served.find((one) => one.name === name)
  if (!report) throw fail('kit.notFound')
  const answer = await runReport(ctx, report, query)
  report.beforeFile?.(answer)
  const shown = { ...report, columns: answer.shape.columns }
  if (format === 'pdf') return reportFile(ctx, shown, answer, await letterheadOf(ctx))
  const words = answer.shape.words
  return exportTable({
    format,
    language: ctx.caller.language,
    name: report.name,
    title: `${words}.title`,
    columns: columnsOf(shown, words),
    rows: answer.rows,
    totals: answer.totals,
    notes: faultsOf(ctx, answer),
  })
}

/** The calls of all reports: the list, one with its rows, one as a file. */
export function serveReports(reports: Report[], letterhead: Letterhead): Implementation[] {
  served = reports
  letterheadOf = letterhead
  const byName = new Map(reports.map((r) => [r.name, r]))
  const find = (ctx: Ctx, name: string): Report => {
    const report = byName.get(name)
    if (!report) throw fail('kit.notFound')
    const area = areaOf(report.allow)
    if (area && isOff(ctx.caller, area)) throw fail('kit.areaOff', { area })
    if (!mayOpen(ctx, report)) throw fail('session.forbidden')
    return report
  }
  const listing = z.object({
    name: z.string(),
    words: z.string(),
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
        access: 'login',
        input: z.object({}),
        output: z.object({ rows: z.array(listing) }),
        summary: 'The reports I may open',
      }),
      async (ctx) => ({
        rows: reports
          .filter((r) => mayOpen(ctx, r))
          .map((r) => ({ name: r.name, words: `${r.feature}.reports.${r.name}`, group: r.group, path: r.path, filters: r.filters })),
      }),
    ),
    implement(
      defineEndpoint({
        name: 'reports.run',
        method: 'GET',
        path: '/api4/invoice/reports/{name}',
        access: 'login',
        input: looseQuery.extend({ name: z.string().max(60) }),
        output: z.object({
          shape: z.any(),
          filters: z.record(z.string(), z.any()),
          rows: z.array(z.any()),
          totals: z.record(z.string(), z.number()),
          checks: z.array(z.object({ name: z.string(), ok: z.boolean(), apartAgorot: z.number().optional() })),
          cut: z.number().optional(),
        }),
        summary: 'A report: its columns, rows, totals and checks; of a very long one the first rows, and `cut` says how many',
        errors: ['kit.notFound'],
      }),
      (ctx, { name, ...query }) => runReport(ctx, find(ctx, name), query, onScreen),
    ),
    implement(
      defineEndpoint({
        name: 'reports.export',
        method: 'GET',
        path: '/api4/invoiceexport/reports/{file}',
        access: 'login',
        file: true,
        input: looseQuery.extend({ file: z.string().regex(/^\w{1,60}\.(csv|xlsx|pdf)$/) }),
        output: z.any(),
        summary: 'A report as CSV, XLSX or PDF: {name}.{csv|xlsx|pdf}',
        errors: ['kit.notFound'],
      }),
      async (ctx, { file, ...query }) => {
        const [name = '', format = ''] = file.split('.')
        return reportAs(ctx, find(ctx, name).name, format as 'csv' | 'xlsx' | 'pdf', query)
      },
    ),
  ]
}
>>>>>>> b2a8f8dc0209408110fc69a9c04b2ae96de96432
