import { FileCheck2, FilePlus2 } from 'lucide-react'
import { useState } from 'react'
import { formatDay } from '#domain/format.ts'
import { useCall, useSend } from '#kit/web/calls/call.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable, type Column } from '#kit/web/parts/DataTable.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { go } from '#kit/web/routes/place.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { issueUninvoiced, uninvoiced, vatPeriodFacts, type UninvoicedRow } from '../endpoints.ts'
import './vat.css'

/** So many are issued by one press; the others follow by the next. */
const most = 100
const pathOf = (row: UninvoicedRow) => `/invoice/preview/${row.id}`

/** Receipts of online payments without a tax invoice: each with its last day, and their invoices by one press. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const { data, error, isLoading, refetch } = useCall(uninvoiced, {}, { staleTime: 0 })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [asking, setAsking] = useState(false)
  const send = useSend(issueUninvoiced, { refresh: [uninvoiced, vatPeriodFacts] })
  const rows = data?.rows ?? []
  const chosen = (selected.size ? rows.filter(({ id }) => selected.has(id)) : rows).slice(0, most)
  const columns: Column<UninvoicedRow>[] = [
    {
      key: 'number',
      title: t('vat.uninvoiced.receipt'),
      strong: true,
      width: 'fit',
      phone: 'title',
      cell: (row) => <Num>{row.number}</Num>,
    },
    {
      key: 'customer',
      title: t('vat.uninvoiced.customer'),
      width: 'trim',
      phone: 'line',
      cell: (row) => <TextCell value={row.customer} />,
    },
    {
      key: 'subject',
      title: t('vat.uninvoiced.subject'),
      width: 'trim',
      cell: (row) => <TextCell value={row.subject} />,
    },
    {
      key: 'day',
      title: t('vat.uninvoiced.day'),
      width: 'fit',
      phone: 'line',
      cell: (row) => <Num>{formatDay(row.day)}</Num>,
    },
    {
      key: 'dueDay',
      title: t('vat.uninvoiced.dueDay'),
      width: 'fit',
      phone: 'state',
      cell: (row) => (
        <StatusPill tone={row.isLate ? 'late' : 'wait'}>
          <Num>{formatDay(row.dueDay)}</Num>
        </StatusPill>
      ),
    },
    ...(hides
      ? []
      : [
          {
            key: 'amount',
            title: t('vat.uninvoiced.amount'),
            align: 'amount' as const,
            phone: 'amount' as const,
            cell: (row: UninvoicedRow) => (
              <MoneyCell value={row.amountAgorot ?? null} currency={row.currency} />
            ),
          },
        ]),
  ]
  return (
    <div className="vt-page">
      <PageHeader
        title={t('screens.uninvoiced')}
        sub={t('vat.uninvoiced.text')}
        actions={
          may('documents.issue') &&
          chosen.length > 0 && (
            <Button kind="primary" icon={FilePlus2} onPress={() => setAsking(true)}>
              {t('vat.uninvoiced.issue', { count: chosen.length })}
            </Button>
          )
        }
      />
      {rows.some((row) => row.isLate) && <Note tone="late">{t('vat.uninvoiced.late')}</Note>}
      <DataTable
        label={t('screens.uninvoiced')}
        main
        rows={rows}
        rowKey={(row) => row.id}
        rowName={(row) => `${row.number} ${row.customer}`}
        loading={isLoading}
        columns={columns}
        rowHref={pathOf}
        onOpen={(row) => go(pathOf(row))}
        {...(may('documents.issue') ? { selected, onSelect: setSelected } : {})}
        empty={
          error ? (
            <Failed error={error} onRetry={() => void refetch()} />
          ) : (
            <EmptyState icon={FileCheck2} title={t('vat.uninvoiced.empty')}>
              {t('vat.uninvoiced.emptyText')}
            </EmptyState>
          )
        }
      />
      {asking && (
        <Question
          isOpen
          onClose={() => setAsking(false)}
          title={t('vat.uninvoiced.confirm', { count: chosen.length })}
          verb={t('vat.uninvoiced.issue', { count: chosen.length })}
          onConfirm={async () => {
            const { rows: made } = await send.mutateAsync({ ids: chosen.map(({ id }) => id) })
            setSelected(new Set())
            banner.success(t('vat.uninvoiced.done', { count: made.length }))
          }}
        >
          {t('vat.uninvoiced.confirmText')}
        </Question>
      )}
    </div>
  )
}
