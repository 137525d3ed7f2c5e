import { useInfiniteQuery } from '@tanstack/react-query'
import { formatDay, formatMoney, formatPercent } from '#domain/format.ts'
import { isDay } from '#domain/day.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call } from '#kit/web/calls/call.ts'
import { MoreRows } from '#kit/web/parts/MoreRows.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { cardPath, resourceNamed } from '#kit/web/screens/resources.ts'
import { useWords, wordIfAny, type Words } from '#kit/web/words/words.tsx'
import { importRows, type Outcome } from '../endpoints.ts'
import type { Whole } from './whole.ts'

type Row = OutputOf<typeof importRows>['rows'][number]

/** A value as it is shown; ids of others and lists have no short form and are left to the record itself. */
function shown(t: Words, one: Whole, name: string, value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return t('imports.nothing')
  const kind = one.fields.find((field) => field.name === name)?.kind
  switch (kind) {
    case 'money':
      return formatMoney(Number(value))
    case 'percent':
      return formatPercent(Number(value))
    case 'flag':
      return t(value === true ? 'kit.flag.yes' : 'kit.flag.no')
    case 'choice':
      return t(`${one.resource}.${name}.${String(value)}`)
    case 'ref':
      return undefined
    default:
      return typeof value === 'object'
        ? undefined
        : isDay(String(value))
          ? formatDay(String(value))
          : String(value)
  }
}

function Changes({ one, row }: { one: Whole; row: Row }) {
  const t = useWords()
  const title = (name: string) => one.fields.find((field) => field.name === name)?.title ?? name
  const names = Object.keys(row.after).filter((name) => one.fields.some((field) => field.name === name))
  return (
    <span className="im-what">
      {names.slice(0, 8).map((name) => {
        const now = shown(t, one, name, row.after[name])
        const was = row.outcome === 'change' ? shown(t, one, name, row.before[name]) : undefined
        return (
          <span key={name}>
            <span className="hint">{title(name)}</span> {now !== undefined && <bdi>{now}</bdi>}
            {was !== undefined && now !== undefined && (
              <>
                {' '}
                <s className="hint">
                  <bdi>{was}</bdi>
                </s>
              </>
            )}
          </span>
        )
      })}
    </span>
  )
}

function Faults({ one, row }: { one: Whole; row: Row }) {
  const t = useWords()
  const title = (fault: Row['faults'][number]) =>
    one.fields.find((field) => field.name === fault.field)?.title ?? fault.title
  const text = (fault: Row['faults'][number]) =>
    wordIfAny(t, `errors.${fault.code}`, fault.params) ?? fault.text
  return (
    <span className="im-what">
      {row.faults.map((fault, at) => (
        <span key={at}>
          {title(fault) && <b>{title(fault)}</b>} {fault.value && <bdi className="im-bad">{fault.value}</bdi>}{' '}
          {text(fault)}
        </span>
      ))}
    </span>
  )
}

/** The rows of one kind, a hundred at a time. */
export function RowsOf({ one, outcome }: { one: Whole; outcome: Outcome | 'refused' }) {
  const t = useWords()
  const query = useInfiniteQuery({
    queryKey: [importRows.name, one.id, one.state, outcome],
    queryFn: ({ pageParam, signal }) =>
      call(importRows, { id: one.id, outcome, after: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next ?? undefined,
  })
  const { data, isLoading } = query
  const resource = resourceNamed(one.resource)
  const rows = data?.pages.flatMap((page) => page.rows) ?? []
  const isSaved = one.state === 'done' || one.state === 'stopped' || outcome === 'refused'
  return (
    <>
      <DataTable
        label={t(`imports.outcome.${outcome}`)}
        rows={rows}
        loading={isLoading}
        skeletons={4}
        rowKey={(row) => String(row.row)}
        rowName={(row) => t('imports.rowNo', { row: row.row })}
        rowHref={(row) =>
          isSaved && row.targetId && resource ? cardPath(resource, row.targetId) : undefined
        }
        density="comfortable"
        columns={[
          {
            key: 'row',
            title: t('imports.row'),
            width: 'fit',
            phone: 'line',
            cell: (row) => <Num>{row.row}</Num>,
          },
          {
            key: 'title',
            title: t('imports.record'),
            strong: true,
            width: '26%',
            phone: 'title',
            cell: (row) => (
              <bdi className="cut" title={row.title}>
                {row.title}
              </bdi>
            ),
          },
          {
            key: 'what',
            title: t(
              outcome === 'faulty'
                ? 'imports.whatIsWrong'
                : outcome === 'refused'
                  ? 'imports.whyStays'
                  : 'imports.values',
            ),
            width: 'trim',
            phone: 'line',
            cell: (row) =>
              outcome === 'faulty' ? (
                <Faults one={one} row={row} />
              ) : outcome === 'refused' ? (
                t(`imports.undone.${row.undone ?? 'touched'}`)
              ) : (
                <Changes one={one} row={row} />
              ),
          },
        ]}
      />
      <MoreRows of={query} />
    </>
  )
}
