import { ScrollText } from 'lucide-react'
import { formatMoney } from '#domain/format.ts'
import { failureText } from '#kit/web/calls/call.ts'
import { Figures, MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { DataTable, type Column } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { go } from '#kit/web/routes/place.ts'
import { useWords } from '#kit/web/words/words.tsx'
import type { EntryLine } from '../endpoints.ts'

interface EntryTableProps {
  label: string
  texts: Record<'account' | 'accountName' | 'debit' | 'credit' | 'none', string>
  answer: { data: { rows: readonly EntryLine[] } | undefined; isLoading: boolean; error: unknown }
  /** Columns before the account, and between the account and the amounts. */
  first?: readonly Column<EntryLine & { key: string }>[]
  middle?: readonly Column<EntryLine & { key: string }>[]
}

/** The lines that one record has in the books, with their totals; a line opens its account. */
export function EntryTable({
  label,
  texts,
  answer: { data, isLoading, error },
  first = [],
  middle = [],
}: EntryTableProps) {
  const t = useWords()
  const rows = (data?.rows ?? []).map((row, i) => ({ ...row, key: `${row.entryId}-${i}` }))
  const amount = (
    key: 'debit' | 'credit',
    side: 'debitAgorot' | 'creditAgorot',
  ): Column<EntryLine & { key: string }> => ({
    key,
    title: texts[key],
    align: 'amount',
    cell: (row) => <MoneyCell value={row[side]} zero="blank" />,
    foot: <Figures text={formatMoney(rows.reduce((total, row) => total + row[side], 0))} />,
    phone: 'amount',
    named: (row) => row[side] !== 0,
  })
  const accountOf = (row: EntryLine) => `/invoice/cardskarteset/${row.accountId}`
  return (
    <DataTable
      label={label}
      rows={rows}
      rowKey={(row) => row.key}
      loading={isLoading}
      skeletons={3}
      rowHref={accountOf}
      onOpen={(row) => go(accountOf(row))}
      empty={<EmptyState icon={ScrollText} title={error ? failureText(t, error) : texts.none} />}
      columns={[
        ...first,
        {
          key: 'number',
          title: texts.account,
          width: 'fit',
          cell: (row) => <Num>{row.number}</Num>,
          phone: 'line',
        },
        {
          key: 'account',
          title: texts.accountName,
          strong: true,
          width: 'trim',
          cell: (row) => <TextCell value={row.account} />,
          phone: 'title',
        },
        ...middle,
        amount('debit', 'debitAgorot'),
        amount('credit', 'creditAgorot'),
      ]}
    />
  )
}
