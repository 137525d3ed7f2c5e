import { describe, expect, it } from 'vitest'
import { vatPeriod } from '#domain/day.ts'
import { firstPeriod, periodIn, presets } from './periods.ts'

const of = (today: string, months?: 1 | 2) =>
  Object.fromEntries(
    presets(today, months && ((day) => vatPeriod(day, months))).map(({ key, period }) => [
      key,
      `${period.from} ${period.to}`,
    ]),
  )

describe('the offered periods', () => {
  it('are those of the day', () => {
    expect(of('2026-11-20', 2)).toEqual({
      untilToday: '2026-01-01 2026-11-20',
      thisMonth: '2026-11-01 2026-11-30',
      lastMonth: '2026-10-01 2026-10-31',
      thisVat: '2026-11-01 2026-12-31',
      lastVat: '2026-09-01 2026-10-31',
      lastYear: '2025-01-01 2025-12-31',
    })
  })
  it('cross the year where they must', () => {
    expect(of('2026-01-31', 2)).toMatchObject({
      lastMonth: '2025-12-01 2025-12-31',
      thisVat: '2026-01-01 2026-02-28',
      lastVat: '2025-11-01 2025-12-31',
    })
    expect(of('2026-03-31')).toMatchObject({ lastMonth: '2026-02-01 2026-02-28' })
  })
  it('leave VAT out where it is monthly, or not known', () => {
    expect(of('2026-11-20', 1)).not.toHaveProperty('thisVat')
    expect(of('2026-11-20')).not.toHaveProperty('lastVat')
  })
})

describe('the period of an address', () => {
  const today = '2026-11-20'
  it('is this year until today at first, and when the address makes no sense', () => {
    for (const query of [
      {},
      { from: 'soon' },
      { from: '2026-02-30', to: '' },
      { from: '2026-05-01', to: '2026-04-01' },
    ])
      expect(periodIn(query, today)).toEqual(firstPeriod(today))
  })
  it('fills in the missing end', () => {
    expect(periodIn({ from: '2026-10-01' }, today)).toEqual({ from: '2026-10-01', to: '2026-11-20' })
    expect(periodIn({ from: '2027-01-05' }, today)).toEqual({ from: '2027-01-05', to: '2027-01-05' })
    expect(periodIn({ to: '2025-06-30' }, today)).toEqual({ from: '2025-01-01', to: '2025-06-30' })
  })
  it('is what was asked', () => {
    expect(periodIn({ from: '2025-03-01', to: '2025-03-31' }, today)).toEqual({
      from: '2025-03-01',
      to: '2025-03-31',
    })
  })
})
