import { periodOfKey, dimensionNamed, type DimensionName, type Question } from '#domain/questions/model.ts'
import type { Day } from '#domain/day.ts'

type Say = (key: string, params?: Record<string, string | number>) => string

/** The word of what is asked about. */
export const factsOfQuestion = ({ fact }: Pick<Question, 'fact'>): string => `questions.facts.${fact}`

/**
 * A key of a row or a column as people say it: a month as 07/2026, a word in their language, a record by its
 * name.
 */
export function saidKey(
  t: Say,
  dimension: DimensionName,
  key: string,
  name: string | null,
  formatDay: (day: Day) => string,
): string {
  if (key === '') return t('questions.none')
  const { kind, words } = dimensionNamed(dimension)
  if (kind === 'choice') return t(`${words}.${key}`)
  if (kind === 'record') return name ?? t('questions.none')
  if (kind === 'text') return key
  if (dimension === 'quarter') return t('questions.quarter', { quarter: key.slice(6), year: key.slice(0, 4) })
  if (dimension === 'month') return `${key.slice(5)}/${key.slice(0, 4)}`
  const period = dimension === 'day' || dimension === 'week' ? periodOfKey(dimension, key) : undefined
  return period ? formatDay(period.from) : key
}
