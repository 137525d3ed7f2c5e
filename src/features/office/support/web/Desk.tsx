import { Inbox } from 'lucide-react'
import { useState } from 'react'
import { formatMoment } from '#domain/format.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { go } from '#kit/web/routes/place.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { deskTickets, type DeskRow } from '../endpoints.ts'
import { ticketColumns } from './columns.tsx'
import { TicketStatus } from './says.tsx'

const pageOf = ({ number }: DeskRow) => `/invoice/support?desk=${number}`

/** For the person who answers: tickets of all businesses, worst and oldest first. */
export function Desk() {
  const t = useWords()
  const [view, setView] = useState<'mine' | 'waiting' | 'ended'>('mine')
  const { data, error, isLoading, refetch } = useCall(
    deskTickets,
    { view },
    { staleTime: 0, refetchInterval: 30_000 },
  )
  const { number, subject, severity, updatedAt } = ticketColumns<DeskRow>(t)
  return (
    <>
      <Views
        label={t('support.desk')}
        chips
        value={view}
        onChange={setView}
        views={[
          { key: 'mine', label: t('support.view.mine'), ...(data ? { count: data.counts.mine } : {}) },
          {
            key: 'waiting',
            label: t('support.view.waiting'),
            ...(data ? { count: data.counts.waiting } : {}),
          },
          { key: 'ended', label: t('support.view.ended') },
        ]}
      />
      <DataTable
        label={t('support.desk')}
        main
        rows={data?.rows ?? []}
        rowKey={(row) => row.id}
        rowName={(row) => row.subject}
        rowHref={pageOf}
        onOpen={(row) => go(pageOf(row))}
        loading={isLoading}
        empty={
          error ? (
            <Failed error={error} onRetry={refetch} />
          ) : (
            <EmptyState icon={Inbox} title={t('support.noneHere')} />
          )
        }
        columns={[
          number,
          subject,
          {
            key: 'business',
            title: t('support.fields.business'),
            width: '20%',
            cell: (row) => <TextCell value={row.business} />,
            phone: 'line',
          },
          severity,
          updatedAt,
          {
            key: 'state',
            title: t('support.fields.state'),
            width: 'fit',
            cell: (row) =>
              row.held > 0 ? (
                <StatusPill tone="wait">{t('support.held')}</StatusPill>
              ) : row.sendAt ? (
                <StatusPill tone="info">
                  {t('support.planned', { at: formatMoment(new Date(row.sendAt)) })}
                </StatusPill>
              ) : row.isLate ? (
                <StatusPill tone="late">{t('support.late')}</StatusPill>
              ) : (
                <TicketStatus of={row} desk />
              ),
            phone: 'state',
          },
        ]}
      />
    </>
  )
}
