import { expect, test } from 'vitest'
import { yearlyIn } from './yearly.ts'

test.each([
  ['exemptDealer', '2026-12-31', ['exemptStatement 2026 2027-01-31']],
  // The statement of 2025 was put off to the day of the annual return.
  ['exemptDealer', '2025-12-31', []],
  ['exemptDealer', '2026-03-31', ['exemptStatement 2025 2026-04-30', 'annualReturn 2025 2026-04-30']],
  ['exemptDealer', '2026-04-30', []],
  ['company', '2026-04-30', ['form6111 2025 2026-05-31', 'annualReturn 2025 2026-05-31']],
  ['licensedDealer', '2026-04-30', ['form6111 2025 2026-05-31', 'annualReturn 2025 2026-05-31']],
  ['partnership', '2026-03-31', []],
  ['nonProfit', '2026-12-31', []],
] as const)('of %s in the month to %s', (kind, to, found) => {
  expect(
    yearlyIn(kind, to, () => false).map(({ duty, year, dueDay }) => `${duty} ${year} ${dueDay}`),
  ).toEqual(found)
})

test.each([
  ['exemptDealer', '2026-12-31', ['exemptStatement 2026 2027-01-31']],
  ['exemptDealer', '2027-02-28', ['smallStatement 2026 2027-03-31']],
  ['exemptDealer', '2027-03-31', []],
  // The statement of 2025 was put off.
  ['exemptDealer', '2026-02-28', []],
  ['licensedDealer', '2026-04-30', ['smallStatement 2025 2026-05-31']],
] as const)('of %s that is a small business in the month to %s', (kind, to, found) => {
  expect(yearlyIn(kind, to, () => true).map(({ duty, year, dueDay }) => `${duty} ${year} ${dueDay}`)).toEqual(
    found,
  )
})

test('each year goes by its own election', () => {
  expect(yearlyIn('licensedDealer', '2026-04-30', (year) => year >= 2026).map(({ duty }) => duty)).toEqual([
    'form6111',
    'annualReturn',
  ])
})
