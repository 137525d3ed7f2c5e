import type { LanguageCode } from '../../languages.ts'
import type { Code6111, Part6111 } from '../../ledger/codes6111.ts'

export type FormPart = 'profitAndLoss' | 'taxAdjustment' | 'balanceSheet'

/** The language of the names: they are the form's own words. */
export const formLanguage: LanguageCode = 'he'

export interface FormCode {
  readonly code: number
  readonly part: FormPart
  readonly name: string
}

const parts: Record<Part6111, FormPart> = {
  profit: 'profitAndLoss',
  adjustment: 'taxAdjustment',
  balance: 'balanceSheet',
}
const order: readonly FormPart[] = ['profitAndLoss', 'taxAdjustment', 'balanceSheet']

/** The codes of a tax year, as the books know them, the way the form has them: part by part and rising. */
export const formCodes = (codes: readonly Code6111[]): FormCode[] =>
  codes
    .map(({ code, name, part }) => ({ code: Number(code), name, part: parts[part] }))
    .toSorted((a, b) => order.indexOf(a.part) - order.indexOf(b.part) || a.code - b.code)
