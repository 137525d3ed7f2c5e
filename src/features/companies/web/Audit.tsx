import { useInfiniteQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { useState } from 'react'
import { formatMoment, formatMoney } from '../../../domain/format.ts'
import type { OutputOf } from '../../../kit/describe/endpoint.ts'
import { call } from '../../../kit/web/call.ts'
import { TextCell } from '../../../kit/web/fields/cells.tsx'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { DataTable } from '../../../kit/web/parts/DataTable.tsx'
import { SideSheet } from '../../../kit/web/parts/Dialog.tsx'
import { EmptyState } from '../../../kit/web/parts/EmptyState.tsx'
import { Failed } from '../../../kit/web/parts/Failed.tsx'
import { Num } from '../../../kit/web/parts/Num.tsx'
import { PageHeader } from '../../../kit/web/parts/PageHeader.tsx'
import { cardPath, resourceNamed } from '../../../kit/web/screens/resources.ts'
import { useWords, type Words } from '../../../kit/web/words.tsx'
import { listAudit } from '../endpoints.ts'
import './companies.css'

type Trace = OutputOf<typeof listAudit>['rows'][number]

/** Who did what, newest first: append-only, for the owner and for the tax authority. */
export function Screen() {
  const t = useWords()
  const [open, setOpen] = useState<Trace>()
  const { data, error, isLoading, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery({
    queryKey: [listAudit.name],
    queryFn: ({ pageParam, signal }) => call(listAudit, pageParam ? { cursor: pageParam } : {}, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
  const rows = data?.pages.flatMap((page) => page.rows) ?? []
  return (
    <>
      <PageHeader
        title={t('screens.audit')}
        crumbs={[{ label: t('screens.settings'), href: '/invoice/Settings' }]}
        sub={t('companies.log.sub')}
      />
      <DataTable
        label={t('screens.audit')}
        main
        rows={rows}
        rowKey={(row) => row.id}
        rowName={(row) => t(`companies.audit.${row.action}`)}
        loading={isLoading}
        onOpen={setOpen}
        empty={error ? <Failed error={error} onRetry={refetch} /> : <EmptyState icon={History} title={t('companies.log.empty')} />}
        columns={[
          {
            key: 'at',
            title: t('companies.log.at'),
            width: 'fit',
            cell: (row) => <Num>{formatMoment(new Date(row.at))}</Num>,
            phone: 'line',
          },
          {
            key: 'who',
            title: t('companies.log.who'),
            width: '18%',
            cell: (row) => (row.who ? <TextCell value={row.who} /> : <span className="hint">{t('companies.log.system')}</span>),
            phone: 'line',
          },
          {
            key: 'action',
            title: t('companies.log.action'),
            strong: true,
            width: '24%',
            cell: (row) => t(`companies.audit.${row.action}`),
            phone: 'title',
          },
          { key: 'what', title: t('companies.log.what'), width: 'trim', cell: (row) => <TextCell quiet value={summaryOf(t, row)} /> },
          {
            key: 'address',
            title: t('companies.log.address'),
            width: 'fit',
            cell: (row) => (
              <span className="hint">
                <Num>{row.address}</Num>
              </span>
            ),
          },
        ]}
      />
      {hasNextPage && (
        <div className="mt-3 flex justify-center">
          <Button busy={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {t('companies.log.more')}
          </Button>
        </div>
      )}
      {open && <Detail of={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

type Values = Record<string, unknown>
const valuesOf = (given: unknown): Values => (given !== null && typeof given === 'object' && !Array.isArray(given) ? (given as Values) : {})
const keysOf = (row: Trace): string[] => [...new Set([...Object.keys(valuesOf(row.before)), ...Object.keys(valuesOf(row.after))])]

/** The words of a field, when its feature has any; its own name otherwise. */
function fieldWord(t: Words, entity: string, name: string): string {
  const key = `${entity}.fields.${name}`
  const said = t(key)
  return said === key ? name : said
}

function valueText(t: Words, entity: string, name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return t(value ? 'kit.flag.yes' : 'kit.flag.no')
  if (typeof value === 'number' && name.endsWith('Agorot')) return formatMoney(value)
  if (typeof value === 'object') return JSON.stringify(value)
  // A fixed word is said as its feature says it.
  for (const key of [`${entity}.${name}.${String(value)}`, `${entity}.${name}s.${String(value)}`]) if (t(key) !== key) return t(key)
  return String(value)
}

const summaryOf = (t: Words, row: Trace): string =>
  keysOf(row)
    .slice(0, 4)
    .map(
      (name) =>
        `${fieldWord(t, row.entity, name)}: ${valueText(t, row.entity, name, valuesOf(row.after)[name] ?? valuesOf(row.before)[name])}`,
    )
    .join(' · ')

function Detail({ of: row, onClose }: { of: Trace; onClose: () => void }) {
  const t = useWords()
  const resource = resourceNamed(row.entity)
  const href = resource && row.entityId ? cardPath(resource, row.entityId) : undefined
  const keys = keysOf(row)
  return (
    <SideSheet
      isOpen
      onClose={onClose}
      title={t(`companies.audit.${row.action}`)}
      actions={href ? <Button href={href}>{t('companies.log.open')}</Button> : undefined}
    >
      <p className="sub mb-4">
        <bdi>{row.who ?? t('companies.log.system')}</bdi> · <Num>{formatMoment(new Date(row.at))}</Num> · <Num>{row.address}</Num>
      </p>
      {keys.length === 0 ? (
        <p className="hint">{t('companies.log.nothing')}</p>
      ) : (
        <table className="co-diff">
          <thead>
            <tr>
              <th scope="col">{t('companies.log.field')}</th>
              <th scope="col">{t('companies.log.before')}</th>
              <th scope="col">{t('companies.log.after')}</th>
            </tr>
          </thead>
          <tbody>
            {keys.map((name) => (
              <tr key={name}>
                <td>{fieldWord(t, row.entity, name)}</td>
                <td dir="auto">{valueText(t, row.entity, name, valuesOf(row.before)[name])}</td>
                <td dir="auto">{valueText(t, row.entity, name, valuesOf(row.after)[name])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </SideSheet>
  )
}
