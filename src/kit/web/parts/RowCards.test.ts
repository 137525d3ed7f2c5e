import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Column } from './DataTable.tsx'
import { RowCards } from './RowCards.tsx'

interface Posting {
  account: string
  debit: number
  credit: number
}

test('a card, which has no heads, says on which side a sum stands', () => {
  const side = (key: 'debit' | 'credit', title: string): Column<Posting> => ({
    key,
    title,
    cell: (row) => (row[key] ? String(row[key]) : null),
    phone: 'amount',
    named: (row) => row[key] !== 0,
  })
  const columns: Column<Posting>[] = [
    { key: 'account', title: 'Account', cell: (row) => row.account, phone: 'title' },
    side('debit', 'Debit'),
    side('credit', 'Credit'),
  ]
  const rows = [
    { account: 'Customers', debit: 118, credit: 0 },
    { account: 'Income', debit: 0, credit: 100 },
  ]
  const html = renderToStaticMarkup(
    createElement(RowCards<Posting>, { label: 'Entries', columns, rows, rowKey: (row) => row.account }),
  )
  const texts = html.split('</li>').map((card) =>
    card
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )
  expect(texts.slice(0, 2)).toEqual(['Customers Debit 118', 'Income Credit 100'])
})

test('what can be done with a row can be done on a phone too, but not twice where its card opens the same', () => {
  const columns: Column<Posting>[] = [
    { key: 'account', title: 'Account', cell: (row) => row.account, phone: 'title' },
  ]
  const rows = [
    { account: 'Customers', debit: 118, credit: 0 },
    { account: 'Income', debit: 0, credit: 100 },
  ]
  const menu = (row: Posting) => (row.debit ? [{ key: 'deed', label: 'Do it', onPress: () => {} }] : [])
  const html = (more: object) =>
    renderToStaticMarkup(
      createElement(RowCards<Posting>, {
        label: 'Entries',
        columns,
        rows,
        rowKey: (row) => row.account,
        menu,
        ...more,
      }),
    )
  expect(html({}).match(/aria-haspopup="menu"/g)).toHaveLength(1)
  expect(html({ phoneMenu: false })).not.toContain('aria-haspopup')
})

test('the closing totals of a table stand under its cards too: the shown figure by itself, every other one by its name', () => {
  const figure = (
    key: 'debit' | 'credit',
    title: string,
    foot: string,
    phone?: 'amount',
  ): Column<Posting> => ({
    key,
    title,
    band: 'Moved',
    align: 'amount',
    cell: (row) => String(row[key]),
    foot,
    ...(phone ? { phone } : {}),
  })
  const rows = [
    { account: 'Customers', debit: 118, credit: 0 },
    { account: 'Income', debit: 0, credit: 100 },
  ]
  const last = (account: Partial<Column<Posting>>, credit?: 'amount') => {
    const columns: Column<Posting>[] = [
      { key: 'account', title: 'Account', cell: (row) => row.account, phone: 'title', ...account },
      figure('debit', 'Debit', '118.00', 'amount'),
      figure('credit', 'Credit', '100.00', credit),
    ]
    const html = renderToStaticMarkup(
      createElement(RowCards<Posting>, { label: 'Entries', columns, rows, rowKey: (row) => row.account }),
    )
    return html
      .split('<li')
      .at(-1)!
      .replace(/^[^>]*>/, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  }
  expect(last({ foot: 'Total' })).toBe('Total 118.00 Moved · Credit 100.00')
  // Two sides are at the end of different cards: no total without its side.
  expect(last({ foot: 'Total' }, 'amount')).toBe('Total Moved · Debit 118.00 Moved · Credit 100.00')
  // The desk may leave the name of its sum away; a card cannot.
  expect(last({})).toBe('kit.table.total 118.00 Moved · Credit 100.00')
})
