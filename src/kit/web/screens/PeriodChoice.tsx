import { useQuery } from '@tanstack/react-query'
import { CalendarDays, ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { dayInJerusalem, type Period } from '../../../domain/day.ts'
import { formatDay, formatPeriod } from '../../../domain/format.ts'
import { DayField } from '../fields/DayField.tsx'
import { Button } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Num } from '../parts/Num.tsx'
import { Popover } from '../parts/Popover.tsx'
import { useWords } from '../words.tsx'
import { askVatMonths, presets } from './periods.ts'

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
        <Inside
          value={value}
          onChange={(period) => {
            onChange(period)
            close()
          }}
        />
      )}
    </Popover>
  )
}

function Inside({ value, onChange }: { value: Period; onChange: (period: Period) => void }) {
  const t = useWords()
  const [from, setFrom] = useState<string | null>(value.from)
  const [to, setTo] = useState<string | null>(value.to)
  const { data: vatMonths } = useQuery({ queryKey: ['vatMonths'], queryFn: askVatMonths, staleTime: Infinity })
  return (
    <div className="grid gap-4">
      <div className="d-presets">
        {presets(dayInJerusalem(new Date()), vatMonths ?? undefined).map(({ key, period }) => (
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
