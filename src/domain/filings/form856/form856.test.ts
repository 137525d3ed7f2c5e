import { expect, test } from 'vitest'
import { fileName856 } from './form856.ts'

test('the file is named after the withholding file and the year', () => {
  expect(fileName856('941254784', 2021)).toBe('A856.41254784.021')
  expect(fileName856('900000017', 2026)).toBe('A856.00000017.026')
})
