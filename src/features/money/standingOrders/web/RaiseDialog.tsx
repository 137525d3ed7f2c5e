import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { addDays, addMonths, startOfMonth, type Day } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { call, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField, PercentField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { raiseMany } from '../endpoints.ts'
import './orders.css'
import { refreshOrders } from './words.tsx'

/**
 * Other prices for many orders at once, each shown before and after; people the law protects are notified thirty
 * days before.
 */
export function RaiseDialog({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const t = useWords()
  const today = useToday()
  const [way, setWay] = useState<'percent' | 'sum'>('percent')
  const [percent, setPercent] = useState<number | null>(300)
  const [sum, setSum] = useState<number | null>(null)
  const [round, setRound] = useState<'whole' | 'tenths' | 'none'>('whole')
  const [fromDay, setFromDay] = useState<Day | null>(startOfMonth(addMonths(addDays(today, 30), 1)))
  const [why, setWhy] = useState('')
  const [notify, setNotify] = useState(true)
  const by = way === 'percent' ? { basisPoints: percent ?? 0 } : { agorot: sum ?? 0 }
  const wish = { ids: [...ids], by, round, fromDay: fromDay ?? today, why, notify }
  const { data } = useCall(raiseMany, { ...wish, look: true }, { placeholderData: keepPreviousData })
  const able = data?.rows.filter(({ hindrance }) => !hindrance).length ?? 0
  return (
    <FormDialog
      title={t('standingOrders.raise.title')}
      verb={t('standingOrders.raise.verb', { count: able })}
      m
      isDisabled={able === 0 || fromDay === null}
      names={['fromDay', 'by']}
      onClose={onClose}
      onSubmit={async () => {
        const { changed } = await call(raiseMany, { ...wish, look: false })
        await refreshOrders()
        banner.success(t('standingOrders.raise.done', { count: changed }))
      }}
    >
      {(error) => (
        <div className="so-form">
          <div className="so-fields">
            <ChoiceField
              label={t('standingOrders.raise.way')}
              value={way}
              onChange={(next) => next && setWay(next)}
              choices={[
                { value: 'percent', label: t('standingOrders.raise.percent') },
                { value: 'sum', label: t('standingOrders.raise.sum') },
              ]}
            />
            {way === 'percent' ? (
              <PercentField
                label={t('standingOrders.raise.percent')}
                value={percent}
                onChange={setPercent}
                {...error('by', by)}
              />
            ) : (
              <MoneyField
                label={t('standingOrders.raise.sum')}
                value={sum}
                onChange={setSum}
                {...error('by', by)}
              />
            )}
            <ChoiceField
              label={t('standingOrders.raise.round')}
              value={round}
              onChange={(next) => next && setRound(next)}
              choices={(['whole', 'tenths', 'none'] as const).map((value) => ({
                value,
                label: t(`standingOrders.raise.${value}`),
              }))}
            />
            <DayField
              label={t('standingOrders.prices.fromDay')}
              value={fromDay}
              onChange={setFromDay}
              {...error('fromDay', fromDay)}
            />
          </div>
          <TextField
            label={t('standingOrders.prices.why')}
            optional
            value={why}
            onChange={setWhy}
            max={300}
          />
          <FlagField
            label={t('standingOrders.prices.notify')}
            hint={t('standingOrders.prices.notifyHint')}
            value={notify}
            onChange={setNotify}
          />
          {!data ? (
            <Skeleton lines={3} />
          ) : (
            <ul className="so-coming">
              {data.rows.map((row) => (
                <li key={row.id}>
                  <span>
                    <bdi>{row.customer}</bdi> · <bdi>{row.title}</bdi>
                    <span className="so-small">
                      {' '}
                      {row.hindrance ? (
                        t(`errors.${row.hindrance}`)
                      ) : (
                        <>
                          {t('standingOrders.raise.first')} <Num>{formatDay(row.firstDay!)}</Num>
                        </>
                      )}
                    </span>
                  </span>
                  <span className="end">
                    <Money amount={row.beforeAgorot} /> ·{' '}
                    <b>
                      <Money amount={row.afterAgorot} />
                    </b>
                  </span>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </FormDialog>
  )
}
