import { LifeBuoy, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatMoment } from '#domain/format.ts'
import { useCall } from '#kit/web/call.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { go } from '#kit/web/place.ts'
import { useWords } from '#kit/web/words.tsx'
import { listTickets, type TicketRow } from '../endpoints.ts'
import { Severity, TicketStatus } from './says.tsx'

const pageOf = ({ id }: TicketRow) => `/invoice/support/${id}`

/** My tickets, the newest first. */
export function TicketList({
  kind,
  icon = LifeBuoy,
  ask,
  emptyTitle,
  emptyText,
}: {
  kind?: 'fault'
  icon?: LucideIcon
  ask: ReactNode
  emptyTitle: string
  emptyText: string
}) {
  const t = useWords()
  const { data, error, isLoading, refetch } = useCall(listTickets, kind ? { kind } : {}, { staleTime: 0 })
  return (
    <DataTable
      label={t('support.mine')}
      main
      rows={data?.rows ?? []}
      rowKey={(row) => row.id}
      rowName={(row) => row.subject}
      rowHref={pageOf}
      onOpen={(row) => go(pageOf(row))}
      loading={isLoading}
      isOff={({ state }) => state === 'closed'}
      empty={
        error ? (
          <Failed error={error} onRetry={refetch} />
        ) : (
          <EmptyState icon={icon} title={emptyTitle} actions={ask}>
            {emptyText}
          </EmptyState>
        )
      }
      columns={[
        { key: 'number', title: t('support.fields.number'), width: 'fit', cell: (row) => <Num>{row.number}</Num> },
        {
          key: 'subject',
          title: t('support.fields.subject'),
          strong: true,
          cell: (row) => <TextCell value={row.subject} />,
          phone: 'title',
        },
        { key: 'severity', title: t('support.fields.severity'), width: 'fit', cell: (row) => <Severity of={row} /> },
        {
          key: 'updatedAt',
          title: t('support.fields.updatedAt'),
          width: 'fit',
          cell: (row) => <Num>{formatMoment(new Date(row.updatedAt))}</Num>,
          phone: 'line',
        },
        { key: 'state', title: t('support.fields.state'), width: 'fit', cell: (row) => <TicketStatus of={row} />, phone: 'state' },
      ]}
    />
  )
}
