import { describe, expect, test } from 'vitest'
import { boxOf, closingState, isLeft, papersToAsk, type ClosingFacts, type ClosingLine } from './closing.ts'

const line = (name: string, state: ClosingLine['state'] = 'ok', isSigned = false): ClosingLine => ({
  line: name,
  state,
  count: state === 'ok' ? 0 : 3,
  isSigned,
})
const facts = (more: Partial<ClosingFacts> = {}): ClosingFacts => ({
  lines: [line('bankPapers'), line('twoWays')],
  requestsOpen: 0,
  isTouched: true,
  isClosed: false,
  vat: { isFiled: false },
  isPaid: false,
  said: null,
  ...more,
})

describe('where a month stands', () => {
  test.each<[string, Partial<ClosingFacts>, string]>([
    ['nothing was written and nothing is asked', { isTouched: false }, 'untouched'],
    ['everything is there', {}, 'review'],
    ['only the filing itself is left', { lines: [line('bankPapers'), line('vatFiled', 'look')] }, 'review'],
    [
      'the returns beside it are left too',
      {
        lines: [
          line('form102', 'look'),
          line('form856', 'look'),
          line('annualReturn', 'look'),
          line('turnover', 'look'),
        ],
      },
      'review',
    ],
    ['papers are missing and nobody was asked', { lines: [line('bankPapers', 'look')] }, 'work'],
    ['they were signed away', { lines: [line('bankPapers', 'look', true)] }, 'review'],
    ['what stops is not signed away', { lines: [line('twoWays', 'stop', true)] }, 'work'],
    ['the client was asked', { requestsOpen: 2 }, 'waiting'],
    ['a person says otherwise', { requestsOpen: 2, said: 'review' }, 'review'],
    ['closed, and the VAT of it not reported', { isClosed: true }, 'review'],
    ['closed and reported', { isClosed: true, vat: { isFiled: true } }, 'filed'],
    ['closed where no VAT is due with it', { isClosed: true, vat: null }, 'filed'],
    ['paid too', { isClosed: true, vat: { isFiled: true }, isPaid: true }, 'paid'],
    ['paid is nothing before it was reported', { isPaid: true }, 'review'],
    ['what a person said ends with the filing', { isClosed: true, vat: null, said: 'work' }, 'filed'],
  ])('%s', (_, more, state) => expect(closingState(facts(more))).toBe(state))

  test('a box is full, half or empty', () => {
    expect(boxOf([line('bankUntil'), line('bankPapers', 'look')], 'bank', true)).toBe('left')
    expect(boxOf([line('bankUntil'), line('bankPapers', 'look', true)], 'bank', true)).toBe('done')
    expect(boxOf([line('bankUntil')], 'bank', false)).toBe('none')
    expect(isLeft(line('x', 'stop', true))).toBe(true)
  })
})

test('papers are asked for where a payment has none and where a bill did not come', () => {
  expect(
    papersToAsk([
      line('bankPapers', 'look'),
      line('usualBills', 'look'),
      line('papers', 'look'),
      line('expenses'),
    ]),
  ).toBe(6)
})
