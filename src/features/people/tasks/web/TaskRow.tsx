import { useState } from 'react'
import { call, failureText } from '#kit/web/calls/call.ts'
import { toast } from '#kit/web/parts/notices.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { finishTask, type TaskCard } from '../endpoints.ts'
import { PriorityPill } from './dress.tsx'
import { Counts, Due, Who } from './Facts.tsx'
import { refreshTasks } from './shared.ts'
import './tasks.css'

/** A task in a list: completed in place, opened by its name. */
export function TaskRow({
  task,
  today,
  mayChange,
  onOpen,
}: {
  task: TaskCard
  today: string
  mayChange: boolean
  onOpen: () => void
}) {
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
