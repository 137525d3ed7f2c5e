import type { Day } from '../day.ts'
import type { LawSource } from './dated.ts'

/** The version of an authority's form or file that the product writes, where it was read, and for which years. */
export interface FormVersion {
  readonly version: string
  readonly source: LawSource
  readonly checked: Day
  /** The last tax year for which this version is known to be in force; null where versions have no years. */
  readonly toYear: number | null
}

export const formNames = ['uniform', 'pcn874', 'form6111', 'system1000', 'masav'] as const
export type FormName = (typeof formNames)[number]

export const formVersions: Readonly<Record<FormName, FormVersion>> = {
  uniform: {
    version: '1.31',
    // Instructions for keeping books, annex on the uniform structure, version 1.31.
    source: 'uniform',
    checked: '2026-11-20',
    toYear: null,
  },
  pcn874: {
    version: 'PCN874',
    // Tax Authority, structure of the detailed VAT report and its error codes.
    source: 'detailedVat',
    checked: '2026-11-20',
    toYear: null,
  },
  form6111: {
    version: '2023',
    // Tax Authority, specification for tax year 2023, letter of 7 January 2024.
    source: 'form6111',
    checked: '2026-11-20',
    toYear: 2023,
  },
  system1000: {
    version: 'D',
    // Practice of bookkeeping programs, October 2022.
    source: 'practice',
    checked: '2026-11-20',
    toYear: null,
  },
  masav: {
    version: '128',
    // Open implementations that agree; the official description was not seen.
    source: 'open',
    checked: '2026-11-20',
    toYear: null,
  },
}

/** The last tax year a form is known for, where the asked one is after it. */
export function formUnknownIn(form: FormName, year: number): number | undefined {
  const { toYear } = formVersions[form]
  return toYear !== null && year > toYear ? toYear : undefined
}
