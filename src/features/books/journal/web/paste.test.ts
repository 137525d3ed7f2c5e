import { expect, test } from 'vitest'
import type { JournalFacts } from '../endpoints.ts'
import { pastedCells, readPasted } from './paste.ts'

const account = (number: string, name: string) => ({
  id: `a${number}`,
  number,
  name,
  kind: 'expense',
  control: null,
  held: null,
})
const facts: JournalFacts = {
  today: '2026-11-22',
  accounts: [
    account('6200', 'עמלות בנק'),
    account('1010', 'בנק'),
    account('4000', 'הכנסות'),
    account('4001', 'הכנסות'),
  ],
  vatCodes: [
    { id: 'v1', code: '1', name: 'עסקאות', kind: 'sale', share: 'all', terms: [], accountId: 'x' },
  ] as never,
  projects: [],
  kinds: [],
}
const names = Object.fromEntries(
  pastedCells.map((cell, i) => [
    cell,
    ['תאריך', 'אסמכתא', 'פרטים', 'חשבון חובה', 'חשבון זכות', 'סכום', 'קוד מע״מ', 'מע״מ'][i],
  ]),
) as Record<(typeof pastedCells)[number], string>
const read = (text: string) => readPasted(text, { names, facts, day: '2026-10-31', today: '2026-11-22' })

test('reads columns as they are typed; an empty day is that of the row above, an empty row is none', () => {
  const { lines, faults } = read(
    '01/11/2026\tA-1\tעמלה\t6200\t1010\t1,234.50\r\n\t\t\t\t\t\r\n\tA-2\t"שתי\nשורות ""כך"""\t1010 בנק\tעמלות בנק\t(5.00)\t1\t0.76\r\n',
  )
  expect(faults).toEqual([])
  expect(lines).toEqual([
    {
      day: '2026-11-01',
      reference: 'A-1',
      details: 'עמלה',
      debitAccountId: 'a6200',
      creditAccountId: 'a1010',
      amountAgorot: 123_450,
      vatCodeId: null,
      vatAgorot: null,
    },
    {
      day: '2026-11-01',
      reference: 'A-2',
      details: 'שתי שורות "כך"',
      debitAccountId: 'a1010',
      creditAccountId: 'a6200',
      amountAgorot: -500,
      vatCodeId: 'v1',
      vatAgorot: 76,
    },
  ])
})

test('a head of the grid’s own names says which column is which', () => {
  const { lines } = read("סכום\tזר\tחשבון זכות\tתאריך\tקוד מע'מ\n7\tx\t1010\t3.11.26\t\n8\ty\t1010\t\t1")
  expect(
    lines.map((one) => [one.day, one.creditAccountId, one.debitAccountId, one.amountAgorot, one.vatCodeId]),
  ).toEqual([
    ['2026-11-03', 'a1010', null, 700, null],
    ['2026-11-03', 'a1010', null, 800, 'v1'],
  ])
})

test('what cannot be read stays empty and is told with its row: a number nobody has, a name two have, no day, no sum', () => {
  const { lines, faults } = read('31/02/2026\t\t\t9999\tהכנסות\t12,34\n04/11/2026\t\t\t6200\t6200 בנק\t3')
  expect(faults).toEqual([
    { row: 1, cell: 'day', text: '31/02/2026' },
    { row: 1, cell: 'debitAccountId', text: '9999' },
    { row: 1, cell: 'creditAccountId', text: 'הכנסות' },
    { row: 1, cell: 'amountAgorot', text: '12,34' },
    { row: 2, cell: 'creditAccountId', text: '6200 בנק' },
  ])
  expect(lines.map(({ day, amountAgorot, creditAccountId }) => [day, amountAgorot, creditAccountId])).toEqual(
    [
      ['2026-10-31', null, null],
      ['2026-11-04', 300, null],
    ],
  )
})
