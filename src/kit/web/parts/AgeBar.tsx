import type { ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatNumber } from '#domain/format.ts'
import { toWholeShekels, type Agorot } from '#domain/money.ts'
import { Num } from './Num.tsx'

export interface AgeBarProps {
  /** From not yet due to the oldest, at most five. */
  ages: readonly { label: ReactNode; amount: Agorot; href?: string }[]
  label: string
}

/** Open debts by age: one bar from green to red, and the same as a table, whose figures open. */
export function AgeBar({ ages, label }: AgeBarProps) {
  const total = ages.reduce((sum, age) => sum + Math.max(0, age.amount), 0)
  return (
    <div>
      {total > 0 && (
        <div className="k-age" aria-hidden>
          {ages.map(
            (age, i) =>
              age.amount > 0 && (
                <i key={i} style={{ flex: age.amount / total, background: `var(--age-${i})` }} />
              ),
          )}
        </div>
      )}
      <table className="w-full" aria-label={label}>
        <tbody>
          {ages.map((age, i) => (
            <tr key={i}>
              <th scope="row" className="h-6.5 text-start font-normal touch:h-11">
                <span
                  className="k-legend text-13! text-ink-2!"
                  style={{ '--c': `var(--age-${i})` } as React.CSSProperties}
                >
                  {age.label}
                </span>
              </th>
              <td className="w-px text-right">
                {age.amount === 0 ? (
                  <span className="hint">–</span>
                ) : age.href ? (
                  <Link
                    href={age.href}
                    className="inline-block py-0.5 hover:underline touch:min-w-11 touch:py-2.5"
                  >
                    <Num>{formatNumber(toWholeShekels(age.amount))}</Num>
                  </Link>
                ) : (
                  <Num>{formatNumber(toWholeShekels(age.amount))}</Num>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
