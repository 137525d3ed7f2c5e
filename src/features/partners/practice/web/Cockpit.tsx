import {
  BriefcaseBusiness,
  Check,
  CircleCheck,
  FileCheck,
  FolderDown,
  Mail,
  RefreshCw,
  Search,
  Users,
} from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import {
  boxOf,
  isLeft,
  papersToAsk,
  questions,
  reportLines,
  type QuestionName,
} from '#domain/closing/closing.ts'
import { formatDay } from '#domain/format.ts'
import { call, callFile, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable, type Column, type Sort } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'
import { matches } from '#kit/web/parts/matches.ts'
import { MonthSteps, monthWords } from '#kit/web/parts/MonthSteps.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { SelectionBar } from '#kit/web/parts/SelectionBar.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLast } from '#kit/web/hooks/useLast.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { bulkDeeds, cockpit, filesOfClients, myOffice, refreshClients, type ClientRow } from '../endpoints.ts'
import { BulkDialog } from './Bulk.tsx'
import { OpenOffice } from './OpenOffice.tsx'
import { daysWords, lineWords, tones } from './shared.ts'
import './practice.css'

type Deed = (typeof bulkDeeds)[number]
type View = 'all' | 'mine' | 'waiting' | 'review' | 'late' | 'done'
const names = Object.keys(questions) as QuestionName[]
const isDone = ({ closing }: ClientRow) => closing === 'filed' || closing === 'paid'
const isLate = (row: ClientRow) => row.daysLeft < 0 && !isDone(row) && row.state === 'active'
const toPay = ({ facts }: ClientRow) =>
  (facts?.vat?.toPayAgorot ?? 0) + (facts?.advance?.toPayAgorot ?? 0) + (facts?.withheld?.toPayAgorot ?? 0)
const order = ['untouched', 'waiting', 'work', 'review', 'filed', 'paid']

/** All clients of the office on one page, made for the days before the fifteenth. */
export function Screen() {
  const t = useWords()
  const { lang } = useLanguage()
  const { query, setQuery } = usePlace()
  const asked = /^\d{4}-\d{2}$/.test(query.month ?? '') ? { month: query.month } : {}
  const mine = useCall(myOffice, {}, { staleTime: 60_000 })
  const office = mine.data?.office
  const {
    data: fresh,
    error,
    refetch,
  } = useCall(cockpit, asked, { enabled: !!office, refetchInterval: 60_000 })
  const data = useLast(fresh)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [sort, setSort] = useState<Sort>({ key: 'left', direction: 'asc' })
  const [deed, setDeed] = useState<{ deed: Deed; ids: string[] }>()
  const view =
    (['mine', 'waiting', 'review', 'late', 'done'] as const).find((one) => one === query.view) ?? 'all'
  const failed = useSummedUp(data)
  if (mine.error && !mine.data) return <Failed error={mine.error} onRetry={mine.refetch} />
  if (mine.data && !office) return <OpenOffice />
  // Everything is drawn at once, so that nothing moves: what can be done depends on what has arrived.
  if (!data && !error)
    return (
      <>
        <PageHeader title={t('screens.mainCpa')} />
        <Skeleton lines={12} />
      </>
    )

  const me = office?.people ?? []
  const rows = data?.rows ?? []
  const active = rows.filter(({ state }) => state === 'active')
  const inView: Record<View, (row: ClientRow) => boolean> = {
    all: () => true,
    mine: ({ responsible }) => responsible !== null && responsible.id === query.who,
    waiting: ({ closing }) => closing === 'waiting',
    review: ({ closing }) => closing === 'review',
    late: isLate,
    done: isDone,
  }
  const found = rows
    .filter((row) => inView[view](row) && (!query.who || row.responsible?.id === query.who))
    .filter(({ name, taxId }) => matches(`${name} ${taxId}`, query.q ?? ''))
  const by: Record<string, (row: ClientRow) => string | number> = {
    name: ({ name }) => name,
    who: ({ responsible }) => responsible?.name ?? '',
    pay: toPay,
    state: ({ closing }) => order.indexOf(closing ?? 'untouched'),
    left: (row) => (isDone(row) ? 10_000 : row.daysLeft),
  }
  const key = by[sort.key] ?? by.left!
  const shown = found.toSorted((a, b) => {
    const [x, y] = [key(a), key(b)]
    const way = typeof x === 'number' ? x - (y as number) : x.localeCompare(y as string, lang)
    return (sort.direction === 'asc' ? way : -way) || a.name.localeCompare(b.name, lang)
  })
  const ready = active.filter(({ closing, facts }) => closing === 'review' && facts && !facts.isClosed)
  const lacking = active.filter(({ facts }) => facts && papersToAsk(facts.lines) > 0)
  const doneRows = active.filter(isDone)
  const waiting = active.filter(({ closing }) => closing === 'waiting')
  const untouched = active.filter(({ closing }) => closing === 'untouched')
  const reviewed = active.filter(({ closing }) => closing === 'review')
  const due = active.map(({ dueDay }) => dueDay).toSorted()[0]
  const month = data?.month ?? asked.month
  const missing = (list: ClientRow[]) => list.reduce((all, { facts }) => all + (facts?.requestsOpen ?? 0), 0)

  const kindOf = (row: ClientRow) =>
    `${t(`session.kind.${row.kind}`)} · ${t(row.vatMonths === 1 ? 'practice.monthly' : 'practice.bimonthly')}`
  const columns: Column<ClientRow>[] = [
    {
      key: 'name',
      title: t('practice.client'),
      strong: true,
      sort: true,
      width: '24%',
      phone: 'title',
      cell: (row) => (
        <span className="of-name">
          <bdi className="cut" title={row.name}>
            {row.name}
          </bdi>
          <span className="cut hint text-12" title={kindOf(row)}>
            {kindOf(row)}
          </span>
        </span>
      ),
    },
    {
      key: 'who',
      title: t('practice.responsible'),
      sort: true,
      width: 'fit',
      cell: ({ responsible }) => <bdi>{responsible?.name ?? '–'}</bdi>,
    },
    { key: 'boxes', title: t('practice.boxes'), width: 'fit', cell: (row) => <Boxes of={row} /> },
    {
      key: 'missing',
      title: t('practice.missing'),
      width: 'trim',
      phone: 'line',
      cell: (row) => (
        <span className="cut" title={missingWords(t, row, failed)}>
          {missingWords(t, row, failed)}
        </span>
      ),
    },
    {
      key: 'pay',
      title: t('practice.toPay'),
      sort: true,
      align: 'amount',
      width: 'fit',
      phone: 'amount',
      cell: (row) =>
        row.facts?.vat || row.facts?.advance || row.facts?.withheld ? <MoneyCell value={toPay(row)} /> : '–',
    },
    {
      key: 'state',
      title: t('practice.state'),
      sort: true,
      width: 'fit',
      phone: 'state',
      cell: ({ closing, state }) =>
        state !== 'active' ? (
          <StatusPill tone="draft">{t(`practice.engagement.${state}`)}</StatusPill>
        ) : closing ? (
          <StatusPill tone={tones[closing]}>{t(`practice.closing.${closing}`)}</StatusPill>
        ) : (
          <StatusPill tone="draft">{t('practice.summing')}</StatusPill>
        ),
    },
    {
      key: 'left',
      title: t('practice.left'),
      sort: true,
      width: 'fit',
      cell: (row) =>
        isDone(row) || row.state !== 'active' ? (
          '–'
        ) : (
          <span className={row.daysLeft < 0 ? 'of-late' : undefined}>{daysWords(t, row.daysLeft)}</span>
        ),
    },
  ]
  const chosen = [...selected].filter((id) => active.some((row) => row.id === id))
  const download = () =>
    void callFile(filesOfClients, { month: month!, clientIds: chosen.slice(0, 50).join(',') }).catch(
      (e: unknown) => banner.error(failureText(t, e)),
    )
  return (
    <>
      <PageHeader
        title={month ? t('practice.title', { month: monthWords(month, lang) }) : t('screens.mainCpa')}
        sub={
          due && (
            <>
              {t('practice.dueBy')} <Num>{formatDay(due)}</Num> ·{' '}
              {t('practice.clients', { count: active.length })}
            </>
          )
        }
        actions={
          <>
            {lacking.length > 0 && (
              <Button icon={Mail} onPress={() => setDeed({ deed: 'ask', ids: lacking.map(({ id }) => id) })}>
                {t('practice.askFrom', { count: lacking.length })}
              </Button>
            )}
            {ready.length > 0 && (
              <Button
                kind="primary"
                icon={Check}
                onPress={() => setDeed({ deed: 'close', ids: ready.map(({ id }) => id) })}
              >
                {t('practice.closeReady', { count: ready.length })}
              </Button>
            )}
          </>
        }
        more={[
          ...(office?.isManager
            ? [{ key: 'manager', label: t('screens.mainCpam'), icon: Users, href: '/cpa/manager' }]
            : []),
          ...(month
            ? [
                {
                  key: 'refresh',
                  label: t('practice.refresh'),
                  icon: RefreshCw,
                  onPress: () =>
                    void sumUp(
                      month,
                      active.map(({ id }) => id),
                    ),
                },
              ]
            : []),
        ]}
      />
      <Figures label={t('practice.figures')}>
        <Figure
          label={t('practice.figure.done')}
          value={<Num>{doneRows.length}</Num>}
          note={
            active.length > 0 &&
            t('practice.figure.share', { percent: Math.round((doneRows.length / active.length) * 100) })
          }
          href={`/cpa/main?view=done${month ? `&month=${month}` : ''}`}
        />
        <Figure
          label={t('practice.figure.review')}
          value={<Num>{reviewed.length}</Num>}
          note={
            <>
              {t('practice.toPay')} <MoneyCell value={reviewed.reduce((all, row) => all + toPay(row), 0)} />
            </>
          }
          href={`/cpa/main?view=review${month ? `&month=${month}` : ''}`}
        />
        <Figure
          label={t('practice.figure.waiting')}
          value={<Num>{waiting.length}</Num>}
          note={t('practice.figure.papers', { count: missing(waiting) })}
          href={`/cpa/main?view=waiting${month ? `&month=${month}` : ''}`}
        />
        <Figure
          label={t('practice.figure.untouched')}
          value={<Num>{untouched.length}</Num>}
          note={t('practice.figure.late', { count: active.filter(isLate).length })}
          {...(untouched.length > 0 ? { tone: 'late' as const } : {})}
        />
      </Figures>
      <Views
        label={t('practice.views')}
        value={view}
        onChange={(next) => {
          setSelected(new Set())
          setQuery({ view: next === 'all' ? undefined : next })
        }}
        views={[
          { key: 'all', label: t('practice.view.all'), count: rows.length },
          { key: 'waiting', label: t('practice.closing.waiting'), count: waiting.length },
          { key: 'review', label: t('practice.closing.review'), count: reviewed.length },
          { key: 'late', label: t('practice.view.late'), count: active.filter(isLate).length, tone: 'late' },
          { key: 'done', label: t('practice.view.done'), count: doneRows.length },
        ]}
      />
      <div className="of-tools">
        {month && <MonthSteps value={month} onChange={(next) => setQuery({ month: next })} />}
        <TextField
          label={t('practice.search')}
          hideLabel
          icon={Search}
          placeholder={t('practice.search')}
          type="search"
          value={query.q ?? ''}
          onChange={(q) => setQuery({ q: q || undefined })}
        />
        {me.length > 1 && (
          <div className="of-people" role="group" aria-label={t('practice.responsible')}>
            {me.map(({ id, name }) => (
              <Button
                key={id}
                size="s"
                kind={query.who === id ? 'soft' : 'quiet'}
                pressed={query.who === id}
                onPress={() => setQuery({ who: query.who === id ? undefined : id })}
              >
                <bdi>{name}</bdi>
              </Button>
            ))}
          </div>
        )}
      </div>
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : (
        <>
          <DataTable
            main
            label={t('screens.mainCpa')}
            columns={columns}
            rows={shown}
            rowKey={({ id }) => id}
            rowName={({ name }) => name}
            sort={sort}
            onSort={setSort}
            selected={selected}
            onSelect={setSelected}
            loading={!data}
            rowHref={({ id, state }) => (state === 'active' ? `/cpa/client/${id}?month=${month}` : undefined)}
            onOpen={({ id, state }) => state === 'active' && go(`/cpa/client/${id}?month=${month}`)}
            density="comfortable"
            empty={
              <EmptyState
                icon={BriefcaseBusiness}
                title={t(rows.length ? 'practice.none' : 'practice.noClients')}
                actions={
                  !rows.length &&
                  office?.isManager && (
                    <Button kind="primary" href="/cpa/manager">
                      {t('practice.addClients')}
                    </Button>
                  )
                }
              >
                {rows.length ? undefined : t('practice.noClientsText')}
              </EmptyState>
            }
          />
          <SelectionBar count={chosen.length} onClear={() => setSelected(new Set())}>
            <Button kind="quiet" size="s" icon={Mail} onPress={() => setDeed({ deed: 'ask', ids: chosen })}>
              {t('practice.deed.ask')}
            </Button>
            <Button
              kind="quiet"
              size="s"
              icon={Check}
              hi
              onPress={() => setDeed({ deed: 'close', ids: chosen })}
            >
              {t('practice.deed.close')}
            </Button>
            <Button
              kind="quiet"
              size="s"
              icon={FileCheck}
              onPress={() => setDeed({ deed: 'fileAll', ids: chosen })}
            >
              {t('practice.deed.fileAll')}
            </Button>
            <Button
              kind="quiet"
              size="s"
              icon={CircleCheck}
              onPress={() => setDeed({ deed: 'paid', ids: chosen })}
            >
              {t('practice.deed.paid')}
            </Button>
            <Button kind="quiet" size="s" icon={FolderDown} onPress={download}>
              {t('practice.deed.files')}
            </Button>
          </SelectionBar>
        </>
      )}
      {deed && month && (
        <BulkDialog
          deed={deed.deed}
          month={month}
          ids={deed.ids}
          onClose={() => {
            setDeed(undefined)
            setSelected(new Set())
            void queryClient.invalidateQueries({ queryKey: keyOf(cockpit) })
          }}
        />
      )}
    </>
  )
}

/** The five questions as boxes: full, half, empty. A reader hears what is left. */
function Boxes({ of: row }: { of: ClientRow }) {
  const t = useWords()
  const { facts } = row
  if (!facts) return <>–</>
  return (
    <span
      className="of-boxes"
      role="img"
      aria-label={names
        .map(
          (name) =>
            `${t(`practice.box.${name}`)}: ${t(`practice.boxState.${boxOf(facts.lines, name, facts.isTouched)}`)}`,
        )
        .join(', ')}
    >
      {names.map((name) => (
        <i key={name} data-is={boxOf(facts.lines, name, facts.isTouched)} title={t(`practice.box.${name}`)} />
      ))}
    </span>
  )
}

const missingWords = (
  t: ReturnType<typeof useWords>,
  { id, facts, closing, needsFactor }: ClientRow,
  failed: ReadonlySet<string>,
): string => {
  if (needsFactor) return t('practice.needsFactor')
  if (failed.has(id)) return t('practice.notSummed')
  if (!facts) return '–'
  if (closing === 'filed' || closing === 'paid') return '–'
  const left = facts.lines.filter((line) => isLeft(line) && !reportLines.includes(line.line))
  return left.length ? left.map((line) => lineWords(t, line)).join(' · ') : t('practice.allThere')
}

/** Answers the clients whose books could not be summed up. */
const sumUp = async (month: string, ids: string[]): Promise<string[]> => {
  const failed: string[] = []
  for (let at = 0; at < ids.length; at += 10)
    failed.push(...(await call(refreshClients, { month, clientIds: ids.slice(at, at + 10) })).failed)
  await queryClient.invalidateQueries({ queryKey: keyOf(cockpit) })
  return failed
}

/** A month nobody looked at yet is summed up when somebody does. */
function useSummedUp(data: { month: string; rows: ClientRow[] } | undefined): ReadonlySet<string> {
  const [failed, setFailed] = useState<ReadonlySet<string>>(new Set())
  const asked = useRef(new Set<string>())
  useEffect(() => {
    if (!data) return
    const ids = data.rows
      .filter(
        ({ id, facts, state, needsFactor }) =>
          !facts && !needsFactor && state === 'active' && !asked.current.has(`${data.month} ${id}`),
      )
      .map(({ id }) => id)
    if (!ids.length) return
    for (const id of ids) asked.current.add(`${data.month} ${id}`)
    void sumUp(data.month, ids)
      .then((more) => more.length && setFailed((before) => new Set([...before, ...more])))
      .catch(() => undefined)
  }, [data])
  return failed
}
