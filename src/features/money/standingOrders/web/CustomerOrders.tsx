import { Plus, Repeat } from 'lucide-react'
import { formatDay } from '#domain/format.ts'
import { failureText, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { go } from '#kit/web/routes/place.ts'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { ordersOfCustomer } from '../endpoints.ts'
import { standingOrders } from '../standingOrders.ts'
import './orders.css'
import { everyWords, OrderStatePill } from './words.tsx'

/** On a customer's card: the customer's recurring payments. */
export function Panel({ row }: { row: AnyRow }) {
  const t = useWords()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const { data, error } = useCall(ordersOfCustomer, { id: row.id }, { staleTime: 0 })
  if (error) return <Note tone="late">{failureText(t, error)}</Note>
  if (!data) return <Skeleton lines={4} />
  const add = may(standingOrders.allow.change) && (
    <Button icon={Plus} href={`${standingOrders.screens.form}?customer=${row.id}`}>
      {t('standingOrders.new')}
    </Button>
  )
  if (data.rows.length === 0)
    return (
      <EmptyState icon={Repeat} title={t('standingOrders.emptyCustomer.title')} actions={add}>
        {t('standingOrders.emptyCustomer.text')}
      </EmptyState>
    )
  return (
    <div className="so-stack">
      {add && <div>{add}</div>}
      <DataTable
        label={t('standingOrders.many')}
        rows={data.rows}
        rowKey={(one) => one.id}
        rowName={(one) => one.title}
        rowHref={(one) => `/invoice/retainers/${one.id}`}
        onOpen={(one) => go(`/invoice/retainers/${one.id}`)}
        isOff={(one) => one.state === 'ended' || one.state === 'cancelled'}
        columns={[
          {
            key: 'title',
            title: t('standingOrders.fields.title'),
            strong: true,
            width: 'trim',
            phone: 'title',
            cell: (one) => <bdi>{one.title}</bdi>,
          },
          {
            key: 'every',
            title: t('standingOrders.fields.everyN'),
            width: 'fit',
            phone: 'line',
            cell: (one) => everyWords(t, one),
          },
          {
            key: 'next',
            title: t('standingOrders.fields.nextDay'),
            width: 'fit',
            phone: 'line',
            cell: (one) => one.nextDay && <Num>{formatDay(one.nextDay)}</Num>,
          },
          ...(hides
            ? []
            : [
                {
                  key: 'sum',
                  title: t('standingOrders.fields.sumAgorot'),
                  align: 'amount' as const,
                  phone: 'amount' as const,
                  cell: (one: (typeof data.rows)[number]) => (
                    <Money amount={one.sumAgorot} currency={one.currency} />
                  ),
                },
              ]),
          {
            key: 'state',
            title: t('standingOrders.fields.state'),
            width: 'fit',
            phone: 'state',
            cell: (one) => <OrderStatePill state={one.state} />,
          },
        ]}
      />
    </div>
  )
}
