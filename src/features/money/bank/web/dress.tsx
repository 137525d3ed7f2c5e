import { Link2, Landmark } from 'lucide-react'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { fieldViews } from '#kit/web/fields/fieldViews.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { dress, type DressedInputProps } from '#kit/web/screens/dress.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { AccountDoubt, BankCodeCell, bankChoices } from '#features/registers/parties/web/index.tsx'
import { bankAccounts, bankLines, type BankAccount, type BankLineRow } from '../bankAccounts.ts'

function BankInput({ values: _values, put: _put, value, onChange, ...props }: DressedInputProps) {
  const t = useWords()
  return (
    <ChoiceField
      {...props}
      as="list"
      clearable
      value={typeof value === 'number' ? String(value) : null}
      onChange={(code) => onChange(code === null ? null : Number(code))}
      choices={bankChoices(t)}
    />
  )
}

const { Input: Text } = fieldViews.text

function NumberInput({ values, put: _put, ...props }: DressedInputProps) {
  return (
    <>
      <Text {...props} />
      <AccountDoubt code={values.bankCode} branch={values.branch} account={values.number} />
    </>
  )
}

function OpenCell({ row, value }: { row: BankAccount; value: number | null }) {
  const t = useWords()
  if (value === null) return null
  // Nothing is matched where nothing has arrived.
  if (row.balanceDay === null) return <StatusPill tone="plain">{t('bankaccounts.noStatement')}</StatusPill>
  return (
    <StatusPill tone={value > 0 ? 'wait' : 'done'}>
      {value > 0 ? t('bankaccounts.waiting', { count: value }) : t('bankaccounts.allMatched')}
    </StatusPill>
  )
}

dress(bankAccounts, {
  icon: Landmark,
  cells: { bankCode: BankCodeCell, openLines: OpenCell } as never,
  inputs: { bankCode: BankInput, number: NumberInput },
  columns: {
    name: { strong: true, phone: 'title' },
    bankCode: { width: 'trim', phone: 'line' },
    branch: { width: 'fit' },
    number: { width: 'fit', phone: 'line' },
    accountId: { width: 'trim' },
    balanceAgorot: { phone: 'amount' },
    ledgerAgorot: { phone: undefined },
    openLines: { width: 'fit', phone: 'state', align: undefined },
  } as never,
  actions: (row, t) => [
    {
      key: 'match',
      label: t('bankaccounts.match'),
      icon: Link2,
      href: `/invoice/atamotbank?account=${row.id}`,
    },
  ],
})

const tones: Record<NonNullable<BankLineRow['state']>, StatusTone> = {
  open: 'wait',
  matched: 'done',
  booked: 'done',
}

function LineState({ value }: { row: BankLineRow; value: NonNullable<BankLineRow['state']> }) {
  const t = useWords()
  return <StatusPill tone={tones[value]}>{t(`banklines.state.${value}`)}</StatusPill>
}

dress(bankLines, {
  icon: Landmark,
  density: 'dense',
  cells: { state: LineState } as never,
  columns: {
    day: { width: 'fit', phone: 'line' },
    text: { width: 'trim', strong: true, phone: 'title' },
    details: { width: 'trim' },
    reference: { width: 'fit' },
    amountAgorot: { phone: 'amount' },
    balanceAgorot: { phone: undefined },
    state: { width: 'fit', phone: 'state' },
  } as never,
})
