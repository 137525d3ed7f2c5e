import {
  ArrowLeft,
  ChevronDown,
  Copy,
  Ellipsis,
  EllipsisVertical,
  Eye,
  FileX2,
  Save,
  Send,
  Trash2,
  TriangleAlert,
  X,
} from 'lucide-react'
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { channelFor } from '#domain/documents/channels.ts'
import { israeliMobile } from '#domain/phone.ts'
import { statusFacts, typeFacts } from '#domain/documents/facts.ts'
import { allocationThresholdOn } from '#domain/vat/allocation.ts'
import { isDay } from '#domain/day.ts'
import { chargesVat, labelOf } from '#domain/documents/kinds.ts'
import { formatDay, formatMoment } from '#domain/format.ts'
import type { DocumentPart } from '#kit/describe/documentType.ts'
import {
  CallFailure,
  call,
  failureText,
  isNetworkError,
  keyOf,
  queryClient,
  useCall,
  putAnswer,
} from '#kit/web/calls/call.ts'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog, Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Menu, type MenuEntry } from '#kit/web/parts/Menu.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { SplitButton } from '#kit/web/parts/SplitButton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useKeys } from '#kit/web/parts/useKeys.ts'
import { useMedia, usePhone } from '#kit/web/parts/useMedia.ts'
import { Segmented } from '#kit/web/parts/Views.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useUnpinned } from '#kit/web/shell/context.ts'
import { useKeysHelp } from '#kit/web/shell/registry.ts'
import { useTitle } from '#kit/web/routes/router.tsx'
import { useLanguage, useWords, type Words } from '#kit/web/words/words.tsx'
import { getCompany, type Company } from '#features/base/companies/endpoints.ts'
import { lacksDetailsIn } from '#features/base/companies/inLanguage.ts'
import { LanguageDialog } from '#features/base/companies/web/index.tsx'
import { LawNote } from '#features/base/law/web/index.tsx'
import { customers, type Customer } from '#features/registers/parties/customers.ts'
import { projects } from '#features/registers/projects/projects.ts'
import { allocationFrom } from '#features/registers/rates/endpoints.ts'
import { oldRateDay } from '#features/registers/rates/web/index.tsx'
import { suppliers, type Supplier } from '#features/registers/suppliers/suppliers.ts'
import {
  changeDocument,
  createDocument,
  deleteDocument,
  getDocument,
  issueDocument,
  sendDocument,
  sendingOfDocument,
  type DocumentAnswer,
} from '../../endpoints.ts'
import {
  begins,
  editorPath,
  hasDueDay,
  isIncomeItself,
  isPurchase,
  mayBegin,
  pagePath,
  typeById,
  typeId,
  untilWord,
} from '../../types/index.ts'
import '../documents.css'
import { newKey, refreshDocuments, showPdf } from '../page/actions.tsx'
import { documentNoun } from '../nouns.ts'
import { typeWord } from '../words.ts'
import { dropCopy, keepCopy, readCopy, type Copy as DeviceCopy } from './copies.ts'
import { Closes, useFollowedCloses, useOpenItems } from './Closes.tsx'
import { CustomerPick, SupplierPick } from './Customer.tsx'
import { ExtraChips, ExtraFields, useExtras } from './Extras.tsx'
import { DraftFiles } from './DraftFiles.tsx'
import { CustomerSheet, ItemSheet } from './InPlace.tsx'
import { ItemField } from './ItemField.tsx'
import { makeKeeper, shownState, type Keeper, type Keeping } from './keeper.ts'
import { LineMore } from './LineMore.tsx'
import { focusCell, LineCards, Lines, PriceFrom, takeItem, wordsOfPrice } from './Lines.tsx'
import { useLinePrices, type LinePrice } from './prices.ts'
import {
  adviceFor,
  change,
  completed,
  customerOf,
  dueDayInUse,
  figuresOf,
  fromAnswer,
  groundsToKeep,
  hasPart,
  inputOf,
  isEmpty,
  isMoneyOnly,
  isWorthKeeping,
  languageInUse,
  namelessLines,
  newDocument,
  refusalsOf,
  sentLines,
  supplierOf,
  termsInUse,
  type Change,
  type Edited,
  type EditedLine,
  type GroundName,
  type Refusals,
  withCustomer,
  zeroGroundInUse,
} from './model.ts'
import { askedBy, followedOpen, sentPayments, unfinishedCells } from './money.ts'
import { Paper } from './Paper.tsx'
import { Payments } from './Payments.tsx'
import { TermsField } from './TermsField.tsx'
import { AdviceNotes, isDue, Totals } from './Totals.tsx'
import { PriceField, QuantityField } from '#kit/web/fields/NumberFields.tsx'

/** What of the law the editor works with: whether it is known is said at the day of the document. */
const editorLaw = ['vatRate', 'allocationThreshold', 'cashBusiness'] as const

/** What is sold: new, or a draft by its key. */
export const Screen = () => <EditorScreen side="sales" />

/** The editor of one side of the trade. */
export function EditorScreen({ side }: { side: 'sales' | 'purchases' }) {
  const t = useWords()
  const { params, query } = usePlace()
  const session = useSession()
  const may = useCan()
  const id = params.documentkey
  const company = useCall(getCompany, {})
  // The draft is fetched afresh: what an earlier visit kept may be older than what was saved since.
  const draft = useCall(
    getDocument,
    { id: id ?? '' },
    { enabled: id !== undefined, staleTime: 0, refetchOnWindowFocus: false },
  )
  const sells = side === 'sales'
  const partyId = id ? draft.data?.customerId : sells ? query.customer : query.supplier
  const party = useCall(callsOf(customers).get, { id: partyId ?? '' }, { enabled: Boolean(partyId) && sells })
  const supplier = useCall(
    callsOf(suppliers).get,
    { id: partyId ?? '' },
    { enabled: Boolean(partyId) && !sells },
  )
  const project = useCall(
    callsOf(projects).get,
    { id: query.project ?? '' },
    { enabled: Boolean(query.project) && !id && may(projects.allow.see) },
  )
  const isIssued = draft.data && statusFacts(draft.data.status).isIssued
  const type = draft.data && typeById(draft.data.type)
  const isElsewhere = type !== undefined && isPurchase(type) === sells
  useEffect(() => {
    if (!draft.data || !id) return
    if (isIssued) go(pagePath(draft.data.type, id), { replace: true })
    else if (isElsewhere) go(editorPath(draft.data.type, id), { replace: true })
  }, [isIssued, isElsewhere, draft.data, id])

  const failure = company.error ?? draft.error
  if (failure)
    return (
      <EmptyState
        icon={TriangleAlert}
        title={t('documents.editor.notFound')}
        actions={<Button href="/invoice/documents">{t('documents.title')}</Button>}
      >
        {failureText(t, failure)}
      </EmptyState>
    )
  // The server holds prices back from some people; keeping such a draft would write them away.
  if (
    draft.data?.lines.some((line) => (line.unitPrice as string | null) === null) ||
    draft.data?.payments.some((one) => (one.amountAgorot as number | null) === null)
  )
    return (
      <EmptyState
        icon={FileX2}
        title={t('documents.editor.hiddenSums')}
        actions={<Button href="/invoice/documents">{t('documents.title')}</Button>}
      >
        {t('documents.editor.hiddenSumsText')}
      </EmptyState>
    )
  const kinds = company.data && begins(company.data.kind, side).filter((one) => mayBegin(session, one))
  if (company.data && kinds?.length === 0) return <MayNot company={company.data} />
  const isReady =
    company.data &&
    (!id || (draft.data && draft.isFetchedAfterMount && !isIssued && !isElsewhere)) &&
    (!partyId || party.data || party.error || supplier.data || supplier.error) &&
    !project.isLoading
  if (!isReady || !company.data || !kinds)
    return (
      <div className="doc-editor" data-waits="">
        <div className="doc-form">
          <Skeleton lines={6} />
        </div>
      </div>
    )
  const customer = party.data
    ? customerOf(party.data as unknown as Customer)
    : supplier.data
      ? supplierOf(supplier.data as unknown as Supplier)
      : null
  const offered = kinds.map((one) => typeId(one.name))
  const asked = Number(query.type)
  const begun = newDocument(offered.includes(asked) ? asked : offered[0]!)
  return (
    <Desk
      key={id ?? `new${query.type ?? ''}`}
      side={side}
      company={company.data}
      kinds={offered}
      answer={draft.data}
      start={
        draft.data
          ? fromAnswer(draft.data, customer, company.data)
          : {
              ...begun,
              ...withCustomer(begun, customer),
              project: project.data ? { id: project.data.id, name: String(project.data.name) } : null,
            }
      }
    />
  )
}

/** A business that may issue none of what is made so far: said kindly, with the way out. */
function MayNot({ company }: { company: Company }) {
  const t = useWords()
  const may = useCan()
  return (
    <EmptyState
      icon={FileX2}
      title={t('documents.editor.mayNot.title')}
      actions={
        <>
          {may('companies.change') && (
            <Button href="/invoice/InvoiceEditCompany">{t('documents.editor.mayNot.action')}</Button>
          )}
          <Button kind="quiet" href="/invoice/main">
            {t('documents.editor.mayNot.home')}
          </Button>
        </>
      }
    >
      {t(chargesVat(company.kind) ? 'documents.editor.mayNot.rights' : 'documents.editor.mayNot.text', {
        kind: t(`companies.kind.${company.kind}`),
      })}
    </EmptyState>
  )
}

interface DeskProps {
  side: 'sales' | 'purchases'
  company: Company
  kinds: readonly number[]
  answer: DocumentAnswer | undefined
  start: Edited
}

type Sheet =
  | { kind: 'customer'; name: string; of?: string }
  | { kind: 'item'; text: string; key: string }
  | { kind: 'line'; key: string }
  | { kind: 'paper' }
  | { kind: 'language'; andSend: boolean }
  | { kind: 'rate'; andSend: boolean; day: string }
  | { kind: 'drop' }

const noRefusals: Refusals = { fields: {}, lines: {}, payments: {} }

function Desk({ side, company, kinds, answer, start }: DeskProps) {
  const t = useWords()
  const may = useCan()
  const phone = usePhone()
  const wide = useMedia('(width >= 68.75rem)')
  useUnpinned()
  const [edited, dispatch] = useReducer(change, start)
  const [tab, setTab] = useState<'form' | 'paper'>('form')
  const [sheet, setSheet] = useState<Sheet>()
  const [refusals, setRefusals] = useState(noRefusals)
  const [rest, setRest] = useState<string>()
  const [issuing, setIssuing] = useState(false)
  const [kept, setKept] = useState<Partial<Record<GroundName, boolean>>>({})
  /** A ground is kept unless the customer has another one already. */
  const keeps = (name: GroundName): boolean => kept[name] ?? groundsToKeep(edited)[name]?.isFirst === true
  const [found, setFound] = useState<DeviceCopy>()
  const held = useExtras(edited)
  const [wantsFiles, setWantsFiles] = useState(false)
  const now = useRef(edited)
  now.current = edited
  const { keeper, keeping } = useKeeper(edited, start, answer, company.id)
  useTitle(typeWord(t, edited.type, labelOf(edited)))

  // What this device kept of a document that never reached the server.
  useEffect(() => {
    let isGone = false
    void readCopy(company.id, answer?.id).then((copy) => {
      if (isGone || !copy || !isWorthKeeping(copy.edited)) return
      if (!answer || copy.at > answer.updatedAt) setFound(copy)
    })
    return () => void (isGone = true)
    // Once: what is saved from here on is newer.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  const sells = side === 'sales'
  const has = (part: DocumentPart) => hasPart(edited.type, part)
  const hasVat = chargesVat(company.kind)
  const moneyOnly = isMoneyOnly(edited, company.kind)
  const type = typeById(edited.type)
  // Lines on a receipt that is no income only describe, and so they wait to be asked for.
  const [wantsLines, setWantsLines] = useState(false)
  const linesWait =
    has('lines') &&
    Boolean(type?.linesOptional) &&
    !isIncomeItself(type!, company.kind) &&
    edited.lines.every(isEmpty) &&
    !wantsLines
  const showsLines = has('lines') && !linesWait
  const opened = useOpenItems(edited, has('closes'))
  const figures = useMemo(() => figuresOf(edited, company), [edited, company])
  const input = useMemo(() => inputOf(edited), [edited])
  // What the authority told holds before the law's own table, which is there at once.
  const { data: told } = useCall(
    allocationFrom,
    { day: edited.date },
    {
      staleTime: Infinity,
      enabled: isDay(edited.date) && Boolean(edited.customer) && Boolean(type?.mayNeedAllocation),
    },
  )
  const advice = useMemo(
    () =>
      adviceFor(
        edited,
        figures,
        (day) => (told?.day === day ? (told.agorot ?? undefined) : allocationThresholdOn(day)),
        company.kind,
      ),
    [edited, figures, told, company.kind],
  )
  const put = useCallback((what: Extract<Change, { do: 'put' }>['change']) => {
    dispatch({ do: 'put', change: what })
    // What is being mended is no longer refused.
    setRefusals((before) =>
      Object.keys(what).some((name) => before.fields[refusedAs[name] ?? name])
        ? {
            ...before,
            fields: Object.fromEntries(
              Object.entries(before.fields).filter(
                ([name]) => !Object.keys(what).some((one) => (refusedAs[one] ?? one) === name),
              ),
            ),
          }
        : before,
    )
    setRest(undefined)
  }, [])
  useFollowedCloses(edited, opened, has('closes') && moneyOnly, put)
  const write = useCallback((what: Change) => {
    dispatch(what)
    if (what.do === 'line')
      setRefusals((before) =>
        before.lines[what.key]
          ? {
              ...before,
              lines: Object.fromEntries(Object.entries(before.lines).filter(([key]) => key !== what.key)),
            }
          : before,
      )
    if (what.do === 'payment' || what.do === 'pay' || what.do === 'unpay')
      setRefusals((before) => ({
        ...before,
        payments:
          'key' in what
            ? Object.fromEntries(Object.entries(before.payments).filter(([key]) => key !== what.key))
            : before.payments,
        fields: Object.fromEntries(Object.entries(before.fields).filter(([name]) => name !== 'payments')),
      }))
    if (what.do !== 'all')
      setRefusals((before) =>
        before.fields.lines ? { ...before, fields: { ...before.fields, lines: undefined! } } : before,
      )
    setRest(undefined)
  }, [])

  const prices = useLinePrices(edited, write, sells)
  const said = (name: string) => {
    const refusal = refusals.fields[name]
    return refusal ? t(`errors.${refusal.code}`, refusal.params) : undefined
  }

  const wishesFocus = useRef(false)
  /** Puts what the server, or a look of our own, refuses to its fields; the first of them gets the cursor. */
  const refuse = (next: Refusals, left: string | undefined) => {
    setRefusals(next)
    setRest(left)
    setTab('form')
    wishesFocus.current = true
  }
  useEffect(() => {
    if (!wishesFocus.current) return
    wishesFocus.current = false
    document.querySelector<HTMLElement>('.doc-form [aria-invalid="true"], .doc-form [data-refused]')?.focus()
  }, [refusals])

  // A draft that is kept while somebody types is refused at its fields too; the cursor stays where it is.
  const { state: keptState, failure: keptFailure } = keeping
  useEffect(() => {
    if (keptState !== 'refused') return
    const next = refusalsOf(
      keptFailure instanceof CallFailure ? keptFailure.errors : [],
      sentLines(now.current),
      sentPayments(now.current.payments),
    )
    setRefusals(next)
    setRest(isShown(next) ? undefined : failureText(t, keptFailure))
  }, [keptState, keptFailure, t])

  const attempt = useRef<string>(undefined)
  // A document in another language names the business in it: asked once, by those who may answer.
  const namesLanguage = languageInUse(edited, company)
  const issue = async (andSend: boolean, known = company, takesOldRate = false) => {
    if (issuing) return
    const own: Refusals = { fields: {}, lines: {}, payments: {} }
    if (!edited.customer)
      own.fields.customerId = { code: sells ? 'documents.noCustomer' : 'documents.noSupplier' }
    if (has('payments')) {
      for (const one of edited.payments) {
        const cells = unfinishedCells(one)
        if (Object.keys(cells).length > 0) own.payments[one.key] = cells
      }
      // What comes to nothing may need no payment; the server knows when.
      if (edited.payments.length === 0 && edited.customer && figures?.totals.total !== 0)
        own.fields.payments = { code: 'documents.noPayments' }
    }
    for (const line of namelessLines(edited))
      own.lines[line.key] = { cell: 'description', code: 'fields.need' }
    if (
      sells &&
      hasVat &&
      typeFacts(edited.type).isVatDocument &&
      figures?.totals.netZero &&
      !zeroGroundInUse(edited)
    )
      own.fields.zeroGround = { code: 'documents.noGround' }
    if (edited.currency !== 'ILS' && !edited.rate) own.fields.rate = { code: 'documents.noRate' }
    const isBare =
      !type?.linesOptional && sentLines(edited).length === 0 && Object.keys(own.lines).length === 0
    // Said where a line is written, not at the foot of the page.
    const emptyLine = isBare && has('lines') ? edited.lines.find(isEmpty) : undefined
    if (emptyLine) own.lines[emptyLine.key] = { cell: 'description', code: 'documents.noLines' }
    const refused = [own.fields, own.lines, own.payments].some((some) => Object.keys(some).length > 0)
    if (refused || isBare || !figures)
      return refuse(own, isBare && !emptyLine && edited.customer ? t('documents.editor.noLines') : undefined)
    if (may('companies.change') && lacksDetailsIn(known, namesLanguage)) {
      setRefusals(noRefusals)
      return setSheet({ kind: 'language', andSend })
    }
    setIssuing(true)
    const old = takesOldRate ? undefined : await oldRateDay(edited)
    if (old) {
      setIssuing(false)
      return setSheet({ kind: 'rate', andSend, day: old })
    }
    setRefusals(noRefusals)
    setRest(undefined)
    const sent = sentLines(edited)
    const paid = sentPayments(edited.payments)
    try {
      keeper.touch(inputOf(edited))
      const id = await keeper.flush()
      // One key for one try, so that a repeat after a lost answer issues nothing twice.
      attempt.current ??= newKey()
      const issued = await call(issueDocument, { id: id! }, { idempotencyKey: attempt.current })
      void keepGrounds()
      await finish(issued, andSend)
    } catch (e) {
      if (!isNetworkError(e)) attempt.current = undefined
      if (e instanceof CallFailure && e.code === 'documents.notDraft' && (await alreadyIssued(andSend)))
        return
      setIssuing(false)
      if (isNetworkError(e)) return setRest(t('documents.editor.offlineIssue'))
      const errors = e instanceof CallFailure ? e.errors : []
      const next = refusalsOf(errors, sent, paid)
      const known = new Set([
        'customerId',
        'customer',
        'date',
        'dueDate',
        'dueTerms',
        'rate',
        'zeroGround',
        'exemptGround',
        'subject',
        'discount',
        'orderNumber',
        'projectId',
        'agentId',
        'notes',
        'notesBelow',
        'validUntil',
        'deliverTo',
        'branch',
        ...(has('payments') ? ['payments'] : []),
        ...(has('closes') ? ['closes'] : []),
      ])
      const unknown = Object.entries(next.fields).filter(([name]) => !known.has(name))
      refuse(
        next,
        errors.length === 0
          ? failureText(t, e)
          : unknown.length > 0
            ? unknown.map(([, one]) => t(`errors.${one.code}`, one.params)).join(' ')
            : undefined,
      )
    }
  }
  /** The next document of the customer has the ground that was chosen for this one. */
  const keepGrounds = async () => {
    const grounds = Object.fromEntries(
      Object.entries(groundsToKeep(edited)).flatMap(([name, { ground }]) =>
        keeps(name as GroundName) ? [[name, ground]] : [],
      ),
    )
    if (Object.keys(grounds).length === 0 || !may('customers.change')) return
    try {
      await call(callsOf(customers).change, { id: edited.customer!.id, ...grounds })
    } catch (e) {
      banner.error(t('documents.editor.groundNotKept', { why: failureText(t, e) }))
    }
  }
  /** An answer that was lost had issued it, or another tab has. */
  const alreadyIssued = async (andSend: boolean): Promise<boolean> => {
    const { id } = keeper.now()
    const there = id ? await call(getDocument, { id }).catch(() => undefined) : undefined
    if (!there || statusFacts(there.status).isDraft) return false
    await finish(there, andSend)
    return true
  }
  const finish = async (issued: DocumentAnswer, andSend: boolean) => {
    keeper.drop()
    void dropCopy(company.id, undefined)
    void dropCopy(company.id, issued.id)
    putAnswer(getDocument, { id: issued.id }, issued)
    void refreshDocuments()
    const name = documentNoun(t, issued.type, issued.number, labelOf(issued))
    let query = andSend ? '?send=1' : ''
    if (andSend) {
      const sending = await call(sendingOfDocument, { id: issued.id }, { quiet: true }).catch(() => undefined)
      // Mail to a customer who was asked already needs no question; the page says what became of it.
      if (
        sending &&
        sending.to.mail &&
        sending.consent.state !== 'missing' &&
        channelFor({
          last: sending.lastChannel,
          hasMail: true,
          hasMobile: israeliMobile(sending.to.phone) !== undefined,
          onPhone: phone,
        }) === 'mail'
      )
        try {
          const { messageIds } = await call(sendDocument, {
            id: issued.id,
            to: sending.to.mail,
            ...(sending.to.also.length ? { also: sending.to.also } : {}),
            attach: true,
          })
          query = `?left=${messageIds.join(',')}`
        } catch {
          // The dialog asks where to.
        }
    }
    go(`${pagePath(issued.type, issued.id)}${query}`, { replace: true })
    banner.success(
      <>
        {t('documents.editor.issued', { name })}{' '}
        <Button kind="quiet" size="s" onPress={() => void showPdf(t, issued.id, 'original')}>
          PDF
        </Button>
      </>,
      12_000,
    )
  }

  const look = async () => {
    await save()
    const { id, state } = keeper.now()
    if (id && state === 'saved') go(`${pagePath(edited.type, id)}?look=1`)
  }

  const save = async () => {
    if (!isWorthKeeping(edited)) return
    try {
      keeper.touch(inputOf(edited))
      await keeper.flush()
    } catch (e) {
      if (isNetworkError(e)) return
      if (e instanceof CallFailure && e.code === 'documents.notDraft' && (await alreadyIssued(false))) return
      const next = refusalsOf(
        e instanceof CallFailure ? e.errors : [],
        sentLines(edited),
        sentPayments(edited.payments),
      )
      refuse(next, isShown(next) ? undefined : failureText(t, e))
    }
  }
  const leave = () => (history.length > 1 ? history.back() : go('/invoice/documents'))
  const canIssue = may('documents.issue')
  // Not behind a sheet: what is half typed there belongs to the document too.
  const deed = () => void (sheet ? undefined : canIssue ? issue(false) : save())
  useKeys({ 'mod+Enter': deed, 'mod+s': () => void save() })
  // Before a focused button takes Enter for its own press.
  const onKeyCapture = (event: React.KeyboardEvent) => {
    const isSave = event.code === 'KeyS' || event.key === 's'
    if (!(event.ctrlKey || event.metaKey) || event.altKey || (event.key !== 'Enter' && !isSave)) return
    event.preventDefault()
    event.stopPropagation()
    if (isSave) void save()
    else deed()
  }
  useKeysHelp(
    useMemo(
      () => ({
        title: t('documents.editor.keys'),
        keys: [
          { keys: 'Ctrl ↵', does: t('documents.editor.issue') },
          { keys: 'Ctrl S', does: t('documents.editor.saveDraft') },
          { keys: '↵', does: t('documents.editor.nextCell') },
          { keys: ['Alt ↑', '↓'], does: t('documents.editor.moveKeys') },
          { keys: 'Alt Del', does: t('documents.editor.dropKeys') },
        ],
      }),
      [t],
    ),
  )

  const throwAway = async () => {
    const { id } = keeper.now()
    keeper.drop()
    await dropCopy(company.id, undefined)
    await dropCopy(company.id, id)
    if (id) await call(deleteDocument, { id }).catch((e: unknown) => banner.error(failureText(t, e)))
    void refreshDocuments()
    go('/invoice/documents?view=drafts', { replace: true })
  }

  const canSend = may('documents.send')
  const issueMenu: MenuEntry[] = [
    ...(canSend
      ? [
          {
            key: 'send',
            label: t(
              edited.customer?.email ? 'documents.editor.issueAndSendTo' : 'documents.editor.issueAndSend',
              {
                to: edited.customer?.email ?? '',
              },
            ),
            icon: Send,
            m: true,
            onPress: () => void issue(true),
          },
        ]
      : []),
    {
      key: 'draft',
      label: t('documents.editor.saveDraft'),
      icon: Save,
      keys: 'Ctrl S',
      onPress: () => void save(),
    },
  ]
  const isKept = keeping.state !== 'untouched' || isWorthKeeping(edited)
  const others: MenuEntry[] = [
    ...(phone
      ? [{ key: 'save', label: t('documents.editor.saveDraft'), icon: Save, onPress: () => void save() }]
      : []),
    ...(phone && canSend && canIssue
      ? [
          {
            key: 'send',
            label: t('documents.editor.issueAndSend'),
            icon: Send,
            m: true,
            onPress: () => void issue(true),
          },
        ]
      : []),
    ...(isKept
      ? [
          { key: 'look', label: t('documents.draft.look'), icon: Eye, onPress: () => void look() },
          {
            key: 'drop',
            label: t('documents.editor.throwAway'),
            icon: Trash2,
            tone: 'danger' as const,
            onPress: () => setSheet({ kind: 'drop' }),
          },
        ]
      : []),
  ]
  const paper = <Paper input={input} company={company} language={languageInUse(edited, company)} />
  const asked = moneyOnly && opened ? askedBy(edited.closes, opened, edited.currency) : 0
  const open = moneyOnly && opened ? followedOpen(edited, opened) : undefined
  const target = moneyOnly ? asked || undefined : (figures?.totals.total ?? 0)
  const payments = (
    <Payments
      edited={edited}
      dispatch={write}
      put={put}
      refusals={refusals}
      target={target}
      open={open}
      base={moneyOnly ? (open ?? asked) : (figures?.totals.total ?? 0)}
    />
  )
  const isPaperHere = wide || (!phone && tab === 'paper')
  const line = sheet?.kind === 'line' ? edited.lines.find((one) => one.key === sheet.key) : undefined
  const setCustomer = (customer: Edited['customer']) => {
    // What another customer owes is not closed by this one's money.
    const change = customer?.id === edited.customer?.id ? {} : { closes: [], closesFollow: [] }
    put(sells ? { ...withCustomer(edited, customer), ...change } : { customer, ...change })
    if (customer && showsLines) focusCell(now.current.lines.find(isEmpty)?.key, 'item')
  }
  const newItem = useCallback((text: string, key: string) => setSheet({ kind: 'item', text, key }), [])
  const issueButton = canIssue ? (
    <SplitButton
      kind="primary"
      keys={phone ? undefined : 'Ctrl ↵'}
      size={phone ? 'l' : undefined}
      busy={issuing}
      onPress={() => void issue(false)}
      menu={issueMenu}
      menuLabel={t('documents.editor.otherWays')}
    >
      {t('documents.editor.issue')}
    </SplitButton>
  ) : (
    <Button kind="primary" keys={phone ? undefined : 'Ctrl S'} onPress={() => void save()}>
      {t('documents.editor.saveDraft')}
    </Button>
  )

  return (
    <div className="doc-editor" onKeyDownCapture={sheet ? undefined : onKeyCapture}>
      <header className="doc-bar">
        <Button
          kind="quiet"
          icon={phone ? X : ArrowLeft}
          m={!phone}
          className={phone ? undefined : 'doc-back'}
          label={t('documents.editor.back')}
          onPress={leave}
        />
        <h1>
          {kinds.length > 1 ? (
            <Menu
              label={t('documents.fields.type')}
              placement="bottom start"
              items={kinds.map((kind) => ({
                key: String(kind),
                label: typeWord(t, kind),
                checked: kind === edited.type,
                onPress: () => {
                  put({ type: kind })
                  setRefusals(noRefusals)
                },
              }))}
              trigger={
                <Button kind="quiet" className="doc-kind">
                  {typeWord(t, edited.type, labelOf(edited))} <Icon of={ChevronDown} />
                </Button>
              }
            />
          ) : (
            typeWord(t, edited.type, labelOf(edited))
          )}
        </h1>
        <SavedState
          keeping={keeping}
          refused={refusedNames(t, refusals, edited)}
          phone={phone}
          onRetry={() => void save()}
        />
        <span className="grow" />
        {!wide && !phone && (
          <Segmented
            label={t('documents.editor.show')}
            value={tab}
            onChange={setTab}
            options={[
              { key: 'form', label: t('documents.editor.form') },
              { key: 'paper', label: t('documents.editor.paper') },
            ]}
          />
        )}
        {phone && (
          <Button
            kind="quiet"
            icon={Eye}
            label={t('documents.editor.paper')}
            onPress={() => setSheet({ kind: 'paper' })}
          />
        )}
        {!phone && canIssue && <Button onPress={() => void save()}>{t('documents.editor.saveDraft')}</Button>}
        {!phone && issueButton}
        {others.length > 0 && (
          <Menu
            label={t('kit.actions.more')}
            items={others}
            trigger={
              <Button kind="quiet" icon={phone ? EllipsisVertical : Ellipsis} label={t('kit.actions.more')} />
            }
          />
        )}
      </header>

      <div className="doc-desk" data-paper={isPaperHere ? '' : undefined}>
        <div className="doc-form" hidden={!wide && !phone && tab === 'paper'}>
          <div className="doc-sheet">
            {found && (
              <Note
                tone="wait"
                icon={Copy}
                action={
                  <span className="flex gap-1">
                    <Button
                      kind="quiet"
                      size="s"
                      onPress={() => {
                        setFound(undefined)
                        void dropCopy(company.id, answer?.id)
                      }}
                    >
                      {t('documents.editor.copy.drop')}
                    </Button>
                    <Button
                      size="s"
                      onPress={() => {
                        write({ do: 'all', edited: completed(found.edited) })
                        setFound(undefined)
                      }}
                    >
                      {t('documents.editor.copy.take')}
                    </Button>
                  </span>
                }
              >
                {t('documents.editor.copy.text', { at: formatMoment(new Date(found.at)) })}
              </Note>
            )}
            {rest && <Note tone="late">{rest}</Note>}
            {isDay(edited.date) && <LawNote keys={editorLaw} day={edited.date} />}
            {sells ? (
              <CustomerPick
                value={edited.customer}
                onChange={setCustomer}
                onNew={(name) => setSheet({ kind: 'customer', name })}
                onOpen={() =>
                  edited.customer &&
                  setSheet({ kind: 'customer', name: edited.customer.name, of: edited.customer.id })
                }
                error={said('customerId') ?? said('customer')}
                autoFocus={!phone && !start.customer && !answer}
              />
            ) : (
              <SupplierPick
                value={edited.customer}
                onChange={setCustomer}
                error={said('customerId')}
                autoFocus={!phone && !start.customer && !answer}
              />
            )}
            <div className="doc-head">
              <DayField
                label={t('documents.fields.day')}
                value={edited.date}
                onChange={(date) => date && put({ date })}
                error={said('date')}
                name="date"
              />
              {type && hasDueDay(type) && (
                <div>
                  <TermsField
                    label={t('documents.editor.due')}
                    from={edited.date}
                    value={edited.dueDate ? null : termsInUse(edited, company)}
                    onChange={(terms) =>
                      terms === 'own'
                        ? put({ dueDate: dueDayInUse(edited, company) })
                        : put({ dueTerms: terms, dueDate: null })
                    }
                    error={said('dueTerms')}
                  />
                  {edited.dueDate && (
                    <div className="mt-2">
                      <DayField
                        hideLabel
                        label={t('documents.fields.dueDay')}
                        value={edited.dueDate}
                        min={edited.date}
                        onChange={(dueDate) => dueDate && put({ dueDate })}
                        error={said('dueDate')}
                      />
                    </div>
                  )}
                </div>
              )}
              {has('validUntil') && (
                <DayField
                  label={t(untilWord(type))}
                  optional
                  value={edited.validUntil}
                  min={edited.date}
                  onChange={(validUntil) => put({ validUntil })}
                  error={said('validUntil')}
                  name="validUntil"
                />
              )}
              <TextField
                label={t('documents.fields.subject')}
                optional
                max={200}
                value={edited.subject}
                onChange={(subject) => put({ subject })}
                error={said('subject')}
                name="subject"
              />
            </div>
            {has('closes') && (
              <Closes
                edited={edited}
                isIncome={isIncomeItself(type!, company.kind)}
                items={opened}
                put={put}
                refusals={refusals.fields}
              />
            )}
            {showsLines &&
              (phone ? (
                <LineCards
                  lines={edited.lines}
                  amounts={figures?.amounts ?? new Map()}
                  refusals={refusals.lines}
                  onOpen={(key) => setSheet({ kind: 'line', key })}
                  onAdd={() => setSheet({ kind: 'line', key: edited.lines.at(-1)!.key })}
                />
              ) : (
                <Lines
                  lines={edited.lines}
                  amounts={figures?.amounts ?? new Map()}
                  prices={prices}
                  dispatch={write}
                  refusals={refusals.lines}
                  defaultVatKind={company.defaultVatKind}
                  currency={edited.currency}
                  hasVat={hasVat}
                  buys={!sells}
                  onNewItem={newItem}
                />
              ))}
            <ExtraFields
              edited={edited}
              put={put}
              refusals={refusals.fields}
              extras={held}
              languageNow={languageInUse(edited, company)}
              roundingNow={company.rounding}
              moneyOnly={moneyOnly}
              keeps={may('customers.change') ? keeps : undefined}
              onKeeps={(name, on) => setKept((before) => ({ ...before, [name]: on }))}
            />
            {has('payments') && moneyOnly && payments}
            <div className="doc-foot">
              <ExtraChips
                edited={edited}
                extras={held}
                moneyOnly={moneyOnly}
                put={put}
                others={{
                  ...(linesWait ? { lines: () => setWantsLines(true) } : {}),
                  ...(keeping.id !== undefined && !wantsFiles ? { files: () => setWantsFiles(true) } : {}),
                }}
              />
              {!moneyOnly && <Totals edited={edited} figures={figures} hasVat={hasVat} />}
            </div>
            {has('payments') && !moneyOnly && payments}
            <AdviceNotes
              advice={advice}
              onCustomer={() =>
                edited.customer &&
                setSheet({ kind: 'customer', name: edited.customer.name, of: edited.customer.id })
              }
            />
            {keeping.id !== undefined && <DraftFiles id={keeping.id} wanted={wantsFiles} />}
            <p className="hint text-12">
              {edited.handNumber
                ? t('documents.editor.handNumber', { number: String(edited.handNumber) })
                : t('documents.editor.numberComes')}
            </p>
          </div>
        </div>
        {isPaperHere && (
          <aside className="doc-paper" aria-label={t('documents.editor.paper')}>
            {paper}
          </aside>
        )}
      </div>
      {phone && (
        <div className="doc-phonebar">
          <span className="sum">
            <span className="hint text-12">
              {t(
                moneyOnly
                  ? 'documents.money.paid'
                  : isDue(edited.type)
                    ? 'documents.editor.toPay'
                    : 'documents.editor.total',
              )}
            </span>
            <b>{figures ? <Money amount={figures.totals.total} currency={edited.currency} /> : '–'}</b>
          </span>
          {issueButton}
        </div>
      )}

      {sheet?.kind === 'customer' && (
        <CustomerSheet
          name={sheet.name}
          of={sheet.of}
          hasVat={hasVat}
          onClose={() => setSheet(undefined)}
          onDone={(row) => {
            // At once, so that the sheet holds the focus no longer and no key goes astray.
            flushSync(() => {
              setSheet(undefined)
              put(withCustomer(edited, customerOf(row)))
            })
            if (!sheet.of) focusCell(now.current.lines.find(isEmpty)?.key, 'item')
          }}
        />
      )}
      {sheet?.kind === 'item' && (
        <ItemSheet
          name={sheet.text}
          price={edited.lines.find((one) => one.key === sheet.key)?.unitPrice ?? null}
          hasVat={hasVat}
          onClose={() => setSheet(undefined)}
          onDone={(item) => {
            const target = now.current.lines.find((one) => one.key === sheet.key)
            flushSync(() => {
              if (target)
                write({ do: 'line', key: sheet.key, change: takeItem(target, item, company.defaultVatKind) })
              setSheet(phone ? { kind: 'line', key: sheet.key } : undefined)
            })
            focusCell(sheet.key, 'quantity')
          }}
        />
      )}
      {sheet?.kind === 'language' && (
        <LanguageDialog
          company={company}
          language={namesLanguage}
          verb={t('documents.editor.issue')}
          asIs={t('documents.editor.printAsIs')}
          onClose={() => setSheet(undefined)}
          onDone={(known) => {
            setSheet(undefined)
            return issue(sheet.andSend, known)
          }}
        />
      )}
      <Question
        isOpen={sheet?.kind === 'rate'}
        onClose={() => setSheet(undefined)}
        title={t('documents.editor.oldRate', {
          day: sheet?.kind === 'rate' ? formatDay(sheet.day) : '',
        })}
        verb={t('documents.editor.takeOldRate')}
        onConfirm={() => {
          const andSend = sheet?.kind === 'rate' && sheet.andSend
          setSheet(undefined)
          void issue(andSend, company, true)
        }}
      >
        {t('documents.editor.oldRateText', { day: formatDay(edited.date) })}
      </Question>
      {line && (
        <LineDialog
          line={line}
          price={prices.get(line.key)}
          company={company}
          currency={edited.currency}
          hasVat={hasVat}
          refusal={refusals.lines[line.key]}
          buys={!sells}
          put={(what) => write({ do: 'line', key: line.key, change: what })}
          onNew={(text) => setSheet({ kind: 'item', text, key: line.key })}
          onDrop={() => {
            write({ do: 'drop', key: line.key })
            setSheet(undefined)
          }}
          onClose={() => setSheet(undefined)}
        />
      )}
      <Dialog
        isOpen={sheet?.kind === 'paper'}
        onClose={() => setSheet(undefined)}
        title={t('documents.editor.paper')}
        size="l"
      >
        <div className="doc-paper" data-inside="">
          {paper}
        </div>
      </Dialog>
      <Question
        isOpen={sheet?.kind === 'drop'}
        onClose={() => setSheet(undefined)}
        title={t('documents.editor.throwAwayAsk')}
        verb={t('documents.editor.throwAway')}
        danger
        onConfirm={throwAway}
      >
        {t('documents.editor.throwAwayText')}
      </Question>
    </div>
  )
}

/** The field a refusal of the server speaks of, where the editor has another name for it. */
const refusedAs: Record<string, string> = { customer: 'customerId' }

/** Keeps the draft at the server and on the device while it is written, and the address of the page true. */
function useKeeper(
  edited: Edited,
  start: Edited,
  answer: DocumentAnswer | undefined,
  companyId: string,
): { keeper: Keeper; keeping: Keeping } {
  const [keeping, setKeeping] = useState<Keeping>({
    state: answer ? 'saved' : 'untouched',
    id: answer?.id,
    savedAt: answer ? new Date(answer.updatedAt) : undefined,
    failure: undefined,
  })
  const [keeper] = useState(() =>
    makeKeeper(
      {
        create: async (input, idempotencyKey) => {
          const made = await call(createDocument, { ...input, draft: true }, { idempotencyKey, quiet: true })
          // The address becomes the draft's, so that a reload opens it; past the router, which would begin
          // the screen again.
          History.prototype.replaceState.call(history, history.state, '', editorPath(made.type, made.id))
          return made
        },
        change: (id, input) => call(changeDocument, { id, ...input }, { quiet: true }),
        newKey,
        now: () => new Date(),
        after: (ms, deed) => {
          const timer = setTimeout(deed, ms)
          return () => clearTimeout(timer)
        },
        tell: (next) => {
          setKeeping(next)
          if (next.state === 'saved') {
            void dropCopy(companyId, undefined)
            void dropCopy(companyId, next.id)
            void queryClient.invalidateQueries({
              queryKey: keyOf(getDocument, { id: next.id! }),
              refetchType: 'none',
            })
            void queryClient.invalidateQueries({ queryKey: ['documents.list'] })
            void queryClient.invalidateQueries({ queryKey: ['documents.home'] })
          }
        },
      },
      answer && { id: answer.id, savedAt: new Date(answer.updatedAt) },
    ),
  )
  const before = useRef(start)
  useEffect(() => {
    if (before.current === edited) return
    before.current = edited
    if (!isWorthKeeping(edited) && keeper.now().id === undefined) return
    keeper.touch(inputOf(edited))
    void keepCopy(companyId, keeper.now().id, edited)
  }, [edited, keeper, companyId])
  useEffect(() => {
    keeper.begin()
    const online = () => void keeper.flush().catch(() => undefined)
    addEventListener('online', online)
    return () => {
      removeEventListener('online', online)
      keeper.stop()
    }
  }, [keeper])
  return { keeper, keeping }
}

const isShown = (refusals: Refusals): boolean =>
  [refusals.fields, refusals.lines, refusals.payments].some((some) =>
    Object.values(some).some((one) => one !== undefined),
  )

/** Fields by the words that stand at them, as far as the editor has one; lines by their place. */
const refusedWords: Record<string, string> = {
  rate: 'documents.editor.rate',
  customerId: 'documents.fields.customerId',
  date: 'documents.fields.day',
  dueDate: 'documents.fields.dueDay',
  payments: 'documents.money.title',
  validUntil: 'documents.fields.validUntil',
  promisedDay: 'documents.fields.promisedDay',
  subject: 'documents.fields.subject',
  zeroGround: 'documents.editor.extra.zeroGround',
  exemptGround: 'documents.editor.extra.exemptGround',
  orderNumber: 'documents.fields.orderNumber',
  notes: 'documents.fields.notes',
  notesBelow: 'documents.fields.notesBelow',
  notesInternal: 'documents.fields.notesInternal',
  branch: 'documents.fields.branch',
  projectId: 'documents.fields.projectId',
  agentId: 'documents.fields.agentId',
  deliverTo: 'documents.fields.deliverTo',
}
function refusedNames(t: Words, refusals: Refusals, edited: Edited): string {
  const fields = Object.entries(refusals.fields)
    .filter(([, refusal]) => refusal !== undefined)
    .flatMap(([name]) => (refusedWords[name] ? [t(refusedWords[name])] : []))
  const lines = edited.lines.flatMap(({ key }, i) =>
    refusals.lines[key] ? [t('documents.editor.lineNo', { place: i + 1 })] : [],
  )
  const payments = Object.keys(refusals.payments).length > 0 ? [t('documents.money.title')] : []
  return [...new Set([...fields, ...lines, ...payments])].join(', ')
}

/** Draft, and whether it is safe. */
function SavedState({
  keeping,
  refused,
  phone,
  onRetry,
}: {
  keeping: Keeping
  /** What of it was refused, in words; empty where no field is named. */
  refused: string
  phone: boolean
  onRetry: () => void
}) {
  const t = useWords()
  const state = shownState(keeping)
  const at = keeping.savedAt ? formatMoment(keeping.savedAt).slice(-5) : ''
  const words = {
    untouched: '',
    unsaved: t('documents.editor.unsaved'),
    saving: t('documents.editor.saving'),
    offline: t('documents.editor.savedHere'),
    refused: refused ? t('documents.editor.notSavedWhat', { what: refused }) : t('documents.editor.notSaved'),
    saved: t(phone ? 'documents.editor.savedShort' : 'documents.editor.savedAt', { at }),
  }
  const word = phone && state === 'refused' ? t('documents.editor.notSaved') : words[state]
  return (
    <span className="doc-state">
      <StatusPill tone={state === 'offline' || state === 'refused' ? 'wait' : 'draft'}>
        {phone && word ? word : t('documents.status.draft')}
      </StatusPill>
      {!phone && (
        <>
          {/* What changes with each key is seen; what came of it is read out as well. */}
          {state === 'unsaved' && <span className="hint text-13">{word}</span>}
          <span className="hint text-13" role="status">
            {state === 'unsaved' ? '' : word}
          </span>
        </>
      )}
      {state === 'refused' && (
        <Button kind="quiet" size="s" onPress={onRetry}>
          {t('documents.editor.why')}
        </Button>
      )}
    </span>
  )
}

interface LineDialogProps {
  line: EditedLine
  price: LinePrice | undefined
  company: Company
  currency: string
  hasVat: boolean
  buys: boolean
  refusal: Refusals['lines'][string] | undefined
  put: (change: Partial<Omit<EditedLine, 'key'>>) => void
  onNew: (text: string) => void
  onDrop: () => void
  onClose: () => void
}

/** One line, on a phone. */
function LineDialog({
  line,
  price,
  company,
  currency,
  hasVat,
  buys,
  refusal,
  put,
  onNew,
  onDrop,
  onClose,
}: LineDialogProps) {
  const t = useWords()
  const { lang } = useLanguage()
  const said = (cell: string) =>
    refusal?.cell === cell ? t(`errors.${refusal.code}`, refusal.params) : undefined
  return (
    <Dialog
      isOpen
      onClose={onClose}
      form
      title={t('documents.editor.line')}
      actions={
        <>
          {!isEmpty(line) && (
            <Button kind="quiet" icon={Trash2} onPress={onDrop}>
              {t('documents.editor.dropThis')}
            </Button>
          )}
          <Button kind="primary" onPress={onClose}>
            {t('documents.editor.doneLine')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4" data-line={line.key}>
        <div className="k-field">
          <span className="k-label">{t('documents.editor.item')}</span>
          <ItemField
            bare={false}
            autoFocus={isEmpty(line)}
            label={t('documents.editor.item')}
            value={line.description}
            error={said('description') !== undefined}
            placeholder={t('documents.editor.itemHint')}
            onText={(description) =>
              put(description === '' ? { description, itemId: null } : { description })
            }
            onItem={(item, isLate) => {
              put(takeItem(line, buys ? { ...item, price: item.cost } : item, company.defaultVatKind, isLate))
              if (!isLate) focusCell(line.key, 'quantity')
            }}
            onNew={onNew}
            onEnter={() => focusCell(line.key, 'quantity')}
          />
          {said('description') && (
            <span className="k-msg" data-tone="late">
              {said('description')}
            </span>
          )}
        </div>
        <div className="doc-pair">
          <QuantityField
            label={t('documents.editor.quantity')}
            name="quantity"
            placeholder="1"
            value={line.quantity}
            onChange={(quantity) => put({ quantity })}
            error={said('quantity')}
          />
          <PriceField
            label={t('documents.editor.price')}
            name="unitPrice"
            placeholder="0.00"
            value={line.unitPrice}
            onChange={(unitPrice) => put({ unitPrice, hasOwnPrice: true })}
            error={said('unitPrice')}
          />
        </div>
        <PriceFrom
          {...wordsOfPrice(t, lang, line, price)}
          onTake={(unitPrice) => put({ unitPrice, hasOwnPrice: false })}
        />
        <details className="doc-details">
          <summary>{t(hasVat ? 'documents.editor.moreLine' : 'documents.editor.moreLineOnly')}</summary>
          <LineMore
            line={line}
            put={put}
            defaultVatKind={company.defaultVatKind}
            currency={currency}
            hasVat={hasVat}
          />
        </details>
      </div>
    </Dialog>
  )
}
