import { CalendarDays, ChevronDown } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { Period } from '#domain/day.ts'
import { formatDay, formatPeriod } from '#domain/format.ts'
import { Button } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Num } from '../parts/Num.tsx'
import { Popover } from '../parts/Popover.tsx'
import { Skeleton } from '../parts/Skeleton.tsx'
import { useWords } from '../words/words.tsx'
import { fetchPart } from '../calls/fetchPart.ts'
import './screens.css'

const PeriodPresets = lazy(() =>
  fetchPart(() => import('./PeriodPresets.tsx')).then(({ PeriodPresets }) => ({ default: PeriodPresets })),
)

/** A period as it is said: each end its own island, so that the range begins on the reading side. */
export function PeriodWords({ period }: { period: Period }) {
  const whole = formatPeriod(period)
  // '01/2026' and '2026' are one figure; two days are two.
  if (!whole.includes('–') || whole.length <= 15) return <Num>{whole}</Num>
  return (
    <>
      <Num>{formatDay(period.from)}</Num> – <Num>{formatDay(period.to)}</Num>
    </>
  )
}

/** The period of a report: the common ones at a press, or two days. */
export function PeriodChoice({ value, onChange }: { value: Period; onChange: (period: Period) => void }) {
  const t = useWords()
  return (
    <Popover
      label={t('kit.reports.period')}
      trigger={
        <Button kind="soft" size="s" icon={CalendarDays} className="d-period">
          <span className="vh">{t('kit.reports.period')}: </span>
          <span>
            <PeriodWords period={value} />
          </span>
          <Icon of={ChevronDown} size="s" />
        </Button>
      }
    >
      {(close) => (
        <Suspense fallback={<Skeleton lines={4} />}>
          <PeriodPresets
            value={value}
            onChange={(period) => {
              onChange(period)
              close()
            }}
          />
        </Suspense>
      )}
    </Popover>
  )
}
