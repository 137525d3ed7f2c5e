import { Scale } from 'lucide-react'
import { formatDay } from '#domain/format.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { listDays } from '../endpoints.ts'

/** Shop and books beside each other, a line a day. */
export function Days({ id }: { id: string }) {
  const t = useWords()
  const { data, error, isLoading, refetch } = useCall(listDays, { id }, { staleTime: 0 })
  return (
    <>
      <p className="sub">{t('shops.daysText')}</p>
      <DataTable
        label={t('shops.tabs.days')}
        main
        rows={data?.rows ?? []}
        rowKey={(row) => `${row.day} ${row.currency}`}
        rowName={(row) => formatDay(row.day)}
        loading={isLoading}
        empty={
          error ? (
            <Failed error={error} onRetry={refetch} />
          ) : (
            <EmptyState icon={Scale} title={t('shops.noDays.title')}>
              {t('shops.noDays.text')}
            </EmptyState>
          )
        }
        columns={[
          {
            key: 'day',
            title: t('shops.fields.paidDay'),
            strong: true,
            width: 'fit',
            cell: (row) => <Num>{formatDay(row.day)}</Num>,
            phone: 'title',
          },
          {
            key: 'orders',
            title: t('shops.fields.orders'),
            width: 'fit',
            align: 'amount',
            cell: (row) => <Num>{row.orders}</Num>,
            phone: 'line',
          },
          {
            key: 'shop',
            title: t('shops.fields.shopAgorot'),
            align: 'amount',
            cell: (row) => (
              <MoneyCell
                value={row.shopAgorot}
                {...(row.currency === 'ILS' ? {} : { currency: row.currency })}
              />
            ),
          },
          {
            key: 'books',
            title: t('shops.fields.booksAgorot'),
            align: 'amount',
            cell: (row) => (
              <MoneyCell
                value={row.booksAgorot}
                {...(row.currency === 'ILS' ? {} : { currency: row.currency })}
              />
            ),
          },
          {
            key: 'difference',
            title: t('shops.fields.differenceAgorot'),
            align: 'amount',
            cell: (row) => <MoneyCell value={row.differenceAgorot} />,
            phone: 'amount',
          },
          {
            key: 'state',
            title: t('shops.fields.state'),
            width: 'fit',
            cell: (row) =>
              row.trouble ? (
                <StatusPill tone="wait">{t('shops.state.trouble', { count: row.trouble })}</StatusPill>
              ) : (
                <StatusPill tone={row.differenceAgorot ? 'wait' : 'done'}>
                  {t(row.differenceAgorot ? 'shops.differs' : 'shops.same')}
                </StatusPill>
              ),
            phone: 'state',
          },
        ]}
      />
    </>
  )
}
