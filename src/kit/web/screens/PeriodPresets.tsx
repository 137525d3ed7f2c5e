import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayInJerusalem, type Period } from '#domain/day.ts'
import { DayField } from '../fields/DayField.tsx'
import { Button } from '../parts/Button.tsx'
import { useWords } from '../words.tsx'
import { askVatPeriods, presets } from './periods.ts'

/** The common periods, and two days for the rest. */
export function PeriodPresets({ value, onChange }: { value: Period; onChange: (period: Period) => void }) {
  const t = useWords()
  const [from, setFrom] = useState<string | null>(value.from)
  const [to, setTo] = useState<string | null>(value.to)
  const { data: vatPeriodOn } = useQuery({ queryKey: ['vatPeriods'], queryFn: askVatPeriods })
  return (
    <div className="grid gap-4">
      <div className="d-presets">
        {presets(dayInJerusalem(new Date()), vatPeriodOn ?? undefined).map(({ key, period }) => (
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
      <form
        className="grid gap-3"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (from && to && from <= to) onChange({ from, to })
        }}
      >
        <div className="grid grid-cols-2 gap-3">
          <DayField label={t('kit.fields.from')} value={from} onChange={setFrom} />
          <DayField label={t('kit.fields.to')} value={to} onChange={setTo} />
        </div>
        <Button kind="primary" size="s" type="submit" isDisabled={!from || !to || from > to}>
          {t('kit.actions.show')}
        </Button>
      </form>
    </div>
  )
}
