import { expect, test } from 'vitest'
import { calendarFileOf } from './calendarFile.ts'

test('a booking is a calendar event with its time, place and escaped text', () => {
  const lines = calendarFileOf(
    {
      id: 'b1',
      name: 'Pilates; basics',
      startsAt: '2026-12-01T07:00:00.000Z',
      endsAt: '2026-12-01T08:00:00.000Z',
      place: 'Hall 1, Haifa',
    },
    'Studio',
  ).split('\r\n')
  expect(lines).toContain('DTSTART:20261201T070000Z')
  expect(lines).toContain('DTEND:20261201T080000Z')
  expect(lines).toContain('SUMMARY:Pilates\\; basics\\, Studio')
  expect(lines).toContain('LOCATION:Hall 1\\, Haifa')
})
