import { expect, test } from 'vitest'
import { checkDecisions, indexOf, readDecision } from './decisions.ts'

const page = '# Prices are facts\n\nAccepted 2026-11-30 · Documents\n\nBecause.\n\n**Given up:** Speed.\n'

test('a decision has a number, a title, a status with its date, a reason and a price', () => {
  const decision = readDecision('0001-prices.md', page)
  expect(decision).toEqual({
    file: '0001-prices.md',
    title: 'Prices are facts',
    status: 'Accepted',
    date: '2026-11-30',
    section: 'Documents',
  })
  expect(indexOf([decision])).toContain(
    '## Documents\n\n- [0001](docs/decisions/0001-prices.md) Prices are facts\n',
  )
})

test.each([
  ['prices.md', page, 'NNNN-title'],
  ['0001-prices.md', page.replace('**Given up:** Speed.', ''), 'given up'],
  ['0001-prices.md', page.replace('2026-11-30', 'yesterday'), 'date'],
  ['0001-prices.md', page.replace('Because.', 'because '.repeat(300)), 'words'],
])('%s is refused (%#)', (file, text, why) => {
  expect(() => readDecision(file, text)).toThrow(why)
})

test('the decisions of the project have that form and are listed', () => {
  expect(checkDecisions()).toEqual([])
})
