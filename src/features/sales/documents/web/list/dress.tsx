import { Combine, Copy, Eye, FilePlus2, FileDown, FileText, Pencil, Send, Trash2, Undo2 } from 'lucide-react'
import { useContext } from 'react'
import { addDays, dayInJerusalem, endOfMonth, startOfMonth } from '#domain/day.ts'
import { statusFacts, statusesThat } from '#domain/documents/facts.ts'
import { documentTypeById, documentTypes } from '#domain/documents/kinds.ts'
import { keyOf, queryClient } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { MoneyCell, TextCell, ShortDayCell } from '#kit/web/fields/cells.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PlainCells } from '#kit/web/parts/plainCells.ts'
import { go } from '#kit/web/routes/place.ts'
import { dress, type BuiltView } from '#kit/web/screens/dress.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords, type Words } from '#kit/web/words/words.tsx'
import { getCompany, type Company } from '#features/base/companies/endpoints.ts'
import { documents, type DocumentRow } from '../../documents.ts'
import { homeFigures } from '../../endpoints.ts'
import { editorPath, pagePath, types, typeId } from '../../types/index.ts'
import { convert, duplicate, showPdf, throwDraftAway } from '../page/actions.tsx'
import { DocumentState, stateOf } from '../page/state.tsx'
import { documentName, typeWord } from '../words.ts'
import { nextTypes } from '../page/next.ts'
import { askJoin } from './join.ts'

type Row = DocumentRow

/** Number first: it is what one looks for; the kind beside it, quietly. */
function NumberAndKind({ row }: { row: Row }) {
  const t = useWords()
  const isCard = useContext(PlainCells)
  if (isCard) return <>{documentName(t, row.type, row.number, row.label)}</>
  return (
    <span className="doc-number">
      {row.number !== null && <Num>{row.number}</Num>}{' '}
      <span className="hint text-12 kind" title={typeWord(t, row.type, row.label)}>
        {typeWord(t, row.type, row.label)}
      </span>
    </span>
  )
}

const State = ({ row }: { row: Row }) => {
  const t = useWords()
  const isCard = useContext(PlainCells)
  if (!isCard) return <DocumentState of={row} />
  const { tone, word } = stateOf(t, row)
  return (
    <span className={tone === 'late' ? 'late' : tone === 'done' ? 'text-accent-text' : undefined}>
      {word}
    </span>
  )
}

/** What is left is in shekels, whatever the document's currency; red once its day has passed. */
function Open({ row }: { row: Row }) {
  const today = useToday()
  const isLate = row.dueDay !== null && (row.openAgorot ?? 0) > 0 && row.dueDay < today
  return <MoneyCell value={statusFacts(row.status).isDraft ? null : row.openAgorot} late={isLate} />
}

function CustomerName({ row }: { row: Row }) {
  const t = useWords()
  return row.customerIdName ? (
    <TextCell value={row.customerIdName} />
  ) : (
    <span className="hint">{t('documents.list.noCustomer')}</span>
  )
}

function Month({ month }: { month: string }) {
  const today = useToday()
  const { lang } = useLanguage()
  const isThisYear = month.slice(0, 4) === today.slice(0, 4)
  return (
    <>
      {new Intl.DateTimeFormat(lang === 'ar' ? 'ar-IL-u-nu-latn' : lang, {
        month: 'long',
        ...(isThisYear ? {} : { year: 'numeric' }),
        timeZone: 'UTC',
      }).format(new Date(`${month}-01T00:00:00Z`))}
    </>
  )
}

const may = (rule: string) => mayDo(session(), rule)

dress(documents, {
  icon: FileText,
  // The kit's rows are loose; these cells know what a row of documents holds.
  cells: {
    number: NumberAndKind,
    status: State,
    openAgorot: Open,
    customerId: CustomerName,
    day: ShortDayCell,
    dueDay: ShortDayCell,
    validUntil: ShortDayCell,
  } as never,
  columns: {
    number: { strong: true, width: 'fit', align: undefined, phone: 'line' },
    customerId: { width: '11rem', phone: 'title' },
    subject: { width: '8rem', phone: undefined },
    day: { phone: 'line' },
    dueDay: { phone: undefined },
    totalAgorot: { phone: 'amount' },
    openAgorot: { phone: undefined },
    status: { phone: 'state' },
  } as never,
  choices: {
    type: (t) =>
      [...types.keys()].map((name) => ({ value: String(typeId(name)), label: t(`documents.types.${name}`) })),
  },
  href: (row) =>
    statusFacts(row.status).isDraft && mayDo(session(), 'documents.draft')
      ? editorPath(row.type, row.id)
      : pagePath(row.type, row.id),
  rowName: (row, t) =>
    row.number === null
      ? `${t('documents.status.draft')} ${String(row.customerIdName ?? '')}`
      : documentName(t, row.type, row.number, row.label as Row['label']),
  isOff: (row) => statusFacts(row.status).isCancelled,
  phoneGroup: (row) => ({ key: row.day.slice(0, 7), title: <Month month={row.day.slice(0, 7)} /> }),
  views: (t): BuiltView[] => {
    const today = dayInJerusalem(new Date())
    // Counted by the home page's call; without it the tabs go bare.
    const home = queryClient.getQueryData<{ lateCount: number; drafts: number; waitingAllocation: number }>(
      keyOf(homeFigures, {}),
    )
    return [
      {
        key: 'drafts',
        label: t('documents.views.drafts'),
        query: { 'status.in': statusesThat('isDraft').join(',') },
        ...(home?.drafts ? { count: home.drafts } : {}),
      },
      { key: 'open', label: t('documents.views.open'), query: { 'openAgorot.gte': '1' } },
      {
        key: 'late',
        label: t('documents.views.late'),
        query: { 'openAgorot.gte': '1', 'dueDay.lte': addDays(today, -1), sort: 'dueDay' },
        ...(home?.lateCount ? { count: home.lateCount, tone: 'late' as const } : {}),
      },
      {
        key: 'month',
        label: t('documents.views.month'),
        query: { 'day.gte': startOfMonth(today), 'day.lte': endOfMonth(today) },
      },
      {
        key: 'allocation',
        label: t('documents.views.allocation'),
        query: { 'allocationState.in': 'waiting,away' },
        ...(home?.waitingAllocation ? { count: home.waitingAllocation } : {}),
      },
    ]
  },
  actions: (row, t) => {
    const look = {
      key: 'look',
      label: t('documents.draft.look'),
      icon: Eye,
      href: `${pagePath(row.type, row.id)}?look=1`,
    }
    if (statusFacts(row.status).isDraft)
      return may('documents.draft')
        ? [
            look,
            {
              key: 'edit',
              label: t('documents.list.edit'),
              icon: Pencil,
              href: editorPath(row.type, row.id),
            },
            {
              key: 'drop',
              label: t('documents.editor.throwAway'),
              icon: Trash2,
              tone: 'danger',
              onPress: () => void throwDraftAway(t, row.id),
            },
          ]
        : [look]
    const canStart = row.type !== documentTypes.creditInvoice.id
    const company = queryClient.getQueryData<Company>(keyOf(getCompany, {}))
    const next =
      may('documents.draft') && !statusFacts(row.status).isCancelled
        ? nextTypes(row.type, company?.kind, session())
        : []
    return [
      ...(may('documents.send')
        ? [
            {
              key: 'send',
              label: t('documents.page.send'),
              icon: Send,
              m: true,
              onPress: () => go(`${pagePath(row.type, row.id)}?send=1`),
            },
          ]
        : []),
      {
        key: 'pdf',
        label: t('documents.page.original'),
        icon: FileDown,
        onPress: () => void showPdf(t, row.id, 'original'),
      },
      ...(next.length > 0
        ? [
            {
              group: t('documents.page.next'),
              items: next.map((type) => ({
                key: `next-${type}`,
                label: t(`documents.make.${documentTypeById(type)}`),
                icon: FilePlus2,
                onPress: () => void convert(t, { id: row.id, type }),
              })),
            },
          ]
        : []),
      ...(may('documents.draft') && canStart
        ? [
            {
              key: 'copy',
              label: t('documents.page.duplicate'),
              icon: Copy,
              onPress: () => void duplicate(t, row.id),
            },
          ]
        : []),
      ...(may('documents.cancel') && canStart && !statusFacts(row.status).isCancelled
        ? [
            {
              key: 'cancel',
              label: t('documents.page.cancel'),
              icon: Undo2,
              m: true,
              tone: 'danger' as const,
              onPress: () => go(`${pagePath(row.type, row.id)}?cancel=1`),
            },
          ]
        : []),
    ]
  },
  bulk: (t) => [
    {
      key: 'join',
      label: t('documents.list.join'),
      icon: Combine,
      hi: true,
      run: (rows) => join(t, rows as unknown as Row[]),
    },
  ],
})

/**
 * Several documents of one customer go into one: what all of them may become is offered, and refused in words
 * where there is nothing.
 */
function join(t: Words, rows: readonly Row[]): void {
  const company = queryClient.getQueryData<Company>(keyOf(getCompany, {}))
  const [first, ...others] = rows.filter((row) => statusFacts(row.status).isLive)
  if (!first || others.length + 1 < rows.length) return void banner.error(t('documents.list.joinIssued'))
  if (others.some((row) => row.customerId !== first.customerId || row.currency !== first.currency))
    return void banner.error(t('documents.list.joinOne'))
  const next = rows
    .map((row) => nextTypes(row.type, company?.kind, session()))
    .reduce((both, some) => both.filter((type) => some.includes(type)))
  if (next.length === 0 || !may('documents.draft')) return void banner.error(t('documents.list.joinNothing'))
  askJoin({ ids: rows.map((row) => row.id), customer: first.customerIdName ?? '', types: next })
}
