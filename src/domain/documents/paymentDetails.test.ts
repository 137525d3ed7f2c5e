import { describe, expect, test } from 'vitest'
import { paymentMeans, type PaymentMeans } from './kinds.ts'
import {
  detailsOfMeans,
  missingDetails,
  ownDetails,
  paymentDetails,
  requiredDetails,
} from './paymentDetails.ts'

const means = Object.keys(paymentMeans) as PaymentMeans[]

const cheque = { bank: '12', branch: '600', account: '123456', number: '5001' }

describe('the details of a payment', () => {
  test.each<[PaymentMeans, string[]]>([
    ['cheque', ['bank', 'branch', 'account', 'number']],
    ['cash', []],
    ['transfer', []],
    ['card', []],
    ['paymentApp', []],
    ['payPal', []],
    ['withheldTax', []],
    ['other', []],
  ])('%s requires %j', (name, required) => {
    expect(requiredDetails(name)).toEqual(required)
  })

  test('every payment method is described, and a cheque always has a due date', () => {
    expect(Object.keys(paymentDetails).toSorted()).toEqual(means.toSorted())
    expect(paymentDetails.cheque.dueDate).toBe('assumed')
    for (const name of means)
      for (const detail of requiredDetails(name)) expect(detailsOfMeans(name)).toContain(detail)
  })

  test.each<[object, string[]]>([
    [cheque, []],
    [{}, ['bank', 'branch', 'account', 'number']],
    [{ ...cheque, number: '' }, ['number']],
    [{ ...cheque, number: ' ' }, ['number']],
    [{ ...cheque, branch: '000', account: '-' }, ['branch', 'account']],
    [{ ...cheque, bank: null }, ['bank']],
    [{ ...cheque, bank: undefined }, ['bank']],
    [{ ...cheque, number: '0050' }, []],
  ])('of a cheque with %j are missing: %j', (given, missing) => {
    expect(missingDetails('cheque', given)).toEqual(missing)
  })

  test('nothing is missing of a payment by another method', () => {
    for (const name of means) if (name !== 'cheque') expect(missingDetails(name, {})).toEqual([])
  })

  test('what does not belong to a method is left out', () => {
    expect(ownDetails('cheque', { ...cheque, cardBrand: 'visa' })).toEqual(cheque)
    expect(ownDetails('transfer', cheque)).toEqual({ bank: '12', branch: '600', account: '123456' })
    expect(ownDetails('cash', { ...cheque, amountAgorot: 5 })).toEqual({ amountAgorot: 5 })
  })
})
