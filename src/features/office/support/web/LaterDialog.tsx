import { useState } from 'react'
import { addDays, momentAt, type Day } from '#domain/day.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { useWords } from '#kit/web/words/words.tsx'

/** Hours at which a letter wakes nobody. */
const hours = Array.from({ length: 14 }, (_, i) => i + 7)

/** When an answer is to be sent. */
export function LaterDialog({ onPick, onClose }: { onPick: (moment: Date) => void; onClose: () => void }) {
  const t = useWords()
  const today = useToday()
  const [day, setDay] = useState<Day | null>(addDays(today, 1))
  const [hour, setHour] = useState('9')
  return (
    <FormDialog
      title={t('support.sendLater')}
      verb={t('support.sendLater')}
      names={[]}
      isDisabled={!day}
      onClose={onClose}
      onSubmit={() => {
        onClose()
        onPick(momentAt(day!, Number(hour)))
        return Promise.resolve()
      }}
    >
      {() => (
        <>
          <DayField label={t('support.sendDay')} value={day} onChange={setDay} />
          <ChoiceField
            label={t('support.sendHour')}
            as="list"
            value={hour}
            onChange={(next) => next && setHour(next)}
            choices={hours.map((one) => ({
              value: String(one),
              label: `${String(one).padStart(2, '0')}:00`,
            }))}
          />
        </>
      )}
    </FormDialog>
  )
}
