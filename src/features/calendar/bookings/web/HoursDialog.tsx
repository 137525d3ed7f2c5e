import { useState } from 'react'
import { startOfMonth, type Day } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { call, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { go } from '#kit/web/routes/place.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { refreshClasses } from '#features/calendar/timetable/web/index.tsx'
import { billHours, listHours } from '../endpoints.ts'
import '#features/calendar/timetable/web/timetable.css'

/**
 * Hours of a customer's appointments onto an invoice: which, at what price; its draft waits for the person who sends
 * it.
 */
export function HoursDialog({
  customerId,
  name,
  onClose,
}: {
  customerId: string
  name: string
  onClose: () => void
}) {
  const t = useWords()
  const today = useToday()
  const [from, setFrom] = useState<Day | null>(startOfMonth(today))
  const [to, setTo] = useState<Day | null>(today)
  const [price, setPrice] = useState<number | null>(null)
  const [withVat, setVat] = useState(true)
  const isSpan = from !== null && to !== null && from <= to
  const { data } = useCall(
    listHours,
    { customerId, from: from ?? today, to: to ?? today },
    { enabled: isSpan, staleTime: 0 },
  )
  return (
    <FormDialog
      title={t('bookings.hours.of', { name })}
      verb={t('bookings.hours.verb')}
      names={['from', 'to', 'hourPriceAgorot']}
      isDisabled={!data?.rows.length}
      onClose={onClose}
      onSubmit={async () => {
        const made = await call(billHours, {
          customerId,
          from: from ?? '',
          to: to ?? '',
          hourPriceAgorot: price,
          withVat,
        })
        void refreshClasses()
        onClose()
        go(`/invoice/InvoiceDocument/${made.documentId}`)
      }}
    >
      {(error) => (
        <>
          <div className="tt-two">
            <DayField
              label={t('timetable.block.fromDay')}
              value={from}
              onChange={setFrom}
              {...error('from', from)}
            />
            <DayField label={t('timetable.block.toDay')} value={to} onChange={setTo} {...error('to', to)} />
          </div>
          {isSpan && !data ? (
            <Skeleton lines={3} />
          ) : (
            <>
              <p>
                {t('bookings.hours.sum', {
                  count: data?.rows.length ?? 0,
                  time: `${Math.trunc((data?.minutes ?? 0) / 60)}:${String((data?.minutes ?? 0) % 60).padStart(2, '0')}`,
                })}
              </p>
              <ul className="tt-notes">
                {data?.rows.map((row) => (
                  <li key={row.id}>
                    <bdi>{row.name}</bdi>{' '}
                    <span className="num">
                      {formatDay(row.day)} {row.at}–{row.endsAt}
                    </span>
                  </li>
                ))}
              </ul>
            </>
          )}
          <MoneyField
            label={t('bookings.hours.price')}
            hint={t('bookings.hours.priceHint')}
            optional
            value={price}
            onChange={setPrice}
            {...error('hourPriceAgorot', price)}
          />
          <FlagField label={t('bookings.hours.withVat')} value={withVat} onChange={setVat} />
        </>
      )}
    </FormDialog>
  )
}
