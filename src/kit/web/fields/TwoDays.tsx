import { useState } from 'react'
import type { Period } from '#domain/day.ts'
import { Button } from '../parts/Button.tsx'
import { useWords } from '../words/words.tsx'
import { DayField } from './DayField.tsx'

/** A stretch of days said by its two ends; it is chosen once both stand in their order. */
export function TwoDays({
  start,
  onChange,
}: {
  start: Period | undefined
  onChange: (period: Period) => void
}) {
  const t = useWords()
  const [from, setFrom] = useState<string | null>(start?.from ?? null)
  const [to, setTo] = useState<string | null>(start?.to ?? null)
  return (
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
  )
}
