import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { addDays } from '#domain/day.ts'
import { call, useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { FieldMessage } from '#kit/web/fields/Field.tsx'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { setTrainerHours, trainerHours } from '../endpoints.ts'
import { TimeField } from './ClassDialog.tsx'
import { weekdayName } from './days.ts'
import './timetable.css'

type Hours = [string, string][][]

/** When appointments may be made with somebody, for each day of the week. */
export function HoursDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const t = useWords()
  const { lang } = useLanguage()
  const { data } = useCall(trainerHours, { id })
  const [changed, setHours] = useState<Hours>()
  const hours = changed ?? (data?.hours as Hours | undefined) ?? []
  const put = (day: number, ranges: [string, string][]) =>
    setHours(hours.map((old, n) => (n === day ? ranges : old)))
  return (
    <FormDialog
      title={t('timetable.hours.of', { name })}
      verb={t('kit.forms.save')}
      names={hours.map((_, n) => `hours.${n}`)}
      isDisabled={!data}
      onClose={onClose}
      onSubmit={async () => {
        await call(setTrainerHours, { id, hours })
        onClose()
      }}
    >
      {(error) =>
        hours.map((ranges, day) => (
          <div
            key={day}
            className="tt-hoursrow"
            role="group"
            aria-label={weekdayName(lang, addDays('2030-01-06', day), 'long')}
          >
            <span>{weekdayName(lang, addDays('2030-01-06', day), 'long')}</span>
            <div>
              {ranges.map(([from, to], i) => (
                <span key={i} className="flex items-end gap-2">
                  <TimeField
                    label={t('timetable.block.from')}
                    value={from}
                    onChange={(next) =>
                      put(
                        day,
                        ranges.map((one, n) => (n === i ? [next, one[1]] : one)),
                      )
                    }
                  />
                  <TimeField
                    label={t('timetable.block.to')}
                    value={to}
                    onChange={(next) =>
                      put(
                        day,
                        ranges.map((one, n) => (n === i ? [one[0], next] : one)),
                      )
                    }
                  />
                  <Button
                    kind="quiet"
                    size="s"
                    icon={X}
                    label={t('timetable.hours.drop')}
                    onPress={() =>
                      put(
                        day,
                        ranges.filter((_, n) => n !== i),
                      )
                    }
                  />
                </span>
              ))}
              {ranges.length < 4 && (
                <Button
                  kind="quiet"
                  size="s"
                  icon={Plus}
                  label={t('timetable.hours.add')}
                  onPress={() =>
                    put(day, [...ranges, ranges.length ? ['16:00', '20:00'] : ['09:00', '13:00']])
                  }
                />
              )}
              {error(`hours.${day}`, ranges).error && (
                <FieldMessage error={error(`hours.${day}`, ranges).error!} />
              )}
            </div>
          </div>
        ))
      }
    </FormDialog>
  )
}
