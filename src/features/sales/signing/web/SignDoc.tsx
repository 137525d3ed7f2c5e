import { Check, CreditCard, Download, FileKey, Forward, PenLine, ShieldCheck, X } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { formatDay, formatMoney } from '#domain/format.ts'
import {
  call,
  callBytes,
  CallFailure,
  failureText,
  fieldErrors,
  queryClient,
  useCall,
} from '#kit/web/calls/call.ts'
import { enterBy } from '#kit/web/routes/cameBack.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { EmailField } from '#kit/web/fields/ContactFields.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { FileButton } from '#kit/web/parts/FileButton.tsx'
import { FileDrop } from '#kit/web/parts/FileDrop.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { ReasonDialog } from '#kit/web/parts/ReasonDialog.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { BusinessPage } from '#kit/web/public/BusinessPage.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import {
  addSignFile,
  askSignCode,
  declinePaper,
  delegatePaper,
  giveSignCode,
  payField,
  maxFileBytes,
  signLogin,
  signLogo,
  signPage,
  signPagePdf,
  signPaper,
  signPicture,
  type ShownField,
  type SignPageAnswer,
} from '../endpoints.ts'
import type { Filled, SignatureValue } from '../shapes.ts'
import { lastDay } from './lastDay.ts'
import { CertificateDialog, OutsideDialog } from './OwnCertificate.tsx'
import { Pages, placeOf } from './Pages.tsx'
import { Ink, Pen } from './Pen.tsx'
import './signing.css'

/** What was filled in stays in this browser until it is signed: a lost network loses nothing. */
const draftOf = (key: string) => `signing:${key}`
function kept(key: string): Record<string, Filled> {
  try {
    return JSON.parse(localStorage.getItem(draftOf(key)) ?? '{}') as Record<string, Filled>
  } catch {
    return {}
  }
}
const visitOf = (key: string) => `signing.visit:${key}`

/** A paper as its signer sees it: the paper above, the pen below. */
export function Screen() {
  const t = useWords()
  const key = usePlace().params.key ?? ''
  const [visit, setVisit] = useState(() => sessionStorage.getItem(visitOf(key)) ?? undefined)
  const [isPaying, setPaying] = useState(false)
  const asked = useCall(
    signPage,
    { key, ...(visit ? { visit } : {}) },
    {
      refetchOnWindowFocus: false,
      staleTime: 5 * 60_000,
      refetchInterval: ({ state: { data } }) =>
        data?.state === 'sealing' ||
        (isPaying && data?.fields.some((one) => one.kind === 'pay' && one.mine && one.value === null))
          ? 2000
          : false,
    },
  )
  const begin = (next: string) => {
    sessionStorage.setItem(visitOf(key), next)
    setVisit(next)
  }
  return (
    <BusinessPage
      asked={asked}
      pageKey={key}
      logo={signLogo}
      title={(data) => data.name || t('signing.page.title')}
      missing={{ title: t('signing.page.notFound'), text: t('signing.page.notFoundText') }}
    >
      {(data) =>
        data.needs === 'code' ? (
          <CodeGate of={data} pageKey={key} onVisit={begin} />
        ) : data.needs === 'login' ? (
          <LoginGate pageKey={key} onVisit={begin} />
        ) : (
          <Paper key={data.state} of={data} pageKey={key} visit={visit} onPaying={() => setPaying(true)} />
        )
      }
    </BusinessPage>
  )
}

function CodeGate({
  of,
  pageKey,
  onVisit,
}: {
  of: SignPageAnswer
  pageKey: string
  onVisit: (visit: string) => void
}) {
  const t = useWords()
  const [sent, setSent] = useState(false)
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const attempt = async (deed: () => Promise<void>) => {
    setBusy(true)
    setFailure(undefined)
    try {
      await deed()
    } catch (e) {
      setFailure(failureText(t, e))
    } finally {
      setBusy(false)
    }
  }
  const ask = () =>
    void attempt(async () => void (await call(askSignCode, { key: pageKey }), setSent(true), setCode('')))
  return (
    <Lead label={t('signing.page.title')} title={t('signing.code.title')}>
      <p>
        {t('signing.code.text1')} <Num>{of.codeTo}</Num>
      </p>
      {!sent ? (
        <Button kind="primary" size="l" busy={busy} onPress={ask}>
          {t('signing.code.send')}
        </Button>
      ) : (
        <form
          className="sg-stack w-full"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void attempt(async () => onVisit((await call(giveSignCode, { key: pageKey, code })).visit))
          }}
        >
          <TextField
            label={t('signing.code.label')}
            value={code}
            onChange={setCode}
            autoFocus
            max={10}
            inputMode="numeric"
            autoComplete="one-time-code"
            {...(failure ? { error: failure } : {})}
          />
          <span className="sg-deeds">
            <Button onPress={ask} isDisabled={busy}>
              {t('signing.code.again')}
            </Button>
            <Button
              kind="primary"
              type="submit"
              busy={busy}
              isDisabled={code.replace(/\D/g, '').length !== 6}
            >
              {t('signing.code.open')}
            </Button>
          </span>
        </form>
      )}
      {failure && !sent && <Note tone="late">{failure}</Note>}
    </Lead>
  )
}

function LoginGate({ pageKey, onVisit }: { pageKey: string; onVisit: (visit: string) => void }) {
  const t = useWords()
  const [failure, setFailure] = useState<string>()
  const [isAsked, setAsked] = useState(false)
  const open = useCallback(async () => {
    try {
      onVisit((await call(signLogin, { key: pageKey })).visit)
    } catch (e) {
      if (!(e instanceof CallFailure) || e.code !== 'signing.needLogin') setFailure(failureText(t, e))
    }
    setAsked(true)
  }, [onVisit, pageKey, t])
  return (
    <Lead label={t('signing.page.title')} title={t('signing.login.title')}>
      <p>{t('signing.login.text')}</p>
      {failure && <Note tone="late">{failure}</Note>}
      <span className="sg-row">
        <Button kind="primary" size="l" onPress={() => void open()}>
          {t('signing.login.open')}
        </Button>
        {isAsked && (
          <Button size="l" onPress={() => enterBy('/login')}>
            {t('signing.login.go')}
          </Button>
        )}
      </span>
    </Lead>
  )
}

const isEmpty = (value: Filled | null | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  (typeof value === 'string' && value.trim() === '')

interface PaperProps {
  of: SignPageAnswer
  pageKey: string
  visit: string | undefined
  /** A payment was begun in another window: what comes of it is asked for. */
  onPaying: () => void
}

function Paper({ of, pageKey, visit, onPaying }: PaperProps) {
  const t = useWords()
  const { lang } = useLanguage()
  const who = useMemo(() => ({ key: pageKey, ...(visit ? { visit } : {}) }), [pageKey, visit])
  const mine = useMemo(
    () => of.fields.filter((field) => field.mine).toSorted((a, b) => a.page - b.page || a.y - b.y),
    [of.fields],
  )
  const isTurn = of.state === 'turn'
  const [values, setValues] = useState<Record<string, Filled>>(() => {
    const before = isTurn ? kept(pageKey) : {}
    return Object.fromEntries(
      mine.flatMap(({ id, kind, value }) => {
        const found = before[id] ?? value ?? (kind === 'date' && isTurn ? today() : undefined)
        return found === undefined || found === null ? [] : [[id, found]]
      }),
    )
  })
  const [at, setAt] = useState(0)
  // Until a field is pressed the document has the screen; without a picture of it there is nothing to press.
  const [isPenOpen, setPenOpen] = useState(of.pages.length === 0)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [files, setFiles] = useState<Record<string, string>>({})
  const [dialog, setDialog] = useState<'decline' | 'delegate' | 'certificate' | 'outside'>()
  const [begun] = useState(() => Date.now())
  const pen = useRef<HTMLFormElement>(null)
  const picture = useCallback(
    async (page: number, signal: AbortSignal) =>
      (await callBytes(signPicture, { ...who, page }, { quiet: true, signal })).blob,
    [who],
  )
  useEffect(() => {
    if (!isTurn) return
    try {
      localStorage.setItem(draftOf(pageKey), JSON.stringify(values))
    } catch {
      // A full or closed store keeps nothing, and signing works all the same.
    }
  }, [isTurn, pageKey, values])
  const put = (id: string, value: Filled | null) => {
    setValues((all) => {
      const { [id]: _, ...rest } = all
      return value === null ? rest : { ...rest, [id]: value }
    })
    setErrors(({ [id]: _, ...rest }) => rest)
  }
  const refetch = () => queryClient.invalidateQueries({ queryKey: ['signing.page'] })
  const field = mine[at]
  // The server reports the payment, while the page waits for it.
  const [seen, setSeen] = useState<typeof mine>()
  if (seen !== mine) {
    setSeen(mine)
    const paid = mine.filter(({ kind, value }) => kind === 'pay' && value !== null)
    if (!paid.every(({ id, value }) => values[id] === value))
      setValues({ ...values, ...Object.fromEntries(paid.map(({ id, value }) => [id, value!])) })
  }
  const filled = mine.filter(({ id }) => !isEmpty(values[id])).length
  const missing = mine.filter(({ id, must }) => must && isEmpty(values[id]))
  const show = (index: number) => {
    setAt(index)
    setPenOpen(true)
    const next = mine[index]
    if (next)
      document.getElementById(`sg-${next.id}`)?.scrollIntoView({ block: 'center', behavior: 'smooth' })
  }
  const close = () => {
    setPenOpen(false)
    document.getElementById(`sg-${field?.id}`)?.focus({ preventScroll: true })
  }
  /** Everything that must be there is; otherwise its first gap is shown. */
  const isWhole = (): boolean => {
    setFailure(undefined)
    if (!missing.length) return true
    setErrors(Object.fromEntries(missing.map(({ id }) => [id, t('errors.fields.need')])))
    show(mine.indexOf(missing[0]!))
    return false
  }
  const signing = () => ({
    ...who,
    values: Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value))),
    shown: lang,
    seconds: Math.min(86_400, Math.round((Date.now() - begun) / 1000)),
  })
  const done = async () => {
    localStorage.removeItem(draftOf(pageKey))
    await refetch()
    window.scrollTo({ top: 0 })
  }
  const sign = async () => {
    if (!isWhole()) return
    setBusy(true)
    try {
      await call(signPaper, signing())
      await done()
    } catch (e) {
      const { fields, rest } = fieldErrors(
        t,
        e,
        mine.map(({ id }) => `values.${id}`),
      )
      const found = Object.fromEntries(
        Object.entries(fields).map(([path, text]) => [path.replace(/^values\./, ''), text]),
      )
      setErrors(found)
      const first = mine.findIndex(({ id }) => found[id])
      if (first >= 0) show(first)
      setFailure(rest || (first >= 0 ? undefined : failureText(t, e)))
    } finally {
      setBusy(false)
    }
  }
  const progress = (
    <>
      <div
        className="sg-progress"
        role="progressbar"
        aria-label={t('signing.page.progressLabel')}
        aria-valuenow={filled}
        aria-valuemin={0}
        aria-valuemax={mine.length}
      >
        <i style={{ inlineSize: `${(filled / mine.length) * 100}%` }} />
      </div>
      <p className="hint text-13" role="status">
        {t('signing.page.progress', { done: filled, count: mine.length })}
      </p>
    </>
  )
  const labelOf = (one: ShownField) => one.label || t(`signing.kind.${one.kind}`)
  return (
    <>
      <Lead label={of.name} title={<bdi>{of.name}</bdi>}>
        <p className="sub">
          {of.sender && (
            <>
              <bdi>{of.sender}</bdi>,{' '}
            </>
          )}
          <bdi>{of.business.name}</bdi> · {t('signing.page.until')} <Num>{lastDay(of.expiresAt)}</Num>
        </p>
        {of.message && isTurn && (
          <p dir="auto" className="whitespace-pre-line">
            {of.message}
          </p>
        )}
        <State of={of} />
        <span className="sg-row">
          {of.state !== 'ended' && of.state !== 'delegated' && (
            <FileButton
              endpoint={signPagePdf}
              input={who}
              icon={Download}
              {...(of.hasFile
                ? { kind: 'primary' as const, size: 'l' as const }
                : { kind: 'quiet' as const })}
            >
              {t(of.hasFile ? 'signing.page.download' : 'signing.page.downloadFirst')}
            </FileButton>
          )}
          {isTurn && (
            <>
              {of.mayDelegate && (
                <Button kind="quiet" icon={Forward} m onPress={() => setDialog('delegate')}>
                  {t('signing.delegate.title')}
                </Button>
              )}
              <Button kind="quiet" icon={X} onPress={() => setDialog('decline')}>
                {t('signing.decline.title')}
              </Button>
            </>
          )}
        </span>
      </Lead>
      {of.pages.length > 0 && (
        <Pages
          pages={of.pages}
          picture={picture}
          over={(page) =>
            of.fields
              .filter((one) => one.page === page && !(of.hasFile && one.kind === 'file'))
              .map((one) => {
                const value = one.mine ? values[one.id] : one.value
                const shape = of.pages[page - 1]!
                if (!one.mine || !isTurn)
                  return isEmpty(value) ? null : (
                    <span key={one.id} className="sg-field" data-other style={placeOf(shape, one)}>
                      <Value of={one} value={value} files={files} />
                    </span>
                  )
                const index = mine.findIndex(({ id }) => id === one.id)
                return (
                  <button
                    key={one.id}
                    type="button"
                    id={`sg-${one.id}`}
                    className="sg-field"
                    title={labelOf(one)}
                    data-also="form"
                    data-on={index === at || undefined}
                    data-done={!isEmpty(value) || undefined}
                    style={placeOf(shape, one)}
                    aria-label={t(isEmpty(value) ? 'signing.page.toFill' : 'signing.page.isFilled', {
                      label: labelOf(one),
                    })}
                    onClick={() => {
                      setAt(index)
                      setPenOpen(true)
                      requestAnimationFrame(() =>
                        pen.current
                          ?.querySelector<HTMLElement>('input, textarea, button, canvas')
                          ?.focus({ preventScroll: true }),
                      )
                    }}
                  >
                    {isEmpty(value) ? (
                      <bdi>{labelOf(one)}</bdi>
                    ) : (
                      <Value of={one} value={value} files={files} />
                    )}
                  </button>
                )
              })
          }
        />
      )}
      {isTurn && field && !isPenOpen && (
        <div className="sg-pen">
          {progress}
          <div className="sg-deeds">
            <Button
              kind="primary"
              onPress={() => show(missing[0] ? mine.indexOf(missing[0]) : mine.length - 1)}
            >
              {t(missing.length === 0 ? 'signing.page.sign' : 'signing.page.toField')}
            </Button>
          </div>
        </div>
      )}
      {isTurn && field && isPenOpen && (
        <form
          ref={pen}
          className="sg-pen"
          noValidate
          aria-label={t('signing.page.form')}
          onSubmit={(event) => {
            event.preventDefault()
            if (at < mine.length - 1) show(at + 1)
            else void sign()
          }}
        >
          {progress}
          <Entry
            key={field.id}
            field={field}
            label={labelOf(field)}
            value={values[field.id]}
            error={errors[field.id]}
            signer={of.signer.name}
            file={files[field.id]}
            onChange={(value) => put(field.id, value)}
            onFile={async (file) => {
              try {
                const added = await call(addSignFile, {
                  ...who,
                  field: field.id,
                  name: file.name,
                  bytes: file,
                })
                setFiles((all) => ({ ...all, [field.id]: added.name }))
                put(field.id, added.id)
              } catch (e) {
                setErrors((all) => ({ ...all, [field.id]: failureText(t, e) }))
              }
            }}
            onPay={async () => {
              // Opened by the press itself, or it would be held for an advertisement.
              const page = window.open('', '_blank')
              try {
                const { url } = await call(payField, { ...who, field: field.id })
                if (page) page.location.href = url
                else location.assign(url)
                onPaying()
              } catch (e) {
                page?.close()
                setErrors((all) => ({ ...all, [field.id]: failureText(t, e) }))
              }
            }}
          />
          {failure && <Note tone="late">{failure}</Note>}
          {(at === mine.length - 1 || missing.length === 0) && (
            <p className="hint text-13">{t('signing.page.kept')}</p>
          )}
          <div className="sg-deeds">
            {of.pages.length > 0 && (
              <Button kind="quiet" onPress={close}>
                {t('kit.actions.close')}
              </Button>
            )}
            {at > 0 && <Button onPress={() => show(at - 1)}>{t('signing.page.back')}</Button>}
            {at < mine.length - 1 && (
              <Button kind={missing.length === 0 ? 'plain' : 'primary'} onPress={() => show(at + 1)}>
                {t('signing.page.next')}
              </Button>
            )}
            {(at === mine.length - 1 || missing.length === 0) && (
              <Button kind="primary" icon={Check} busy={busy} onPress={() => void sign()}>
                {t('signing.page.sign')}
              </Button>
            )}
          </div>
          {of.mayCertify && (at === mine.length - 1 || missing.length === 0) && (
            <div className="sg-deeds">
              {(['certificate', 'outside'] as const).map((way) => (
                <Button
                  key={way}
                  kind="quiet"
                  size="s"
                  icon={FileKey}
                  onPress={() => isWhole() && setDialog(way)}
                >
                  {t(way === 'certificate' ? 'signing.own.title' : 'signing.own.outside')}
                </Button>
              ))}
            </div>
          )}
        </form>
      )}
      {dialog === 'certificate' && (
        <CertificateDialog signing={signing} onClose={() => setDialog(undefined)} onDone={done} />
      )}
      {dialog === 'outside' && (
        <OutsideDialog signing={signing} onClose={() => setDialog(undefined)} onDone={done} />
      )}
      {dialog === 'decline' && (
        <DeclineDialog who={who} onClose={() => setDialog(undefined)} onDone={refetch} />
      )}
      {dialog === 'delegate' && (
        <DelegateDialog who={who} onClose={() => setDialog(undefined)} onDone={refetch} />
      )}
    </>
  )
}

/** The signer's local day: a date on a document is the date where the signer is. */
const today = (): string => {
  const now = new Date()
  return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`
}

function State({ of }: { of: SignPageAnswer }) {
  const t = useWords()
  if (of.state === 'turn') return <p className="hint text-13">{t('signing.page.law')}</p>
  const tone =
    of.state === 'done' || of.state === 'signed' || of.state === 'sealing'
      ? 'done'
      : of.state === 'declined' || of.state === 'ended'
        ? 'wait'
        : 'info'
  return (
    <div role="status" className="w-full">
      <Note tone={tone}>{t(`signing.page.state.${of.state}`)}</Note>
      {of.state === 'done' && (
        <p className="pub-sealed">
          <Icon of={ShieldCheck} size="s" /> <span>{t('signing.page.sealed')}</span>
        </p>
      )}
    </div>
  )
}

function Value({
  of,
  value,
  files,
}: {
  of: ShownField
  value: Filled | null | undefined
  files: Record<string, string>
}): ReactNode {
  if (value === undefined || value === null) return null
  if (value === true) return <Icon of={Check} size="s" />
  if (value === false) return null
  if (typeof value === 'string')
    return (
      <bdi>{of.kind === 'date' ? formatDay(value) : of.kind === 'file' ? (files[of.id] ?? '✓') : value}</bdi>
    )
  if ('typed' in value) return <bdi className="font-semibold">{value.typed}</bdi>
  if ('picture' in value)
    return <img className="sg-shot" src={`data:image/png;base64,${value.picture}`} alt="" />
  return <Ink of={value} />
}

interface EntryProps {
  field: ShownField
  label: string
  value: Filled | undefined
  error: string | undefined
  signer: string
  file: string | undefined
  onChange: (value: Filled | null) => void
  onFile: (file: File) => Promise<void>
  onPay: () => Promise<void>
}

function Entry({ field, label, value, error, signer, file, onChange, onFile, onPay }: EntryProps) {
  const t = useWords()
  const shared = { label, ...(error ? { error } : {}), ...(field.must ? {} : { optional: true }) }
  const text = typeof value === 'string' ? value : ''
  switch (field.kind) {
    case 'signature':
    case 'initials':
      return (
        <>
          <b className="sg-row">
            <Icon of={PenLine} size="s" /> <bdi>{label}</bdi>
          </b>
          <Pen
            label={label}
            value={typeof value === 'object' ? (value as SignatureValue) : null}
            onChange={onChange}
            name={field.kind === 'initials' ? initialsOf(signer) : signer}
            error={error}
          />
        </>
      )
    case 'tick':
      return (
        <FlagField
          label={label}
          value={value === true}
          onChange={(next) => onChange(next ? true : null)}
          {...(error ? { error } : {})}
        />
      )
    case 'pay':
      return (
        <div className="sg-stack">
          <b className="sg-row">
            <Icon of={CreditCard} size="s" /> <bdi>{label}</bdi>
          </b>
          {text ? (
            <Note tone="done">{text}</Note>
          ) : (
            <>
              {error && <Note tone="late">{error}</Note>}
              <span>
                <Button kind="primary" icon={CreditCard} onPress={() => void onPay()}>
                  {t('signing.page.pay', { sum: `₪${formatMoney(field.amountAgorot ?? 0)}` })}
                </Button>
              </span>
            </>
          )}
        </div>
      )
    case 'date':
      return <DayField {...shared} value={text || null} onChange={(next) => onChange(next ?? null)} />
    case 'choice':
      return (
        <ChoiceField
          {...shared}
          value={text || null}
          onChange={(next) => onChange(next)}
          choices={field.options.map((one) => ({ value: one, label: one }))}
        />
      )
    case 'file':
      return (
        <div className="sg-stack">
          <FileDrop
            accept="application/pdf,.pdf,image/png,image/jpeg"
            limit={maxFileBytes}
            label={label}
            onFiles={([one]) => one && void onFile(one)}
            {...(error ? { refused: error } : {})}
          >
            {file ?? (text ? t('signing.page.fileKept') : label)}
          </FileDrop>
        </div>
      )
    default:
      return field.kind === 'text' && field.h >= 30 ? (
        <LongText {...shared} value={text} onChange={(next) => onChange(next || null)} rows={3} max={2000} />
      ) : (
        <TextField
          {...shared}
          value={text}
          max={2000}
          onChange={(next) => onChange(next || null)}
          {...(field.kind === 'number' || field.check === 'digits' || field.check === 'taxId'
            ? { inputMode: 'decimal' as const }
            : {})}
          {...(field.kind === 'name' ? { autoComplete: 'name' } : {})}
        />
      )
  }
}

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .map((part) => [...part][0] ?? '')
    .join('')
    .slice(0, 4)

type Who = { key: string; visit?: string }

function DeclineDialog({
  who,
  onClose,
  onDone,
}: {
  who: Who
  onClose: () => void
  onDone: () => Promise<unknown>
}) {
  const t = useWords()
  const decline = async (reason: string) => {
    await call(declinePaper, { ...who, reason })
    localStorage.removeItem(draftOf(who.key))
    await onDone()
    onClose()
  }
  return (
    <ReasonDialog
      title={t('signing.decline.title')}
      verb={t('signing.decline.verb')}
      danger
      label={t('signing.decline.reason')}
      hint={t('signing.decline.hint')}
      max={500}
      onClose={onClose}
      onReason={decline}
    />
  )
}

function DelegateDialog({
  who,
  onClose,
  onDone,
}: {
  who: Who
  onClose: () => void
  onDone: () => Promise<unknown>
}) {
  const t = useWords()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [reason, setReason] = useState('')
  const hand = async () => {
    await call(delegatePaper, { ...who, name, email, reason })
    localStorage.removeItem(draftOf(who.key))
    await onDone()
    onClose()
  }
  return (
    <FormDialog
      title={t('signing.delegate.title')}
      verb={t('signing.delegate.verb')}
      names={['name', 'email', 'reason']}
      onClose={onClose}
      onSubmit={hand}
    >
      {(refusal) => (
        <>
          <p>{t('signing.delegate.text')}</p>
          <TextField
            label={t('signing.send.name')}
            value={name}
            onChange={setName}
            max={120}
            {...refusal('name', name)}
          />
          <EmailField
            label={t('signing.send.email')}
            value={email}
            onChange={setEmail}
            {...refusal('email', email)}
          />
          <LongText
            label={t('signRequests.reason')}
            value={reason}
            onChange={setReason}
            optional
            rows={2}
            max={500}
            {...refusal('reason', reason)}
          />
        </>
      )}
    </FormDialog>
  )
}
