import { Bot, Columns3, ListTodo, Plus } from 'lucide-react'
import { lazy, Suspense, useCallback, useMemo, useState, type ReactNode } from 'react'
import { withCurrency } from '#domain/format.ts'
import {
  call,
  CallFailure,
  failureText,
  keyOf,
  queryClient,
  useCall,
  changeAnswer,
} from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'
import { useNews } from '#kit/web/calls/live.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Board, type BoardMove } from '#kit/web/parts/Board.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { otherBoards } from '#kit/web/screens/boards.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { boardCards, finishTask, listBoards, moveTask, type TaskBoard, type TaskCard } from '../endpoints.ts'
import { tasks, priorities } from '../tasks.ts'
import { callsOf } from '#kit/web/screens/resources.ts'
import { PriorityPill } from './dress.tsx'
import { Counts, Due, Who } from './Facts.tsx'
import { AddDialog } from './AddDialog.tsx'
import { refreshTasks, useFreshBoards } from './shared.ts'
import { TaskSheet } from './TaskSheet.tsx'
import './tasks.css'

const BoardSheet = lazy(() =>
  fetchPart(() => import('./BoardSheet.tsx')).then((m) => ({ default: m.BoardSheet })),
)
const MakersSheet = lazy(() =>
  fetchPart(() => import('./MakersSheet.tsx')).then((m) => ({ default: m.MakersSheet })),
)

type Row = TaskCard & { columnId: string }
const byPlace = (a: Row, b: Row): number =>
  a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : a.id < b.id ? -1 : 1

/** The work of a business in columns; the person who moves a card moves it for everybody. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { query, setQuery } = usePlace()
  useFreshBoards()
  const { data, error } = useCall(listBoards, {})
  const board = data?.rows.find(({ id }) => id === query.board) ?? data?.rows[0]
  const [sheet, setSheet] = useState<'new' | 'change' | 'makers'>()
  const others = otherBoards().filter(({ rule }) => may(rule))
  const other = others.find(({ key }) => key === query.board)
  const choices = [
    ...(data?.rows ?? []).map(({ id, name }) => ({ value: id, label: name })),
    ...others.map(({ key, word }) => ({ value: key, label: t(word) })),
  ]
  const chooser = choices.length > 1 && (
    <ChoiceField
      label={t('tasks.boards.choose')}
      hideLabel
      as="list"
      value={other?.key ?? board?.id ?? null}
      // What was looked for and opened on one board says nothing on another.
      onChange={(id) =>
        id &&
        setQuery({ ...Object.fromEntries(Object.keys(query).map((name) => [name, undefined])), board: id })
      }
      choices={choices}
    />
  )
  if (other)
    return (
      <Suspense
        fallback={
          <>
            <PageHeader title={t(other.word)} />
            <Skeleton lines={8} />
          </>
        }
      >
        <other.Board chooser={chooser} actions={null} />
      </Suspense>
    )
  return (
    <>
      <PageHeader
        title={board && !board.isMain ? board.name : t('screens.kanban')}
        actions={
          <>
            {may('tasks.boards') && (
              <Button kind="quiet" icon={Bot} onPress={() => setSheet('makers')}>
                {t('tasks.makers.open')}
              </Button>
            )}
            <Button icon={ListTodo} href={tasks.screens.list}>
              {t('screens.tasks')}
            </Button>
          </>
        }
        {...(may('tasks.boards') && board
          ? {
              more: [
                {
                  key: 'change',
                  label: t('tasks.boards.change'),
                  icon: Columns3,
                  onPress: () => setSheet('change'),
                },
                { key: 'new', label: t('tasks.boards.new'), icon: Plus, onPress: () => setSheet('new') },
              ],
            }
          : {})}
      />
      {error && !data ? (
        <Note tone="late">{failureText(t, error)}</Note>
      ) : board ? (
        <OneBoard key={board.id} board={board} chooser={chooser} query={query} setQuery={setQuery} />
      ) : (
        <Skeleton lines={8} />
      )}
      <Suspense>
        {sheet === 'makers' && <MakersSheet onClose={() => setSheet(undefined)} />}
        {(sheet === 'new' || sheet === 'change') && (
          <BoardSheet
            key={sheet}
            {...(sheet === 'change' && board ? { board } : {})}
            onClose={() => setSheet(undefined)}
            onSaved={(id) => {
              setSheet(undefined)
              setQuery({ board: id })
            }}
          />
        )}
      </Suspense>
    </>
  )
}

interface OneProps {
  board: TaskBoard
  chooser: ReactNode
  query: Record<string, string>
  setQuery: (change: Record<string, string | undefined>) => void
}

function OneBoard({ board, chooser, query, setQuery }: OneProps) {
  const t = useWords()
  const may = useCan()
  const mayChange = may('tasks.change')
  const key = useMemo(() => keyOf(boardCards, { id: board.id }), [board.id])
  // Two thousand cards are not compared, field by field, at each move of one.
  const { data, error } = useCall(boardCards, { id: board.id }, { structuralSharing: false })
  const today = useToday()
  const owner = query.owner ?? ''
  const q = (query.q ?? '').trim().toLowerCase()

  const put = useCallback(
    (change: (rows: Row[]) => Row[], again = true) =>
      changeAnswer(
        boardCards,
        { id: board.id },
        (old) => {
          const rows = change(old.rows)
          return rows === old.rows ? old : { rows: rows.toSorted(byPlace) }
        },
        { again },
      ),
    [board.id],
  )
  /** Cards as they are now, in place of those that were; what is no longer here goes. */
  const fetchCards = useCallback(
    async (ids: readonly string[]) => {
      const { rows } = await call(boardCards, { id: board.id, ids: ids.join(',') })
      put((old) => {
        // The server reports one's own moves too: nothing is drawn again for them.
        const held = new Map(
          old.flatMap((one) => (ids.includes(one.id) ? [[one.id, JSON.stringify(one)] as const] : [])),
        )
        const isSame =
          rows.every((one) => held.get(one.id) === JSON.stringify(one)) &&
          ids.every((id) => !held.has(id) || rows.some((one) => one.id === id))
        return isSame ? old : [...old.filter(({ id }) => !ids.includes(id)), ...rows]
      })
    },
    [board.id, put],
  )
  useNews(['tasks'], (ids, isAll) => {
    if (isAll || ids.length > 200) void queryClient.invalidateQueries({ queryKey: key })
    else if (ids.length) void fetchCards(ids).catch(() => undefined)
  })

  const move = ({ id, columnId, afterId, beforeId, lane }: BoardMove) => {
    const before = queryClient.getQueryData<{ rows: Row[] }>(key)?.rows.find((one) => one.id === id)
    if (!before) return
    const column = board.columns.find((one) => one.id === columnId)!
    // Shown in its place at once: between the keys of its neighbours, until the server says its own.
    put((old) => {
      const rank = old.find((one) => one.id === afterId)?.rank ?? ''
      const next = old.find((one) => one.id === beforeId)?.rank
      const shown = afterId
        ? `${rank}${next === undefined ? 'V' : '0V'}`
        : next
          ? `${next.slice(0, -1)}${String.fromCharCode(next.charCodeAt(next.length - 1) - 1)}zV`
          : 'zzzz'
      return old.map((one) =>
        one.id === id
          ? {
              ...one,
              columnId,
              rank: shown,
              doneAt: column.isDone ? (one.doneAt ?? new Date().toISOString()) : null,
            }
          : one,
      )
    }, false)
    const change = lane !== undefined && board.lanes !== 'none' ? laneChange(board, before, lane) : undefined
    const save = async () => {
      const card = await call(moveTask, { id, version: before.version, columnId, afterId, beforeId })
      if (!change) return void put((old) => old.map((one) => (one.id === id ? card : one)))
      await call(callsOf(tasks).change, { id, ...change })
      await fetchCards([id])
    }
    save().catch(async (e: unknown) => {
      // The card goes back to where it is for everybody, and why is said.
      await fetchCards([id]).catch(() => put((old) => old.map((one) => (one.id === id ? before : one))))
      if (e instanceof CallFailure && e.code === 'tasks.moved') banner.error(t('errors.tasks.moved'))
      else banner.error(failureText(t, e))
    })
  }

  const rows = useMemo(
    () =>
      (data?.rows ?? []).filter(
        (one) =>
          (!owner || one.ownerId === owner) &&
          (!q || `${one.title} ${one.customerName ?? ''} ${one.leadName ?? ''}`.toLowerCase().includes(q)),
      ),
    [data, owner, q],
  )
  const people = useMemo(
    () => [
      ...new Map(
        (data?.rows ?? []).flatMap((one) =>
          one.ownerId ? [[one.ownerId, one.ownerName ?? ''] as const] : [],
        ),
      ),
    ],
    [data],
  )
  const lanes = useMemo(() => {
    if (board.lanes === 'owner')
      return [
        ...people.map(([id, name]) => ({ key: id, name: <bdi>{name}</bdi>, text: name })),
        { key: '', name: t('tasks.nobody'), text: t('tasks.nobody') },
      ]
    if (board.lanes === 'priority')
      return priorities.map((one) => ({
        key: one,
        name: t(`tasks.priority.${one}`),
        text: t(`tasks.priority.${one}`),
      }))
    return undefined
  }, [board.lanes, people, t])
  const [added, setAdded] = useState<string>()
  const hides = useSession()?.HideTotalPrices ?? false
  const face = useCallback(
    (card: Row) => <CardFace card={card} today={today} hides={hides} />,
    [today, hides],
  )
  return (
    <>
      <div className="tk-filter">
        {chooser}
        <div className="tk-find">
          <TextField
            label={t('tasks.boards.find')}
            hideLabel
            placeholder={t('tasks.boards.find')}
            value={query.q ?? ''}
            onChange={(text) => setQuery({ q: text || undefined })}
          />
        </div>
        <ChoiceField
          label={t('tasks.fields.ownerId')}
          hideLabel
          as="list"
          clearable
          placeholder={t('tasks.boards.everybody')}
          value={owner || null}
          onChange={(id) => setQuery({ owner: id ?? undefined })}
          choices={people.map(([id, name]) => ({ value: id, label: name }))}
        />
      </div>
      {error && !data && <Note tone="late">{failureText(t, error)}</Note>}
      {!data && !error && <Skeleton lines={8} />}
      {data && (
        <Board<Row>
          label={board.name}
          columns={board.columns}
          cards={rows}
          {...(lanes
            ? {
                lanes,
                laneOf: (card: Row) => (board.lanes === 'owner' ? (card.ownerId ?? '') : card.priority),
              }
            : {})}
          face={face}
          menu={(card) =>
            mayChange
              ? [
                  {
                    key: 'done',
                    label: t(card.doneAt ? 'tasks.reopen' : 'tasks.finish'),
                    onPress: () =>
                      void call(finishTask, { id: card.id, done: !card.doneAt })
                        .then(refreshTasks)
                        .catch((e: unknown) => banner.error(failureText(t, e))),
                  },
                ]
              : []
          }
          onOpen={(card) => setQuery({ task: card.id })}
          onMove={mayChange ? move : undefined}
          onAdd={mayChange ? setAdded : undefined}
        />
      )}
      {query.task && (
        <TaskSheet key={query.task} id={query.task} onClose={() => setQuery({ task: undefined })} />
      )}
      {added && <AddDialog columnId={added} onClose={() => setAdded(undefined)} />}
    </>
  )
}

/** What being dropped into another lane changes of a card. */
function laneChange(board: TaskBoard, card: Row, lane: string): Record<string, string | null> | undefined {
  if (board.lanes === 'owner') return (card.ownerId ?? '') === lane ? undefined : { ownerId: lane || null }
  return card.priority === lane ? undefined : { priority: lane }
}

function CardFace({ card, today, hides }: { card: TaskCard; today: string; hides: boolean }) {
  const t = useWords()
  const { lang } = useLanguage()
  const about = card.customerName ?? card.leadName ?? card.projectName
  const sum =
    card.sumAgorot === null || hides
      ? undefined
      : withCurrency(card.sumAgorot, card.currency ?? 'ILS', lang).replace('.00', '')
  return (
    <>
      <span className="t" title={card.title}>
        <bdi>{card.title}</bdi>
      </span>
      {(about || sum) && (
        <span className="s" title={about ?? undefined}>
          {sum && <Num>{sum}</Num>}
          {sum && about && ' · '}
          {about && <bdi>{about}</bdi>}
        </span>
      )}
      <span className="foot">
        <Due of={card} today={today} />
        {card.waits && <span data-tone="wait">{t('tasks.waits')}</span>}
        <PriorityPill priority={card.priority} />
        <Counts of={card} />
        <Who name={card.ownerName} />
      </span>
    </>
  )
}
