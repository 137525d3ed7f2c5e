import { afterEach, describe, expect, test } from 'vitest'
import { useEnteredLaw } from './dated.ts'
import { dueOfPeriod, dueOfYear, type PeriodDuty } from './dues.ts'

afterEach(() => useEnteredLaw([]))

const columns: readonly PeriodDuty[] = ['vat', 'advances', 'withholding', 'detailedVat']

/** As the authority published the tax year, with what it moved in March. */
test.each<[string, string, string, string, string]>([
  ['2026-01-31', '2026-02-16', '2026-02-16', '2026-02-16', '2026-02-23'],
  ['2026-02-28', '2026-03-26', '2026-03-26', '2026-03-26', '2026-03-26'],
  ['2026-03-31', '2026-04-27', '2026-04-27', '2026-04-27', '2026-04-27'],
  ['2026-04-30', '2026-05-18', '2026-05-18', '2026-05-18', '2026-05-26'],
  ['2026-05-31', '2026-06-15', '2026-06-15', '2026-06-16', '2026-06-23'],
  ['2026-06-30', '2026-07-15', '2026-07-15', '2026-07-16', '2026-07-27'],
  ['2026-07-31', '2026-08-17', '2026-08-17', '2026-08-17', '2026-08-24'],
  ['2026-08-31', '2026-09-24', '2026-09-24', '2026-09-24', '2026-09-24'],
  ['2026-09-30', '2026-10-19', '2026-10-19', '2026-10-19', '2026-10-26'],
  ['2026-10-31', '2026-11-16', '2026-11-16', '2026-11-16', '2026-11-23'],
  ['2026-11-30', '2026-12-15', '2026-12-15', '2026-12-16', '2026-12-23'],
  ['2026-12-31', '2027-01-18', '2027-01-18', '2027-01-18', '2027-01-26'],
])('what ends on %s is reported as published', (end, ...expected) => {
  expect(columns.map((duty) => dueOfPeriod(duty, end).day)).toEqual(expected)
  expect(columns.map((duty) => dueOfPeriod(duty, end).basis)).not.toContain('rule')
})

describe('a month nothing was published for', () => {
  test.each<[string, PeriodDuty, string]>([
    ['a weekday', 'vat', '2027-02-15'],
    ['the sixteenth', 'withholding', '2027-02-16'],
    ['the twenty-third', 'detailedVat', '2027-02-23'],
  ])('%s stays', (_, duty, day) => expect(dueOfPeriod(duty, '2027-01-31')).toEqual({ day, basis: 'rule' }))

  test.each<[string, string, string]>([
    ['Friday', '2027-09-30', '2027-10-18'],
    ['Saturday', '2027-04-30', '2027-05-17'],
    ['Sunday', '2027-07-31', '2027-08-16'],
    // Passover 2025 began on Sunday the 13th; the 15th itself is no day of rest.
    ['days of rest', '2024-09-30', '2024-10-15'],
    // The first day of Tabernacles of 2027 is Saturday the 16th of October; the 15th is a Friday.
    ['a holiday after a Friday', '2027-09-30', '2027-10-18'],
  ])('%s', (_, end, day) => expect(dueOfPeriod('vat', end).day).toBe(day))
})

test('days of a year move off the Sabbath alone', () => {
  expect(dueOfYear('exemptStatement', 2025)).toEqual({ day: '2026-04-30', basis: 'postponed' })
  expect(dueOfYear('exemptStatement', 2026)).toEqual({ day: '2027-01-31', basis: 'rule' })
  expect(dueOfYear('smallStatement', 2024)).toEqual({ day: '2025-05-31', basis: 'postponed' })
  expect(dueOfYear('smallStatement', 2025)).toEqual({ day: '2026-05-31', basis: 'postponed' })
  expect(dueOfYear('smallStatement', 2026)).toEqual({ day: '2027-03-31', basis: 'rule' })
  expect(dueOfYear('form856', 2026).day).toBe('2027-04-30')
  expect(dueOfYear('annualReturn', 2026).day).toBe('2027-05-31')
  expect(dueOfYear('annualReturn', 2026, true).day).toBe('2027-04-30')
  expect(dueOfYear('annualReturn', 2030).day).toBe('2031-06-01')
})

test('what an operator enters goes before all else, and leaves with the entry', () => {
  const checked = '2026-11-29'
  useEnteredLaw([
    { key: 'due.vat', from: '2026-12-01', to: '2026-12-31', value: '2027-01-28', source: 'x', checked },
    {
      key: 'due.exemptStatement',
      from: '2026-01-01',
      to: '2026-12-31',
      value: '2027-03-31',
      source: 'x',
      checked,
    },
  ])
  expect(dueOfPeriod('vat', '2026-12-31')).toEqual({ day: '2027-01-28', basis: 'entered' })
  // A period that began earlier is named by its last month.
  expect(dueOfPeriod('vat', '2026-11-30').day).toBe('2026-12-15')
  expect(dueOfPeriod('advances', '2026-12-31').day).toBe('2027-01-18')
  expect(dueOfYear('exemptStatement', 2026).day).toBe('2027-03-31')
  useEnteredLaw([])
  expect(dueOfPeriod('vat', '2026-12-31').day).toBe('2027-01-18')
})
