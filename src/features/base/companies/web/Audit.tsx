import { useInfiniteQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Day } from '#domain/day.ts'
import { documentTypeById, paymentMeansById } from '#domain/documents/kinds.ts'
import { formatDay, formatMoment, formatMoney, formatNumber, formatPercent } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call } from '#kit/web/calls/call.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { MoreRows } from '#kit/web/parts/MoreRows.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { fileSize } from '#kit/web/parts/FileDrop.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { languageNames } from '#kit/web/words/language.ts'
import { cardPath, resourceNamed } from '#kit/web/screens/resources.ts'
import { useWords, wordIfAny, type Words } from '#kit/web/words/words.tsx'
import { useWordsOf } from '#kit/web/words/wording.ts'
import { listAudit } from '../endpoints.ts'
import './companies.css'

type Trace = OutputOf<typeof listAudit>['rows'][number]

const useLog = () =>
  useInfiniteQuery({
    queryKey: [listAudit.name],
    queryFn: ({ pageParam, signal }) => call(listAudit, pageParam ? { cursor: pageParam } : {}, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
type Log = ReturnType<typeof useLog>

/** Who did what, newest first: append-only, for the owner and for the tax authority. */
export function Screen() {
  const t = useWords()
  const [open, setOpen] = useState<Trace>()
  const query = useLog()
  return (
    <>
      <PageHeader
        title={t('screens.audit')}
        crumbs={[{ label: t('screens.settings'), href: '/invoice/Settings' }]}
        sub={t('companies.log.sub')}
      />
      <Suspense fallback={<Skeleton lines={8} />}>
        <Lines of={query} onOpen={setOpen} />
      </Suspense>
      {open && <Detail of={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

/** The lines, each named in the words of the feature it tells of, which come when they are known. */
function Lines({ of: query, onOpen }: { of: Log; onOpen: (row: Trace) => void }) {
  const t = useWords()
  const { data, error, isLoading, refetch } = query
  const rows = data?.pages.flatMap((page) => page.rows) ?? []
  useWordsOf(...new Set(rows.map(({ entity }) => entity)))
  return (
    <>
      <DataTable
        label={t('screens.audit')}
        main
        rows={rows}
        rowKey={(row) => row.id}
        rowName={(row) => t(`companies.audit.${row.action}`)}
        loading={isLoading}
        onOpen={onOpen}
        empty={
          error ? (
            <Failed error={error} onRetry={refetch} />
          ) : (
            <EmptyState icon={History} title={t('companies.log.empty')} />
          )
        }
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
            cell: (row) =>
              row.who ? <TextCell value={row.who} /> : <TextCell quiet value={t('companies.log.system')} />,
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
          {
            key: 'what',
            title: t('companies.log.what'),
            width: 'trim',
            cell: (row) => <TextCell quiet value={summaryOf(t, row)} />,
            phone: 'line',
          },
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
      <MoreRows of={query} />
    </>
  )
}

type Values = Record<string, unknown>
const valuesOf = (given: unknown): Values =>
  given !== null && typeof given === 'object' && !Array.isArray(given) ? (given as Values) : {}
const keysOf = (row: Trace): string[] => [
  ...new Set([...Object.keys(valuesOf(row.before)), ...Object.keys(valuesOf(row.after))]),
]

/** Marks of other records tell a person nothing: the record is named, or opens. */
const isMark = (value: unknown) =>
  typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value)

/**
 * The words of a field: its feature's, or those of a fact that is no field (whom to, how many). Undefined
 * when nobody has any.
 */
function fieldWord(t: Words, entity: string, name: string): string | undefined {
  return wordIfAny(t, `${entity}.fields.${name}`) ?? wordIfAny(t, `companies.facts.${name}`)
}

const readable = (text: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(text)
    ? formatDay(text as Day)
    : /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text)
      ? formatMoment(new Date(text))
      : /^\d{4}-\d{2}$/.test(text)
        ? `${text.slice(5)}/${text.slice(0, 4)}`
        : // A letter's title is kept as its template.
          text.replace(/\{\w+\}/g, '…')

/**
 * What a number stands for: kinds of VAT, means of payment and types of documents are kept by their numbers,
 * as programs know them.
 */
function numberWord(t: Words, entity: string, name: string, value: number): string | undefined {
  if (/vatKind$/i.test(name)) return wordIfAny(t, `companies.vatKinds.${value}`)
  if (name === 'means') {
    const means = paymentMeansById(value)
    return means && t(`documents.means.${means}`)
  }
  if (
    name === 'documentType' ||
    name === 'document_type' ||
    name === 'docsAllow' ||
    (name === 'type' && entity === 'documents')
  ) {
    const type = documentTypeById(value)
    return type && t(`documents.types.${type}`)
  }
  if (name === 'typeId') return wordIfAny(t, `team.type.${value}`)
  return name === 'subTypeId' ? wordIfAny(t, `team.subType.${value}`) : undefined
}

function valueText(t: Words, entity: string, name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return t(value ? 'kit.flag.yes' : 'kit.flag.no')
  if (typeof value === 'number') {
    if (name.endsWith('Agorot')) return formatMoney(value)
    if (name.endsWith('Bp')) return formatPercent(value)
    if (name === 'size') return fileSize(value)
    return numberWord(t, entity, name, value) ?? String(value)
  }
  if (Array.isArray(value))
    return value.length === 0
      ? '–'
      : value.some((one) => one !== null && typeof one === 'object')
        ? // What has words is said, one below the other; of the rest how many there are.
          value.every((one) => Object.keys(valuesOf(one)).every((key) => fieldWord(t, entity, key)))
          ? value.map((one) => valueText(t, entity, name, one)).join('\n')
          : formatNumber(value.length)
        : value.map((one) => valueText(t, entity, name, one)).join(', ')
  if (typeof value === 'object')
    return Object.entries(value)
      .filter(([, inner]) => !isMark(inner))
      .map(([key, inner]) => `${fieldWord(t, entity, key) ?? key}: ${valueText(t, entity, key, inner)}`)
      .join(' · ')
  const text = String(value)
  if (name === 'language' && text in languageNames) return languageNames[text as keyof typeof languageNames]
  // A fixed word is said as its feature says it; a list by the name of its screen.
  const said = [
    `${entity}.${name}.${text}`,
    `${entity}.${name}s.${text}`,
    `${entity}.types.${text}`,
    ...(name === 'resource' ? [`screens.${text}`] : []),
    ...(name === 'currency' ? [] : [`kit.${name}.${text}`]),
  ]
    .map((key) => wordIfAny(t, key))
    .find((word) => word !== undefined)
  return said ?? readable(text)
}

/** What a line of the log says beside its action: only what has words, and no ids of records. */
const summaryOf = (t: Words, row: Trace): string =>
  keysOf(row)
    .flatMap((name) => {
      const word = fieldWord(t, row.entity, name)
      const value = valuesOf(row.after)[name] ?? valuesOf(row.before)[name]
      if (!word || isMark(value) || value === null || value === undefined || value === '') return []
      // "to" is whom something was sent, or the last day of a range.
      const said = name === 'to' && /^\d{4}-/.test(String(value)) ? t('companies.facts.untilDate') : word
      return [
        `${said}: ${Array.isArray(value) && value.some((one) => typeof one === 'object') ? formatNumber(value.length) : valueText(t, row.entity, name, value)}`,
      ]
    })
    .slice(0, 4)
    .join(' · ')

function Detail({ of: row, onClose }: { of: Trace; onClose: () => void }) {
  const t = useWords()
  const resource = resourceNamed(row.entity)
  const href = resource && row.entityId ? cardPath(resource, row.entityId) : undefined
  const keys = keysOf(row).filter(
    (name) => !isMark(valuesOf(row.before)[name]) && !isMark(valuesOf(row.after)[name]),
  )
  return (
    <SideSheet
      isOpen
      onClose={onClose}
      title={t(`companies.audit.${row.action}`)}
      actions={href ? <Button href={href}>{t('companies.log.open')}</Button> : undefined}
    >
      <p className="sub mb-4">
        <bdi>{row.who ?? t('companies.log.system')}</bdi> · <Num>{formatMoment(new Date(row.at))}</Num> ·{' '}
        <Num>{row.address}</Num>
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
                <td>{fieldWord(t, row.entity, name) ?? <bdi className="num">{name}</bdi>}</td>
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
