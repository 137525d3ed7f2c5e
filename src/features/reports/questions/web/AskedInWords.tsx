import { Sparkles } from 'lucide-react'
import { useRef, useState } from 'react'
import { call, failureText } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Kbd } from '#kit/web/parts/Kbd.tsx'
import { useKeys } from '#kit/web/parts/useKeys.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { formatPeriod } from '#domain/format.ts'
import type { Question } from '#domain/questions/model.ts'
import { understand, type SaidReading, type Understood } from '../endpoints.ts'
import { measureWords } from './shown.ts'

/**
 * One line in which a question is typed. What was understood is in the chips below; what was not is marked in the
 * text, with the reason.
 */
export function AskedInWords({
  understood,
  onRead,
  onChoose,
}: {
  understood: { said: string; read: Understood } | undefined
  onRead: (said: string, read: Understood) => void
  /** One of the questions that may have been meant. */
  onChoose: (chosen: Pick<SaidReading, 'href' | 'question'>) => void
}) {
  const t = useWords()
  const box = useRef<HTMLInputElement>(null)
  const [said, setSaid] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  useKeys({ '/': () => box.current?.focus() })
  const ask = async (text: string) => {
    if (text.trim() === '' || busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      onRead(text.trim(), await call(understand, { said: text.trim() }))
    } catch (e) {
      setProblem(failureText(t, e))
    }
    setBusy(false)
  }
  const examples = ['one', 'two', 'three'].map((key) => t(`questions.examples.${key}`))
  return (
    <section className="q-said">
      <form
        role="search"
        aria-label={t('questions.ask')}
        onSubmit={(event) => {
          event.preventDefault()
          void ask(said)
        }}
      >
        <div className="k-search">
          <Icon of={Sparkles} size="s" />
          <input
            ref={box}
            type="search"
            dir={said ? 'auto' : undefined}
            autoComplete="off"
            maxLength={300}
            aria-label={t('questions.ask')}
            placeholder={t('questions.askHint')}
            value={said}
            onChange={(event) => setSaid(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape' && said === '') box.current?.blur()
              else if (event.key === 'Escape') setSaid('')
            }}
          />
          {said === '' && <Kbd keys="/" />}
        </div>
        <Button kind="soft" type="submit" busy={busy}>
          {t('questions.askVerb')}
        </Button>
      </form>
      {!understood && (
        <div className="q-examples">
          <span>{t('questions.forExample')}</span>
          {examples.map((one) => (
            <button
              key={one}
              type="button"
              className="aim"
              onClick={() => {
                setSaid(one)
                void ask(one)
              }}
            >
              <bdi>{one}</bdi>
            </button>
          ))}
        </div>
      )}
      {problem && <Note tone="late">{problem}</Note>}
      {understood && understood.read.unread.length > 0 && <NotRead {...understood} />}
      {understood && <Nearest {...understood} onChoose={onChoose} />}
      {understood && !understood.read.any && understood.read.unread.length === 0 && (
        <Note tone="wait">{t('questions.readNothing')}</Note>
      )}
    </section>
  )
}

/** What was said, with what could not be read marked in it. */
function NotRead({ said, read }: { said: string; read: Understood }) {
  const t = useWords()
  const parts: { text: string; isUnread: boolean }[] = []
  let at = 0
  for (const { from, to } of read.unread) {
    if (from > at) parts.push({ text: said.slice(at, from), isUnread: false })
    parts.push({ text: said.slice(Math.max(at, from), to), isUnread: true })
    at = Math.max(at, to)
  }
  if (at < said.length) parts.push({ text: said.slice(at), isUnread: false })
  const whys = [...new Set(read.unread.map(({ why }) => why))]
  return (
    <Note tone="wait">
      <p>
        {t(read.any ? 'questions.readPart' : 'questions.readNothing')}{' '}
        <q dir="auto" className="q-read">
          {parts.map(({ text, isUnread }, n) =>
            isUnread ? <mark key={n}>{text}</mark> : <span key={n}>{text}</span>,
          )}
        </q>
      </p>
      <ul className="q-whys">
        {whys.map((why) => (
          <li key={why}>
            {t(`questions.why.${why}`, {
              words: read.unread
                .filter((one) => one.why === why)
                .map(({ text }) => `«${text}»`)
                .join(', '),
            })}
          </li>
        ))}
      </ul>
    </Note>
  )
}

/** What may have been meant: nothing is answered in place of what was asked until a person chooses. */
function Nearest({
  read: { any, unread, nearest, question },
  onChoose,
}: {
  read: Understood
  onChoose: (chosen: Pick<SaidReading, 'href' | 'question'>) => void
}) {
  const t = useWords()
  const rest = any && unread.length > 0 && !nearest.some((one) => sameQuestion(one.question, question))
  if (nearest.length === 0 && !rest) return null
  const choose = (key: string, label: string, chosen: Pick<SaidReading, 'href' | 'question'>) => (
    <button key={key} type="button" className="aim" onClick={() => onChoose(chosen)}>
      <bdi>{label}</bdi>
    </button>
  )
  return (
    <div className="q-examples" role="group" aria-label={t('questions.meant')}>
      <span>{t('questions.meant')}</span>
      {nearest.map((one) => choose(one.name, readingWords(t, one), one))}
      {rest && choose('rest', questionWords(t, question), { href: '', question })}
    </div>
  )
}

const sameQuestion = (one: Question | null, other: Question): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** A question of an owner with what was said besides: its period, its age. */
function readingWords(t: ReturnType<typeof useWords>, { name, period, days }: SaidReading): string {
  const besides = [
    ...(period ? [formatPeriod(period)] : []),
    ...(days === null ? [] : [t('questions.overDays', { days })]),
  ]
  return [t(`questions.readings.${name}`), ...besides].join(' · ')
}

/** What is left of a question without the words that were not read. */
function questionWords(t: ReturnType<typeof useWords>, { fact, rows, column, measures }: Question): string {
  const told = [...rows, ...(column ? [column] : [])].map((name) => t(`questions.dimensions.${name}`))
  return t('questions.withoutUnread', {
    question: [
      t(`questions.facts.${fact}`),
      told.join(', '),
      measures.map((one) => measureWords(t, fact, one)).join(', '),
    ]
      .filter(Boolean)
      .join(' · '),
  })
}
