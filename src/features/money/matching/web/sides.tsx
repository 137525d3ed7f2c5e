import { Link } from 'react-aria-components/Link'
import { formatDay } from '#domain/format.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import type { Column } from '#kit/web/parts/DataTable.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import type { Words } from '#kit/web/words/words.tsx'
import type { OpenBankLine, OpenPostingRow } from '../endpoints.ts'

/** What the bank says of a line. */
export const lineText = (line: Pick<OpenBankLine, 'text' | 'details'>): string =>
  [line.text, line.details].filter(Boolean).join(' · ')

/** What the books say of a posting: who, else the other side. */
export const postingText = ({
  party,
  counter,
  details,
}: Pick<OpenPostingRow, 'party' | 'counter' | 'details'>): string =>
  [...new Set([party ?? counter, details])].filter(Boolean).join(' · ')

export const lineColumns = (t: Words, currency: string): Column<OpenBankLine>[] => [
  {
    key: 'day',
    title: t('banklines.fields.day'),
    width: 'fit',
    phone: 'line',
    cell: (row) => <Num>{formatDay(row.day)}</Num>,
  },
  {
    key: 'text',
    title: t('banklines.fields.text'),
    width: 'trim',
    strong: true,
    phone: 'title',
    cell: (row) => <TextCell value={lineText(row)} />,
  },
  {
    key: 'reference',
    title: t('banklines.fields.reference'),
    width: 'fit',
    cell: (row) => <Num>{row.reference}</Num>,
  },
  {
    key: 'amount',
    title: t('banklines.fields.amountAgorot'),
    align: 'amount',
    phone: 'amount',
    cell: (row) => <MoneyCell value={row.amountAgorot} currency={currency} />,
  },
]

export const postingColumns = <R extends OpenPostingRow>(t: Words, currency = 'ILS'): Column<R>[] => [
  {
    key: 'day',
    title: t('banklines.fields.day'),
    width: 'fit',
    phone: 'line',
    cell: (row) => <Num>{formatDay(row.day)}</Num>,
  },
  {
    key: 'text',
    title: t('matching.posting'),
    width: 'trim',
    strong: true,
    phone: 'title',
    cell: (row) => <TextCell value={`${t(`ledger.kinds.${row.kind}`)} · ${postingText(row)}`} />,
  },
  {
    key: 'reference',
    title: t('banklines.fields.reference'),
    width: 'fit',
    cell: (row) =>
      row.open ? (
        <Link className="link num" href={row.open}>
          {row.reference || '↗'}
        </Link>
      ) : (
        <Num>{row.reference}</Num>
      ),
  },
  {
    key: 'amount',
    title: t('banklines.fields.amountAgorot'),
    align: 'amount',
    phone: 'amount',
    cell: (row) => <MoneyCell value={row.amountAgorot} currency={currency} />,
  },
]
