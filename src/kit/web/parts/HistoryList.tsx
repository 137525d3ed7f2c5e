import type { LucideIcon } from 'lucide-react'
import { formatMoment } from '#domain/format.ts'
import { Card, Rows } from './Card.tsx'
import { Icon } from './Icon.tsx'
import { Num } from './Num.tsx'

export interface HistoryLine {
  icon: LucideIcon
  /** What was done. */
  title: string
  /** By whom; nobody when the system did it. */
  who: string | null
  at: string
}

/** Who did what to a paper and when, in the order it is given. `empty` is said when nothing was done. */
export function HistoryList({
  label,
  lines,
  empty,
}: {
  label: string
  lines: readonly HistoryLine[]
  empty?: string
}) {
  return (
    <Card label={label}>
      {lines.length === 0 && empty ? (
        <p className="hint">{empty}</p>
      ) : (
        <Rows>
          {lines.map(({ icon, title, who, at }, i) => (
            <div key={i}>
              <span className="k-tile">
                <Icon of={icon} />
              </span>
              <span className="grow">
                <span className="t">{title}</span>
                <span className="s">
                  {who && (
                    <>
                      <bdi>{who}</bdi> ·{' '}
                    </>
                  )}
                  <Num>{formatMoment(new Date(at))}</Num>
                </span>
              </span>
            </div>
          ))}
        </Rows>
      )}
    </Card>
  )
}
