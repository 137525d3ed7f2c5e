import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { Day } from '#domain/day.ts'
import { call as send, queryClient } from '#kit/web/calls/call.ts'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Segmented } from '#kit/web/parts/Views.tsx'
import { go } from '#kit/web/routes/place.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import type { reverseBatch, reverseEntry } from '../endpoints.ts'
import { batchesPath } from './state.tsx'

/** A reversal has the days of what it undoes, or one other day when those are closed. */
export function ReverseDialog({
  title,
  call,
  id,
  onClose,
}: {
  title: string
  call: typeof reverseBatch | typeof reverseEntry
  id: string
  onClose: () => void
}) {
  const t = useWords()
  const [when, setWhen] = useState<'own' | 'day'>('own')
  const [day, setDay] = useState<Day | null>(null)
  const submit = async () => {
    if (when === 'day' && !day) return
    const made = await send(call as typeof reverseBatch, {
      id,
      ...(when === 'day' && day ? { date: day } : {}),
    })
    await queryClient.invalidateQueries()
    onClose()
    banner.success(t('journal.reverse.done', { number: String(made.number) }))
    go(`${batchesPath}/${made.batchId}`)
  }
  return (
    <FormDialog
      title={title}
      verb={t('journal.reverse.verb')}
      danger
      icon={Undo2}
      names={['date']}
      onClose={onClose}
      onSubmit={submit}
    >
      {(refusal) => (
        <>
          <p>{t('journal.reverse.text')}</p>
          <Segmented
            label={t('journal.reverse.when')}
            value={when}
            onChange={setWhen}
            options={(['own', 'day'] as const).map((key) => ({ key, label: t(`journal.reverse.${key}`) }))}
          />
          {when === 'day' && (
            <DayField
              label={t('journal.fields.day')}
              name="date"
              value={day}
              onChange={setDay}
              autoFocus
              {...refusal('date', day)}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}
