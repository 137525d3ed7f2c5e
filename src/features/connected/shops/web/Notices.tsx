import { Radio } from 'lucide-react'
import { formatMoment } from '#domain/format.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { listNotices } from '../endpoints.ts'

/** What the shop told lately. */
export function Notices({ id }: { id: string }) {
  const t = useWords()
  const { data, error, isLoading, refetch } = useCall(
    listNotices,
    { id },
    { staleTime: 0, refetchInterval: 5000 },
  )
  return (
    <DataTable
      label={t('shops.tabs.notices')}
      main
      rows={data?.rows ?? []}
      rowKey={(row) => row.id}
      rowName={(row) => row.topic}
      loading={isLoading}
      empty={
        error ? (
          <Failed error={error} onRetry={refetch} />
        ) : (
          <EmptyState icon={Radio} title={t('shops.noNotices.title')}>
            {t('shops.noNotices.text')}
          </EmptyState>
        )
      }
      columns={[
        {
          key: 'at',
          title: t('shops.fields.at'),
          width: 'fit',
          cell: (row) => <Num>{formatMoment(new Date(row.at))}</Num>,
          phone: 'line',
        },
        {
          key: 'topic',
          title: t('shops.fields.topic'),
          strong: true,
          cell: (row) => <bdi dir="ltr">{row.topic}</bdi>,
          phone: 'title',
        },
        {
          key: 'externalId',
          title: t('shops.fields.externalId'),
          width: 'fit',
          cell: (row) => <Num>{row.externalId}</Num>,
        },
        {
          key: 'outcome',
          title: t('shops.fields.outcome'),
          width: 'trim',
          cell: (row) => t(`shops.heard.${row.outcome}`),
          phone: 'state',
        },
      ]}
    />
  )
}
