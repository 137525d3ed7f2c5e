import { Sparkles } from 'lucide-react'
import { useRef, useState } from 'react'
import { call, failureText } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Kbd } from '#kit/web/parts/Kbd.tsx'
import { useKeys } from '#kit/web/parts/useKeys.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { understand, type Understood } from '../endpoints.ts'

/**
 * One line in which a question is typed. What was understood is in the chips below; what was not is marked in the
 * text, with the reason.
 */
export function AskedInWords({
  understood,
  onRead,
}: {
  understood: { said: string; read: Understood } | undefined
  onRead: (said: string, read: Understood) => void
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
