import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import {
  addMonths,
  endOfMonth,
  isDay,
  monthPeriod,
  parseDay,
  quarterPeriod,
  yearPeriod,
  type Period,
} from '#domain/day.ts'
import { formatPeriod } from '#domain/format.ts'
import { useToday } from '../hooks/clock.ts'
import { Button } from '../parts/Button.tsx'
import { Popover } from '../parts/Popover.tsx'
import { useWords } from '../words/words.tsx'
import { DayField } from './DayField.tsx'
import { FieldShell, InputBox, useFieldIds, type FieldProps } from './Field.tsx'
import { TypedInput } from './TypedInput.tsx'
import { useTyped } from './useTyped.ts'

/** Reads '2026', '01/2026', '1-2/2026', '12/2025–01/2026', '1/9/2026-31/10/2026' and a single day. */
export function readPeriod(text: string): Period | undefined {
  const plain = text.replace(/[\u200e\u200f\u2066-\u2069\s]/g, '').replace(/–/g, '-')
  const month = (year: string, one: string) => `${year}-${one.padStart(2, '0')}-01`
  const made = (from: string, last: string): Period | undefined =>
    isDay(from) && isDay(last) && from <= last ? { from, to: endOfMonth(last) } : undefined
  let found = /^(\d{4})$/.exec(plain)
  if (found) return made(month(found[1]!, '1'), month(found[1]!, '12'))
  found = /^(\d{1,2})(?:-(\d{1,2}))?[/.](\d{4})$/.exec(plain)
  if (found) return made(month(found[3]!, found[1]!), month(found[3]!, found[2] ?? found[1]!))
  found = /^(\d{1,2})[/.](\d{4})-(\d{1,2})[/.](\d{4})$/.exec(plain)
  if (found) return made(month(found[2]!, found[1]!), month(found[4]!, found[3]!))
  const [first, second] = plain.split('-')
  const from = first && parseDay(first)
  const to = second === undefined ? from : parseDay(second, from || undefined)
  return from && to && from <= to ? { from, to } : undefined
}

/** The periods people ask for, by today. */
const common = (today: string): [key: string, period: Period][] => [
  ['thisMonth', monthPeriod(today)],
  ['lastMonth', monthPeriod(addMonths(today, -1))],
  ['thisQuarter', quarterPeriod(today)],
  ['thisYear', yearPeriod(today)],
  ['lastYear', yearPeriod(addMonths(today, -12))],
]

/** A stretch of days: typed (01/2026, 1-2/2026, 2026), taken from the common ones, or given by two days. */
export function PeriodField(props: FieldProps<Period | null>) {
  const t = useWords()
  const typed = useTyped<Period>({
    ...props,
    read: readPeriod,
    show: formatPeriod,
    refusal: 'kit.errors.period',
  })
  const error = props.error ?? typed.problem
  const ids = useFieldIds({ ...props, error })
  return (
    <FieldShell {...props} error={error} ids={ids}>
      <InputBox error={error} bare={props.bare}>
        <TypedInput of={props} typed={typed} control={ids.control} placeholder={t('kit.period.pattern')} />
        {!props.disabled && !props.readOnly && (
          <Popover
            label={t('kit.period.choose', { field: props.label })}
            placement="bottom end"
            trigger={
              <Button
                kind="quiet"
                size="s"
                icon={ChevronDown}
                label={t('kit.period.choose', { field: props.label })}
              />
            }
          >
            {(close) => (
              <PeriodPicker
                value={props.value}
                onChange={(period) => {
                  typed.put(period)
                  close()
                }}
              />
            )}
          </Popover>
        )}
      </InputBox>
    </FieldShell>
  )
}

/** The inside of the window: common periods and two days. Also the filter of a list. */
export function PeriodPicker({
  value,
  onChange,
}: {
  value: Period | null
  onChange: (period: Period) => void
}) {
  const t = useWords()
  const today = useToday()
  const [from, setFrom] = useState(value?.from ?? null)
  const [to, setTo] = useState(value?.to ?? null)
  const pick = (nextFrom: string | null, nextTo: string | null) => {
    setFrom(nextFrom)
    setTo(nextTo)
  }
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        {common(today).map(([key, period]) => (
          <Button
            key={key}
            size="s"
            kind={value?.from === period.from && value.to === period.to ? 'soft' : 'plain'}
            onPress={() => onChange(period)}
          >
            {t(`kit.period.${key}`)}
          </Button>
        ))}
      </div>
      <div className="grid grid-cols-2 gap-2">
        <DayField label={t('kit.fields.from')} value={from} onChange={(day) => pick(day, to)} />
        <DayField label={t('kit.fields.to')} value={to} onChange={(day) => pick(from, day)} />
      </div>
      <Button
        kind="soft"
        size="s"
        isDisabled={!from || !to || from > to}
        onPress={() => from && to && onChange({ from, to })}
      >
        {t('kit.actions.show')}
      </Button>
    </div>
  )
}
