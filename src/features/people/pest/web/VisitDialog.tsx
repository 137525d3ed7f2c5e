import { useState } from 'react'
import type { Day } from '#domain/day.ts'
import { call } from '#kit/web/calls/call.ts'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { callsOf, refreshResource, resourceNamed, type AnyRow } from '#kit/web/screens/resources.ts'
import { toast } from '#kit/web/parts/notices.ts'
import { useWords } from '#kit/web/words/words.tsx'

/**
 * The next visit at a site as a task with a day and time. It is shown with the customer, and in the calendar of
 * people who follow their tasks there.
 */
export function VisitDialog({ site, onClose }: { site: AnyRow; onClose: () => void }) {
  const t = useWords()
  const tasks = resourceNamed('tasks')!
  const [title, setTitle] = useState(() =>
    [t('pest.visit.title', { site: String(site.name) }), site.address].filter(Boolean).join(' · '),
  )
  const [day, setDay] = useState<Day | null>(() => (site.nextDay as Day | null) ?? null)
  const [time, setTime] = useState('')
  return (
    <FormDialog
      title={t('pest.visit.do')}
      verb={t('kit.forms.save')}
      names={['title', 'dueDay', 'dueTime']}
      onClose={onClose}
      onSubmit={async () => {
        await call(callsOf(tasks).create, {
          title,
          dueDay: day,
          dueTime: time || null,
          customerId: site.customerId,
        })
        await refreshResource(tasks)
        toast(t('pest.visit.done'))
        onClose()
      }}
    >
      {(error) => (
        <>
          <TextField
            label={t('pest.visit.what')}
            value={title}
            onChange={setTitle}
            max={200}
            {...error('title', title)}
          />
          <DayField label={t('pest.visit.day')} value={day} onChange={setDay} {...error('dueDay', day)} />
          <TextField
            label={t('pest.visit.time')}
            optional
            ltr
            inputMode="numeric"
            placeholder="09:30"
            value={time}
            onChange={setTime}
            max={5}
            {...error('dueTime', time)}
          />
        </>
      )}
    </FormDialog>
  )
}
