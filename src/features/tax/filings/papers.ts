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
