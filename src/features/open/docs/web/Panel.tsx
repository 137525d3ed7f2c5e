import { Copy, Play } from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { call as callServer, failureText } from '#kit/web/calls/call.ts'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { mayDo, useSession } from '#kit/web/session/session.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { openSandbox } from '#features/open/sandbox/endpoints.ts'
import { addressOf, codeFor, codeLanguages, type CodeLanguage } from './code.ts'
import { isTestKey, setTestKey, useTestKey } from './testKey.ts'
import { pretty, tryCall, withRealIds, type Tried } from './tryOut.ts'

/** What a panel shows and sends: a call of the contract or one of the trade. */
export interface Shown {
  name: string
  tag: string
  method: string
  path: string
  needsKey: boolean
  changes: boolean
  takesFile: boolean
  /** May be tried here: what only a person may do, or takes a file, is only shown. */
  canTry: boolean
  /** Refused to be tried: `docs.noTry.<why>`. */
  why?: 'person' | 'file'
  example: { path: Record<string, unknown>; query: Record<string, unknown>; body?: unknown }
  answer: unknown
  /** Names of filters that may be typed beside those of the example. */
  queryNames: readonly string[]
  /** How the key is sent; as our own header where absent. */
  headersOf?: (key: string) => Record<string, string>
}

let language: CodeLanguage = 'curl'

/** Code in five languages, and the call itself, sent to the test business. */
export function Panel({ of }: { of: Shown }) {
  const t = useWords()
  const [chosen, setChosen] = useState<CodeLanguage>(language)
  const key = useTestKey()
  const copy = useCopy()
  const [path, setPath] = useState<Record<string, string>>(() => texts(of.example.path))
  const [query, setQuery] = useState<Record<string, string>>(() => texts(of.example.query))
  const [body, setBody] = useState(() =>
    of.example.body === undefined ? '' : JSON.stringify(of.example.body, null, 2),
  )
  const parsed = useMemo(
    () => (of.example.body === undefined ? undefined : parse(body)),
    [body, of.example.body],
  )
  const base = location.origin
  const shownKey = key ? `${key.slice(0, 12)}…` : 'pk_test_…'
  const code = codeFor(chosen, {
    method: of.method,
    url: addressOf(base, of.path, path, query),
    ...(parsed === undefined ? {} : { body: parsed.value ?? of.example.body }),
    needsKey: of.needsKey && !of.headersOf,
    changes: of.changes && !of.headersOf,
    takesFile: of.takesFile,
    key: shownKey,
  })
  const withHeaders = of.headersOf ? withTradeKey(chosen, code) : code
  return (
    <div className="ad-panel k-night">
      <div className="ad-langs" role="group" aria-label={t('docs.codeIn')}>
        {codeLanguages.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === chosen}
            onClick={() => {
              language = one
              setChosen(one)
            }}
          >
            <bdi>{one}</bdi>
          </button>
        ))}
        <span className="grow" />
        <Button kind="quiet" size="s" icon={Copy} label={t('docs.copy')} onPress={() => copy(withHeaders)} />
      </div>
      <Code label={t('docs.code')} text={withHeaders} />
      {of.canTry ? (
        <Try
          of={of}
          path={path}
          setPath={setPath}
          query={query}
          setQuery={setQuery}
          body={body}
          setBody={setBody}
        />
      ) : (
        of.why && <p className="ad-no">{t(`docs.noTry.${of.why}`)}</p>
      )}
      {of.answer !== null && of.answer !== undefined && (
        <details className="ad-answer">
          <summary>{t('docs.answerLike')}</summary>
          <Code label={t('docs.answerLike')} text={JSON.stringify(of.answer, null, 2)} />
        </details>
      )}
    </div>
  )
}

export function Code({ label, text }: { label: string; text: string }) {
  return (
    // A region that scrolls must be reachable by the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className="ad-code" dir="ltr" tabIndex={0} aria-label={label}>
      {text}
    </pre>
  )
}

const texts = (values: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value === null || value === undefined ? '' : String(value),
    ]),
  )

/** Programs of the trade send their keys as a JSON object in one header. */
const withTradeKey = (chosen: CodeLanguage, code: string): string => {
  const value = `{"secret":"pk_test_…","userkey":"…"}`
  switch (chosen) {
    case 'curl':
      return code.replace("-H 'content-type", `-H 'Authorization: ${value}' \\\n  -H 'content-type`)
    case 'JavaScript':
      return code.replace('headers: {', `headers: {\n    "Authorization": ${JSON.stringify(value)},`)
    case 'Python':
      return code.replace('    json=', `    headers={"Authorization": ${JSON.stringify(value)}},\n    json=`)
    case 'PHP':
      return code.replace(
        'CURLOPT_HTTPHEADER => [',
        `CURLOPT_HTTPHEADER => [\n        'Authorization: ${value}',`,
      )
    case 'C#':
      return code.replace(
        'call.Content =',
        `call.Headers.TryAddWithoutValidation("Authorization", ${JSON.stringify(value)});\ncall.Content =`,
      )
  }
}

function parse(text: string): { value?: unknown; failed?: boolean } {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return { failed: true }
  }
}

interface TryProps {
  of: Shown
  path: Record<string, string>
  setPath: (next: Record<string, string>) => void
  query: Record<string, string>
  setQuery: (next: Record<string, string>) => void
  body: string
  setBody: (next: string) => void
}

function Try({ of, path, setPath: fillPath, query, setQuery: fillQuery, body, setBody: fillBody }: TryProps) {
  const t = useWords()
  const key = useTestKey()
  const typed = useRef(false)
  const byHand =
    <T,>(fill: (next: T) => void) =>
    (next: T) => {
      typed.current = true
      fill(next)
    }
  const [setPath, setQuery, setBody] = [byHand(fillPath), byHand(fillQuery), byHand(fillBody)]
  const bodyId = useId()
  const [busy, setBusy] = useState(false)
  // What is sent before its records are known is about records that nobody has.
  const [filledFor, setFilledFor] = useState<string>()
  const [tried, setTried] = useState<Tried>()
  const [failed, setFailed] = useState<string>()
  const [filter, setFilter] = useState('')
  const hasBody = of.example.body !== undefined
  const needsKey = of.needsKey

  // The example is about records that are there, as soon as there is a key to ask with.
  useEffect(() => {
    if (!key) return
    let here = true
    void withRealIds(of.example, of.tag, key)
      .then((real) => {
        if (!here || typed.current) return
        fillPath(texts(real.path))
        fillQuery(texts(real.query))
        if (real.body !== undefined) fillBody(JSON.stringify(real.body, null, 2))
      })
      .catch(() => undefined)
      .finally(() => here && setFilledFor(key))
    return () => {
      here = false
    }
    // The panel is made again for each call.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key])

  const send = async () => {
    setFailed(undefined)
    if (hasBody && parse(body).failed) return setFailed(t('docs.badJson'))
    const missing = Object.entries(path).find(([, value]) => value.trim() === '')
    if (missing) return setFailed(t('docs.pathNeeded', { name: missing[0] }))
    setBusy(true)
    try {
      const headers: Record<string, string> = !needsKey
        ? {}
        : of.headersOf
          ? of.headersOf(key)
          : {
              'x-access-token': key,
              ...(of.changes ? { 'idempotency-key': crypto.randomUUID?.() ?? String(Math.random()) } : {}),
            }
      setTried(
        await tryCall(of.method, addressOf('', of.path, path, query), headers, hasBody ? body : undefined),
      )
    } catch {
      setFailed(t('errors.kit.network'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className="ad-try" aria-label={t('docs.try')}>
      {needsKey && <KeyPlace />}
      {Object.keys(path).map((name) => (
        <TextField
          key={name}
          label={name}
          ltr
          value={path[name]!}
          onChange={(value) => setPath({ ...path, [name]: value })}
        />
      ))}
      {Object.keys(query).map((name) => (
        <TextField
          key={name}
          label={name}
          ltr
          value={query[name]!}
          onChange={(value) => setQuery({ ...query, [name]: value })}
        />
      ))}
      {of.queryNames.length > 0 && (
        <label className="ad-add">
          <span>{t('docs.addFilter')}</span>
          <select
            value={filter}
            onChange={(event) => {
              if (event.target.value) setQuery({ ...query, [event.target.value]: '' })
              setFilter('')
            }}
          >
            <option value="" />
            {of.queryNames
              .filter((name) => !(name in query))
              .map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
          </select>
        </label>
      )}
      {hasBody && (
        <>
          <label htmlFor={bodyId}>{t('docs.body')}</label>
          <textarea
            id={bodyId}
            dir="ltr"
            className="ad-body"
            spellCheck={false}
            rows={Math.min(18, body.split('\n').length + 1)}
            value={body}
            onChange={(event) => setBody(event.target.value)}
          />
        </>
      )}
      <div className="ad-send">
        <Button
          kind="primary"
          icon={Play}
          busy={busy || (!!key && filledFor !== key)}
          {...(needsKey && !key ? { blocked: t('docs.keyFirst') } : {})}
          onPress={() => void send()}
        >
          {t('docs.send')}
        </Button>
        {tried && (
          <span className="ad-status" data-ok={tried.status < 400 ? '' : undefined} role="status">
            <bdi dir="ltr">
              {tried.status} · {tried.ms} ms
            </bdi>
          </span>
        )}
      </div>
      {failed && <Note tone="late">{failed}</Note>}
      {tried && (
        <>
          <Code label={t('docs.answer')} text={pretty(tried.text)} />
          {tried.requestId && (
            <p className="sub">
              request-id <bdi dir="ltr">{tried.requestId}</bdi>
            </p>
          )}
        </>
      )}
    </section>
  )
}

/** The person who is logged in opens their test business with one press; anyone else pastes a key. */
export function KeyPlace() {
  const t = useWords()
  const session = useSession()
  const key = useTestKey()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string>()
  if (key)
    return (
      <p className="ad-key">
        <span>{t('docs.testBusiness')}</span> <bdi dir="ltr">{key.slice(0, 12)}…</bdi>{' '}
        <Button kind="quiet" size="s" onPress={() => setTestKey('')}>
          {t('docs.forget')}
        </Button>
      </p>
    )
  const open = async () => {
    setBusy(true)
    setFailed(undefined)
    try {
      setTestKey((await callServer(openSandbox, {})).secret)
    } catch (e) {
      setFailed(failureText(t, e))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="ad-keyplace">
      {mayDo(session, 'apiKeys') && (
        <Button kind="soft" busy={busy} onPress={() => void open()}>
          {t('docs.openTest')}
        </Button>
      )}
      <TextField
        label={t('docs.testKey')}
        hint={session ? undefined : t('docs.testKeyHint')}
        ltr
        value={typed}
        onChange={(value) => {
          setTyped(value)
          const plain = value.trim()
          if (isTestKey(plain)) setTestKey(plain)
        }}
        {...(typed && !isTestKey(typed.trim()) ? { error: t('docs.notTestKey') } : {})}
      />
      {failed && <Note tone="late">{failed}</Note>}
    </div>
  )
}
