import type { Period } from '#domain/day.ts'

/** Figures of advances, statements and withholding, by what they are made of. */
export const paperForms = ['turnover', 'withheldFromUs', 'paid'] as const
export type PaperForm = (typeof paperForms)[number]

/** The documents behind a figure: turnover, tax withheld from the business, or what suppliers were paid. */
export const opensPapers = (
  form: PaperForm,
  { from, to }: Period,
  narrowed: { supplier?: string; kind?: string } = {},
): string => `/invoice/reportfilingpapers?${new URLSearchParams({ form, from, to, ...narrowed })}`

const ofYear = (year: number): Period => ({ from: `${year}-01-01`, to: `${year}-12-31` })

/** What a supplier was paid in a year: a row of form 856. */
export const opensPayee = (supplier: string, year: number): string =>
  opensPapers('paid', ofYear(year), { supplier })

/** The receipts of a year from which a customer withheld tax. */
export const opensReceipts = (year: number, customer?: string): string =>
  `/invoice/reportmakorreceipts?${new URLSearchParams({ ...ofYear(year), ...(customer ? { customer } : {}) })}`

/** The card of an account that a line of form 6111 is made of. */
export const opensCard = (accountId: string, year: number): string =>
  `/invoice/cardskarteset/${accountId}?${new URLSearchParams({ ...ofYear(year) })}`
