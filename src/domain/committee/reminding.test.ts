import { describe, expect, test } from 'vitest'
import { weekday } from '../day.ts'
import { letterDay, nextReminder, reminderRhythms } from './reminding.ts'

describe('when letters of a house go by themselves', () => {
  test.each([
    // Thursday, Friday, Saturday, Sunday.
    ['2031-06-12', '2031-06-12'],
    ['2031-06-13', '2031-06-15'],
    ['2031-06-14', '2031-06-15'],
    ['2031-06-15', '2031-06-15'],
  ])('%s goes on %s', (day, goes) => expect(letterDay(day)).toBe(goes))

  test.each([
    ['week', '2031-06-16', '2031-06-15', '2031-06-16'],
    ['week', '2031-06-16', '2031-06-16', '2031-06-23'],
    ['fortnight', '2031-06-16', '2031-06-16', '2031-06-30'],
    ['month', '2031-06-16', '2031-06-16', '2031-07-16'],
    // The 31st of a shorter month is its last day, and the 31st again in the next long one.
    ['month', '2031-01-31', '2031-02-02', '2031-03-02'],
    ['month', '2031-01-31', '2031-03-02', '2031-03-31'],
    // What fell on a Saturday and went on Sunday went: it does not go again.
    ['week', '2031-06-14', '2031-06-15', '2031-06-22'],
    // Long past days are passed over.
    ['week', '2021-06-14', '2031-06-15', '2031-06-16'],
  ] as const)('every %s from %s, after %s: %s', (every, from, after, next) =>
    expect(nextReminder(every, from, after)).toBe(next),
  )

  test('always later, never on a Friday or a Saturday', () => {
    for (const every of reminderRhythms)
      for (let after = '2031-01-01', n = 0; n < 60; n++) {
        const next = nextReminder(every, '2031-01-31', after)
        expect(next > after && weekday(next) < 5).toBe(true)
        after = next
      }
  })
})
