import { LifeBuoy, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useCall } from '#kit/web/calls/call.ts'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { go } from '#kit/web/routes/place.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { listTickets, type TicketRow } from '../endpoints.ts'
import { ticketColumns } from './columns.tsx'
import { TicketStatus } from './says.tsx'

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
  const { number, subject, severity, updatedAt } = ticketColumns<TicketRow>(t)
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
        number,
        subject,
        severity,
        { ...updatedAt, phone: 'line' },
        {
          key: 'state',
          title: t('support.fields.state'),
          width: 'fit',
          cell: (row) => <TicketStatus of={row} />,
          phone: 'state',
        },
      ]}
    />
  )
}
