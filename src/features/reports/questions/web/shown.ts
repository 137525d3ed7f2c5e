import {
  formatDay,
  formatMoney,
  formatNumber,
  formatPercent,
  formatPeriod,
  formatQuantity,
} from '#domain/format.ts'
import type { LanguageCode } from '#domain/languages.ts'
import {
  dimensionNamed,
  factNamed,
  periodOf,
  type AskedMeasure,
  type AskedPeriod,
  type DimensionName,
  type FactName,
  type Question,
} from '#domain/questions/model.ts'
import type { Day } from '#domain/day.ts'
import type { Words } from '#kit/web/words/words.tsx'
import { saidKey } from '../said.ts'

/** Features whose words the choices of a question are said in. */
export const choiceWords = ['documents', 'accounts', 'ledger', 'expenses'] as const

export const keyWords = (t: Words, dimension: DimensionName, key: string, name: string | null): string =>
  saidKey(t, dimension, key, name, formatDay)

/** What a figure of a fact is called, and how it is shown. */
export const measureWords = (t: Words, fact: FactName, { name, as }: AskedMeasure): string =>
  as === 'value'
    ? t(`questions.measures.${fact}.${name}`)
    : t(`questions.as.${as}Of`, { measure: t(`questions.measures.${fact}.${name}`) })

export function figureText(
  value: number | null,
  fact: FactName,
  { name, as }: AskedMeasure,
  language: LanguageCode,
): string {
  if (value === null) return ''
  if (as === 'share') return formatPercent(value, language)
  const { kind } = factNamed(fact).measures[name]!
  return kind === 'money'
    ? formatMoney(value)
    : kind === 'quantity'
      ? formatQuantity(value)
      : formatNumber(value)
}

/** Periods people ask for, all of which move with time. */
export const presets = {
  thisMonth: { unit: 'month', from: 0, to: 0 },
  lastMonth: { unit: 'month', from: -1, to: -1 },
  thisQuarter: { unit: 'quarter', from: 0, to: 0 },
  lastQuarter: { unit: 'quarter', from: -1, to: -1 },
  thisYear: { unit: 'year', from: 0, to: 0 },
  lastYear: { unit: 'year', from: -1, to: -1 },
  thisAndLastYear: { unit: 'year', from: -1, to: 0 },
  last12Months: { unit: 'month', from: -12, to: -1 },
  last30Days: { unit: 'day', from: -29, to: 0 },
} as const satisfies Record<string, AskedPeriod>
export type PresetName = keyof typeof presets

export const presetOf = (period: AskedPeriod): PresetName | undefined =>
  (Object.keys(presets) as PresetName[]).find(
    (name) => JSON.stringify(presets[name]) === JSON.stringify(period),
  )

/** A period as its name and its days: what moves with time says both. */
export function periodWords(
  t: Words,
  asked: AskedPeriod,
  today: Day,
): { name: string | undefined; days: string } {
  const preset = presetOf(asked)
  return { name: preset && t(`questions.periods.${preset}`), days: formatPeriod(periodOf(asked, today)) }
}

/** The question in its address, short enough to be sent to somebody. */
export const writeAsk = (question: Question): string => JSON.stringify(question)

/** Removes a dimension from wherever it is. */
export const without = (question: Question, name: DimensionName): Question => ({
  ...question,
  rows: question.rows.filter((one) => one !== name),
  column: question.column === name ? null : question.column,
})

/** The order that suits the first dimension: time ascending, names by their value. */
export const fittingSort = (question: Question): Question => {
  const first = question.rows[0]
  const isOwn = first === undefined || ['time', 'choice'].includes(dimensionNamed(first).kind)
  return {
    ...question,
    sort: isOwn && !question.top ? 'own' : question.sort === 'own' ? 'most' : question.sort,
    top: first ? question.top : null,
  }
}
