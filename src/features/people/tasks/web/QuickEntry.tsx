import { CalendarDays, Clock, Plus, Repeat, UserRound } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { formatDay } from '#domain/format.ts'
import { readQuickTask } from '#domain/tasks/quickEntry.ts'
import { call } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { quickTask, type TaskCard } from '../endpoints.ts'
import { repeatText } from './dress.tsx'
import { refreshTasks } from './shared.ts'
import './tasks.css'

/**
 * One line, as it is thought: "tomorrow at 10 call Dana". What was understood is shown under it while it is typed.
 */
export function QuickEntry({
  about = {},
  autoFocus,
  onMade,
}: {
  about?: Record<string, string>
  autoFocus?: boolean
  onMade?: (card: TaskCard) => void
}) {
  const t = useWords()
  const today = useToday()
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const said = useMemo(() => (text.trim() ? readQuickTask(text, today) : undefined), [text, today])
  const { busy, rest, error, run, place } = useAction(
    ['text'],
    async () => {
      const card = await call(quickTask, { text: text.trim(), ...about })
      setText('')
      await refreshTasks()
      onMade?.(card)
      input.current?.focus()
    },
    { stays: true },
  )
  const understood = said && (said.day || said.repeat || said.owner || said.isUrgent)
  return (
    <form ref={place} className="tk-quick" onSubmit={run} noValidate>
      <div className="tk-quick-line">
        <TextField
          label={t('tasks.quick.label')}
          hideLabel
          icon={Plus}
          inputRef={input}
          value={text}
          onChange={setText}
          max={300}
          autoFocus={autoFocus}
          placeholder={t('tasks.quick.example')}
          {...error('text', text)}
          {...(rest ? { error: rest } : {})}
        />
        <Button type="submit" busy={busy} isDisabled={text.trim() === ''}>
          {t('tasks.quick.add')}
        </Button>
      </div>
      <p className="tk-said text-13" aria-live="polite">
        {understood && (
          <>
            <bdi>{said.title}</bdi>
            {said.day && (
              <span className="tk-fact">
                <Icon of={CalendarDays} size="s" />
                <Num>{formatDay(said.day)}</Num>
              </span>
            )}
            {said.time && (
              <span className="tk-fact">
                <Icon of={Clock} size="s" />
                <Num>{said.time}</Num>
              </span>
            )}
            {said.repeat && (
              <span className="tk-fact">
                <Icon of={Repeat} size="s" />
                {repeatText(t, said.repeat)}
              </span>
            )}
            {said.owner && (
              <span className="tk-fact">
                <Icon of={UserRound} size="s" />
                <bdi>{said.owner}</bdi>
              </span>
            )}
            {said.isUrgent && <span className="tk-fact">{t('tasks.priority.high')}</span>}
          </>
        )}
      </p>
    </form>
  )
}
