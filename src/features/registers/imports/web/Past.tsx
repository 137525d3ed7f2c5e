import { formatMoment } from '#domain/format.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '#kit/web/calls/call.ts'
import { MoreRows } from '#kit/web/parts/MoreRows.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { go } from '#kit/web/routes/place.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { listImports, type ImportSummary } from '../endpoints.ts'

const tones: Partial<Record<ImportSummary['state'], StatusTone>> = {
  done: 'done',
  checking: 'info',
  running: 'info',
  undoing: 'info',
  checked: 'wait',
  stopped: 'wait',
  failed: 'wait',
  read: 'draft',
}

/** Brings the words of: fields. What was brought in before; a row leads back to it, and to its undo. */
export function Past({ resource }: { resource?: string }) {
  const t = useWords()
  const query = useInfiniteQuery({
    queryKey: [listImports.name, resource ?? ''],
    queryFn: ({ pageParam, signal }) =>
      call(
        listImports,
        { ...(resource ? { resource } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 0,
  })
  const { data } = query
  const rows = data?.pages.flatMap((page) => page.rows) ?? []
  if (rows.length === 0) return null
  const href = (row: ImportSummary) => `/invoice/tools/import/${row.resource}?id=${row.id}`
  return (
    <Card title={t('imports.past')} flush>
      <DataTable
        label={t('imports.past')}
        rows={rows}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        rowHref={href}
        onOpen={(row) => go(href(row))}
        columns={[
          {
            key: 'name',
            title: t('imports.file'),
            strong: true,
            width: 'trim',
            phone: 'title',
            cell: (row) => <bdi>{row.name}</bdi>,
          },
          ...(resource
            ? []
            : [
                {
                  key: 'register',
                  title: t('imports.register'),
                  width: 'fit' as const,
                  phone: 'line' as const,
                  cell: (row: ImportSummary) => t(`${row.resource}.title`),
                },
              ]),
          {
            key: 'at',
            title: t('imports.at'),
            width: 'fit',
            phone: 'line',
            cell: (row) => <Num>{formatMoment(new Date(row.createdAt))}</Num>,
          },
          { key: 'by', title: t('imports.by'), width: '16%', cell: (row) => <bdi>{row.by ?? ''}</bdi> },
          {
            key: 'create',
            title: t('imports.outcome.create'),
            align: 'amount',
            cell: (row) => <Num>{row.counts.create ?? 0}</Num>,
          },
          {
            key: 'change',
            title: t('imports.outcome.change'),
            align: 'amount',
            cell: (row) => <Num>{row.counts.change ?? 0}</Num>,
          },
          {
            key: 'faulty',
            title: t('imports.outcome.faulty'),
            align: 'amount',
            cell: (row) => <Num>{row.counts.faulty ?? 0}</Num>,
          },
          {
            key: 'state',
            title: t('imports.stateOf'),
            width: 'fit',
            phone: 'state',
            cell: (row) => (
              <StatusPill tone={tones[row.state] ?? 'plain'}>{t(`imports.state.${row.state}`)}</StatusPill>
            ),
          },
        ]}
      />
      <MoreRows of={query} />
    </Card>
  )
}
