import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, addMonths } from '../day.ts'
import { readQuickTask, type QuickTask } from './quickEntry.ts'
import { nextDay } from './repeat.ts'

// A Wednesday.
const today = '2026-11-25'

describe('a task in one line', () => {
  const table: [string, QuickTask][] = [
    ['מחר ב-10 להתקשר לדנה', { title: 'להתקשר לדנה', day: '2026-11-26', time: '10:00' }],
    ['להתקשר לדנה מחר בשעה 9:30', { title: 'להתקשר לדנה', day: '2026-11-26', time: '09:30' }],
    ['call Dana tomorrow at 10', { title: 'call Dana', day: '2026-11-26', time: '10:00' }],
    ['call Dana at 3pm', { title: 'call Dana', day: today, time: '15:00' }],
    [
      'מחרתיים לשלוח הצעה @נועה דחוף',
      { title: 'לשלוח הצעה', day: '2026-11-27', owner: 'נועה', isUrgent: true },
    ],
    ['לשלם ארנונה ביום ראשון', { title: 'לשלם ארנונה', day: '2026-11-29' }],
    ['פגישה ביום רביעי', { title: 'פגישה', day: '2026-12-02' }],
    ["לבדוק מלאי יום ד'", { title: 'לבדוק מלאי', day: '2026-12-02' }],
    ['report next friday', { title: 'report', day: '2026-11-27' }],
    ['בעוד 3 ימים לבדוק', { title: 'לבדוק', day: '2026-11-28' }],
    ['check in 2 weeks', { title: 'check', day: '2026-12-09' }],
    ['לחדש ביטוח 15/1', { title: 'לחדש ביטוח', day: '2027-01-15' }],
    ['לחדש ביטוח עד 1.2.28', { title: 'לחדש ביטוח', day: '2028-02-01' }],
    ['כל חודש לשלוח דוח מע"מ', { title: 'לשלוח דוח מע"מ', day: today, repeat: 'month:1' }],
    [
      'כל יום ראשון ישיבת צוות ב-9',
      { title: 'ישיבת צוות', day: '2026-11-29', repeat: 'week:1', time: '09:00' },
    ],
    ['every monday standup', { title: 'standup', day: '2026-11-30', repeat: 'week:1' }],
    ['בשבוע הבא לסגור', { title: 'לסגור', day: '2026-11-29' }],
    // What is no such word stays in the title.
    ['לקנות 10 מקלדות', { title: 'לקנות 10 מקלדות' }],
    ['מחר', { title: 'מחר' }],
    ['מחרוזת חדשה', { title: 'מחרוזת חדשה' }],
    ['todays list', { title: 'todays list' }],
    ['at 99:99 nothing', { title: 'at 99:99 nothing' }],
    ['דנה @ב', { title: 'דנה @ב' }],
  ]
  test.each(table)('%s', (text, said) => expect(readQuickTask(text, today)).toEqual(said))

  test('never loses a line, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (text) => {
        const { title, day } = readQuickTask(text, today)
        expect(title.length).toBeLessThanOrEqual(300)
        if (text.trim()) expect(title).not.toBe('')
        if (day) expect(day >= '1900-01-01').toBe(true)
      }),
    )
  })
})

describe('the days of a rule', () => {
  test.each([
    ['day:1', today, today, '2026-11-26'],
    ['week:2', '2026-11-01', today, '2026-11-29'],
    // The 31st comes back after February.
    ['month:1', '2026-12-31', '2027-02-10', '2027-02-28'],
    ['month:1', '2026-12-31', '2027-02-28', '2027-03-31'],
    ['year:1', '2028-02-29', '2028-03-01', '2029-02-28'],
    // A Thursday is followed by Sunday.
    ['workday:1', '2026-11-26', '2026-11-26', '2026-11-29'],
  ])('%s from %s after %s', (rule, anchor, after, day) => expect(nextDay(rule, anchor, after)).toBe(day))

  test('the next one is after, on the grid, and none is skipped', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 2000 }), (every, days) => {
        const after = addDays('2026-01-31', days)
        const next = nextDay(`month:${every}`, '2026-01-31', after)
        expect(next > after).toBe(true)
        const grid = Array.from({ length: 200 }, (_, n) => addMonths('2026-01-31', n * every))
        expect(grid).toContain(next)
        expect(grid.some((day) => day > after && day < next)).toBe(false)
      }),
    )
  })
})
