import type { ComponentProps } from 'react'
import { addDays } from '#domain/day.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { useWords } from '#kit/web/words/words.tsx'

/** Why somebody pauses, skips or ends an order; the business and its customer say it alike. */
export function ReasonField(given: Omit<ComponentProps<typeof TextField>, 'label' | 'max'>) {
  return <TextField label={useWords()('standingOrders.fields.reason')} max={300} {...given} />
}

/** The day a pause ends: tomorrow at the soonest. */
export function PausedUntilField(given: Omit<ComponentProps<typeof DayField>, 'label' | 'min'>) {
  const today = useToday()
  return (
    <DayField label={useWords()('standingOrders.fields.pausedUntil')} min={addDays(today, 1)} {...given} />
  )
}
