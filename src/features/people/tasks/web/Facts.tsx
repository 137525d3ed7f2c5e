import { Clock, ListChecks, MessageSquare, Repeat } from 'lucide-react'
import { daysBetween } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { initials } from '#kit/web/shell/Header.tsx'
import { useWords, type Words } from '#kit/web/words/words.tsx'
import type { TaskCard } from '../endpoints.ts'

/** A day as people say it: today, tomorrow, three days late. */
export function dueText(t: Words, day: string, today: string): string {
  const days = daysBetween(today, day)
  if (days === 0) return t('tasks.due.today')
  if (days === 1) return t('tasks.due.tomorrow')
  if (days < 0) return t('tasks.due.late', { count: -days })
  return formatDay(day).slice(0, day.slice(0, 4) === today.slice(0, 4) ? 5 : 10)
}

export function Due({
  of: task,
  today,
}: {
  of: Pick<TaskCard, 'dueDay' | 'dueTime' | 'doneAt'>
  today: string
}) {
  const t = useWords()
  if (!task.dueDay) return null
  const isLate = task.dueDay < today && !task.doneAt
  return (
    <span
      className="tk-fact"
      data-tone={isLate ? 'late' : task.dueDay === today && !task.doneAt ? 'wait' : undefined}
    >
      <Icon of={Clock} size="s" />
      <Num>{task.doneAt ? formatDay(task.dueDay) : dueText(t, task.dueDay, today)}</Num>
      {task.dueTime && <Num>{task.dueTime}</Num>}
    </span>
  )
}

/** What else there is to a task, in small signs with words for who does not see them. */
export function Counts({ of: task }: { of: TaskCard }) {
  const t = useWords()
  return (
    <>
      {task.repeat && (
        <span className="tk-fact">
          <Icon of={Repeat} size="s" label={t('tasks.fields.repeat')} />
        </span>
      )}
      {task.items > 0 && (
        <span className="tk-fact">
          <Icon of={ListChecks} size="s" label={t('tasks.items')} />
          <Num>{`${task.ticked}/${task.items}`}</Num>
        </span>
      )}
      {task.comments > 0 && (
        <span className="tk-fact">
          <Icon of={MessageSquare} size="s" label={t('tasks.comments')} />
          <Num>{String(task.comments)}</Num>
        </span>
      )}
    </>
  )
}

export function Who({ name }: { name: string | null }) {
  if (!name) return null
  return (
    <span className="k-who who" title={name} role="img" aria-label={name}>
      {initials(name)}
    </span>
  )
}
