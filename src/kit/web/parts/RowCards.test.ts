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
  const html = renderToStaticMarkup(createElement(RowCards<Posting>, { label: 'Entries', columns, rows, rowKey: (row) => row.account }))
  const texts = html.split('</li>').map((card) =>
    card
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )
  expect(texts.slice(0, 2)).toEqual(['Customers Debit 118', 'Income Credit 100'])
})

test('what can be done with a row can be done on a phone too, but not twice where its card opens the same', () => {
  const columns: Column<Posting>[] = [{ key: 'account', title: 'Account', cell: (row) => row.account, phone: 'title' }]
  const rows = [
    { account: 'Customers', debit: 118, credit: 0 },
    { account: 'Income', debit: 0, credit: 100 },
  ]
  const menu = (row: Posting) => (row.debit ? [{ key: 'deed', label: 'Do it', onPress: () => {} }] : [])
  const html = (more: object) =>
    renderToStaticMarkup(createElement(RowCards<Posting>, { label: 'Entries', columns, rows, rowKey: (row) => row.account, menu, ...more }))
  expect(html({}).match(/aria-haspopup="menu"/g)).toHaveLength(1)
  expect(html({ phoneMenu: false })).not.toContain('aria-haspopup')
})
