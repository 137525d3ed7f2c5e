import type { ReportAnswer, ReportRow } from '#kit/describe/report.ts'
import { canGroup, mainFigure } from '#kit/describe/reportView.ts'
import { MoneyCell } from '../fields/cells.tsx'
import { useWords } from '../words/words.tsx'

/** So many bars can be distinguished; the rest is one bar. */
const most = 12

/**
 * The main figure of a report as bars by its group, else by what names its rows; the table under it is what
 * it is made of.
 */
export function ReportChart({ answer: { shape, rows }, heading }: { answer: ReportAnswer; heading: string }) {
  const t = useWords()
  const figure = mainFigure(shape)
  const by = shape.group ?? Object.keys(shape.columns).find((name) => canGroup(shape.columns[name]!))
  if (!figure || !by) return null
  const field = shape.columns[by]!
  const nameOf = (row: ReportRow): string => {
    const value = String(row[by] ?? '')
    return field.kind === 'choice' && value ? t(`${field.words ?? `${shape.words}.${by}`}.${value}`) : value
  }
  const sums = new Map<string, number>()
  for (const row of rows)
    if (!row.sum) sums.set(nameOf(row), (sums.get(nameOf(row)) ?? 0) + Number(row[figure] ?? 0))
  const all = [...sums]
    .filter(([, agorot]) => agorot !== 0)
    .toSorted(([, a], [, b]) => Math.abs(b) - Math.abs(a))
  const bars = all.slice(0, all.length > most ? most - 1 : most)
  const rest = all.slice(bars.length).reduce((sum, [, agorot]) => sum + agorot, 0)
  const shown: [string, number][] =
    all.length > bars.length ? [...bars, [t('kit.reports.others'), rest]] : bars
  const longest = Math.max(1, ...shown.map(([, agorot]) => Math.abs(agorot)))
  return (
    <ul className="d-bars" aria-label={t('kit.reports.chartOf', { report: heading })}>
      {shown.map(([name, agorot]) => (
        <li key={name}>
          <span className="name cut" title={name}>
            {name || '–'}
          </span>
          <span className="bar" aria-hidden="true">
            <i
              data-below={agorot < 0 ? '' : undefined}
              style={{ inlineSize: `${(Math.abs(agorot) / longest) * 100}%` }}
            />
          </span>
          <MoneyCell value={agorot} zero="show" />
        </li>
      ))}
    </ul>
  )
}
