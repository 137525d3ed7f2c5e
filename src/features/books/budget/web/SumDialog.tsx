import { useState } from 'react'
import { addMonths, dayInJerusalem, startOfMonth } from '#domain/day.ts'
import { cycles, type Cycle } from '#domain/forecast/recurring.ts'
import { call } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { toast } from '#kit/web/parts/notices.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { addSum, changeSum, type TypedSum } from '../endpoints.ts'
import { refreshForecast } from './refresh.ts'

/** Wages, a loan, what the owner takes: a sum on a day, or again and again until a day. */
export function SumDialog({ sum, onClose }: { sum?: TypedSum; onClose: () => void }) {
  const t = useWords()
  const [name, setName] = useState(sum?.name ?? '')
  const [way, setWay] = useState<'out' | 'in'>(sum && sum.agorot > 0 ? 'in' : 'out')
  const [size, setSize] = useState<number | null>(sum ? Math.abs(sum.agorot) : null)
  const [cycle, setCycle] = useState<Cycle>(sum?.cycle ?? 'monthly')
  const [firstDay, setFirstDay] = useState<string | null>(
    () => sum?.firstDay ?? addMonths(startOfMonth(dayInJerusalem(new Date())), 1),
  )
  const [lastDay, setLastDay] = useState<string | null>(sum?.lastDay ?? null)
  const submit = async () => {
    const given = {
      name,
      agorot: (way === 'in' ? 1 : -1) * Math.abs(size ?? 0),
      cycle,
      firstDay: firstDay ?? '',
      lastDay: cycle === 'once' ? null : lastDay,
    }
    await (sum ? call(changeSum, { id: sum.id, ...given }) : call(addSum, given))
    await refreshForecast()
    toast(t('kit.forms.saved'))
    onClose()
  }
  return (
    <FormDialog
      title={sum ? <bdi>{sum.name}</bdi> : t('forecast.sums.add')}
      verb={t('kit.forms.save')}
      names={['name', 'agorot', 'cycle', 'firstDay', 'lastDay']}
      onClose={onClose}
      onSubmit={submit}
    >
      {(error) => (
        <>
          <TextField
            label={t('forecast.sums.name')}
            value={name}
            onChange={(value) => setName(value ?? '')}
            placeholder={t('forecast.sums.nameHow')}
            {...error('name', name)}
          />
          <ChoiceField
            label={t('forecast.sums.way')}
            value={way}
            even
            choices={(['out', 'in'] as const).map((value) => ({
              value,
              label: t(`forecast.columns.${value}`),
            }))}
            onChange={(value) => setWay(value ?? 'out')}
          />
          <MoneyField
            label={t('forecast.sums.sum')}
            value={size}
            onChange={setSize}
            {...error('agorot', size)}
          />
          <ChoiceField
            label={t('forecast.sums.cycle')}
            value={cycle}
            choices={cycles.map((value) => ({ value, label: t(`forecast.cycles.${value}`) }))}
            onChange={(value) => setCycle(value ?? 'monthly')}
            {...error('cycle', cycle)}
          />
          <DayField
            label={t(cycle === 'once' ? 'forecast.columns.day' : 'forecast.sums.first')}
            value={firstDay}
            onChange={setFirstDay}
            {...error('firstDay', firstDay)}
          />
          {cycle !== 'once' && (
            <DayField
              label={t('forecast.sums.last')}
              optional
              value={lastDay}
              onChange={setLastDay}
              {...error('lastDay', lastDay)}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}
