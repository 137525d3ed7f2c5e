import {
  Ban,
  Banknote,
  Copy,
  FileCode2,
  FileDown,
  FileInput,
  FileMinus2,
  FilePen,
  FilePlus2,
  Flag,
  Hash,
  Link2,
  Mail,
  MessageCircle,
  MessageSquareText,
  Printer,
  ScrollText,
  Send,
  Share2,
  TriangleAlert,
  Undo2,
  PenLine,
  type LucideIcon,
} from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { statusFacts, typeFacts } from '#domain/documents/facts.ts'
import { documentTypeById, labelOf } from '#domain/documents/kinds.ts'
import { daysLate } from '#domain/documents/due.ts'
import { stepsOf, type DocumentStep } from '#domain/documents/steps.ts'
import { formatDay, formatMoment, formatMoney, formatPercent } from '#domain/format.ts'
import { cardPlaces } from '#kit/describe/cards.ts'
import { canDocument } from '#kit/describe/session.ts'
import { failureText, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Figure, Figures, Money } from '#kit/web/parts/Figure.tsx'
import { Menu } from '#kit/web/parts/Menu.tsx'
import { HistoryList } from '#kit/web/parts/HistoryList.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { SplitButton } from '#kit/web/parts/SplitButton.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { usePhone } from '#kit/web/parts/useMedia.ts'
import { Views } from '#kit/web/parts/Views.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useTitle } from '#kit/web/routes/router.tsx'
import { partsOf, usePlaced } from '#kit/web/screens/places.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { hasShareSheet } from '#kit/web/hooks/shareSheet.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { getCompany } from '#features/base/companies/endpoints.ts'
import { EntryTable } from '#features/base/ledger/web/index.tsx'
import { customers } from '#features/registers/parties/customers.ts'
import { suppliers } from '#features/registers/suppliers/suppliers.ts'
import { entriesOfDocument, getDocument, historyOfDocument, type DocumentAnswer } from '../../endpoints.ts'
import { fileFormsOf } from '../../fileForms.ts'
import { pageDeedsOf } from '../../pageDeeds.ts'
import {
  editorPath,
  isPurchase,
  pagePath,
  startable,
  typeById,
  typeId,
  untilWord,
} from '../../types/index.ts'
import { convert, duplicate, refreshDocuments, savePdf, sharePaper, showPdf } from './actions.tsx'
import '../documents.css'
import { PaperTab } from './PaperTab.tsx'
import { DocumentState } from './state.tsx'
import { itemName, paperName, termsWord, typeWord, withoutMarks } from '../words.ts'
import { nextTypes } from './next.ts'
import { hasPart } from '../editor/model.ts'
import { ConvertDialog } from './ConvertDialog.tsx'
import { CreditDialog } from './CreditDialog.tsx'
import { CancelDialog } from './Dialogs.tsx'
import { Draft } from './Draft.tsx'
import { DocumentFiles } from './DocumentFiles.tsx'
import { SendDialog, type SendWay } from './SendDialog.tsx'
import { SentDialog } from './SentDialog.tsx'
import { saysMoney, Settlements } from './Settlements.tsx'

const tabs = ['paper', 'payments', 'entries', 'files', 'history', 'sending'] as const
type Tab = (typeof tabs)[number]

/**
 * An issued document, or what a draft would be: its paper, what it did in the books, what happened to it, and
 * what can be done.
 */
export function Screen() {
  const t = useWords()
  const mayDraft = useCan()('documents.draft')
  const { params, query } = usePlace()
  const id = params.documentkey ?? ''
  const { data, error, refetch } = useCall(
    getDocument,
    { id },
    // The authority answers within seconds as a rule; the number is shown when it comes.
    { refetchInterval: ({ state }) => (state.data?.allocationState === 'waiting' ? 3000 : false) },
  )
  useTitle(data && itemName(t, { ...data, label: labelOf(data) }))
  // Held by the page and not by the document, which begins when both are here.
  const { parts, waits } = usePlaced(data && `document:${typeById(data.type)?.name}`, id)
  // The person who may write it and did not ask to look goes on writing.
  const isWritten = statusFacts(data?.status).isDraft && mayDraft && query.look !== '1'
  useEffect(() => {
    if (data && isWritten) go(editorPath(data.type, id), { replace: true })
  }, [isWritten, data, id])
  if (error && !data)
    return (
      <EmptyState
        icon={TriangleAlert}
        title={t('documents.page.notFound')}
        actions={
          <>
            <Button kind="soft" onPress={() => void refetch()}>
              {t('kit.actions.retry')}
            </Button>
            <Button href="/invoice/documents">{t('documents.title')}</Button>
          </>
        }
      >
        {failureText(t, error)}
      </EmptyState>
    )
  if (!data || isWritten || waits) return <Skeleton lines={5} />
  if (statusFacts(data.status).isDraft) return <Draft key={data.id} document={data} />
  return <Document key={data.id} document={data} parts={parts} />
}

function Document({
  document,
  parts,
}: {
  document: DocumentAnswer
  parts: ReturnType<typeof usePlaced>['parts']
}) {
  const t = useWords()
  const today = useToday()
  const copy = useCopy()
  const { lang } = useLanguage()
  const may = useCan()
  const phone = usePhone()
  // Amounts are hidden from some people; the server sends none.
  const hides = useSession()?.HideTotalPrices ?? false
  const { query, setQuery } = usePlace()
  const company = useCall(getCompany, {})
  const tab: Tab = (tabs as readonly string[]).includes(query.tab ?? '')
    ? (query.tab as Tab)
    : document.isOpening
      ? 'payments'
      : 'paper'
  // 'best': by the channel that reaches the customer.
  const [sending, setSending] = useState<SendWay | 'best' | undefined>(
    query.send === '1' && may('documents.send') && !document.isOpening ? 'best' : undefined,
  )
  const [left, setLeft] = useState<readonly string[]>(() => query.left?.split(',') ?? [])
  const [cancelling, setCancelling] = useState(query.cancel === '1')
  useEffect(() => {
    // Asked for in the address once; a reload does not ask again.
    if (query.send || query.cancel || query.left)
      setQuery({ send: undefined, cancel: undefined, left: undefined })
  }, [query.send, query.cancel, query.left, setQuery])

  const type = typeById(document.type)
  const name = itemName(t, { ...document, label: labelOf(document) })
  const { totals } = document
  const late = document.dueDate && totals.openAgorot > 0 ? daysLate(document.dueDate, today) : 0
  const isCancelled = statusFacts(document.status).isCancelled
  // A credit stays, and so does what posts without a paper that would offset it.
  const offsets = Boolean(type?.cancelledBy ?? type?.cancelledByItself)
  const canCancel =
    may('documents.cancel') &&
    !isCancelled &&
    !document.isOpening &&
    type !== undefined &&
    type.name !== 'creditInvoice' &&
    (offsets || !type.posts)
  const canCredit =
    may('documents.cancel') &&
    !isCancelled &&
    !hides &&
    type?.cancelledBy === 'creditInvoice' &&
    totals.totalAgorot - totals.creditedAgorot > 0
  const wantsNumber =
    may('allocation.change') &&
    !isCancelled &&
    Boolean(type?.mayNeedAllocation) &&
    document.allocationState === 'notNeeded' &&
    totals.vatAgorot > 0
  const canCorrect = canCancel && !hides && totals.creditedAgorot === 0 && may('documents.issue')
  const session = useSession()
  const next =
    may('documents.draft') && !isCancelled && !document.isOpening && !hides
      ? nextTypes(document.type, company.data?.kind, session)
      : []
  const [converting, setConverting] = useState<number>()
  const [crediting, setCrediting] = useState(false)
  /** Money for it takes what is open, goods and invoices ask how much of each line. */
  const make = (one: number) =>
    hasPart(one, 'closes') ? void convert(t, { id: document.id, type: one }) : setConverting(one)
  const canBill = document.type === typeId('goodsReceived') && !isCancelled && may('expenses.enter')
  const billPath = `/invoice/Expenses/all/new?${new URLSearchParams({
    ...(document.customerId ? { supplier: document.customerId } : {}),
    ...(hides || totals.totalAgorot <= 0 ? {} : { total: String(totals.ilsTotalAgorot) }),
    details: withoutMarks(name),
  })}`
  // Prices may be held back; then there is nothing to say of money.
  const hasMoney = !hides && saysMoney(document)
  const isMoneyPaper = !document.isOpening && type?.parts.includes('payments') === true && type.debt <= 0
  const showsOpen = totals.openAgorot !== 0 || type?.asks || (type?.debt ?? 0) !== 0
  const canStart =
    may('documents.draft') &&
    !document.isOpening &&
    canDocument(session, document.type) &&
    startable().some((one) => typeId(one.name) === document.type)
  const canSend = may('documents.send') && !document.isOpening
  const variants = (['original', 'copy', 'certified', 'thermal'] as const).map((variant) => ({
    key: variant,
    label: t(`documents.page.${variant}`),
    icon: variant === 'thermal' ? Printer : variant === 'certified' ? ScrollText : FileDown,
    onPress: () =>
      void (variant === 'thermal' || phone
        ? savePdf(t, document.id, variant)
        : showPdf(t, document.id, variant)),
  }))
  const others = fileFormsOf(document).map((form) => ({
    key: form.key,
    label: t(form.word),
    icon: FileCode2,
    onPress: () => form.open(document),
  }))
  const buys = type !== undefined && isPurchase(type)
  const card = buys ? suppliers : customers
  const address = document.customerId && card.screens.card?.replace('$id', document.customerId)
  /** One step as a button or an entry of a menu shows it. */
  const offered = (step: DocumentStep) => {
    const key = 'type' in step ? `${step.do} ${step.type}` : step.do
    switch (step.do) {
      case 'send':
      case 'sendAgain':
        return {
          key,
          label: t(step.do === 'send' ? 'documents.page.send' : 'documents.page.sendAgain'),
          icon: Send,
          m: true,
          onPress: () => setSending('best'),
        }
      case 'bill':
        return { key, label: t('documents.make.bill'), icon: FileInput, href: billPath }
      case 'receive':
        return {
          key,
          label: t('documents.page.receive'),
          icon: Banknote,
          onPress: () => make(typeId(step.type)),
        }
      case 'make':
        return {
          key,
          label: t(`documents.make.${step.type}`),
          icon: FilePlus2,
          onPress: () => make(typeId(step.type)),
        }
      case 'another':
        return {
          key,
          label: t(`documents.newType.${step.type}`),
          icon: FilePlus2,
          href: editorPath(document.type),
        }
    }
  }
  const steps = type
    ? stepsOf({
        type: type.name,
        status: document.status,
        isSent: document.sentAt !== null,
        toPayAgorot: hides ? 0 : Math.max(totals.openAgorot, totals.askedAgorot),
        next: next.flatMap((one) => documentTypeById(one) ?? []),
        maySend: canSend,
        mayBill: canBill,
        mayStart: canStart,
      })
    : []
  const places = cardPlaces(
    'documents',
    tabs.filter(
      (key) =>
        (key !== 'payments' || hasMoney) && (!document.isOpening || (key !== 'paper' && key !== 'sending')),
    ),
  )
  const asView = (key: string) => ({ key: key as Tab, label: t(`documents.page.tab.${key}`) })
  const [primary, second, ...further] = steps.map(offered)
  const receive = steps.find((step) => step.do === 'receive')
  // On a phone one action is shown, and the others are entries of the menu.
  const nextItems = phone && second ? [second, ...further] : further
  const pdf = (
    <SplitButton
      icon={FileDown}
      onPress={() => void showPdf(t, document.id, 'original')}
      menu={others.length > 0 ? [...variants, 'line', ...others] : variants}
      menuLabel={t('documents.page.variants')}
    >
      PDF
    </SplitButton>
  )
  return (
    <>
      <PageHeader
        crumbs={[
          { label: t('documents.title'), href: '/invoice/documents' },
          ...(document.isOpening
            ? []
            : [
                {
                  label: t(`documents.typesPlural.${type?.name ?? 'taxInvoice'}`),
                  href: `/invoice/documents/${document.type}`,
                },
              ]),
        ]}
        title={
          <>
            {document.isOpening ? (
              name
            ) : (
              <>
                {typeWord(t, document.type, labelOf(document))} <Num>{document.number}</Num>
              </>
            )}
          </>
        }
        status={
          <DocumentState
            of={{
              status: document.status,
              openAgorot: totals.openAgorot,
              dueDay: document.dueDate,
              allocationState: document.allocationState,
              sentAt: document.sentAt,
              viewedAt: document.viewedAt,
            }}
          />
        }
        sub={
          <span className="doc-sub">
            {document.customer &&
              (address && may(card.allow.see) ? (
                <Link className="aim" href={address}>
                  {document.customer.name}
                </Link>
              ) : (
                <span>{document.customer.name}</span>
              ))}
            {document.subject && !document.isOpening && <bdi>{document.subject}</bdi>}
          </span>
        }
        actions={
          <>
            {nextItems.length > 0 && (
              <Menu
                label={t('documents.page.next')}
                items={nextItems}
                trigger={
                  <Button icon={FilePlus2} label={phone ? t('documents.page.next') : undefined}>
                    {phone ? undefined : t('documents.page.next')}
                  </Button>
                }
              />
            )}
            {document.urls.page && pdf}
            {second && !phone && <StepButton of={second} />}
            {primary && <StepButton kind="primary" of={primary} />}
          </>
        }
        more={[
          ...(canSend && document.urls.page
            ? [
                {
                  key: 'sms',
                  label: t('documents.sending.bySms'),
                  icon: MessageSquareText,
                  onPress: () => setSending('sms'),
                },
                {
                  key: 'whatsapp',
                  label: t('documents.page.whatsApp'),
                  icon: MessageCircle,
                  onPress: () => setSending('whatsapp'),
                },
              ]
            : []),
          ...(document.urls.page
            ? [
                {
                  key: 'link',
                  label: t('documents.page.copyLink'),
                  icon: Link2,
                  onPress: () => copy(document.urls.page),
                },
                ...(hasShareSheet()
                  ? [
                      {
                        key: 'share',
                        label: t('documents.page.share'),
                        icon: Share2,
                        onPress: () => void sharePaper(t, document, withoutMarks(name), copy),
                      },
                    ]
                  : []),
              ]
            : []),
          // Documents of agreement, not of tax: the recipient signs the approval.
          ...(typeFacts(document.type).isAgreement &&
          statusFacts(document.status).isUntouched &&
          may('signing.send')
            ? [
                {
                  key: 'sign',
                  label: t('documents.page.forSignature'),
                  icon: PenLine,
                  href: `/invoice/signrequests?document=${document.id}`,
                },
              ]
            : []),
          ...pageDeedsOf(document).map(({ key, word, icon, open }) => ({
            key,
            label: t(word),
            icon,
            onPress: () => open(document),
          })),
          ...(canStart
            ? [
                {
                  key: 'duplicate',
                  label: t('documents.page.duplicate'),
                  icon: Copy,
                  onPress: () => void duplicate(t, document.id),
                },
              ]
            : []),
          ...(canCorrect
            ? [
                {
                  key: 'correct',
                  label: t('corrections.menu'),
                  icon: FilePen,
                  href: `/invoice/correction/${document.id}`,
                },
              ]
            : []),
          ...(wantsNumber
            ? [
                {
                  key: 'number',
                  label: t('documents.page.wantNumber'),
                  icon: Hash,
                  href: `/invoice/missingisraeltax?want=${document.id}`,
                },
              ]
            : []),
          ...(canCredit
            ? [
                {
                  key: 'credit',
                  label: t('documents.credit.menu'),
                  icon: FileMinus2,
                  onPress: () => setCrediting(true),
                },
              ]
            : []),
          ...(canCancel
            ? ([
                'line',
                {
                  key: 'cancel',
                  label: t('documents.page.cancel'),
                  icon: Undo2,
                  m: true,
                  tone: 'danger',
                  onPress: () => setCancelling(true),
                },
              ] as const)
            : []),
        ]}
      />
      <div className="grid gap-4">
        {isCancelled && !document.cancelledBy && (
          <Note tone="wait" icon={Ban}>
            {t('documents.page.isMarked')}
            {document.reason && (
              <>
                {' · '}
                <bdi>{document.reason}</bdi>
              </>
            )}
          </Note>
        )}
        {document.cancelledBy && (
          <Note tone="wait" icon={Ban}>
            {t('documents.page.isCancelledBy')}{' '}
            <Link className="link" href={pagePath(document.cancelledBy.type, document.cancelledBy.id)}>
              {paperName(t, { ...document.cancelledBy, opening: null })}
            </Link>
          </Note>
        )}
        {isMoneyPaper && totals.totalAgorot < 0 && !document.source && (
          <Note tone="wait" icon={Undo2}>
            {t('documents.page.givesBack')}
            {document.reason && (
              <>
                {' · '}
                <bdi>{document.reason}</bdi>
              </>
            )}
          </Note>
        )}
        {document.source && (
          <Note icon={Undo2}>
            {t(typeFacts(document.type).isCredit ? 'documents.page.credits' : 'documents.page.from')}{' '}
            <Link className="link" href={pagePath(document.source.type, document.source.id)}>
              {paperName(t, { ...document.source, opening: null })}
            </Link>
            {document.reason && (
              <>
                {' · '}
                <bdi>{document.reason}</bdi>
              </>
            )}
          </Note>
        )}
        {document.isOpening && <Note icon={Flag}>{t('documents.page.isOpening')}</Note>}
        {document.allocationState !== 'notNeeded' && (
          <Note
            icon={Hash}
            {...(!document.allocationNumber && may('allocation.see')
              ? {
                  action: (
                    <Button size="s" kind="quiet" href="/invoice/missingisraeltax">
                      {t('screens.missingIsraelTax')}
                    </Button>
                  ),
                }
              : {})}
            tone={
              document.allocationState === 'refused'
                ? 'late'
                : document.allocationState === 'granted' || document.allocationState === 'manual'
                  ? 'done'
                  : 'info'
            }
          >
            {document.allocationNumber ? (
              <>
                {t('documents.page.allocation')} <Num>{document.allocationNumber}</Num>
              </>
            ) : (
              t(`documents.allocationState.${document.allocationState}`)
            )}
          </Note>
        )}
        {parts.map((Part, i) => (
          <Suspense key={i} fallback={null}>
            <Part of={document.id} refresh={() => void refreshDocuments()} />
          </Suspense>
        ))}
        {/* People who may not see amounts still read when it was issued and when it is due. */}
        <Figures label={t('documents.page.figures')}>
          {!hides && (
            <Figure
              label={t('documents.fields.totalAgorot')}
              value={
                <Money
                  amount={document.isOpening ? -totals.totalAgorot : totals.totalAgorot}
                  currency={document.currency}
                />
              }
              size="s"
              note={
                document.currency === 'ILS' ? (
                  totals.vatAgorot !== 0 && (
                    <>
                      {t('documents.page.ofItVat')} <Num>{formatMoney(totals.vatAgorot)}</Num>
                    </>
                  )
                ) : (
                  <Money amount={document.isOpening ? -totals.ilsTotalAgorot : totals.ilsTotalAgorot} />
                )
              }
            />
          )}
          {!hides && showsOpen && !(isMoneyPaper && totals.openAgorot === 0 && totals.askedAgorot === 0) && (
            <Figure
              label={t(
                totals.askedAgorot !== 0
                  ? 'documents.page.asked'
                  : totals.openAgorot < 0 || isMoneyPaper
                    ? 'documents.fields.onAccount'
                    : 'documents.fields.openAgorot',
              )}
              value={
                totals.askedAgorot !== 0 ? (
                  <Money amount={totals.askedAgorot} currency={document.currency} />
                ) : (
                  <Money amount={Math.abs(totals.openAgorot)} />
                )
              }
              size="s"
              {...(late > 0
                ? {
                    tone: 'late' as const,
                    note: t('documents.state.late', { days: late }),
                    noteTone: 'late' as const,
                  }
                : {
                    note:
                      totals.openAgorot === 0 && totals.askedAgorot === 0 && !isMoneyPaper
                        ? t('documents.page.nothingOpen')
                        : undefined,
                  })}
            />
          )}
          <Figure
            label={t('documents.fields.day')}
            value={<Num>{formatDay(document.date)}</Num>}
            size="s"
            note={
              document.issuedAt && (
                <>
                  {t('documents.page.issuedAt')} <Num>{formatMoment(new Date(document.issuedAt))}</Num>
                  {document.issuedByName && (
                    <>
                      {' '}
                      · <bdi>{document.issuedByName}</bdi>
                    </>
                  )}
                </>
              )
            }
          />
          {document.validUntil ? (
            <Figure label={t(untilWord(type))} value={<Num>{formatDay(document.validUntil)}</Num>} size="s" />
          ) : document.dueDate ? (
            <Figure
              label={t('documents.fields.dueDay')}
              value={<Num>{formatDay(document.dueDate)}</Num>}
              size="s"
              note={
                document.isOpening || document.dueTerms === null ? undefined : termsWord(t, document.dueTerms)
              }
            />
          ) : hides || totals.vatAgorot === 0 ? null : (
            <Figure
              label={t('documents.page.vatRate')}
              value={<Num>{formatPercent(document.vatRateBp, lang)}</Num>}
              size="s"
            />
          )}
        </Figures>
        <Views
          label={t('documents.page.parts')}
          value={tab}
          onChange={(next) => setQuery({ tab: next === 'paper' ? undefined : next })}
          controls="document-part"
          views={places.tabs.map(({ key }) => asView(key))}
          more={places.more.map(asView)}
        />
        <div id="document-part" role="tabpanel" aria-label={t(`documents.page.tab.${tab}`)}>
          {tab === 'paper' ? (
            <PaperTab document={document} name={name} />
          ) : tab === 'payments' && hasMoney ? (
            <div className="grid gap-4">
              {receive && (
                <div>
                  <StepButton of={offered(receive)} />
                </div>
              )}
              <Settlements document={document} />
            </div>
          ) : tab === 'entries' ? (
            <Entries document={document} />
          ) : tab === 'files' ? (
            <Card label={t('documents.page.tab.files')}>
              <DocumentFiles id={document.id} mayChange={may('documents.draft')} />
            </Card>
          ) : tab === 'history' ? (
            <History document={document} />
          ) : (
            <div className="grid gap-4">
              <Sending document={document} onSend={canSend ? () => setSending('best') : undefined} />
              {partsOf(`documentSending:${type?.name}`).map((Part, i) => (
                <Suspense key={i} fallback={null}>
                  <Part of={document.id} refresh={() => void refreshDocuments()} />
                </Suspense>
              ))}
            </div>
          )}
        </div>
      </div>
      {sending && (
        <SendDialog
          document={document}
          {...(sending === 'best' ? {} : { way: sending })}
          onClose={() => setSending(undefined)}
        />
      )}
      {left.length > 0 && (
        <SentDialog
          document={document}
          ids={left}
          onClose={() => setLeft([])}
          onAgain={() => {
            setLeft([])
            setSending('best')
          }}
        />
      )}
      {converting !== undefined && (
        <ConvertDialog document={document} type={converting} onClose={() => setConverting(undefined)} />
      )}
      {crediting && <CreditDialog document={document} onClose={() => setCrediting(false)} />}
      {cancelling && canCancel && <CancelDialog document={document} onClose={() => setCancelling(false)} />}
    </>
  )
}

type Offered = { label: string; icon: LucideIcon; m?: boolean; href?: string; onPress?: () => void }

const StepButton = ({ of: { label, icon, ...way }, kind }: { of: Offered; kind?: 'primary' }) => (
  <Button icon={icon} {...way} {...(kind ? { kind } : {})}>
    {label}
  </Button>
)

function Entries({ document }: { document: DocumentAnswer }) {
  const t = useWords()
  return (
    <EntryTable
      label={t('documents.page.tab.entries')}
      texts={{
        account: t('documents.page.account'),
        accountName: t('documents.page.accountName'),
        debit: t('documents.page.debit'),
        credit: t('documents.page.credit'),
        none: t('documents.page.noEntries'),
      }}
      answer={useCall(entriesOfDocument, { id: document.id })}
      middle={[
        {
          key: 'party',
          title: t('documents.fields.customerId'),
          width: 'trim',
          cell: (row) => <TextCell value={row.party} />,
          phone: 'line',
        },
        {
          key: 'day',
          title: t('documents.fields.day'),
          width: 'fit',
          cell: (row) => <Num>{formatDay(row.day)}</Num>,
          phone: 'line',
        },
      ]}
    />
  )
}

function History({ document }: { document: DocumentAnswer }) {
  const t = useWords()
  const { data, isLoading } = useCall(historyOfDocument, { id: document.id })
  if (isLoading) return <Skeleton />
  return (
    <HistoryList
      label={t('documents.page.tab.history')}
      empty={t('documents.page.noHistory')}
      lines={(data?.rows ?? []).toReversed().map(({ action, who, at }) => ({
        icon: action.endsWith('send') ? Send : action.endsWith('cancel') ? Undo2 : ScrollText,
        title: t(`companies.audit.${action}`),
        who,
        at,
      }))}
    />
  )
}

const messageTones: Record<string, StatusTone> = {
  sent: 'done',
  queued: 'info',
  postponed: 'wait',
  kept: 'plain',
  bounced: 'wait',
  failed: 'wait',
}
const messageIcons = { mail: Mail, sms: MessageSquareText, whatsapp: MessageCircle }

function Sending({ document, onSend }: { document: DocumentAnswer; onSend: (() => void) | undefined }) {
  const t = useWords()
  // What was just sent leaves within seconds, or waits for the next day.
  const { data, isLoading } = useCall(
    historyOfDocument,
    { id: document.id },
    {
      refetchInterval: ({ state }) =>
        state.data?.messages.some((message) => message.state === 'queued') ? 3000 : false,
    },
  )
  if (isLoading) return <Skeleton />
  const messages = data?.messages ?? []
  if (messages.length === 0)
    return (
      <div className="k-card">
        <EmptyState
          icon={Send}
          title={t('documents.page.notSent')}
          actions={onSend && <Button onPress={onSend}>{t('documents.page.send')}</Button>}
        >
          {document.viewedAt
            ? t('documents.page.viewedAt', { at: formatMoment(new Date(document.viewedAt)) })
            : t('documents.page.notSentText')}
        </EmptyState>
      </div>
    )
  return (
    <Card label={t('documents.page.tab.sending')}>
      <Rows>
        {messages.map((message) => (
          <div key={message.id}>
            <span className="k-tile">
              <Icon of={messageIcons[message.channel]} label={t(`messages.channel.${message.channel}`)} />
            </span>
            <span className="grow">
              <span className="t">
                {message.channel === 'whatsapp' ? (
                  <bdi>{message.recipient}</bdi>
                ) : (
                  <Num>{message.recipient}</Num>
                )}
              </span>
              <span className="s">
                <bdi>{message.subject}</bdi> ·{' '}
                <Num>{formatMoment(new Date(message.sentAt ?? message.at))}</Num>
                {message.error && (
                  <>
                    {' · '}
                    <bdi>{message.error}</bdi>
                  </>
                )}
              </span>
            </span>
            {message.openedAt ? (
              <StatusPill tone="done">{t('documents.state.viewed')}</StatusPill>
            ) : (
              <StatusPill tone={messageTones[message.state] ?? 'plain'}>
                {t(`messages.state.${message.state}`)}
              </StatusPill>
            )}
          </div>
        ))}
      </Rows>
    </Card>
  )
}
