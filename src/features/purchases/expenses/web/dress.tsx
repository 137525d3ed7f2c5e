import {
  Ban,
  CheckCheck,
  FilePlus2,
  History,
  Paperclip,
  ReceiptText,
  Repeat,
  Tags,
  Trash2,
} from 'lucide-react'
import { useContext } from 'react'
import { addDays, dayInJerusalem, endOfMonth, startOfMonth } from '#domain/day.ts'
import { isSelfInvoice } from '#domain/vat/shares.ts'
import { keyOf, queryClient } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { MoneyCell, PercentCell, TextCell, ShortDayCell } from '#kit/web/fields/cells.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { PlainCells } from '#kit/web/parts/plainCells.ts'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { dress, type BuiltView } from '#kit/web/screens/dress.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { expenseFigures } from '../endpoints.ts'
import { expenses, expenseTypes, recurringExpenses, type ExpenseRow, type RecurringRow } from '../expenses.ts'
import { approveAll, throwAway } from './actions.ts'
import { openPast, openSkip } from './recurringDeeds.tsx'
import { ExpenseState, stateOf } from './state.tsx'
import './expenses.css'

const may = (rule: string) => mayDo(session(), rule)
const isChangeable = (row: ExpenseRow) => row.state !== 'approved' && row.state !== 'cancelled'

/** Who it was paid to; without a supplier, what it was for. A clip says that the paper is kept. */
function Supplier({ row }: { row: ExpenseRow }) {
  const t = useWords()
  const isCard = useContext(PlainCells)
  const name = row.supplierIdName ?? row.details
  if (isCard) return <>{name || t('expenses.list.noSupplier')}</>
  return (
    <span className="ex-supplier">
      {name ? (
        <TextCell value={name} quiet={!row.supplierIdName} />
      ) : (
        <span className="hint">{t('expenses.list.noSupplier')}</span>
      )}
      {row.hasPaper && (
        <span className="hint" title={t('expenses.fields.hasPaper')}>
          <Icon of={Paperclip} />
        </span>
      )}
    </span>
  )
}

const State = ({ row: listed }: { row: ExpenseRow }) => {
  const t = useWords()
  const isCard = useContext(PlainCells)
  // Of a self-invoice the supplier is owed the sum without VAT.
  const row = { ...listed, totalAgorot: isSelfInvoice(listed.paper) ? listed.netAgorot : listed.totalAgorot }
  if (!isCard) return <ExpenseState of={row} />
  const { tone, word } = stateOf(t, row)
  return (
    <span className={tone === 'late' ? 'late' : tone === 'done' ? 'text-accent-text' : undefined}>
      {word}
    </span>
  )
}

function Open({ row }: { row: ExpenseRow }) {
  const today = useToday()
  const isLate = row.dueDay !== null && (row.openAgorot ?? 0) > 0 && row.dueDay < today
  return <MoneyCell value={row.state === 'approved' ? row.openAgorot : null} zero="blank" late={isLate} />
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

dress(expenses, {
  icon: ReceiptText,
  cells: {
    supplierId: Supplier,
    state: State,
    openAgorot: Open,
    day: ShortDayCell,
    dueDay: ShortDayCell,
  } as never,
  columns: {
    supplierId: { strong: true, width: '11rem', phone: 'title' },
    supplierNumber: { strong: false, width: '8rem', phone: 'line' },
    typeId: { width: '9rem', phone: 'line' },
    day: { phone: 'line' },
    totalAgorot: { phone: 'amount' },
    vatAgorot: { phone: undefined },
    openAgorot: { phone: undefined },
    state: { phone: 'state' },
  } as never,
  href: (row) => `/invoice/Expenses/all/${row.id}`,
  rowName: (row, t) =>
    [row.supplierIdName ?? row.typeIdName, row.supplierNumber].filter(Boolean).map(String).join(' ') ||
    t('expenses.one'),
  isOff: (row) => row.state === 'cancelled' || row.state === 'rejected',
  phoneGroup: (row) => ({ key: row.day.slice(0, 7), title: <Month month={row.day.slice(0, 7)} /> }),
  views: (t): BuiltView[] => {
    const today = dayInJerusalem(new Date())
    const counts = queryClient.getQueryData<{ waiting: number; drafts: number }>(keyOf(expenseFigures, {}))
    return [
      {
        key: 'month',
        label: t('expenses.views.month'),
        query: { 'day.gte': startOfMonth(today), 'day.lte': endOfMonth(today) },
      },
      {
        key: 'waiting',
        label: t('expenses.views.waiting'),
        query: { 'state.in': 'waiting' },
        ...(counts?.waiting ? { count: counts.waiting, tone: 'wait' as const } : {}),
      },
      {
        key: 'drafts',
        label: t('expenses.views.drafts'),
        query: { 'state.in': 'draft' },
        ...(counts?.drafts ? { count: counts.drafts } : {}),
      },
      { key: 'open', label: t('expenses.views.open'), query: { 'paid.in': 'open,partly', sort: 'dueDay' } },
      {
        key: 'late',
        label: t('expenses.views.late'),
        query: { 'openAgorot.gte': '1', 'dueDay.lte': addDays(today, -1), sort: 'dueDay' },
      },
      {
        key: 'noPaper',
        label: t('expenses.views.noPaper'),
        query: { hasPaper: 'false', 'state.in': 'approved' },
      },
    ]
  },
  actions: (row, t) =>
    isChangeable(row as unknown as ExpenseRow)
      ? [
          ...(may('expenses.approve') && row.state === 'waiting'
            ? [
                {
                  key: 'approve',
                  label: t('expenses.actions.approve'),
                  icon: CheckCheck,
                  onPress: () => void approveAll(t, [row.id]),
                },
              ]
            : []),
          ...(may('expenses.enter')
            ? [
                {
                  key: 'drop',
                  label: t('expenses.actions.delete'),
                  icon: Trash2,
                  tone: 'danger' as const,
                  onPress: () => void throwAway(t, row.id),
                },
              ]
            : []),
        ]
      : [],
  bulk: (t) =>
    may('expenses.approve')
      ? [
          {
            key: 'approve',
            label: t('expenses.actions.approve'),
            icon: CheckCheck,
            hi: true,
            run: (rows) =>
              void approveAll(
                t,
                rows.filter((row) => row.state === 'waiting' || row.state === 'draft').map((row) => row.id),
              ),
          },
        ]
      : [],
})

/** Only what lasts is depreciated. */
const Depreciation = ({ value }: { value: number | null }) => (value ? <PercentCell value={value} /> : null)

dress(expenseTypes, {
  icon: Tags,
  cells: { depreciationBp: Depreciation } as never,
  columns: {
    name: { strong: true, width: 'trim', phone: 'title' },
    yearAgorot: { phone: 'amount' },
    vatShare: { phone: 'line' },
  } as never,
  href: (row) => `/invoice/Expenses/${row.id}`,
  density: 'dense',
})

function Waits({ row }: { row: RecurringRow }) {
  const t = useWords()
  return row.waits ? <StatusPill tone="wait">{t('recurringexpenses.waiting')}</StatusPill> : null
}

dress(recurringExpenses, {
  icon: Repeat,
  cells: { waits: Waits, nextDay: ShortDayCell } as never,
  columns: {
    name: { strong: true, width: '22%', phone: 'title' },
    supplierId: { width: 'trim' },
    typeId: { width: 'trim' },
    totalAgorot: { phone: 'amount' },
    nextDay: { phone: 'line' },
    waits: { phone: 'state', width: 'fit' },
  } as never,
  views: (t): BuiltView[] => [
    { key: 'waits', label: t('recurringexpenses.views.waits'), query: { waits: 'true' } },
  ],
  actions: (row, t) => [
    ...(may('expenses.enter')
      ? [
          {
            key: 'enter',
            label: t('recurringexpenses.enter'),
            icon: FilePlus2,
            href: `${expenses.screens.form}?recurring=${row.id}`,
          },
        ]
      : []),
    ...(may('expenses.enter') && row.nextDay && row.archivedAt === null
      ? [
          {
            key: 'skip',
            label: t('recurringexpenses.skip.action'),
            icon: Ban,
            onPress: () => openSkip(row.id, String(row.name), String(row.nextDay)),
          },
        ]
      : []),
    {
      key: 'past',
      label: t('recurringexpenses.past.action'),
      icon: History,
      onPress: () => openPast(row.id, String(row.name)),
    },
  ],
})
