import { CalendarDays } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { addDays, dayInJerusalem, parseDay, type Day } from '../../../domain/day.ts'
import { formatDay } from '../../../domain/format.ts'
import { useWords } from '../words.tsx'
import { Button } from '../parts/Button.tsx'
import { FieldShell, InputBox, useFieldIds, type FieldProps } from './Field.tsx'
import { TypedInput } from './TypedInput.tsx'
import { useTyped } from './useTyped.ts'
import { fetchPart } from '../fetchPart.ts'

const CalendarPopover = lazy(() => fetchPart(() => import('./CalendarPopover.tsx')))

export interface DayFieldProps extends FieldProps<Day | null> {
  min?: Day
  max?: Day
}

/**
 * A day, typed as people write it (31/12, 311226, 1.2.26; without a year it is this one) or taken from a calendar. Arrow up and down
 * move by a day, Alt+ArrowDown opens the calendar. It is shown 31/12/2026 in every language.
 */
export function DayField(props: DayFieldProps) {
  const t = useWords()
  const box = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const typed = useTyped<Day>({
    ...props,
    read: (text) => parseDay(text, dayInJerusalem(new Date())),
    show: formatDay,
    refusal: 'kit.errors.day',
  })
  const error = props.error ?? typed.problem
  const ids = useFieldIds({ ...props, error })
  return (
    <FieldShell {...props} error={error} ids={ids}>
      <InputBox error={error} bare={props.bare} boxRef={box}>
        <TypedInput
          of={props}
          typed={typed}
          control={ids.control}
          inputMode="numeric"
          placeholder={t('kit.day.pattern')}
          onKeyDown={(event) => {
            const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
            if (event.altKey && event.key === 'ArrowDown') setOpen(true)
            else if (step !== 0 && !props.readOnly) typed.put(addDays(props.value ?? dayInJerusalem(new Date()), props.value ? step : 0))
            else return props.onKeyDown?.(event)
            event.preventDefault()
          }}
        />
        {!props.disabled && !props.readOnly && (
          <Button
            kind="quiet"
            size="s"
            icon={CalendarDays}
            label={t('kit.day.open', { field: props.label })}
            hasPopup="dialog"
            expanded={isOpen}
            onPress={() => setOpen(true)}
          />
        )}
      </InputBox>
      {isOpen && (
        <Suspense>
          <CalendarPopover
            anchor={box}
            label={props.label}
            value={props.value}
            min={props.min}
            max={props.max}
            onClose={() => setOpen(false)}
            onPick={(day) => {
              typed.put(day)
              setOpen(false)
            }}
          />
        </Suspense>
      )}
    </FieldShell>
  )
}
