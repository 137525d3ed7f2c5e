import { expect, test } from 'vitest'
import type { JournalFacts } from '../endpoints.ts'
import { readBalances } from './balanceSheets.ts'

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
  accounts: [account('1010', 'בנק'), account('1100', 'לקוחות', 'customers'), account('3000', 'הון בעלים'), account('1500', 'ציוד')],
  vatCodes: [],
  projects: [],
  kinds: [],
} as unknown as JournalFacts
const words = { number: 'מספר חשבון', debit: 'חובה', credit: 'זכות', balance: 'יתרה' }
const read = (text: string) => {
  const { balances, faults } = readBalances(text, { facts, words })
  return { balances: Object.fromEntries(balances), faults }
}

test('cells of a spreadsheet: number, name, debit and credit, or one balance', () => {
  expect(read('1010\tבנק\t1,200.50\t\n3000\tהון\t\t(1,200.50)\n')).toEqual({ balances: { a1010: 120_050, a3000: 120_050 }, faults: [] })
  expect(read('1010\tבנק\t1,200.50\t\r\n3000\tהון\t-\t1,200.50\r\n')).toEqual({ balances: { a1010: 120_050, a3000: -120_050 }, faults: [] })
  expect(read('1010\t1200.5\n3000\t-1200.5').balances).toEqual({ a1010: 120_050, a3000: -120_050 })
  expect(read('1010\tבנק\t1200.5\n3000\tהון\t1200.5-').balances).toEqual({ a1010: 120_050, a3000: -120_050 })
})

test('a file with titles: the balance goes before movements, sides are found by their word, commas and quotes are of CSV', () => {
  expect(
    read('\ufeffקוד מיון,מספר,חשבון,יתרת פתיחה,חובה,זכות,יתרה\n110,1010,בנק,0,"9,999.00",1.00,"1,200.50"\n,,,,9999,1,1200.50\n').balances,
  ).toEqual({
    a1010: 120_050,
  })
  expect(read('Number,Name,Debit,Credit\n1010,Bank,10,\n')).toEqual({ balances: { a1010: 1000 }, faults: [] })
  expect(read('מס׳ חשבון;שם;יתרת חובה;יתרת זכות\n1010;בנק;10;\n3000;הון;;10\n1010;בנק;5;').balances).toEqual({ a1010: 1500, a3000: -1000 })
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
