import { CalendarPlus, ListTodo, SquareKanban } from 'lucide-react'
import { useState } from 'react'
import { addDays } from '#domain/day.ts'
import { failureText, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useRecord } from '#kit/web/screens/useRecord.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { customers } from '#features/registers/parties/customers.ts'
import { openTasks, type TaskCard } from '../endpoints.ts'
import { tasks } from '../tasks.ts'
import { FeedDialog } from './FeedDialog.tsx'
import { QuickEntry } from './QuickEntry.tsx'
import { useFreshTasks } from './shared.ts'
import { TaskRow } from './TaskRow.tsx'
import { TaskSheet } from './TaskSheet.tsx'
import './tasks.css'

type View = 'mine' | 'waiting' | 'all' | 'done'

/** The list of tasks: one's own day first; of one customer where the address names one. */
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
            <Button
              kind="quiet"
              icon={CalendarPlus}
              onPress={() => show((close) => <FeedDialog onClose={close} />)}
            >
              {t('tasks.feed.open')}
            </Button>
            <Button icon={SquareKanban} href="/invoice/kanban">
              {t('screens.kanban')}
            </Button>
          </>
        }
      />
      <TaskList {...(customerId ? { customerId } : {})} isNew={query.new === '1'} />
      {query.task && (
        <TaskSheet key={query.task} id={query.task} onClose={() => setQuery({ task: undefined })} />
      )}
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
        views={(['mine', 'waiting', 'all', 'done'] as const).map((key) => ({
          key,
          label: t(`tasks.views.${key}`),
        }))}
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
                <TaskRow
                  key={task.id}
                  task={task}
                  today={today}
                  mayChange={mayChange}
                  onOpen={() => setSheet(task.id)}
                />
              ))}
            </Rows>
          </Card>
        ))}
      {sheet && <TaskSheet key={sheet} id={sheet} onClose={() => setSheet(undefined)} />}
    </div>
  )
}
