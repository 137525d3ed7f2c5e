import { describe, expect, test } from 'vitest'
import { accountsIn, questionsOf, type GuardedBill, type KnownOfSupplier } from './guard.ts'

const bill: GuardedBill = {
  day: '2026-11-20',
  number: '20463',
  total: 118_000,
  isCredit: false,
  supplierTaxId: '516000128',
  buyerTaxId: null,
  isOwn: false,
  prepaid: 0,
  accounts: [],
}
const known: KnownOfSupplier = {
  today: '2026-11-28',
  ownTaxId: '514237650',
  account: { bank: 12, branch: '600', number: '123456' },
  earlier: [],
}
const asked = (change: Partial<GuardedBill>, of: Partial<KnownOfSupplier> = {}) =>
  questionsOf({ ...bill, ...change }, { ...known, ...of }).map((one) => one.name)
const earlier = (number: string, total = 118_000, day = '2026-03-02') => ({
  earlier: [{ number, total, day }],
})

describe('a bill', () => {
  test('of every day asks nothing', () => {
    expect(asked({})).toEqual([])
    expect(asked({ buyerTaxId: '514237650', accounts: ['12-600-123456'] })).toEqual([])
    // The rent is the same every month.
    expect(asked({}, earlier('20411'))).toEqual([])
  })
  test.each<[string, Partial<GuardedBill>, Partial<KnownOfSupplier>, string[]]>([
    ['addressed to somebody else', { buyerTaxId: '515667780' }, {}, ['askOtherBuyer']],
    ['that the business issued', { isOwn: true, buyerTaxId: '515667780' }, {}, ['askOwnDocument']],
    ['with its own number as the supplier’s', { supplierTaxId: '514237650' }, {}, ['askOwnDocument']],
    ['to another account', { accounts: ['12-600-999999'] }, {}, ['askBankChanged']],
    ['to another bank', { accounts: ['10-600-123456'] }, {}, ['askBankChanged']],
    ['to the account as an IBAN', { accounts: accountsIn('IL62 0126 0000 0000 0123 456') }, {}, []],
    ['with an account where none is known', { accounts: ['12-600-9'] }, { account: null }, []],
    ['paid in part', { prepaid: 40_000 }, {}, ['askPrepaid']],
    ['more than six months old', { day: '2026-05-27' }, {}, ['askOldDay']],
    ['six months old to the day', { day: '2026-05-28' }, {}, []],
    ['with the number of a bill of months ago', {}, earlier('20463'), ['askSameNumber']],
    ['with it and zeros', {}, earlier('0020463', 5000), ['askSameNumber']],
    ['with it and its series', {}, earlier('INV-20463'), ['askSameNumber']],
    ['with a number that only ends alike', {}, earlier('120463'), []],
    ['without a number and with an equal sum', { number: '' }, earlier('20411'), ['askSameSum']],
    ['of the same day and sum', { day: '2026-03-02' }, earlier('20411'), ['askOldDay', 'askSameSum']],
    ['that is a credit of an equal sum', { isCredit: true }, earlier('20463'), []],
    [
      'far above what is usual',
      { total: 400_100 },
      { earlier: [1, 2, 3].map((n) => ({ number: String(n), total: 100_000, day: '2026-10-01' })) },
      ['askUnlike'],
    ],
    [
      'four times what is usual',
      { total: 400_000 },
      { earlier: [1, 2, 3].map((n) => ({ number: String(n), total: 100_000, day: '2026-10-01' })) },
      [],
    ],
  ])('%s', (_, change, of, names) => expect(asked(change, of)).toEqual(names))
})

test.each([
  ['לתשלום: בנק הפועלים 12 סניף 600 חשבון 123456', ['12-600-123456']],
  ['Bank 12, branch 600, account no. 123-456', ['12-600-123456']],
  ['IBAN: IL62 0126 0000 0000 0123 456', ['12-600-123456']],
  ['סניף 611 בהוראת קבע', []],
  ['החשבון שלך אצלנו 4471', []],
])('accounts in %s', (text, accounts) => expect(accountsIn(text)).toEqual(accounts))
