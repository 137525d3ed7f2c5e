import { useQuery } from '@tanstack/react-query'
import type { Period } from '#domain/day.ts'
import { TwoDays } from '../fields/TwoDays.tsx'
import { Button } from '../parts/Button.tsx'
import { useToday } from '../hooks/clock.ts'
import { useWords } from '../words/words.tsx'
import { askVatPeriods, presets } from './periods.ts'

/** The common periods, and two days for the rest. */
export function PeriodPresets({ value, onChange }: { value: Period; onChange: (period: Period) => void }) {
  const t = useWords()
  const today = useToday()
  const { data: vatPeriodOn } = useQuery({ queryKey: ['vatPeriods'], queryFn: askVatPeriods })
  return (
    <div className="grid gap-4">
      <div className="d-presets">
        {presets(today, vatPeriodOn ?? undefined).map(({ key, period }) => (
          <Button
            key={key}
            size="s"
            kind={value.from === period.from && value.to === period.to ? 'soft' : 'plain'}
            onPress={() => onChange(period)}
          >
            {t(`kit.reports.periods.${key}`)}
          </Button>
        ))}
      </div>
      <TwoDays start={value} onChange={onChange} />
    </div>
  )
}
