import type { Field, Fields } from '#kit/fields/field.ts'

export interface ReportColumn extends Field {
  /** Shown in bold bands over pairs (debit, credit). */
  band?: string
  /** Shown only when some row has a value in it: a comparison nobody asked for takes no room. */
  whenFilled?: boolean
  /** The heading where that is not a translated word: a year. */
  heading?: string
  /** The value of a row that is the path this column's own link leads to; the row itself leads to `open`. */
  opens?: string
  /**
   * Names a row and carries its link. Without it the first text that no row lacks does, so a report whose first text may
   * be empty says it: otherwise the link would move with the data.
   */
  names?: boolean
  /** The figure a phone's card shows; the last one when none says so. */
  main?: boolean
}

/** What the browser and the paper get of a report besides its rows. */
export interface ReportShape {
  name: string
  /** Word keys start with this: `.title`, `.columns.<name>`, `.filters.<name>`, `.checks.<name>`. */
  words: string
  /** The name its author gave it; it is not translated. */
  title?: string
  /** What was asked, in words, where the filters do not say it. */
  told?: readonly string[]
  columns: Record<string, ReportColumn>
  filters: Fields
  totals: string[]
  /** The column whose change starts a new group. */
  group?: string
  /** Whether it can be shown beside another period. */
  compares?: true
  /** Whether it can be shown beside the budget. */
  budgets?: true
  /** Where a failing check is shown line by line. */
  explained?: Record<string, string>
  /** Where what a check asks for is entered: a path, and the word of the screen. */
  entered?: Record<string, { path: string; word: string }>
}

/**
 * A value per column, and for columns of kind `ref` the shown name; `open` is the path of the application a
 * click leads to; `groupName` what the group's code is called; `sum` marks a line that is no record of its
 * own (an opening balance).
 */
export type ReportRow = Record<string, string | number | boolean | null>

export interface ReportCheck {
  name: string
  ok: boolean
  /** By how much it fails, where that is known. */
  apartAgorot?: number
}

export interface ReportAnswer {
  shape: ReportShape
  /** The filters as they were understood. */
  filters: Record<string, unknown>
  rows: ReportRow[]
  totals: Record<string, number>
  /**
   * How many rows are here where there are more: a file holds them all. Totals and checks are those of all;
   * where they are not known they are left out.
   */
  cut?: number
  /** How many rows there are, where not all of them are here and it is known. */
  of?: number
  /** What must hold, and whether it did. */
  checks: ReportCheck[]
}

/** An entry of the list of reports. */
export interface ReportListing {
  name: string
  words: string
  /** The name its author gave it. */
  title?: string
  group: string
  /** The path of its screen. */
  path: string
  /** What it asks for, so that a screen can ask before it runs the report. */
  filters: Fields
}
