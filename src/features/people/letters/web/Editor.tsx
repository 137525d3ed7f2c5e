import { BookmarkPlus, Braces, Eye, FileText, Printer, Send, Trash2, TriangleAlert, X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { statusesThat } from '#domain/documents/facts.ts'
import { type PaperLabel } from '#domain/documents/kinds.ts'
import { formatMoment } from '#domain/format.ts'
import { mergeFields, type MergeField } from '#domain/letters/merge.ts'
import { call, CallFailure, failureText, fieldErrors, queryClient, useCall } from '#kit/web/calls/call.ts'
import { EmailField } from '#kit/web/fields/ContactFields.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { languageNames } from '#kit/web/fields/SmallChoices.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Menu } from '#kit/web/parts/Menu.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLatest } from '#kit/web/hooks/useLatest.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { documents } from '#features/sales/documents/documents.ts'
import { documentName, PaperPages } from '#features/sales/documents/web/index.tsx'
import { customers } from '#features/registers/parties/customers.ts'
import {
  changeLetter,
  dispatchLetter,
  dropLetter,
  getLetter,
  makeLetter,
  previewLetter,
  type LetterAnswer,
  type LetterDraft,
} from '../endpoints.ts'
import { letterTemplates } from '../letters.ts'
import './letters.css'

type Person = Pick<LetterAnswer['customers'][number], 'id' | 'name' | 'email'>
type About = { id: string; label: string }

const listPath = '/invoice/InvoiceDocumentLetter'

/**
 * A letter while it is written: to whom, about what, in which words; the paper beside it is the paper itself.
 */
export function Screen() {
  const t = useWords()
  const { params, query } = usePlace()
  const key = params.documentkey ?? 'new'
  const isNew = key === 'new'
  const { data, error } = useCall(getLetter, { id: key }, { enabled: !isNew, staleTime: Infinity })
  const ids = useMemo(
    () => (query.to ?? '').split(',').filter((id) => /^[0-9a-f-]{36}$/.test(id)),
    [query.to],
  )
  const people = useQuery({
    queryKey: ['letters.addressees', ids.join(',')],
    queryFn: async () =>
      (await Promise.all(ids.map((id) => call(callsOf(customers).get, { id })))).map((row): Person => ({
        id: row.id,
        name: String(row.name),
        email: (row.email as string | null) ?? null,
      })),
    enabled: isNew && ids.length > 0,
  })
  useEffect(() => {
    if (data?.status === 'sent') go(`/invoice/previewle/${data.id}`, { replace: true })
  }, [data])
  const failure = error ?? people.error
  if (failure)
    return (
      <EmptyState
        icon={TriangleAlert}
        title={t('letters.notFound')}
        actions={<Button href={listPath}>{t('letters.title')}</Button>}
      >
        {failureText(t, failure)}
      </EmptyState>
    )
  if (isNew)
    return ids.length > 0 && !people.data ? (
      <Skeleton lines={8} />
    ) : (
      <Form key="new" people={people.data ?? []} />
    )
  if (!data || data.status === 'sent') return <Skeleton lines={8} />
  return <Form key={data.id} letter={data} people={data.customers} />
}

const REST_MS = 700

const languages = (['he', 'en', 'ar', 'ru', 'fr'] as const).map((value) => ({
  value,
  label: languageNames[value],
}))

function Form({ letter, people: first }: { letter?: LetterAnswer; people: readonly Person[] }) {
  const t = useWords()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const [title, setTitle] = useState(letter?.title ?? '')
  const [body, setBody] = useState(letter?.body ?? '')
  const [language, setLanguage] = useState(letter?.language ?? null)
  const [signed, setSigned] = useState(letter?.signed ?? true)
  const [people, setPeople] = useState<readonly Person[]>(first)
  const [about, setAbout] = useState<About | null>(
    letter?.document
      ? { id: letter.document.id, label: documentName(t, letter.document.type, letter.document.number) }
      : null,
  )
  const [seen, setSeen] = useState<string>()
  const [sends, setSends] = useState<'mail' | 'print'>()
  const [drops, setDrops] = useState(false)
  const [names, setNames] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const box = useRef<HTMLTextAreaElement>(null)
  const draft: LetterDraft = {
    title: title.trim(),
    body,
    language,
    documentId: about?.id ?? null,
    signed,
    customerIds: people.map(({ id }) => id),
  }
  const kept = useKept(letter, draft)
  const shown = people.find(({ id }) => id === seen) ?? people[0]
  const preview = usePreview({
    title: draft.title,
    body,
    language,
    documentId: draft.documentId,
    signed,
    customerId: shown?.id ?? null,
  })
  const { fields, rest } = failure
    ? fieldErrors(t, failure, ['title', 'body', 'customerIds', 'documentId'])
    : { fields: {} as Record<string, string>, rest: undefined }

  const put = (field: MergeField) => {
    const area = box.current
    const [from, to] = [area?.selectionStart ?? body.length, area?.selectionEnd ?? body.length]
    const word = `{${field}}`
    setBody(body.slice(0, from) + word + body.slice(to))
    requestAnimationFrame(() => {
      area?.focus()
      area?.setSelectionRange(from + word.length, from + word.length)
    })
  }
  const findCustomers = async (q: string, signal: AbortSignal) => {
    const { rows } = await call(callsOf(customers).list, { size: 20, q: q || undefined }, { signal })
    return rows
      .filter((row) => !people.some(({ id }) => id === row.id))
      .slice(0, 10)
      .map((row) => ({
        key: row.id,
        label: String(row.name),
        hint: (row.email as string | null) ?? undefined,
      }))
  }
  const findDocuments = async (q: string, signal: AbortSignal) => {
    const { rows } = await call(
      callsOf(documents).list,
      {
        size: 10,
        'status.in': statusesThat('isIssued').join(','),
        ...(people[0] ? { customerId: people[0].id } : {}),
        q: q || undefined,
      },
      { signal },
    )
    return rows.map((row) => ({
      key: row.id,
      label: documentName(t, Number(row.type), Number(row.number), row.label as PaperLabel | null),
    }))
  }
  const begin = async (way: 'mail' | 'print') => {
    setFailure(undefined)
    if (people.length === 0)
      return setFailure(
        new CallFailure({
          code: 'kit.badInput',
          status: 422,
          errors: [{ path: 'customerIds', code: 'letters.nobody' }],
        }),
      )
    try {
      await kept.save()
      setSends(way)
    } catch (e) {
      setFailure(e)
    }
  }
  const offered = mergeFields.filter(
    (field) =>
      (about !== null || !field.startsWith('document.')) &&
      (!hides || !['customer.balance', 'document.total', 'document.open'].includes(field)) &&
      (field !== 'customer.balance' || may('reports.debts')),
  )
  return (
    <>
      <PageHeader
        title={t(letter ? 'screens.letter' : 'letters.new')}
        status={<StatusPill tone="draft">{t('letters.state.draft')}</StatusPill>}
        sub={
          kept.failure ? (
            <span className="k-msg" data-tone="late">
              {failureText(t, kept.failure)}
            </span>
          ) : (
            kept.word
          )
        }
        crumbs={[{ label: t('letters.title'), href: listPath }]}
        actions={
          <>
            <Button icon={Printer} onPress={() => void begin('print')}>
              {t('letters.print')}
            </Button>
            <Button kind="primary" icon={Send} m onPress={() => void begin('mail')}>
              {t('letters.send')}
            </Button>
          </>
        }
        more={[
          {
            key: 'template',
            label: t('letters.saveTemplate'),
            icon: BookmarkPlus,
            onPress: () => setNames(true),
          },
          'line',
          {
            key: 'drop',
            label: t('letters.drop'),
            icon: Trash2,
            tone: 'danger',
            onPress: () => setDrops(true),
          },
        ]}
      />
      <div className="le-desk">
        <div className="le-form">
          {rest && <Note tone="late">{rest}</Note>}
          <RefField
            label={t('letters.to')}
            value={null}
            search={findCustomers}
            placeholder={t('letters.addCustomer')}
            error={fields.customerIds}
            onChange={(chosen) => {
              if (!chosen) return
              setPeople([
                ...people,
                {
                  id: chosen.key,
                  name: chosen.label,
                  email: typeof chosen.hint === 'string' ? chosen.hint : null,
                },
              ])
              setFailure(undefined)
            }}
          />
          {people.length > 0 && (
            <ul className="le-people" aria-label={t('letters.to')}>
              {people.map((one) => (
                <li key={one.id}>
                  <bdi>{one.name}</bdi>
                  {!one.email && <span className="hint">{t('letters.noMail')}</span>}
                  <button
                    type="button"
                    aria-label={`${t('kit.actions.remove')}: ${one.name}`}
                    onClick={() => setPeople(people.filter(({ id }) => id !== one.id))}
                  >
                    <Icon of={X} size="s" />
                  </button>
                </li>
              ))}
            </ul>
          )}
          <div className="le-tools">
            <Templates
              onTake={(template) => {
                setTitle(template.title)
                setBody(template.body)
                if (template.language) setLanguage(template.language)
              }}
              isFree={title.trim() === '' && body.trim() === ''}
            />
            <Menu
              label={t('letters.putField')}
              trigger={
                <Button size="s" icon={Braces}>
                  {t('letters.putField')}
                </Button>
              }
              items={offered.map((field) => ({
                key: field,
                label: t(`letters.merge.${field}`),
                onPress: () => put(field),
              }))}
            />
          </div>
          <TextField
            label={t('letters.fields.title')}
            value={title}
            onChange={setTitle}
            error={fields.title}
            max={200}
          />
          <LongText
            label={t('letters.fields.body')}
            rows={14}
            max={20_000}
            value={body}
            onChange={setBody}
            error={fields.body}
            inputRef={box}
            hint={t('letters.bodyHint')}
          />
          {(preview.data?.unknown.length ?? 0) > 0 && (
            <Note tone="wait">
              {t('errors.letters.unknownField', {
                field: preview.data!.unknown.map((one) => `{${one}}`).join(', '),
              })}
            </Note>
          )}
          {(preview.data?.empty.length ?? 0) > 0 && shown && (
            <Note>
              {t('letters.emptyFields', {
                name: shown.name,
                fields: preview.data!.empty.map((field) => t(`letters.merge.${field}`)).join(', '),
              })}
            </Note>
          )}
          <div className="le-pair">
            <ChoiceField
              as="list"
              label={t('letters.fields.language')}
              value={language}
              onChange={setLanguage}
              choices={languages}
              clearable
              optional
              hint={t('letters.languageHint')}
            />
            <RefField
              label={t('letters.fields.documentId')}
              value={about ? { key: about.id, label: about.label } : null}
              search={findDocuments}
              onChange={(chosen) => setAbout(chosen ? { id: chosen.key, label: chosen.label } : null)}
              clearable
              optional
              hint={t('letters.documentHint')}
              error={fields.documentId}
            />
          </div>
          <FlagField
            label={t('letters.signed')}
            value={signed}
            onChange={setSigned}
            hint={t('letters.signedHint')}
          />
        </div>
        <aside className="le-paper" aria-label={t('letters.preview')}>
          {people.length > 1 && (
            <ChoiceField
              as="list"
              label={t('letters.previewOf')}
              value={shown?.id ?? null}
              onChange={(id) => setSeen(id ?? undefined)}
              choices={people.map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
          {preview.error && <Note tone="late">{failureText(t, preview.error)}</Note>}
          <PaperPages
            pages={preview.data?.pages}
            label={title || t('letters.preview')}
            failed={preview.isError}
          />
        </aside>
      </div>
      {sends && kept.id() && (
        <SendDialog
          id={kept.id()!}
          way={sends}
          people={people}
          onClose={() => setSends(undefined)}
          onFailure={(e) => {
            setSends(undefined)
            setFailure(e)
          }}
        />
      )}
      {names && <TemplateDialog of={{ title, body, language }} onClose={() => setNames(false)} />}
      <Question
        isOpen={drops}
        onClose={() => setDrops(false)}
        title={t('letters.dropAsk')}
        verb={t('letters.drop')}
        danger
        onConfirm={async () => {
          try {
            kept.stop()
            const id = kept.id()
            if (id) await call(dropLetter, { id })
            void queryClient.invalidateQueries({ queryKey: ['letters.list'] })
            go(listPath)
          } catch (e) {
            banner.error(failureText(t, e))
          }
        }}
      >
        {t('letters.dropText')}
      </Question>
    </>
  )
}

/** Keeps the draft at the server a moment after the last key, so that nothing that was written is lost. */
function useKept(letter: LetterAnswer | undefined, draft: LetterDraft) {
  const t = useWords()
  const [savedAt, setSavedAt] = useState(letter ? new Date(letter.updatedAt) : undefined)
  const [failure, setFailure] = useState<unknown>()
  const id = useRef(letter?.id)
  const text = JSON.stringify(draft)
  const before = useRef(text)
  const running = useRef<Promise<void>>(undefined)
  const stopped = useRef(false)
  const latest = useLatest(draft)
  const isWorth = draft.title !== '' || draft.body.trim() !== ''
  const write = async (): Promise<void> => {
    // One after another: the second must not begin a second letter.
    await running.current?.catch(() => undefined)
    const now = latest.current
    const written = JSON.stringify(now)
    if (stopped.current || (written === before.current && id.current)) return
    const work = (async () => {
      const answer = id.current
        ? await call(changeLetter, { id: id.current, ...now }, { quiet: true })
        : await call(makeLetter, now, { quiet: true })
      if (!id.current) {
        id.current = answer.id
        // The address becomes the draft's, so that a reload opens it; past the router, which would begin the
        // screen again.
        History.prototype.replaceState.call(
          history,
          history.state,
          '',
          `/invoice/InvoiceDocumentLetter/${answer.id}`,
        )
      }
      before.current = written
      queryClient.removeQueries({ queryKey: ['letters.text'] })
      void queryClient.invalidateQueries({ queryKey: ['letters.list'] })
      setSavedAt(new Date(answer.updatedAt))
      setFailure(undefined)
    })()
    running.current = work
    await work
  }
  const writeNow = useLatest(write)
  useEffect(() => {
    if (text === before.current || (!isWorth && !id.current)) return
    const timer = setTimeout(() => void writeNow.current().catch(setFailure), REST_MS)
    return () => clearTimeout(timer)
  }, [text, isWorth, writeNow])
  // The person who closes the window within the moment before it is kept is asked by the browser.
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      const isKept = JSON.stringify(latest.current) === before.current || stopped.current
      if (!isKept && (id.current || latest.current.title !== '' || latest.current.body.trim() !== ''))
        event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [latest])
  // Leaving the page saves the last words.
  useEffect(
    () => () => {
      if (
        JSON.stringify(latest.current) !== before.current &&
        (latest.current.title !== '' || latest.current.body.trim() !== '')
      )
        void writeNow.current().catch(() => undefined)
    },
    [latest, writeNow],
  )
  return {
    id: () => id.current,
    save: () => write(),
    stop: () => void (stopped.current = true),
    failure,
    word: savedAt ? t('letters.kept', { at: formatMoment(savedAt) }) : t('letters.notKept'),
  }
}

function usePreview(wanted: Parameters<typeof call<typeof previewLetter>>[1]) {
  const text = JSON.stringify(wanted)
  const [asked, setAsked] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), 400)
    return () => clearTimeout(timer)
  }, [text])
  return useQuery({
    queryKey: ['letters.preview', asked],
    queryFn: ({ signal }) => call(previewLetter, JSON.parse(asked) as typeof wanted, { signal, quiet: true }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 30_000,
    refetchOnWindowFocus: false,
    retry: false,
  })
}

interface Template {
  title: string
  body: string
  language: LetterAnswer['language']
}

/** Texts the business keeps; one that was begun is not lost to a press. */
function Templates({ onTake, isFree }: { onTake: (template: Template) => void; isFree: boolean }) {
  const t = useWords()
  const { data } = useCall(callsOf(letterTemplates).list, { size: 100 })
  const [asks, setAsks] = useState<Template>()
  const rows = data?.rows ?? []
  if (rows.length === 0) return null
  const take = (template: Template) => (isFree ? onTake(template) : setAsks(template))
  return (
    <>
      <Menu
        label={t('letterTemplates.title')}
        trigger={
          <Button size="s" icon={FileText}>
            {t('letters.fromTemplate')}
          </Button>
        }
        items={rows.map((row) => ({
          key: row.id,
          label: String(row.name),
          onPress: () =>
            take({
              title: String(row.title ?? ''),
              body: String(row.body ?? ''),
              language: (row.language as Template['language'] | undefined) ?? null,
            }),
        }))}
      />
      <Question
        isOpen={asks !== undefined}
        onClose={() => setAsks(undefined)}
        title={t('letters.replaceAsk')}
        verb={t('letters.replace')}
        onConfirm={async () => {
          if (asks) onTake(asks)
        }}
      >
        {t('letters.replaceText')}
      </Question>
    </>
  )
}

function TemplateDialog({ of, onClose }: { of: Template; onClose: () => void }) {
  const t = useWords()
  const [name, setName] = useState(
    of.title
      .replace(/\{[\w.]+\}/g, '')
      .trim()
      .slice(0, 80),
  )
  return (
    <FormDialog
      title={t('letters.saveTemplate')}
      verb={t('kit.forms.save')}
      names={['name']}
      onClose={onClose}
      onSubmit={async () => {
        await call(callsOf(letterTemplates).create, { name: name.trim(), ...of })
        void queryClient.invalidateQueries({ queryKey: ['letterTemplates.list'] })
        onClose()
        banner.success(t('letters.templateSaved'))
      }}
    >
      {(error) => (
        <TextField
          label={t('letterTemplates.fields.name')}
          value={name}
          onChange={setName}
          {...error('name', name)}
          max={80}
          autoFocus
        />
      )}
    </FormDialog>
  )
}

/** The last look: to how many, who is left out, and that it stays as it is for ever. */
function SendDialog({
  id,
  way,
  people,
  onClose,
  onFailure,
}: {
  id: string
  way: 'mail' | 'print'
  people: readonly Person[]
  onClose: () => void
  onFailure: (failure: unknown) => void
}) {
  const t = useWords()
  const single = people.length === 1
  const [to, setTo] = useState(single ? (people[0]!.email ?? '') : '')
  const send = async () => {
    try {
      const { sent, without } = await call(dispatchLetter, {
        id,
        way,
        ...(way === 'mail' && single && to.trim() ? { to } : {}),
      })
      for (const name of ['letters.list', 'letters.text', 'messages.list', 'customers.activity'])
        void queryClient.invalidateQueries({ queryKey: [name] })
      onClose()
      if (without.length > 0)
        banner.error(t('letters.without', { names: without.map(({ name }) => name).join(', ') }))
      if (sent.length > 0)
        banner.success(t(way === 'mail' ? 'letters.sentWord' : 'letters.printedWord', { count: sent.length }))
      if (without.length === 0) go(sent.length === 1 ? `/invoice/previewle/${sent[0]}` : listPath)
      else go(`/invoice/InvoiceDocumentLetter/${id}`)
    } catch (e) {
      const path = (e as CallFailure).errors?.[0]?.path
      if (!path || path === 'to') throw e
      onFailure(e)
    }
  }
  return (
    <FormDialog
      onClose={onClose}
      title={t(way === 'mail' ? 'letters.sendAsk' : 'letters.printAsk', { count: people.length })}
      verb={t(way === 'mail' ? 'letters.send' : 'letters.print')}
      icon={way === 'mail' ? Send : Eye}
      m={way === 'mail'}
      names={['to']}
      onSubmit={send}
    >
      {(error) => (
        <>
          {way === 'mail' && single && (
            <EmailField label={t('documents.page.to')} value={to} onChange={setTo} {...error('to', to)} />
          )}
          {way === 'mail' && !single && people.some(({ email }) => !email) && (
            <Note tone="wait">
              {t('letters.without', {
                names: people
                  .filter(({ email }) => !email)
                  .map(({ name }) => name)
                  .join(', '),
              })}
            </Note>
          )}
          <p className="sub">{t(way === 'mail' ? 'letters.forGood' : 'letters.printForGood')}</p>
        </>
      )}
    </FormDialog>
  )
}
