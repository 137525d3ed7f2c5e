import { useInfiniteQuery } from '@tanstack/react-query'
import { Download, History } from 'lucide-react'
import { useState } from 'react'
import { formatMoment } from '#domain/format.ts'
import { call, failureText } from '#kit/web/calls/call.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { MoreRows } from '#kit/web/parts/MoreRows.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Menu } from '#kit/web/parts/Menu.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { go } from '#kit/web/routes/place.ts'
import { cardPath, resourceNamed } from '#kit/web/screens/resources.ts'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { exportActivity, workerActivity } from '../endpoints.ts'
import type { Worker } from '../workers.ts'
import { areaText, deedText } from './says.ts'

/** The link of an action: its subject, when that has a card. */
export const placeOf = ({
  entity,
  entityId,
}: {
  entity: string
  entityId: string | null
}): string | undefined => {
  if (!entityId) return undefined
  if (entity === 'documents') return `/invoice/preview/${entityId}`
  const resource = resourceNamed(entity)
  return resource && cardPath(resource, entityId)
}

/** What a worker did, newest first, in words; by area and day, and as a file. */
export function Activity({ worker }: { worker: Worker }) {
  const t = useWords()
  const fetchFile = useFile()
  const [area, setArea] = useState<string | null>(null)
  const [from, setFrom] = useState<string | null>(null)
  const [to, setTo] = useState<string | null>(null)
  const asked = { id: worker.id, ...(area ? { area } : {}), ...(from ? { from } : {}), ...(to ? { to } : {}) }
  const query = useInfiniteQuery({
    queryKey: [workerActivity.name, asked],
    queryFn: ({ pageParam, signal }) =>
      call(workerActivity, { ...asked, ...(pageParam ? { cursor: pageParam } : {}) }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    enabled: worker.state !== 'invited',
  })
  const { data, error, isLoading } = query
  if (worker.state === 'invited')
    return (
      <EmptyState icon={History} title={t('team.activity.empty')}>
        {t('team.activity.invited')}
      </EmptyState>
    )
  const rows = data?.pages.flatMap((page) => page.rows) ?? []
  const exporting = (format: 'csv' | 'xlsx') => void fetchFile(exportActivity, { ...asked, format })
  return (
    <>
      <div className="tm-filters">
        <ChoiceField
          as="list"
          clearable
          label={t('team.activity.area')}
          placeholder={t('team.activity.allAreas')}
          value={area}
          onChange={setArea}
          choices={(data?.pages[0]?.areas ?? []).map((value) => ({ value, label: areaText(t, value) }))}
        />
        <DayField label={t('team.activity.from')} value={from} onChange={setFrom} />
        <DayField label={t('team.activity.to')} value={to} onChange={setTo} />
        <Menu
          label={t('kit.lists.export')}
          items={[
            { key: 'xlsx', label: t('kit.lists.xlsx'), onPress: () => exporting('xlsx') },
            { key: 'csv', label: t('kit.lists.csv'), onPress: () => exporting('csv') },
          ]}
          trigger={
            <Button kind="quiet" icon={Download}>
              {t('kit.lists.export')}
            </Button>
          }
        />
      </div>
      <DataTable
        label={t('team.tabs.activity')}
        rows={rows}
        rowKey={(row) => row.id}
        rowName={(row) => deedText(t, row.action)}
        loading={isLoading}
        onOpen={(row) => {
          const href = placeOf(row)
          if (href) go(href)
        }}
        rowHref={placeOf}
        empty={
          <EmptyState icon={History} title={error ? t('team.failed') : t('team.activity.empty')}>
            {error ? failureText(t, error) : undefined}
          </EmptyState>
        }
        columns={[
          {
            key: 'at',
            title: t('team.activity.at'),
            width: 'fit',
            cell: (row) => <Num>{formatMoment(new Date(row.at))}</Num>,
            phone: 'line',
          },
          {
            key: 'action',
            title: t('team.activity.action'),
            strong: true,
            width: '34%',
            cell: (row) => deedText(t, row.action),
            phone: 'title',
          },
          {
            key: 'about',
            title: t('team.activity.about'),
            width: 'trim',
            cell: (row) => <TextCell value={row.about} />,
            phone: 'line',
          },
          {
            key: 'address',
            title: t('team.activity.address'),
            width: 'fit',
            cell: (row) => (
              <span className="hint">
                <Num>{row.address}</Num>
              </span>
            ),
          },
        ]}
      />
      <MoreRows of={query} />
    </>
  )
}
