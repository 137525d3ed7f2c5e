import { CalendarPlus, ListTodo, SquareKanban } from 'lucide-react'
import { useState } from 'react'
import { addDays } from '#domain/day.ts'
import { call, failureText, useCall } from '#kit/web/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { toast } from '#kit/web/parts/notices.ts'
import { show } from '#kit/web/parts/shown.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { usePlace } from '#kit/web/place.ts'
import { useRecord } from '#kit/web/screens/useRecord.ts'
import { useCan } from '#kit/web/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words.tsx'
import { customers } from '#features/registers/parties/customers.ts'
import { finishTask, openTasks, type TaskCard } from '../endpoints.ts'
import { tasks } from '../tasks.ts'
import { PriorityPill } from './dress.tsx'
import { Counts, Due, Who } from './Facts.tsx'
import { FeedDialog } from './FeedDialog.tsx'
import { QuickEntry } from './QuickEntry.tsx'
import { refreshTasks, useFreshTasks } from './shared.ts'
import { TaskSheet } from './TaskSheet.tsx'
import './tasks.css'

type View = 'mine' | 'waiting' | 'all' | 'done'

/** What there is to do: one's own day first; of one customer where the address names him. */
export function Screen() {
  const t = useWords()
  const { params, query, setQuery } = usePlace()
  const customerId = params.customerid
  const { data: customer } = useRecord(customers, customerId)
  return (
    <>
      <PageHeader
        title={customer ? String(customer.name) : t('screens.tasks')}
        {...(customer ? { crumbs: [{ label: t('screens.tasks'), href: tasks.screens.list }] } : {})}
        actions={
          <>
            <Button kind="quiet" icon={CalendarPlus} onPress={() => show((close) => <FeedDialog onClose={close} />)}>
              {t('tasks.feed.open')}
            </Button>
            <Button icon={SquareKanban} href="/invoice/kanban">
              {t('screens.kanban')}
            </Button>
          </>
        }
      />
      <TaskList {...(customerId ? { customerId } : {})} isNew={query.new === '1'} />
      {query.task && <TaskSheet key={query.task} id={query.task} onClose={() => setQuery({ task: undefined })} />}
    </>
  )
}

/** Tasks in the order in which they are worked through, of everything or of one thing. */
export function TaskList({ isNew, ...about }: { customerId?: string; leadId?: string; isNew?: boolean }) {
  const t = useWords()
  const may = useCan()
  useFreshTasks()
  const isAbout = Boolean(about.customerId ?? about.leadId)
  const [view, setView] = useState<View>(isAbout ? 'all' : 'mine')
  const [sheet, setSheet] = useState<string>()
  const { data, error } = useCall(openTasks, {
    ...about,
    of: view === 'done' ? (isAbout ? 'all' : 'mine') : view,
    ...(view === 'done' ? { done: 'true' } : {}),
  })
  const rows = data?.rows ?? []
  const today = data?.today ?? ''
  const week = today && addDays(today, 7)
  const groups: [key: string, rows: TaskCard[]][] =
    view === 'done'
      ? [['done', rows]]
      : [
          ['late', rows.filter(({ dueDay }) => dueDay && dueDay < today)],
          ['today', rows.filter(({ dueDay }) => dueDay === today)],
          ['week', rows.filter(({ dueDay }) => dueDay && dueDay > today && dueDay <= week)],
          ['later', rows.filter(({ dueDay }) => dueDay && dueDay > week)],
          ['noDay', rows.filter(({ dueDay }) => !dueDay)],
        ]
  const mayChange = may('tasks.change')
  return (
    <div className="tk-list">
      {mayChange && <QuickEntry about={about} autoFocus={isNew ?? false} />}
      <Views
        label={t('tasks.views.label')}
        chips
        value={view}
        onChange={setView}
        views={(['mine', 'waiting', 'all', 'done'] as const).map((key) => ({ key, label: t(`tasks.views.${key}`) }))}
      />
      {error && !data && <Note tone="late">{failureText(t, error)}</Note>}
      {!data && !error && <Skeleton lines={6} />}
      {data && rows.length === 0 && (
        <EmptyState icon={ListTodo} title={t(view === 'done' ? 'tasks.none.done' : 'tasks.empty.title')}>
          {t('tasks.empty.text')}
        </EmptyState>
      )}
      {groups
        .filter(([, of]) => of.length > 0)
        .map(([key, of]) => (
          <Card key={key} flush title={t(`tasks.groups.${key}`)} hint={String(of.length)}>
            <Rows label={t(`tasks.groups.${key}`)}>
              {of.map((task) => (
                <TaskRow key={task.id} task={task} today={today} mayChange={mayChange} onOpen={() => setSheet(task.id)} />
              ))}
            </Rows>
          </Card>
        ))}
      {sheet && <TaskSheet key={sheet} id={sheet} onClose={() => setSheet(undefined)} />}
    </div>
  )
}

function TaskRow({ task, today, mayChange, onOpen }: { task: TaskCard; today: string; mayChange: boolean; onOpen: () => void }) {
  const t = useWords()
  const isDone = task.doneAt !== null
  // Shown at once; the row goes when the list has heard of it.
  const [ticked, setTicked] = useState(isDone)
  const tick = () => {
    setTicked(!isDone)
    const say = (done: boolean) => call(finishTask, { id: task.id, done }).then(refreshTasks)
    say(!isDone)
      .then(() => !isDone && toast(t('tasks.doneToast', { title: task.title }), () => void say(false)))
      .catch((e: unknown) => {
        setTicked(isDone)
        banner.error(failureText(t, e))
      })
  }
  return (
    <div className="tk-row" data-done={ticked ? '' : undefined}>
      <label className="tk-tick aim">
        <input
          type="checkbox"
          className="k-box"
          checked={ticked}
          disabled={!mayChange}
          onChange={tick}
          aria-label={t('tasks.tick', { title: task.title })}
        />
      </label>
      <button type="button" className="tk-open" onClick={onOpen}>
        <span className="t">
          <bdi>{task.title}</bdi>
        </span>
        <span className="tk-facts">
          <Due of={task} today={today} />
          <PriorityPill priority={task.priority} />
          {task.waits && <span className="tk-fact">{t('tasks.waits')}</span>}
          {task.customerName && <bdi className="tk-fact">{task.customerName}</bdi>}
          {task.leadName && <bdi className="tk-fact">{task.leadName}</bdi>}
          {task.projectName && <bdi className="tk-fact">{task.projectName}</bdi>}
          <Counts of={task} />
        </span>
      </button>
      <Who name={task.ownerName} />
    </div>
  )
}
