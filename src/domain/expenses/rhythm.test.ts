import { describe, expect, test } from 'vitest'
import { awaitedDays, billByRhythm } from './rhythm.ts'

const of = (...days: string[]) => days.map((day, n) => ({ day, totalAgorot: 1000 + n }))

describe('a bill that a supplier’s rhythm lets one expect', () => {
  test.each([
    ['every month', of('2031-02-05', '2031-03-05', '2031-04-07'), '2031-05-07'],
    ['every month, in any order', of('2031-04-07', '2031-02-05', '2031-03-05'), '2031-05-07'],
    [
      'several in one month are one time',
      of('2031-02-05', '2031-02-25', '2031-03-05', '2031-04-07', '2031-04-09'),
      '2031-05-09',
    ],
    ['every second month', of('2030-11-20', '2031-01-20', '2031-03-31'), '2031-05-31'],
    ['every quarter', of('2030-08-15', '2030-11-15', '2031-02-15'), '2031-05-15'],
    ['monthly since lately', of('2030-06-01', '2031-02-01', '2031-03-01', '2031-04-01'), '2031-05-01'],
    [
      'what came afterwards says nothing',
      of('2031-02-05', '2031-03-05', '2031-04-05', '2031-06-05'),
      '2031-05-05',
    ],
  ])('%s', (_, bills, day) => {
    expect(billByRhythm(bills, '2031-05-01')?.day).toBe(day)
  })

  test('is of as much as the last was, and of a short month its last day', () => {
    expect(billByRhythm(of('2030-11-30', '2030-12-31', '2031-01-31'), '2031-02-01')).toEqual({
      day: '2031-02-28',
      totalAgorot: 1002,
    })
  })

  test.each([
    ['it came', of('2031-02-05', '2031-03-05', '2031-04-05', '2031-05-31')],
    ['twice is no rhythm', of('2031-03-05', '2031-04-05')],
    ['a month was left out', of('2031-01-05', '2031-02-05', '2031-04-05')],
    ['it is not its month', of('2030-12-20', '2031-02-20', '2031-04-20')],
    ['it ended', of('2031-01-05', '2031-02-05', '2031-03-05')],
    ['once a year', of('2028-05-05', '2029-05-05', '2030-05-05')],
    ['no bills', []],
  ])('is none: %s', (_, bills) => {
    expect(billByRhythm(bills, '2031-05-01')).toBeUndefined()
  })
})

test('the days of a bill that returns come back to the thirty-first', () => {
  expect(awaitedDays('2031-01-31', 1, '2031-04-29')).toEqual(['2031-01-31', '2031-02-28', '2031-03-31'])
  expect(awaitedDays('2031-01-10', 3, '2031-07-10')).toEqual(['2031-01-10', '2031-04-10', '2031-07-10'])
  expect(awaitedDays('2031-01-10', 1, '2031-01-09')).toEqual([])
})
