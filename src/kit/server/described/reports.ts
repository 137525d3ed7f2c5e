import type { Day } from '#domain/day.ts'
import { formatMoney } from '#domain/format.ts'
import type { ReportAnswer, ReportColumn, ReportRow, ReportShape } from '#kit/describe/report.ts'
import type { MenuGroup } from '#kit/describe/screen.ts'
import { forbidden } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Fields } from '#kit/fields/field.ts'
import type { Ctx, Language } from '../context.ts'
import type { ExportColumn } from './exports/table.ts'
import { say } from '../words.ts'

export interface Report {
  name: string
  feature: string
  /** Its place among the reports. */
  group: 'own' | Extract<MenuGroup, 'sales' | 'people' | 'purchases' | 'stock' | 'money' | 'books' | 'tax'>
  path: string
  allow: string
  /**
   * The limited rights its rows respect: people with only their own customers, people with some types of documents.
   * A report that names nobody shows the business whole, and is refused to people who see a part of it.
   */
  respects?: readonly ('ownCustomers' | 'documentTypes')[]
  filters: Fields
  columns: Record<string, ReportColumn>
  /** Headings that follow from what was asked, by column. */
  headings?: (filters: never, today: Day, language: Language) => Record<string, string>
  /** The columns that name a row: where they are said, the report can be shown beside another period. */
  key?: readonly string[]
  /**
   * Which account's budget its rows stand against: where it is said, the report can be shown beside the
   * budget.
   */
  budget?: ReportBudget
  /** The filter it compares by; a view that asks for a comparison sets it. */
  vsFilter?: string
  /** Columns of kind money or number whose sum is shown. */
  totals: string[]
  /** The column whose change starts a new group; rows come in its order. */
  groupBy?: string
  /** `most` rows are enough where it is said; a report that can be long asks the database for no more. */
  rows: (ctx: Ctx, filters: never, most: number | null) => Promise<ReportRow[]>
  /**
   * How many rows there are and what they come to, of a report that heeds `most`; without it the totals of a
   * first page are left out.
   */
  sums?: (ctx: Ctx, filters: never) => Promise<{ rows: number; totals: Record<string, number> }>
  /** What must hold of the totals and rows; a report that fails it says so. */
  must?: Record<string, (totals: Record<string, number>, rows: ReportRow[]) => boolean>
  /**
   * What must be nothing, asked of the database and not of the rows: by how much two ways to the same figures
   * are apart.
   */
  apart?: Record<string, (ctx: Ctx, filters: never) => Promise<number>>
  /** Where a failing check is shown line by line: a path that takes the same `from` and `to`. */
  explained?: Record<string, string>
  /** Where what a check asks for is entered: a path, and the word of the screen. */
  entered?: ReportShape['entered']
  /** The name its author gave it; `title` of its words when absent. */
  title?: string
  /**
   * Columns that follow from what was found, with the rows and what they come to: asked instead of `columns`,
   * `totals` and `rows`.
   */
  found?: (ctx: Ctx, filters: never, most: number | null) => Promise<FoundReport>
  /** Refuses a file of a report that may not leave as it is. */
  beforeFile?: (answer: ReportAnswer) => void
}

/** What a report that finds its own columns answers. */
export interface FoundReport extends Pick<Report, 'columns' | 'totals' | 'groupBy'> {
  rows: ReportRow[]
  sums: Record<string, number>
  /** What was asked, in words. */
  told: readonly string[]
}

/** How a row of a report finds its budget. */
export interface ReportBudget {
  /** What of a row is the id of its account; it need not be a column. */
  account: string
  /**
   * Rows, without figures, of accounts that have a budget and in which nothing moved; what is none of this
   * report's is left out.
   */
  missing: (ctx: Ctx, accountIds: readonly string[]) => Promise<ReportRow[]>
}

type FilterValues<F extends Fields> = {
  [K in keyof F]: F[K] extends { need?: true }
    ? NonNullable<F[K]['type']>
    : NonNullable<F[K]['type']> | undefined
}

/** A report is one file: filters, columns, rows, totals, what a click opens, what must be true of it. */
export function defineReport<const F extends Fields>(
  report: Omit<Report, 'filters' | 'rows' | 'sums' | 'headings' | 'apart'> & {
    filters: F
    apart?: Record<string, (ctx: Ctx, filters: FilterValues<F>) => Promise<number>>
    headings?: (filters: FilterValues<F>, today: Day, language: Language) => Record<string, string>
    rows: (ctx: Ctx, filters: FilterValues<F>, most: number | null) => Promise<ReportRow[]>
    sums?: (ctx: Ctx, filters: FilterValues<F>) => Promise<{ rows: number; totals: Record<string, number> }>
  },
): Report {
  return report as unknown as Report
}

/** Whether a caller may open a report: the caller has its rule, and it respects the caller's rights. */
export const mayOpen = ({ caller }: Pick<Ctx, 'caller'>, { allow, respects = [] }: Report): boolean =>
  can(caller, allow) &&
  (!caller.ownCustomersOnly || respects.includes('ownCustomers')) &&
  (caller.docsAllow.length === 0 || respects.includes('documentTypes'))

/** Refuses a caller who may not open a report. */
export function refuseUnlessOpen(ctx: Pick<Ctx, 'caller'>, report: Report): void {
  if (mayOpen(ctx, report)) return
  throw forbidden(can(ctx.caller, report.allow) ? { sight: 'whole' } : { rule: report.allow })
}

/** A report's columns as files show them. */
export const columnsOf = (report: Report, words: string): ExportColumn[] =>
  Object.entries(report.columns).map(([column, field]) => ({
    name: column,
    field,
    title: `${words}.columns.${column}`,
    ...(field.heading === undefined ? {} : { heading: field.heading }),
    words: `${words}.${column}`,
  }))

/**
 * What a report says of itself that does not hold, in words: a file goes on to people who never saw the
 * screen.
 */
export const faultsOf = (ctx: Ctx, { checks, shape }: Pick<ReportAnswer, 'checks' | 'shape'>): string[] =>
  checks
    .filter(({ ok }) => !ok)
    .map(({ name, apartAgorot }) => {
      const check = say(ctx.caller.language, `${shape.words}.checks.${name}`)
      return apartAgorot === undefined
        ? say(ctx.caller.language, 'kit.report.checkFails', { check })
        : say(ctx.caller.language, 'kit.report.checkFailsBy', { check, sum: formatMoney(apartAgorot) })
    })
