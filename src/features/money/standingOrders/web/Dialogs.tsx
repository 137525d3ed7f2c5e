import { useState } from 'react'
import { addDays, dayInJerusalem, type Day } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { call } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { cancelOrder, changePrices, pauseOrder, skipTurn, type OrderAnswer } from '../endpoints.ts'
import { PausedUntilField, ReasonField } from './fields.tsx'
import { givenLines, LinesField, newLine } from './LinesField.tsx'
import './orders.css'
import { refreshOrders } from './words.tsx'

const today = () => dayInJerusalem(new Date())

export function PauseDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useWords()
  const [until, setUntil] = useState<Day | null>(null)
  const [reason, setReason] = useState('')
  return (
    <FormDialog
      title={t('standingOrders.deeds.pause')}
      verb={t('standingOrders.deeds.pause')}
      names={['until', 'reason']}
      onClose={onClose}
      onSubmit={async () => {
        await call(pauseOrder, { id, until, reason })
        await refreshOrders()
      }}
    >
      {(error) => (
        <>
          <PausedUntilField
            optional
            hint={t('standingOrders.pauseHint')}
            value={until}
            onChange={setUntil}
            {...error('until', until)}
          />
          <ReasonField optional value={reason} onChange={setReason} {...error('reason', reason)} />
        </>
      )}
    </FormDialog>
  )
}

export function SkipDialog({ order, onClose }: { order: OrderAnswer; onClose: () => void }) {
  const t = useWords()
  const [reason, setReason] = useState('')
  return (
    <FormDialog
      title={t('standingOrders.deeds.skip')}
      verb={t('standingOrders.deeds.skip')}
      names={['reason']}
      onClose={onClose}
      onSubmit={async () => {
        await call(skipTurn, { id: order.id, reason })
        await refreshOrders()
      }}
    >
      {(error) => (
        <>
          <p>
            {t('standingOrders.skipText')} <Num>{formatDay(order.nextDay!)}</Num>
          </p>
          <ReasonField optional value={reason} onChange={setReason} {...error('reason', reason)} />
        </>
      )}
    </FormDialog>
  )
}

export function CancelDialog({ order, onClose }: { order: OrderAnswer; onClose: () => void }) {
  const t = useWords()
  const [when, setWhen] = useState<'now' | 'periodEnd'>('periodEnd')
  const [reason, setReason] = useState('')
  const [notify, setNotify] = useState(true)
  const mustTell = order.partyKind === 'consumer'
  return (
    <FormDialog
      title={t('standingOrders.cancel.title')}
      verb={t('standingOrders.cancel.verb')}
      danger
      names={['when', 'reason']}
      onClose={onClose}
      onSubmit={async () => {
        await call(cancelOrder, { id: order.id, when, reason, notify })
        await refreshOrders()
      }}
    >
      {(error) => (
        <>
          <ChoiceField
            label={t('standingOrders.cancel.when')}
            value={when}
            onChange={(next) => next && setWhen(next)}
            choices={[
              { value: 'periodEnd', label: t('standingOrders.cancel.periodEnd') },
              { value: 'now', label: t('standingOrders.cancel.now') },
            ]}
            {...error('when', when)}
          />
          <ReasonField value={reason} onChange={setReason} {...error('reason', reason)} />
          <FlagField
            label={t('standingOrders.cancel.notify')}
            {...(mustTell ? { hint: t('standingOrders.cancel.mustTell'), disabled: true } : {})}
            value={mustTell || notify}
            onChange={setNotify}
          />
        </>
      )}
    </FormDialog>
  )
}

export function PricesDialog({ order, onClose }: { order: OrderAnswer; onClose: () => void }) {
  const t = useWords()
  const [fromDay, setFromDay] = useState<Day | null>(
    order.partyKind === 'consumer' ? addDays(today(), 31) : order.nextFrom,
  )
  const [lines, setLines] = useState(() => order.lines.map((line) => newLine(line)))
  const [why, setWhy] = useState('')
  const [notify, setNotify] = useState(true)
  return (
    <FormDialog
      title={t('standingOrders.prices.title')}
      m
      names={[
        'fromDay',
        'why',
        'lines',
        ...lines.flatMap((_, i) =>
          ['description', 'quantity', 'unitPrice'].map((name) => `lines.${i}.${name}`),
        ),
      ]}
      onClose={onClose}
      onSubmit={async () => {
        await call(changePrices, {
          id: order.id,
          fromDay: fromDay ?? '',
          lines: givenLines(lines),
          why,
          notify,
        })
        await refreshOrders()
      }}
    >
      {(error) => (
        <div className="so-form">
          <DayField
            label={t('standingOrders.prices.fromDay')}
            hint={t('standingOrders.prices.fromDayHint')}
            value={fromDay}
            onChange={setFromDay}
            {...error('fromDay', fromDay)}
          />
          <LinesField lines={lines} currency={order.currency} onChange={setLines} error={error} />
          <TextField
            label={t('standingOrders.prices.why')}
            optional
            value={why}
            onChange={setWhy}
            max={300}
            {...error('why', why)}
          />
          <FlagField
            label={t('standingOrders.prices.notify')}
            hint={t('standingOrders.prices.notifyHint')}
            value={notify}
            onChange={setNotify}
          />
        </div>
      )}
    </FormDialog>
  )
}
