import { sql } from 'kysely'
import { expect, test } from 'vitest'
import * as facts from './documentFacts.ts'

const { textOf } = facts

/*
 * The text that indexes and query plans were made for. A new type or state changes a line here, and with it the indexes
 * whose predicate says the same (`src/features/sales/documents/facts.test.ts` compares them).
 */
const texts: Record<string, string> = {
  isInvoice: 'd.type in (8, 9)',
  isNotInvoice: 'd.type not in (8, 9)',
  isCredit: 'd.type = 10',
  isNotCredit: 'd.type <> 10',
  isInvoiceOrCredit: 'd.type in (8, 9, 10)',
  isVatDocument: 'd.type in (8, 9, 10, 12)',
  isOnAccount: 'd.type in (8, 10)',
  isPaidInvoice: 'd.type = 9',
  isSelfBilled: 'd.type = 12',
  isReceipt: 'd.type in (6, 9, 11)',
  isPayment: 'd.type in (6, 9)',
  isDonation: 'd.type = 11',
  mayBeIncome: 'd.type in (6, 11)',
  asks: 'd.type = 5',
  doesNotAsk: 'd.type <> 5',
  isInCustomersFavour: 'd.type in (6, 10, 14)',
  movesGoods: 'd.type in (3, 4, 8, 9, 10, 12, 13)',
  suppliesGoods: 'd.type in (3, 8, 9)',
  returnsGoods: 'd.type in (4, 10)',
  receivesGoods: 'd.type in (12, 13)',
  tradesGoods: 'd.type in (3, 8, 9, 12, 13)',
  takesGoodsIn: 'd.type in (4, 10, 12, 13)',
  waitsForFollowers: 'd.type in (1, 2, 3, 7, 13)',
  isTaxDocument: 'd.type in (6, 8, 9, 10, 11, 12, 14)',
  isIncome:
    '((d.type in (8, 9, 10) and not d.is_bad_debt) or (d.type in (6, 11) and d.ils_net_agorot <> d.ils_held_agorot))',
  hasIncome: 'd.ils_net_agorot <> d.ils_held_agorot',
  incomeNet: '(d.ils_net_agorot - d.ils_held_agorot)',
  incomeUntaxed: '(d.ils_untaxed_agorot - d.ils_held_agorot)',
  incomeTotal: '(d.ils_total_agorot - d.ils_held_agorot)',
  signedIncome:
    'case when d.type = 10 then -(d.ils_net_agorot - d.ils_held_agorot) else (d.ils_net_agorot - d.ils_held_agorot) end',
  sign: 'case when d.type = 10 then -1 else 1 end',
  isDraft: "d.status = 'draft'",
  isIssued: "d.status <> 'draft'",
  isLive: "d.status not in ('draft', 'cancelled')",
  isNotLive: "d.status in ('draft', 'cancelled')",
  isOpen: "d.status in ('issued', 'partlyClosed')",
  isUntouched: "d.status = 'issued'",
  isPartlyClosed: "d.status = 'partlyClosed'",
  isUnfinished: "d.status in ('draft', 'issued', 'partlyClosed')",
  isClosed: "d.status = 'closed'",
  isNotClosed: "d.status <> 'closed'",
  isCancelled: "d.status = 'cancelled'",
  isNotCancelled: "d.status <> 'cancelled'",
}

test.each(Object.entries(texts))('%s', (name, text) => {
  const fragment = facts[name as 'isInvoice']
  expect(textOf(fragment('d'))).toBe(text)
  expect(textOf(fragment())).toBe(text.replaceAll('d.', ''))
})

test('every fact has its text here', () => {
  const others = ['isIncomeLine', 'isType', 'signed', 'status', 'textOf']
  expect(Object.keys(texts).toSorted()).toEqual(
    Object.keys(facts)
      .filter((name) => !others.includes(name))
      .toSorted(),
  )
})

test('facts that take more than an alias', () => {
  expect(textOf(facts.isType('d', 'paymentRequest'))).toBe('d.type = 5')
  expect(textOf(facts.isType('', 'taxInvoice'))).toBe('type = 8')
  expect(textOf(facts.signed('d', 'total_agorot'))).toBe(
    'case when d.type = 10 then -d.total_agorot else d.total_agorot end',
  )
  expect(textOf(facts.signed('', 'total_agorot'))).toBe(
    'case when type = 10 then -total_agorot else total_agorot end',
  )
})

test('only fragments without parameters are text', () => {
  expect(() => textOf(sql`status = ${'draft'}`)).toThrow(TypeError)
})
