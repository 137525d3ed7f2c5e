import { ChartColumn } from 'lucide-react'
import { useState } from 'react'
import { factNamed, type Question } from '#domain/questions/model.ts'
import { BarChart, type BarSeries } from '#kit/web/parts/BarChart.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { useWords, type Words } from '#kit/web/words/words.tsx'
import type { Answer } from '../endpoints.ts'
import { keyWords, measureWords } from './shown.ts'

const mostBars = 24
const colors = [1, 2, 3, 4, 5, 6] as const

/**
 * The first measure as bars: along the rows, a series for each column. A result with too many bars, or below zero,
 * is shown by the table alone.
 */
function drawn(
  t: Words,
  question: Question,
  answer: Answer,
): { names: string[]; series: BarSeries[] } | undefined {
  const place = question.measures.findIndex(
    ({ name, as }) => as === 'value' && factNamed(question.fact).measures[name]!.kind === 'money',
  )
  if (
    place < 0 ||
    question.rows.length !== 1 ||
    answer.rows.length < 2 ||
    answer.rows.length > mostBars ||
    answer.columns.length > colors.length
  )
    return undefined
  const names = answer.rows.map((row) =>
    row.others ? t('questions.others') : keyWords(t, question.rows[0]!, row.keys[0]!, row.names[0] ?? null),
  )
  const series = answer.columns.length
    ? answer.columns.map(({ key, name }, n): BarSeries => ({
        name: keyWords(t, question.column!, key, name),
        color: colors[n]!,
        values: answer.rows.map((row) => row.cells[n]?.[place] ?? 0),
      }))
    : [
        {
          name: measureWords(t, question.fact, question.measures[place]!),
          color: 1 as const,
          values: answer.rows.map((row) => row.total[place] ?? 0),
        },
      ]
  return series.some(({ values }) => values.some((value) => value < 0)) ? undefined : { names, series }
}

export function PivotChart({ question, answer }: { question: Question; answer: Answer }) {
  const t = useWords()
  const [isShown, setShown] = useState(false)
  const chart = drawn(t, question, answer)
  if (!chart) return null
  return (
    <>
      <div className="q-tools">
        <Button kind="quiet" size="s" icon={ChartColumn} pressed={isShown} onPress={() => setShown(!isShown)}>
          {t(isShown ? 'questions.hideChart' : 'questions.showChart')}
        </Button>
      </div>
      {isShown && (
        <div className="q-chart">
          <BarChart
            title={t(`questions.facts.${question.fact}`)}
            months={chart.names.map((name) => (name.length > 11 ? `${name.slice(0, 10)}…` : name))}
            series={chart.series}
            along={t(`questions.dimensions.${question.rows[0]!}`)}
            now={-1}
          />
        </div>
      )}
    </>
  )
}
