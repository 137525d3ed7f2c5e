import { ArrowLeftRight, BookCheck, PackageCheck, Settings2, Ship, ShoppingCart } from 'lucide-react'
import { useState } from 'react'
import { formatDay } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { ReportScreen } from '#kit/web/screens/ReportScreen.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import * as calls from '../endpoints.ts'
import type { Transfer } from '../endpoints.ts'
import { stockPlaces } from '../places.ts'
import { ArriveDialog, CloseDialog, LandedDialog, SettingsDialog, TransferDialog } from './Dialogs.tsx'
import { manyOf, refreshStock } from './parts.tsx'
import './dress.tsx'
import './stock.css'

const parts = ['hand', 'movements', 'transfers', 'order', 'slow', 'expiry', 'places'] as const
type Part = (typeof parts)[number]

/**
 * Warehouses: what is where and what it is worth, what moved, what is on the way and what must be ordered.
 */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { query, setQuery } = usePlace()
  const [opens, setOpens] = useState<'transfer' | 'settings' | 'close' | 'landed'>()
  const part: Part = parts.find((one) => one === query.part) ?? 'hand'
  const close = () => setOpens(undefined)
  return (
    <>
      <PageHeader
        title={t('screens.storage')}
        actions={
          may('stock.change') && (
            <Button kind="primary" icon={ArrowLeftRight} onPress={() => setOpens('transfer')}>
              {t('stock.transfer.title')}
            </Button>
          )
        }
        more={
          may('stock.approve')
            ? [
                {
                  key: 'landed',
                  label: t('stock.landed.title'),
                  icon: Ship,
                  onPress: () => setOpens('landed'),
                },
                {
                  key: 'settings',
                  label: t('stock.settings.title'),
                  icon: Settings2,
                  onPress: () => setOpens('settings'),
                },
                {
                  key: 'close',
                  label: t('stock.close.title'),
                  icon: BookCheck,
                  onPress: () => setOpens('close'),
                },
              ]
            : []
        }
      >
        <Views
          label={t('screens.storage')}
          value={part}
          onChange={(next) => go(next === 'hand' ? '/invoice/storage' : `/invoice/storage?part=${next}`)}
          views={parts.map((key) => ({ key, label: t(`stock.part.${key}`) }))}
        />
      </PageHeader>
      {part === 'hand' && <ReportScreen key={part} name="stockOnHand" bare main />}
      {part === 'movements' && <ReportScreen key={part} name="stockMovements" bare main />}
      {part === 'slow' && <ReportScreen key={part} name="stockSlow" bare main />}
      {part === 'expiry' && <ReportScreen key={part} name="stockExpiry" bare main />}
      {part === 'places' && <ListScreen embedded resource={stockPlaces} archive />}
      {part === 'transfers' && (
        <Transfers before={query.before} onMore={(before) => setQuery({ before: String(before) })} />
      )}
      {part === 'order' && <Order />}
      {opens === 'transfer' && <TransferDialog onClose={close} />}
      {opens === 'settings' && <SettingsDialog onClose={close} />}
      {opens === 'landed' && <LandedDialog onClose={close} />}
      {opens === 'close' && <CloseDialog onClose={close} />}
    </>
  )
}

/** Transfers, the newest first; what is on the way can be said to have arrived. */
function Transfers({ before, onMore }: { before: string | undefined; onMore: (before: number) => void }) {
  const t = useWords()
  const may = useCan()('stock.change')
  const { data, isLoading, error } = useCall(calls.listTransfers, before ? { before: Number(before) } : {})
  const [arrives, setArrives] = useState<Transfer>()
  if (error && !data) return <Note tone="late">{failureText(t, error)}</Note>
  return (
    <>
      <DataTable
        label={t('stock.part.transfers')}
        main
        rows={data?.rows ?? []}
        rowKey={(row) => row.id}
        rowName={(row) => String(row.number)}
        loading={isLoading}
        empty={
          <EmptyState icon={ArrowLeftRight} title={t('stock.transfer.empty')}>
            {t('stock.transfer.emptyText')}
          </EmptyState>
        }
        menu={(row) =>
          may && !row.arrivedDay
            ? [
                {
                  key: 'arrive',
                  label: t('stock.arrive.verb'),
                  icon: PackageCheck,
                  onPress: () => setArrives(row),
                },
              ]
            : []
        }
        phoneMenu
        columns={[
          {
            key: 'number',
            title: t('stock.transfer.number'),
            width: 'fit',
            strong: true,
            phone: 'title',
            cell: (row) => <Num>{row.number}</Num>,
          },
          { key: 'day', title: t('stock.day'), width: 'fit', cell: (row) => <Num>{formatDay(row.day)}</Num> },
          {
            key: 'from',
            title: t('stock.transfer.from'),
            width: 'trim',
            phone: 'line',
            cell: (row) => <TextCell value={row.from} />,
          },
          {
            key: 'to',
            title: t('stock.transfer.to'),
            width: 'trim',
            phone: 'line',
            cell: (row) => <TextCell value={row.to} />,
          },
          {
            key: 'goods',
            title: t('stock.transfer.goods'),
            width: 'trim',
            cell: (row) => (
              <TextCell
                value={row.lines.map((line) => `${line.name} × ${manyOf(line.quantity)}`).join(', ')}
              />
            ),
          },
          {
            key: 'state',
            title: t('stock.transfer.state'),
            width: 'fit',
            phone: 'state',
            cell: (row) => (
              <StatusPill tone={row.arrivedDay ? 'done' : 'wait'}>
                {t(row.arrivedDay ? 'stock.arrived' : 'stock.onTheWay')}
              </StatusPill>
            ),
          },
        ]}
      />
      {data?.nextBefore && (
        <Button kind="quiet" onPress={() => onMore(data.nextBefore!)}>
          {t('stock.older')}
        </Button>
      )}
      {arrives && <ArriveDialog transfer={arrives} onClose={() => setArrives(undefined)} />}
    </>
  )
}

/** What fell below its minimum: drafts of orders by supplier. */
function Order() {
  const t = useWords()
  const may = useCan()
  const { data, isLoading, error } = useCall(calls.proposedOrders, {})
  const [busy, setBusy] = useState(false)
  const make = async () => {
    setBusy(true)
    try {
      const { drafts, without } = await call(calls.orderStock, {
        lines: data!.rows.slice(0, 200).map(({ itemId, quantity }) => ({ itemId, quantity })),
      })
      await refreshStock()
      banner.success(
        t('stock.order.done', { count: drafts.length }) +
          (without ? ` ${t('stock.order.without', { count: without })}` : ''),
      )
      const [only] = drafts
      if (drafts.length === 1 && only) go(`/invoice/InvoiceDocumentEx/${only.id}`)
    } catch (e) {
      banner.error(failureText(t, e))
    } finally {
      setBusy(false)
    }
  }
  if (error && !data) return <Note tone="late">{failureText(t, error)}</Note>
  const rows = data?.rows ?? []
  return (
    <div className="st-stack">
      {rows.length > 0 && may('stock.change') && may('documents.draft') && (
        <div>
          <Button icon={ShoppingCart} busy={busy} onPress={() => void make()}>
            {t('stock.order.verb')}
          </Button>
        </div>
      )}
      <DataTable
        label={t('stock.part.order')}
        main
        rows={rows}
        rowKey={(row) => row.itemId}
        rowName={(row) => row.name}
        rowHref={(row) => `/invoice/stockproducts/${row.itemId}`}
        onOpen={(row) => go(`/invoice/stockproducts/${row.itemId}`)}
        loading={isLoading}
        empty={
          <EmptyState icon={ShoppingCart} title={t('stock.order.empty')}>
            {t('stock.order.emptyText')}
          </EmptyState>
        }
        columns={[
          {
            key: 'name',
            title: t('stock.item'),
            strong: true,
            width: 'trim',
            phone: 'title',
            cell: (row) => <TextCell value={row.name} />,
          },
          {
            key: 'sku',
            title: t('items.fields.sku'),
            width: 'fit',
            cell: (row) => row.sku && <Num>{row.sku}</Num>,
          },
          {
            key: 'supplier',
            title: t('stock.order.supplier'),
            width: 'trim',
            phone: 'line',
            cell: (row) => <TextCell value={row.supplier ?? t('stock.order.none')} />,
          },
          {
            key: 'free',
            title: t('stock.free'),
            align: 'amount',
            cell: (row) => <Num>{manyOf(row.free)}</Num>,
          },
          {
            key: 'onOrder',
            title: t('stock.onOrder'),
            align: 'amount',
            cell: (row) => <Num>{manyOf(row.onOrder)}</Num>,
          },
          {
            key: 'minimum',
            title: t('stock.minimum'),
            align: 'amount',
            cell: (row) => <Num>{manyOf(row.minimum)}</Num>,
          },
          {
            key: 'quantity',
            title: t('stock.order.quantity'),
            align: 'amount',
            strong: true,
            phone: 'amount',
            cell: (row) => <Num>{manyOf(row.quantity)}</Num>,
          },
        ]}
      />
    </div>
  )
}
