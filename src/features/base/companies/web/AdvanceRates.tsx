import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { startOfMonth } from '#domain/day.ts'
import { formatDay, formatPercent } from '#domain/format.ts'
import { call, failureText, queryClient, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { PercentField } from '#kit/web/fields/NumberFields.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Rows } from '#kit/web/parts/Card.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { toast } from '#kit/web/parts/notices.ts'
import { Num } from '#kit/web/parts/Num.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { dropAdvanceRate, listAdvanceRates, setAdvanceRate, type AdvanceRate } from '../endpoints.ts'

/** The rates of income tax advances, each from its day on. */
export function AdvanceRates({ readOnly }: { readOnly: boolean }) {
  const t = useWords()
  const { data } = useCall(listAdvanceRates, {})
  const [adds, setAdds] = useState(false)
  const rows = data?.rows ?? []
  const set = async (one: { from: string; rateBp: number }) => {
    await call(setAdvanceRate, one)
    await queryClient.invalidateQueries()
  }
  const drop = async ({ id, from, rateBp }: AdvanceRate) => {
    try {
      await call(dropAdvanceRate, { id })
      await queryClient.invalidateQueries()
      toast(t('companies.advanceRates.dropped'), () => void set({ from, rateBp }))
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  return (
    <>
      {data && rows.length === 0 && <p className="sub">{t('companies.advanceRates.none')}</p>}
      {rows.length > 0 && (
        <Rows label={t('companies.advanceRates.title')}>
          {rows.map((one) => (
            <div key={one.id}>
              <span className="grow">
                <span className="t">
                  <Num>{formatPercent(one.rateBp)}</Num>
                </span>
                <span className="s">{t('companies.advanceRates.since', { day: formatDay(one.from) })}</span>
              </span>
              {!readOnly && (
                <Button
                  kind="quiet"
                  icon={Trash2}
                  label={t('companies.advanceRates.drop', { day: formatDay(one.from) })}
                  onPress={() => void drop(one)}
                />
              )}
            </div>
          ))}
        </Rows>
      )}
      {!readOnly && (
        <div>
          <Button icon={Plus} onPress={() => setAdds(true)}>
            {t('companies.advanceRates.add')}
          </Button>
        </div>
      )}
      {adds && <NewRate isFirst={rows.length === 0} onSet={set} onClose={() => setAdds(false)} />}
    </>
  )
}

interface NewRateProps {
  isFirst: boolean
  onSet: (one: { from: string; rateBp: number }) => Promise<void>
  onClose: () => void
}

function NewRate({ isFirst, onSet, onClose }: NewRateProps) {
  const t = useWords()
  const today = useToday()
  const month = startOfMonth(today)
  const [from, setFrom] = useState(isFirst ? `${month.slice(0, 4)}-01-01` : month)
  const [rateBp, setRateBp] = useState<number | null>(null)
  return (
    <FormDialog
      title={t('companies.advanceRates.add')}
      verb={t('kit.forms.save')}
      names={['from', 'rateBp']}
      onClose={onClose}
      onSubmit={async () => {
        await onSet({ from, rateBp: rateBp as number })
        onClose()
      }}
    >
      {(error) => (
        <>
          <PercentField
            label={t('companies.fields.incomeTaxAdvanceBp')}
            name="rateBp"
            value={rateBp}
            onChange={setRateBp}
            hint={t('companies.hints.incomeTaxAdvanceBp')}
            autoFocus
            {...error('rateBp', rateBp)}
          />
          <DayField
            label={t('companies.advanceRates.from')}
            name="from"
            value={from}
            onChange={(day) => setFrom(day ?? '')}
            hint={t('companies.advanceRates.fromHint')}
            {...error('from', from)}
          />
        </>
      )}
    </FormDialog>
  )
}
