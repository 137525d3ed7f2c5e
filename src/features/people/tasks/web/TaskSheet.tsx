import { Archive, Check, Pencil, RotateCcw, Send, X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatMoment } from '#domain/format.ts'
import { call, failureText, useCall, changeAnswer } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { ReadSheet } from '#kit/web/screens/ReadSheet.tsx'
import { cardPath, resourceNamed, type AnyRow } from '#kit/web/screens/resources.ts'
import { moveRecords } from '#kit/web/screens/useList.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { useWordsOf } from '#kit/web/words/wording.ts'
import { agents } from '#features/registers/parties/classifications.ts'
import { callsOf } from '#kit/web/screens/resources.ts'
import { FilesPanel } from '#features/base/files/web/index.tsx'
import { addItem, changeItem, commentTask, dropItem, finishTask, watchTask, wholeTask } from '../endpoints.ts'
import { tasks, type Priority } from '../tasks.ts'
import { PriorityPill, repeatText } from './dress.tsx'
import { Due } from './Facts.tsx'
import { refreshTasks, useFreshTasks } from './shared.ts'
import './tasks.css'

/**
 * A task beside the page: what it is, what is to be ticked off in it, what was said, its files; a pencil
 * makes a form of it.
 */
export function TaskSheet({ id, onClose }: { id: string; onClose: () => void }) {
  useWordsOf('tasks')
  const t = useWords()
  const may = useCan()
  useFreshTasks()
  const { data, error } = useCall(wholeTask, { id })
  const task = data?.task as (AnyRow & Record<string, string | null>) | undefined
  const mayChange = may('tasks.change') && task?.archivedAt === null
  const isDone = Boolean(task?.isDone)
  const failed = (e: unknown) => void banner.error(failureText(t, e))
  const finish = () => void call(finishTask, { id, done: !isDone }).then(refreshTasks).catch(failed)
  return (
    <ReadSheet
      resource={tasks}
      record={task}
      error={error}
      title={<bdi>{task ? String(task.title) : t('tasks.one')}</bdi>}
      actions={(_, edit) =>
        mayChange && (
          <>
            <Button
              kind="quiet"
              icon={Archive}
              onPress={() =>
                void moveRecords(tasks, [id], 'archive').then(refreshTasks).then(onClose).catch(failed)
              }
            >
              {t('kit.lists.archive')}
            </Button>
            <Button icon={Pencil} onPress={edit}>
              {t('kit.lists.edit')}
            </Button>
            <Button kind="primary" icon={isDone ? RotateCcw : Check} onPress={finish}>
              {t(isDone ? 'tasks.reopen' : 'tasks.finish')}
            </Button>
          </>
        )
      }
      onSaved={refreshTasks}
      onClose={onClose}
    >
      {(task) => (
        <div className="tk-sheet">
          <Head task={task} givenBy={data!.givenBy} />
          {task.notes && <p className="tk-notes">{task.notes}</p>}
          <Items id={id} items={data!.items} mayChange={mayChange} />
          <Talk id={id} comments={data!.comments} />
          <Watchers id={id} watchers={data!.watchers} mayChange={mayChange} />
          <section>
            <h3>{t('customers.tabs.files')}</h3>
            <FilesPanel entity="tasks" id={id} mayChange={mayChange} />
          </section>
        </div>
      )}
    </ReadSheet>
  )
}

const links = ['customerId', 'leadId', 'projectId', 'documentId', 'expenseId'] as const

function Head({ task, givenBy }: { task: AnyRow & Record<string, string | null>; givenBy: string | null }) {
  const t = useWords()
  const today = useToday()
  return (
    <dl className="tk-head">
      <div>
        <dt>{t('tasks.fields.ownerId')}</dt>
        <dd>
          <bdi>{task.ownerIdName ?? t('tasks.nobody')}</bdi>
        </dd>
      </div>
      {task.dueDay && (
        <div>
          <dt>{t('tasks.fields.dueDay')}</dt>
          <dd>
            <Due of={task as never} today={today} /> <PriorityPill priority={task.priority as Priority} />
          </dd>
        </div>
      )}
      {task.repeat && (
        <div>
          <dt>{t('tasks.fields.repeat')}</dt>
          <dd>{repeatText(t, task.repeat)}</dd>
        </div>
      )}
      {links.map((name) => {
        const of = task[name]
        const resource = resourceNamed(tasks.fields[name].to)
        const href = of && resource ? cardPath(resource, of) : undefined
        if (!of) return null
        return (
          <div key={name}>
            <dt>{t(`tasks.fields.${name}`)}</dt>
            <dd>
              {href ? (
                <Link className="link aim" href={href}>
                  {task[`${name}Name`] ?? '…'}
                </Link>
              ) : (
                <bdi>{task[`${name}Name`]}</bdi>
              )}
            </dd>
          </div>
        )
      })}
      {task.waitsForId && (
        <div>
          <dt>{t('tasks.fields.waitsForId')}</dt>
          <dd>
            <bdi>{task.waitsForIdName}</bdi>
          </dd>
        </div>
      )}
      <div>
        <dt>{t('tasks.givenBy')}</dt>
        <dd>
          <bdi>{task.madeKind ? t('tasks.byItself') : (givenBy ?? '')}</bdi>
        </dd>
      </div>
    </dl>
  )
}

function Items({
  id,
  items,
  mayChange,
}: {
  id: string
  items: readonly { id: string; text: string; done: boolean }[]
  mayChange: boolean
}) {
  const t = useWords()
  const [text, setText] = useState('')
  const failed = (e: unknown) => void banner.error(failureText(t, e))
  const { busy, error, rest, run, place } = useAction(
    ['text'],
    async () => {
      await call(addItem, { id, text: text.trim() })
      setText('')
      await refreshTasks()
    },
    { stays: true },
  )
  /** Shown at once, and asked for again when it is kept. */
  const tick = ({ id: itemId, done }: { id: string; done: boolean }) => {
    changeAnswer(
      wholeTask,
      { id },
      (old) => ({
        ...old,
        items: old.items.map((one) => (one.id === itemId ? { ...one, done: !done } : one)),
      }),
      { again: false },
    )
    void call(changeItem, { id, itemId, done: !done }).catch(failed).then(refreshTasks)
  }
  if (!mayChange && items.length === 0) return null
  return (
    <section>
      <h3>{t('tasks.items')}</h3>
      <ul className="tk-items">
        {items.map((item) => (
          <li key={item.id}>
            <label className="k-tick aim" aria-label={item.text}>
              <input
                type="checkbox"
                className="k-box"
                aria-label={item.text}
                checked={item.done}
                disabled={!mayChange}
                onChange={() => tick(item)}
              />
              <span className="text" data-done={item.done ? '' : undefined}>
                <bdi>{item.text}</bdi>
              </span>
            </label>
            {mayChange && (
              <Button
                kind="quiet"
                size="s"
                icon={X}
                label={t('tasks.dropItem', { text: item.text })}
                onPress={() => void call(dropItem, { id, itemId: item.id }).then(refreshTasks).catch(failed)}
              />
            )}
          </li>
        ))}
      </ul>
      {mayChange && (
        <form ref={place} onSubmit={run} noValidate>
          <TextField
            label={t('tasks.addItem')}
            hideLabel
            placeholder={t('tasks.addItem')}
            value={text}
            onChange={setText}
            max={300}
            {...error('text', text)}
            {...(rest ? { error: rest } : {})}
            end={
              <Button kind="quiet" size="s" type="submit" busy={busy} isDisabled={text.trim() === ''}>
                {t('tasks.quick.add')}
              </Button>
            }
          />
        </form>
      )}
    </section>
  )
}

function Talk({
  id,
  comments,
}: {
  id: string
  comments: readonly { id: string; by: string | null; text: string; at: string }[]
}) {
  const t = useWords()
  const [text, setText] = useState('')
  const { busy, error, rest, run, place } = useAction(
    ['text'],
    async () => {
      await call(commentTask, { id, text: text.trim() })
      setText('')
      await refreshTasks()
    },
    { stays: true },
  )
  return (
    <section>
      <h3>{t('tasks.comments')}</h3>
      {comments.length > 0 && (
        <ul className="tk-talk">
          {comments.map((one) => (
            <li key={one.id}>
              <span className="text-13">
                <b>
                  <bdi>{one.by ?? t('companies.log.system')}</bdi>
                </b>{' '}
                <span className="hint">
                  <Num>{formatMoment(new Date(one.at))}</Num>
                </span>
              </span>
              <p>{one.text}</p>
            </li>
          ))}
        </ul>
      )}
      <form ref={place} onSubmit={run} noValidate className="tk-say">
        <LongText
          label={t('tasks.say')}
          hint={t('tasks.sayHint')}
          rows={2}
          value={text}
          onChange={setText}
          max={4000}
          {...error('text', text)}
          {...(rest ? { error: rest } : {})}
        />
        <div>
          <Button
            kind="soft"
            size="s"
            icon={Send}
            m
            type="submit"
            busy={busy}
            isDisabled={text.trim() === ''}
          >
            {t('tasks.send')}
          </Button>
        </div>
      </form>
    </section>
  )
}

function Watchers({
  id,
  watchers,
  mayChange,
}: {
  id: string
  watchers: readonly { id: string; name: string }[]
  mayChange: boolean
}) {
  const t = useWords()
  const { data } = useCall(callsOf(agents).list, { size: 200 }, { enabled: mayChange })
  const ids = new Set(watchers.map((one) => one.id))
  const put = (person: string) => {
    const next = ids.has(person) ? [...ids].filter((one) => one !== person) : [...ids, person]
    void call(watchTask, { id, people: next })
      .then(refreshTasks)
      .catch((e: unknown) => banner.error(failureText(t, e)))
  }
  const people = mayChange
    ? (data?.rows ?? []).map((row) => ({ id: row.id, name: String(row.name) }))
    : watchers
  if (people.length === 0) return null
  return (
    <section>
      <h3>{t('tasks.watchers')}</h3>
      <ul className="tk-watchers">
        {people.map((one) => (
          <li key={one.id}>
            {mayChange ? (
              <label className="k-tick aim" aria-label={one.name}>
                <input
                  type="checkbox"
                  className="k-box"
                  checked={ids.has(one.id)}
                  onChange={() => put(one.id)}
                />
                <span className="text">
                  <bdi>{one.name}</bdi>
                </span>
              </label>
            ) : (
              <bdi>{one.name}</bdi>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
