import { Combine, Truck } from 'lucide-react'
import { formatDay } from '#domain/format.ts'
import { dayInJerusalem } from '#domain/day.ts'
import type { WithholdingState } from '#domain/withholding/rate.ts'
import { DayCell, MoneyCell, PercentCell } from '#kit/web/fields/cells.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { dress, type BuiltView } from '#kit/web/screens/dress.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  bankChoices,
  BankCodeCell,
  DueTermsCell,
  DueTermsInput,
  twinInputs,
} from '#features/registers/parties/web/index.tsx'
import { findSupplierTwins } from '../endpoints.ts'
import { suppliers, type Supplier } from '../suppliers.ts'
import { BankAccountInput, BankCodeInput, BankTextInput } from './BankInputs.tsx'
import { ExpenseTypeCell, ExpenseTypeInput } from './ExpenseType.tsx'
import { openMerge } from './merging.tsx'
import './suppliers.css'

const tones: Record<WithholdingState, StatusTone> = {
  valid: 'done',
  expiring: 'wait',
  booksNotApproved: 'wait',
  none: 'plain',
}

/** The state of the supplier's certificate, in one word. */
export function WithholdingPill({ state }: { state: WithholdingState }) {
  const t = useWords()
  return <StatusPill tone={tones[state]}>{t(`suppliers.withholdingState.${state}`)}</StatusPill>
}

/** A certificate's rate; where none holds, why. */
function RateCell({ row, value }: { row: Supplier; value: number | null }) {
  const t = useWords()
  if (value !== null) return <PercentCell value={value} />
  return <span className="hint">{t(`suppliers.withholdingShort.${row.withholdingState ?? 'none'}`)}</span>
}

function ValidToCell({ row, value }: { row: Supplier; value: string | null }) {
  if (value === null) return <DayCell value={null} />
  return row.withholdingState === 'expiring' ? (
    <StatusPill tone="wait">
      <Num>{formatDay(value)}</Num>
    </StatusPill>
  ) : (
    <DayCell value={value} />
  )
}

const isLate = (day: string | null) => day !== null && day < dayInJerusalem(new Date())

function DueDayCell({ value }: { value: string | null }) {
  return (
    <span className={isLate(value) ? 'late' : undefined}>
      <DayCell value={value} />
    </span>
  )
}

const twins = twinInputs({
  resource: suppliers,
  find: findSupplierTwins,
  words: {
    open: 'suppliers.twins.open',
    archived: 'suppliers.twins.archived',
    taken: 'suppliers.twins.taken',
    known: 'suppliers.twins.known',
  },
})

const mayChange = () => mayDo(session(), suppliers.allow.change)

dress(suppliers, {
  icon: Truck,
  inputs: {
    ...twins,
    dueTerms: DueTermsInput,
    expenseTypeId: ExpenseTypeInput,
    bankCode: BankCodeInput,
    bankBranch: BankTextInput,
    bankAccount: BankAccountInput,
    bankAccountName: BankTextInput,
    iban: BankTextInput,
  },
  choices: { bankCode: bankChoices },
  cells: {
    dueTerms: DueTermsCell,
    expenseTypeId: ExpenseTypeCell,
    withholdingBp: RateCell,
    withholdingTo: ValidToCell,
    withholdingState: ({ value }: { value: WithholdingState }) => <WithholdingPill state={value} />,
    dueDay: DueDayCell,
    overdueAgorot: ({ value }: { value: number | null }) => <MoneyCell value={value} late />,
    bankCode: BankCodeCell,
  },
  columns: { mergedIntoId: { width: '9rem' } },
  actions: (row, t) =>
    mayChange() && !row.archivedAt
      ? [
          {
            key: 'merge',
            label: t('suppliers.merge.do'),
            icon: Combine,
            m: true,
            onPress: () => openMerge([row.id]),
          },
        ]
      : [],
  bulk: (t) =>
    mayChange()
      ? [
          {
            key: 'merge',
            label: t('suppliers.merge.do'),
            icon: Combine,
            hi: true,
            run: (rows) => openMerge(rows.map(({ id }) => id)),
          },
        ]
      : [],
  views: (t): BuiltView[] => [
    {
      key: 'expiring',
      label: t('suppliers.views.expiring'),
      query: { withholdingState: 'expiring', sort: 'withholdingTo' },
    },
    {
      key: 'none',
      label: t('suppliers.views.none'),
      query: { 'withholdingState.in': 'none,booksNotApproved' },
    },
    {
      key: 'owed',
      label: t('suppliers.views.owed'),
      query: { 'balanceAgorot.gte': '1', sort: '-balanceAgorot' },
    },
  ],
})
