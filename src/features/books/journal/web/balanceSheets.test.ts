import { expect, test } from 'vitest'
import type { JournalFacts } from '../endpoints.ts'
import { pastedRows, readBalances, type SheetRow } from './balanceSheets.ts'

const account = (number: string, name: string, control: 'customers' | null = null) => ({
  id: `a${number}`,
  number,
  name,
  kind: 'asset',
  control,
  held: null,
})
const facts = {
  today: '2026-11-22',
  accounts: [
    account('1010', 'בנק'),
    account('1100', 'לקוחות', 'customers'),
    account('3000', 'הון בעלים'),
    account('1500', 'ציוד'),
  ],
  vatCodes: [],
  projects: [],
  kinds: [],
} as unknown as JournalFacts
const words = { number: 'מספר חשבון', debit: 'חובה', credit: 'זכות', balance: 'יתרה' }
const rowsOf = (cells: readonly (readonly string[])[]) => cells.map((one, i) => ({ row: i + 1, cells: one }))
const readRows = (rows: readonly SheetRow[]) => {
  const { balances, faults } = readBalances(rows, { facts, words })
  return { balances: Object.fromEntries(balances), faults }
}
const read = (text: string) => readRows(pastedRows(text))

test('cells of a spreadsheet: number, name, debit and credit, or one balance', () => {
  expect(read('1010\tבנק\t1,200.50\t\n3000\tהון\t\t(1,200.50)\n')).toEqual({
    balances: { a1010: 120_050, a3000: 120_050 },
    faults: [],
  })
  expect(read('1010\tבנק\t1,200.50\t\r\n3000\tהון\t-\t1,200.50\r\n')).toEqual({
    balances: { a1010: 120_050, a3000: -120_050 },
    faults: [],
  })
  expect(read('1010\t1200.5\n3000\t-1200.5').balances).toEqual({ a1010: 120_050, a3000: -120_050 })
  expect(read('1010\tבנק\t1200.5\n3000\tהון\t1200.5-').balances).toEqual({ a1010: 120_050, a3000: -120_050 })
})

test('a file with titles: the balance goes before movements, sides are found by their word', () => {
  expect(
    readRows(
      rowsOf([
        ['קוד מיון', 'מספר', 'חשבון', 'יתרת פתיחה', 'חובה', 'זכות', 'יתרה'],
        ['110', '1010', 'בנק', '0', '9,999.00', '1.00', '1,200.50'],
        ['', '', '', '', '9999', '1', '1200.50'],
      ]),
    ).balances,
  ).toEqual({ a1010: 120_050 })
  expect(read('Number\tName\tDebit\tCredit\n1010\tBank\t10\t\n')).toEqual({
    balances: { a1010: 1000 },
    faults: [],
  })
  expect(
    read('מס׳ חשבון\tשם\tיתרת חובה\tיתרת זכות\n1010\tבנק\t10\t\n3000\tהון\t\t10\n1010\tבנק\t5\t').balances,
  ).toEqual({
    a1010: 1500,
    a3000: -1000,
  })
})

test('above the titles stands whose sheet it is; rows are told by the numbers the sheet gives them', () => {
  const above = [
    { row: 1, cells: ['זרם טוב בע״מ'] },
    { row: 2, cells: ['מאזן בוחן: יתרות חובה וזכות ליום', '', '31/12/2025'] },
  ]
  expect(
    readRows([
      ...above,
      { row: 5, cells: ['', 'מספר', 'שם', 'חובה', 'זכות'] },
      { row: 6, cells: ['', '1010', 'בנק', '10.1'] },
      { row: 9, cells: ['', '9999', 'זר', '5'] },
    ]),
  ).toEqual({ balances: { a1010: 1010 }, faults: [{ row: 9, why: 'unknown', text: '9999 זר' }] })
  // Titles in another language are no fault either.
  expect(
    readRows([
      { row: 1, cells: ['Acme'] },
      { row: 3, cells: ['No', 'Name', 'Dr', 'Cr'] },
      { row: 4, cells: ['1010', 'בנק', '', '7'] },
    ]),
  ).toEqual({
    balances: { a1010: -700 },
    faults: [],
  })
})

test('what is not ours, what papers say, and what is no sum is told with its row; what comes to nothing is left out', () => {
  expect(read('9999\tזר\t5\t\n1100\tלקוחות\t70\t\n1010\tבנק\tאלף\t\n1500\tציוד\t0\t0\n')).toEqual({
    balances: {},
    faults: [
      { row: 1, why: 'unknown', text: '9999 זר' },
      { row: 2, why: 'parties', text: '1100 לקוחות' },
      { row: 3, why: 'sum', text: 'אלף' },
    ],
  })
})
