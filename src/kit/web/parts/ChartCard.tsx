import { Table2, type LucideIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatNumber } from '#domain/format.ts'
import { toWholeShekels, type Agorot } from '#domain/money.ts'
import { useWords } from '../words/words.tsx'
import { Button } from './Button.tsx'
import { Card } from './Card.tsx'
import { Num } from './Num.tsx'

/** What a drawing shows of one thing: its name, its colour of the charts', its values one for each row. */
export interface Drawn {
  name: string
  color: number
  values: readonly Agorot[]
}

/**
 * A card with a drawing, its legend in the head, and behind it, one press away, the table of the same
 * figures.
 */
export function ChartCard({
  title,
  hint,
  icon,
  series,
  rows,
  along,
  end,
  isSaid = () => true,
  children,
}: {
  title: string
  hint?: string | undefined
  /** The drawing, beside the way back to it. */
  icon: LucideIcon
  series: readonly Drawn[]
  /** What each row of the table is called. */
  rows: readonly string[]
  /** What the rows are. */
  along: string
  /** In the head beside the legend. */
  end?: ReactNode
  /** Whether the table says a row. */
  isSaid?: (row: number) => boolean
  children: ReactNode
}) {
  const t = useWords()
  const [asTable, setAsTable] = useState(false)
  return (
    <Card
      title={title}
      hint={hint}
      end={
        <>
          {series.map(({ name, color }) => (
            <span
              key={name}
              className="k-legend"
              style={{ '--c': `var(--chart-${color})` } as React.CSSProperties}
            >
              {name}
            </span>
          ))}
          {end}
          <Button
            kind="quiet"
            size="xs"
            icon={asTable ? icon : Table2}
            label={t(asTable ? 'kit.chart.asChart' : 'kit.chart.asTable')}
            onPress={() => setAsTable(!asTable)}
          />
        </>
      }
    >
      {asTable ? (
        <table className="k-mini" aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{along}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col" className="amount">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) =>
              isSaid(i) ? (
                <tr key={i}>
                  <th scope="row">{row}</th>
                  {series.map(({ name, values }) => (
                    <td key={name} className="amount">
                      <Num>{formatNumber(toWholeShekels(values[i] ?? 0))}</Num>
                    </td>
                  ))}
                </tr>
              ) : null,
            )}
          </tbody>
        </table>
      ) : (
        children
      )}
    </Card>
  )
}
