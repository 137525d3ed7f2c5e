import { expect, test } from 'vitest'
import { dueDay856, fileName856 } from './form856.ts'

test('the file is named after the withholding file and the year', () => {
  expect(fileName856('941254784', 2021)).toBe('A856.41254784.021')
  expect(fileName856('900000017', 2026)).toBe('A856.00000017.026')
})
test('it is due by the end of April', () => expect(dueDay856(2026)).toBe('2027-04-30'))
