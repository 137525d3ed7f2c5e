import { describe, expect, test } from 'vitest'
import {
  statusesThat,
  statusFacts,
  takers,
  typeFacts,
  typesThat,
  type StatusFact,
  type TypeFact,
} from './facts.ts'
import { documentStatusNames, documentTypeNames, documentTypes, type DocumentStatus } from './kinds.ts'

/** Written out by hand: the types of each fact, as the law and the forms of the tax authority have them. */
const typesOf: Record<TypeFact, readonly number[]> = {
  isInvoice: [8, 9],
  isCredit: [10],
  isInvoiceOrCredit: [8, 9, 10],
  isVatDocument: [8, 9, 10, 12],
  isOnAccount: [8, 10],
  isPaidInvoice: [9],
  isSelfBilled: [12],
  isReceipt: [6, 9, 11],
  isPlainReceipt: [6, 11, 14],
  isToBePaid: [5, 8],
  isPayment: [6, 9],
  isDonation: [11],
  mayBeIncome: [6, 11],
  asks: [5],
  isInCustomersFavour: [6, 10, 14],
  movesGoods: [3, 4, 8, 9, 10, 12, 13],
  suppliesGoods: [3, 8, 9],
  returnsGoods: [4, 10],
  receivesGoods: [12, 13],
  tradesGoods: [3, 8, 9, 12, 13],
  takesGoodsIn: [4, 10, 12, 13],
  waitsForFollowers: [1, 2, 3, 7, 13],
  isAgreement: [1, 2, 3],
  isTaxDocument: [6, 8, 9, 10, 11, 12, 14],
}

const factsOfStates: Record<DocumentStatus, readonly StatusFact[]> = {
  draft: ['isDraft', 'isUnfinished'],
  issued: ['isIssued', 'isLive', 'isOpen', 'isUntouched', 'isUnfinished'],
  partlyClosed: ['isIssued', 'isLive', 'isOpen', 'isPartlyClosed', 'isUnfinished'],
  closed: ['isIssued', 'isLive', 'isClosed'],
  cancelled: ['isIssued', 'isCancelled'],
}

describe('facts of types', () => {
  test.each(Object.entries(typesOf))('%s', (fact, ids) => {
    expect(typesThat(fact as TypeFact)).toEqual(ids)
    for (const name of documentTypeNames) {
      const { id } = documentTypes[name]
      expect(typeFacts(id)[fact as TypeFact]).toBe(ids.includes(id))
      expect(typeFacts(name)).toBe(typeFacts(id))
    }
  })

  test('of what is no type nothing holds', () => {
    for (const type of [0, 1.5, 999, null, undefined])
      expect(Object.values(typeFacts(type)).filter(Boolean)).toEqual([])
  })

  test('what takes from the lines of an order', () => {
    expect(takers).toEqual({ order: [3, 8, 9], purchaseOrder: [12, 13] })
  })
})

describe('facts of states', () => {
  test.each(documentStatusNames)('%s', (name) => {
    const facts = Object.entries(statusFacts(name)).flatMap(([fact, holds]) => (holds ? [fact] : []))
    expect(facts).toEqual(factsOfStates[name])
    for (const fact of Object.keys(statusFacts(name)) as StatusFact[])
      expect(statusesThat(fact).includes(name)).toBe(factsOfStates[name].includes(fact))
  })

  test('states are listed in the order of a document’s life', () => {
    expect(statusesThat('isIssued').filter((name) => statusesThat('isOpen').includes(name))[0]).toBe('issued')
    expect(documentStatusNames.at(0)).toBe('draft')
  })

  test('of what is no state nothing holds', () => {
    for (const status of ['', 'sent', 'constructor', null, undefined, 1])
      expect(Object.values(statusFacts(status)).filter(Boolean)).toEqual([])
  })
})
