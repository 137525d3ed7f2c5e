import { Undo2 } from 'lucide-react'
import { useId, useState, type FormEvent } from 'react'
import type { Day } from '../../../domain/day.ts'
import { call as send, failureText, fieldErrors, queryClient } from '../../../kit/web/call.ts'
import { DayField } from '../../../kit/web/fields/DayField.tsx'
import { Note } from '../../../kit/web/parts/Banner.tsx'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { Dialog } from '../../../kit/web/parts/Dialog.tsx'
import { Segmented } from '../../../kit/web/parts/Views.tsx'
import { go } from '../../../kit/web/place.ts'
import { banner } from '../../../kit/web/shell/banner.ts'
import { useWords } from '../../../kit/web/words.tsx'
import type { reverseBatch, reverseEntry } from '../endpoints.ts'
import { batchesPath } from './state.tsx'

/** A reversal stands on the days of what it undoes, or on one day of its own when those are closed. */
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
  const form = useId()
  const [when, setWhen] = useState<'own' | 'day'>('own')
  const [day, setDay] = useState<Day | null>(null)
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const said = failure ? fieldErrors(t, failure, ['date']) : undefined
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (when === 'day' && !day) return
    setBusy(true)
    setFailure(undefined)
    try {
      const made = await send(call as typeof reverseBatch, { id, ...(when === 'day' && day ? { date: day } : {}) })
      await queryClient.invalidateQueries()
      onClose()
      banner.success(t('journal.reverse.done', { number: String(made.number) }))
      go(`${batchesPath}/${made.batchId}`)
    } catch (e) {
      setFailure(e)
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      form
      title={title}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button kind="danger" type="submit" form={form} icon={Undo2} busy={busy}>
            {t('journal.reverse.verb')}
          </Button>
        </>
      }
    >
      <form id={form} className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
        {said?.rest && <Note tone="late">{failureText(t, failure)}</Note>}
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
            {...(said?.fields.date ? { error: said.fields.date } : {})}
          />
        )}
      </form>
    </Dialog>
  )
}
