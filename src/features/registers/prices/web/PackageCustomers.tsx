import { Tags, TriangleAlert } from 'lucide-react'
import { dayInJerusalem, daysBetween } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { failureText, useCall } from '#kit/web/call.ts'
import { DayCell, NumberCell, TextCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { go, usePlace } from '#kit/web/place.ts'
import { useTitle } from '#kit/web/router.tsx'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useWords } from '#kit/web/words.tsx'
import { buyersOfList } from '../endpoints.ts'
import { priceLists } from '../priceLists.ts'

/** Who holds a package: what was agreed for a time is a price list with its days, and its customers hold it. */
export function Screen() {
  const t = useWords()
  const id = usePlace().params.packageid ?? ''
  const { data: list, error } = useCall(callsOf(priceLists).get, { id })
  const { data: buyers, isLoading } = useCall(buyersOfList, { id }, { staleTime: 0 })
  const name = list && String(list.name)
  useTitle(name)
  if (error && !list)
    return (
      <EmptyState
        whole
        icon={TriangleAlert}
        title={failureText(t, error)}
        actions={<Button href={priceLists.screens.list}>{t('screens.priceLists')}</Button>}
      />
    )
  if (!list) return <Skeleton lines={6} />
  const from = list.validFrom as string | null
  const to = list.validTo as string | null
  const left = to ? daysBetween(dayInJerusalem(new Date()), to) : undefined
  const card = `/invoice/pricelist/${id}`
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('screens.priceLists'), href: priceLists.screens.list }]}
        title={name}
        status={left !== undefined && left < 0 && <StatusPill tone="wait">{t('priceLists.holders.ended')}</StatusPill>}
        sub={
          to && (
            <>
              {from && <Num>{formatDay(from)}</Num>} – <Num>{formatDay(to)}</Num>
            </>
          )
        }
        actions={<Button href={card}>{t('priceLists.holders.renew')}</Button>}
      />
      {buyers && buyers.customers.length < buyers.customersOf && (
        <Note tone="info">
          {t('priceLists.buyers.count', { count: buyers.customersOf })} · {t('priceLists.buyers.first', { count: buyers.customers.length })}
        </Note>
      )}
      <DataTable
        label={t('screens.packageCustomers')}
        main
        rows={buyers?.customers ?? []}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        rowHref={(row) => `/invoice/invoiceCustomer/${row.id}/prices`}
        onOpen={(row) => go(`/invoice/invoiceCustomer/${row.id}/prices`)}
        loading={isLoading}
        empty={
          <EmptyState
            icon={Tags}
            title={t('priceLists.holders.none')}
            actions={<Button href={`${card}/buyers`}>{t('priceLists.buyers.add')}</Button>}
          />
        }
        columns={[
          { key: 'name', title: t('customers.one'), strong: true, cell: (row) => <TextCell value={row.name} />, phone: 'title' },
          { key: 'from', title: t('priceLists.fields.validFrom'), width: 'fit', cell: () => <DayCell value={from} />, phone: 'line' },
          { key: 'to', title: t('priceLists.fields.validTo'), width: 'fit', cell: () => <DayCell value={to} />, phone: 'line' },
          {
            key: 'left',
            title: t('priceLists.holders.left'),
            width: 'fit',
            align: 'amount',
            cell: () => left !== undefined && left >= 0 && <NumberCell value={left} />,
          },
        ]}
      />
    </>
  )
}
