import { ChevronLeft, ChevronRight, Download, History } from 'lucide-react'
import { addMonths } from '#domain/day.ts'
import { formatDay, machineMoney } from '#domain/format.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { CallFailure } from '#kit/web/calls/call.ts'
import { usePlace } from '#kit/web/routes/place.ts'
import { useLanguage, useWords, type Words } from '#kit/web/words/words.tsx'
import { monthName } from '#features/calendar/timetable/web/index.tsx'
import { trainerHistory, type TrainerMonth } from '../endpoints.ts'
import '#features/calendar/timetable/web/timetable.css'

/**
 * The classes one gave in a month, who came, and what they come to: what a trainer's pay is worked out from.
 */
export function Screen() {
  const t = useWords()
  const today = useToday()
  const { lang } = useLanguage()
  const { query, setQuery } = usePlace()
  const month = /^\d{4}-\d{2}$/.test(query.month ?? '') ? query.month! : today.slice(0, 7)
  const { data, error, refetch, isLoading } = useCall(
    trainerHistory,
    { month, ...(query.trainer ? { trainerId: query.trainer } : {}) },
    { placeholderData: (old) => old },
  )
  const step = (by: number) => setQuery({ month: addMonths(`${month}-01`, by).slice(0, 7) })
  const rate = t('trainers.rate', { by: t(`classTrainers.payBy.${data?.payBy ?? 'class'}`) })
  const none = error instanceof CallFailure && error.code === 'trainers.none'
  return (
    <>
      <PageHeader
        title={t('screens.trainerHistory')}
        // What the answer brings has its room before it comes.
        sub={data ? data.trainerName : ' '}
        actions={
          !none && (
            <Button
              icon={Download}
              isDisabled={!data || data.rows.length === 0}
              onPress={() => data && save(t, data, rate)}
            >
              {t('trainers.export')}
            </Button>
          )
        }
      />
      <div className="tt-bar">
        <Button kind="quiet" icon={ChevronLeft} m label={t('timetable.before')} onPress={() => step(-1)} />
        <Button kind="quiet" icon={ChevronRight} m label={t('timetable.after')} onPress={() => step(1)} />
        <span className="tt-range">{monthName(lang, `${month}-01`)}</span>
      </div>
      {none ? (
        <EmptyState icon={History} title={t('trainers.nobody')}>
          {t('trainers.nobodyText')}
        </EmptyState>
      ) : error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : (
        <DataTable
          label={t('screens.trainerHistory')}
          main
          rows={data?.rows ?? []}
          rowKey={(row) => row.id}
          loading={isLoading}
          empty={
            <EmptyState icon={History} title={t('trainers.noneGiven')}>
              {t('trainers.noneGivenText')}
            </EmptyState>
          }
          columns={[
            {
              key: 'day',
              title: t('timetable.fields.day'),
              width: 'fit',
              phone: 'line',
              cell: (row) => <Num>{`${formatDay(row.day)} ${row.at}`}</Num>,
            },
            {
              key: 'name',
              title: t('timetable.fields.kind'),
              strong: true,
              phone: 'title',
              cell: (row) => <bdi>{row.name}</bdi>,
            },
            {
              key: 'minutes',
              title: t('timetable.fields.minutes'),
              align: 'amount',
              cell: (row) => <Num>{row.minutes}</Num>,
            },
            {
              key: 'booked',
              title: t('trainers.registered'),
              align: 'amount',
              cell: (row) => <Num>{row.booked}</Num>,
            },
            {
              key: 'came',
              title: t('bookings.cameCount'),
              align: 'amount',
              phone: 'line',
              cell: (row) => <Num>{row.came}</Num>,
              foot: <Num>{data?.came ?? 0}</Num>,
            },
            {
              key: 'rate',
              title: rate,
              align: 'amount',
              cell: () => <MoneyCell value={data?.rateAgorot ?? null} />,
            },
            {
              key: 'pay',
              title: t('trainers.pay'),
              align: 'amount',
              phone: 'amount',
              cell: (row) => <MoneyCell value={row.payAgorot} />,
              foot: <MoneyCell value={data?.payAgorot ?? null} />,
            },
          ]}
        />
      )}
    </>
  )
}

/**
 * The month as a file any spreadsheet reads, headed as the table is; what begins like a formula is written as
 * text.
 */
function save(t: Words, of: TrainerMonth, rate: string): void {
  const cell = (value: string | number | null) => {
    const text = String(value ?? '')
    return `"${(/^[=+\-@\t]/.test(text) && !/^-?\d/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
  }
  const lines = [
    [
      t('timetable.fields.day'),
      t('trainers.at'),
      t('timetable.fields.kind'),
      t('timetable.fields.minutes'),
      t('trainers.registered'),
      t('bookings.cameCount'),
      rate,
      t('trainers.pay'),
    ],
    ...of.rows.map((row) => [
      row.day,
      row.at,
      row.name,
      row.minutes,
      row.booked,
      row.came,
      of.rateAgorot === null ? '' : machineMoney(of.rateAgorot),
      row.payAgorot === null ? '' : machineMoney(row.payAgorot),
    ]),
  ]
  const url = URL.createObjectURL(
    new Blob([`\ufeff${lines.map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`], {
      type: 'text/csv',
    }),
  )
  Object.assign(document.createElement('a'), { href: url, download: `${of.month}.csv` }).click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
