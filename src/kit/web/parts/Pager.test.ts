import { expect, it } from 'vitest'
import { pageSizeOf } from './Pager.tsx'

it('offers only its own sizes', () => {
  expect([1, 10, 11, 50, 51, 150, 999].map((asked) => pageSizeOf(asked))).toEqual([
    10, 10, 20, 50, 100, 200, 200,
  ])
  expect([undefined, null, '', 'many', -5, NaN].map((asked) => pageSizeOf(asked))).toEqual([
    50, 50, 50, 50, 50, 50,
  ])
  expect(pageSizeOf('20')).toBe(20)
})
