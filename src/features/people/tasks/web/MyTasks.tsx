import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { askAhead, failureText, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { mayDo, session, useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { openTasks } from '../endpoints.ts'
import { tasks } from '../tasks.ts'
import { useFreshTasks } from './shared.ts'
import { TaskRow } from './TaskRow.tsx'
import { TaskSheet } from './TaskSheet.tsx'

export async function ahead(): Promise<void> {
  if (mayDo(session(), tasks.allow.see)) await askAhead(openTasks, { of: 'mine' })
}

/** So many stand on a person's own page; the rest is one press away. */
const most = 8

/** On a worker's page: their tasks, late ones first. Nothing for people who see no tasks. */
export function Part() {
  const may = useCan()
  return may(tasks.allow.see) ? <Mine mayChange={may(tasks.allow.change)} /> : null
}

function Mine({ mayChange }: { mayChange: boolean }) {
  const t = useWords()
  useFreshTasks()
  const { data, error } = useCall(openTasks, { of: 'mine' })
  const [sheet, setSheet] = useState<string>()
  const rows = data?.rows ?? []
  return (
    <Card
      flush={rows.length > 0}
      title={t('tasks.work.title')}
      hint={rows.length > 0 && <Num>{String(rows.length)}</Num>}
      end={
        <Link className="aim" href={tasks.screens.list}>
          {t('tasks.work.all')}
        </Link>
      }
    >
      {error && !data ? (
        <Note tone="late">{failureText(t, error)}</Note>
      ) : !data ? (
        <Skeleton lines={4} />
      ) : rows.length === 0 ? (
        <p className="hint">{t('tasks.empty.title')}</p>
      ) : (
        <Rows label={t('tasks.work.title')}>
          {rows.slice(0, most).map((task) => (
            <TaskRow
              key={task.id}
              task={task}
              today={data.today}
              mayChange={mayChange}
              onOpen={() => setSheet(task.id)}
            />
          ))}
        </Rows>
      )}
      {sheet && <TaskSheet key={sheet} id={sheet} onClose={() => setSheet(undefined)} />}
    </Card>
  )
}
