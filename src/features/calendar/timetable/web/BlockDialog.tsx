import { useState } from 'react'
import type { Day } from '#domain/day.ts'
import { call } from '#kit/web/calls/call.ts'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { searchIn } from '#kit/web/screens/resources.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { addBlock } from '../endpoints.ts'
import { classPlaces, classTrainers } from '../timetable.ts'
import { TimeField } from './ClassDialog.tsx'
import { refreshClasses } from './shared.ts'
import './timetable.css'

export interface Away {
  fromDay: string
  from: string
  toDay: string
  to: string
  why: string
}

/** Somebody is away or a place is closed; of oneself, nobody has to be chosen. */
export function BlockDialog({
  day,
  own,
  onClose,
}: {
  day: Day
  own?: (of: Away) => Promise<unknown>
  onClose: () => void
}) {
  const t = useWords()
  const [trainer, setTrainer] = useState<{ key: string; label: string } | null>(null)
  const [place, setPlace] = useState<{ key: string; label: string } | null>(null)
  const [fromDay, setFromDay] = useState<Day | null>(day)
  const [from, setFrom] = useState('00:00')
  const [toDay, setToDay] = useState<Day | null>(day)
  const [to, setTo] = useState('23:59')
  const [why, setWhy] = useState('')
  return (
    <FormDialog
      title={t('timetable.block.new')}
      verb={t('kit.forms.save')}
      names={['trainerId', 'placeId', 'fromDay', 'from', 'toDay', 'to', 'why']}
      onClose={onClose}
      onSubmit={async () => {
        const of = { fromDay: fromDay ?? '', from, toDay: toDay ?? '', to, why }
        if (own) await own(of)
        else await call(addBlock, { trainerId: trainer?.key ?? null, placeId: place?.key ?? null, ...of })
        await refreshClasses()
        onClose()
      }}
    >
      {(error) => (
        <>
          {!own && (
            <div className="tt-two">
              <RefField
                label={t('timetable.fields.trainer')}
                clearable
                value={trainer}
                onChange={(next) => (setTrainer(next), next && setPlace(null))}
                search={searchIn(classTrainers)}
                {...error('trainerId', trainer?.key)}
              />
              <RefField
                label={t('timetable.block.orPlace')}
                clearable
                value={place}
                onChange={(next) => (setPlace(next), next && setTrainer(null))}
                search={searchIn(classPlaces)}
                {...error('placeId', place?.key)}
              />
            </div>
          )}
          <div className="tt-two">
            <DayField
              label={t('timetable.block.fromDay')}
              value={fromDay}
              onChange={setFromDay}
              {...error('fromDay', fromDay)}
            />
            <TimeField
              label={t('timetable.block.from')}
              value={from}
              onChange={setFrom}
              {...error('from', from)}
            />
          </div>
          <div className="tt-two">
            <DayField
              label={t('timetable.block.toDay')}
              value={toDay}
              onChange={setToDay}
              {...error('toDay', toDay)}
            />
            <TimeField label={t('timetable.block.to')} value={to} onChange={setTo} {...error('to', to)} />
          </div>
          <TextField
            label={t('timetable.block.why')}
            optional
            value={why}
            onChange={setWhy}
            max={200}
            {...error('why', why)}
          />
        </>
      )}
    </FormDialog>
  )
}
