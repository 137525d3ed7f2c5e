import { expect, it } from 'vitest'
import { formatPeriod } from '#domain/format.ts'
import { readPeriod } from './PeriodField.tsx'

it('reads what it writes', () => {
  for (const text of [
    '2026',
    '01/2026',
    '01-02/2026',
    '12/2025–01/2026',
    '01/09/2026–20/11/2026',
    '03/02/2026',
  ]) {
    const period = readPeriod(text)
    expect(period && formatPeriod(period)).toBe(text)
  }
})

it('reads what people write', () => {
  expect(readPeriod('1/2026')).toEqual({ from: '2026-01-01', to: '2026-01-31' })
  expect(readPeriod('1.9.26 - 31.10.26')).toEqual({ from: '2026-09-01', to: '2026-10-31' })
})

it('refuses the rest', () => {
  for (const text of ['', '13/2026', '5-2/2026', '31/12/2026-1/1/2026', 'soon'])
    expect(readPeriod(text)).toBeUndefined()
})
