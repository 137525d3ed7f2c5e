import { describe, expect, test } from 'vitest'
import { reportingDays } from '../law/dues.ts'
import { openVatPeriod, sinceEver, vatPeriodAmong, type VatFrequency } from './frequency.ts'

describe('the VAT period of a day', () => {
  const once: VatFrequency[] = [{ from: sinceEver, months: 2 }]
  const monthly: VatFrequency[] = [...once, { from: '2026-09-01', months: 1 }]
  const backInPair: VatFrequency[] = [...monthly, { from: '2026-12-01', months: 2 }]
  test.each<[string, VatFrequency[], string, string, string]>([
    ['of a frequency that always held', once, '2026-08-15', '2026-07-01', '2026-08-31'],
    ['before a change', monthly, '2026-08-15', '2026-07-01', '2026-08-31'],
    ['from its first day on', monthly, '2026-09-01', '2026-09-01', '2026-09-30'],
    ['the month before a change back', backInPair, '2026-11-30', '2026-11-01', '2026-11-30'],
    ['what is left of a pair', backInPair, '2026-12-31', '2026-12-01', '2026-12-31'],
    ['the first whole pair', backInPair, '2027-01-01', '2027-01-01', '2027-02-28'],
    [
      'cut by a change in its middle',
      [...once, { from: '2026-08-01', months: 1 }],
      '2026-07-31',
      '2026-07-01',
      '2026-07-31',
    ],
    [
      'before the first that is known',
      [{ from: '2026-09-01', months: 1 }],
      '2026-01-10',
      '2026-01-01',
      '2026-01-31',
    ],
  ])('%s', (_name, frequencies, day, from, to) => {
    expect(vatPeriodAmong(frequencies, day)).toEqual({ from, to })
  })
})

describe('the days that are open in the VAT', () => {
  const pairs = (day: string) => vatPeriodAmong([{ from: sinceEver, months: 2 }], day)
  const months = (day: string) => vatPeriodAmong([{ from: sinceEver, months: 1 }], day)
  test.each<[string, string, typeof pairs, { from: string; to: string }[], string]>([
    ['the period before waits for its report', '2026-05-11', pairs, [], '2026-03-01'],
    ['on the last day of it', '2026-05-18', pairs, [], '2026-03-01'],
    ['the day after it', '2026-05-19', pairs, [], '2026-05-01'],
    // 15 August 2026 is a Sabbath: the report is due on Monday.
    ['a Sabbath', '2026-08-17', months, [], '2026-07-01'],
    ['the Tuesday after it', '2026-08-18', months, [], '2026-08-01'],
    ['it was reported', '2026-05-11', pairs, [{ from: '2026-03-01', to: '2026-04-30' }], '2026-05-01'],
    [
      'an older one was reported',
      '2026-05-11',
      pairs,
      [{ from: '2026-01-01', to: '2026-02-28' }],
      '2026-03-01',
    ],
    ['no other than the one before', '2026-06-02', months, [], '2026-05-01'],
  ])('%s', (_name, today, of, reported, from) => {
    expect(openVatPeriod(today, of, reportingDays(false).vat, reported)).toEqual({ from, to: of(today).to })
  })

  test('a business that reports in detail has until the day of that report', () => {
    const open = (today: string) => openVatPeriod(today, months, reportingDays(true).vat, [])
    expect(open('2026-05-26').from).toBe('2026-04-01')
    expect(open('2026-05-27').from).toBe('2026-05-01')
  })
})
