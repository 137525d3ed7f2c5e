import type { Field, Fields } from '../fields/field.ts'

export interface ReportColumn extends Field {
  /** Shown in bold bands over pairs (debit, credit). */
  band?: string
}

/** What the browser and the paper get of a report besides its rows. */
export interface ReportShape {
  name: string
  columns: Record<string, ReportColumn>
  filters: Fields
  totals: string[]
  /** The column whose change starts a new group. */
  group?: string
}

export type ReportRow = Record<string, string | number | boolean | null> & {
  /** Where a click leads: a path of the application. */
  open?: string
}

export interface ReportAnswer {
  shape: ReportShape
  rows: ReportRow[]
  totals: Record<string, number>
  /** What must hold, and whether it did. */
  checks: { name: string; ok: boolean }[]
}
