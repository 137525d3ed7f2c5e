import { CalendarDays } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { addDays, dayInJerusalem, parseDay, type Day } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { useWords } from '../words/words.tsx'
import { Button } from '../parts/Button.tsx'
import { FieldShell, InputBox, useFieldIds, type FieldProps } from './Field.tsx'
import { TypedInput } from './TypedInput.tsx'
import { useTyped } from './useTyped.ts'
import { fetchPart } from '../calls/fetchPart.ts'

const CalendarPopover = lazy(() => fetchPart(() => import('./CalendarPopover.tsx')))

/** Two digits alone are a day of the month of `of`. */
const readDay = (text: string, of: Day): Day | undefined =>
  parseDay(/^\s*\d{1,2}\s*$/.test(text) ? `${text.trim()}/${of.slice(5, 7)}` : text, of)

export interface DayFieldProps extends FieldProps<Day | null> {
  min?: Day
  max?: Day
}

/**
 * A day, typed as people write it (31, 31/12, 311226, 1.2.26) or taken from a calendar; what is not typed of
 * it, the month or the year, is that of the day that stood there, or else this one. Arrow up and down move by
 * a day, Alt+ArrowDown opens the calendar. It is shown 31/12/2026 in every language.
 */
export function DayField(props: DayFieldProps) {
  const t = useWords()
  const box = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  // While it is typed, every readable part of it is a value already.
  const stood = useRef(props.value)
  const typed = useTyped<Day>({
    ...props,
    read: (text) => readDay(text, stood.current ?? dayInJerusalem(new Date())),
    show: formatDay,
    refusal: 'kit.errors.day',
  })
  const error = props.error ?? typed.problem
  const ids = useFieldIds({ ...props, error })
  return (
    <FieldShell {...props} error={error} ids={ids}>
      <InputBox error={error} bare={props.bare} boxRef={box}>
        <TypedInput
          of={{
            ...props,
            onFocus: () => {
              stood.current = props.value
              props.onFocus?.()
            },
          }}
          typed={typed}
          control={ids.control}
          inputMode="numeric"
          placeholder={t('kit.day.pattern')}
          onKeyDown={(event) => {
            const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
            if (event.altKey && event.key === 'ArrowDown') setOpen(true)
            else if (step !== 0 && !props.readOnly)
              typed.put(addDays(props.value ?? dayInJerusalem(new Date()), props.value ? step : 0))
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
