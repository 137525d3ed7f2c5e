import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { israelZone } from '../../../../tests/ical.ts'
import { readBusy } from './server/readBusy.ts'

const window = { from: '2031-03-01T22:00:00.000Z', to: '2031-12-31T22:00:00.000Z' }
const bytesOf = (lines: string[]) =>
  Buffer.from(['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n'))
const read = (...lines: string[]) => readBusy({ bytes: bytesOf(lines), ...window })
const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:1@elsewhere', ...lines, 'END:VEVENT']
const zone = israelZone.split('\n')

describe('when somebody is busy', () => {
  test.each<[string, string[], [string, string][]]>([
    [
      'an hour in the zone of Jerusalem',
      event('DTSTART;TZID=Asia/Jerusalem:20310601T090000', 'DTEND;TZID=Asia/Jerusalem:20310601T100000'),
      [['2031-06-01T06:00', '2031-06-01T07:00']],
    ],
    [
      'the zone as Outlook names it, and a duration',
      event('DTSTART;TZID=Israel Standard Time:20310601T090000', 'DURATION:PT1H30M'),
      [['2031-06-01T06:00', '2031-06-01T07:30']],
    ],
    [
      'an hour of no zone is of Jerusalem',
      event('DTSTART:20310601T090000', 'DTEND:20310601T100000'),
      [['2031-06-01T06:00', '2031-06-01T07:00']],
    ],
    [
      'an hour of no zone is of the calendar’s own',
      ['X-WR-TIMEZONE:Europe/Paris', ...event('DTSTART:20310601T090000', 'DTEND:20310601T100000')],
      [['2031-06-01T07:00', '2031-06-01T08:00']],
    ],
    [
      'whole days are days in Jerusalem, also where clocks change',
      event('DTSTART;VALUE=DATE:20310328', 'DTEND;VALUE=DATE:20310329'),
      [['2031-03-27T22:00', '2031-03-28T21:00']],
    ],
    [
      'what is shown as free',
      event('DTSTART:20310601T090000Z', 'DTEND:20310601T100000Z', 'TRANSP:TRANSPARENT'),
      [],
    ],
    [
      'what Outlook shows as free',
      event('DTSTART:20310601T090000Z', 'DTEND:20310601T100000Z', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE'),
      [],
    ],
    [
      'what was cancelled',
      event('DTSTART:20310601T090000Z', 'DTEND:20310601T100000Z', 'STATUS:CANCELLED'),
      [],
    ],
    [
      'our own classes, read back',
      ['BEGIN:VEVENT', 'UID:7@pinkas', 'DTSTART:20310601T090000Z', 'DTEND:20310601T100000Z', 'END:VEVENT'],
      [],
    ],
    ['a moment takes no time', event('DTSTART:20310601T090000Z'), []],
    [
      'what has begun before and goes on',
      event('DTSTART:20310101T000000Z', 'DTEND:20310310T000000Z'),
      [['2031-03-01T22:00', '2031-03-10T00:00']],
    ],
    [
      'days named one by one',
      event('DTSTART:20310601T090000Z', 'DTEND:20310601T100000Z', 'RDATE:20310603T090000Z,20310605T110000Z'),
      [
        ['2031-06-01T09:00', '2031-06-01T10:00'],
        ['2031-06-03T09:00', '2031-06-03T10:00'],
        ['2031-06-05T11:00', '2031-06-05T12:00'],
      ],
    ],
    [
      'one of a series moved and one cancelled',
      [
        ...event(
          'DTSTART:20310601T090000Z',
          'DTEND:20310601T100000Z',
          'RRULE:FREQ=DAILY;COUNT=3',
          'EXDATE:20310602T090000Z',
        ),
        ...event('RECURRENCE-ID:20310603T090000Z', 'DTSTART:20310610T120000Z', 'DTEND:20310610T130000Z'),
      ],
      [
        ['2031-06-01T09:00', '2031-06-01T10:00'],
        ['2031-06-10T12:00', '2031-06-10T13:00'],
      ],
    ],
    [
      'busy times as servers tell them',
      [
        'BEGIN:VFREEBUSY',
        'UID:f',
        'FREEBUSY;FBTYPE=BUSY:20310602T080000Z/20310602T090000Z,20310603T080000Z/PT1H',
        'FREEBUSY;FBTYPE=FREE:20310604T080000Z/PT1H',
        'END:VFREEBUSY',
      ],
      [
        ['2031-06-02T08:00', '2031-06-02T09:00'],
        ['2031-06-03T08:00', '2031-06-03T09:00'],
      ],
    ],
    [
      'what lies over each other is one',
      [
        ...event('DTSTART:20310601T090000Z', 'DTEND:20310601T110000Z'),
        'BEGIN:VEVENT',
        'UID:2',
        'DTSTART:20310601T100000Z',
        'DTEND:20310601T120000Z',
        'END:VEVENT',
      ],
      [['2031-06-01T09:00', '2031-06-01T12:00']],
    ],
    [
      'an alarm inside says nothing of when',
      event(
        'DTSTART:20310601T090000Z',
        'DTEND:20310601T100000Z',
        'BEGIN:VALARM',
        'TRIGGER:-PT15M',
        'DURATION:PT5H',
        'END:VALARM',
      ),
      [['2031-06-01T09:00', '2031-06-01T10:00']],
    ],
    [
      'a folded line',
      event('DTSTART;TZID=Asia/', ' Jerusalem:20310601T090000', 'DTEND;TZID=Asia/Jerusalem:20310601T100000'),
      [['2031-06-01T06:00', '2031-06-01T07:00']],
    ],
  ])('%s', (_, lines, spans) => {
    expect(read(...lines)).toEqual({
      spans: spans.map((span) => span.map((at) => `${at}:00.000Z`)),
      skipped: 0,
    })
  })

  test('random calendars are what another library makes of them, through both nights on which clocks change', () => {
    let state = 7
    const random = (below: number) => {
      state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0
      return Math.abs(state ^ (state >>> 13)) % below
    }
    const two = (n: number) => String(n).padStart(2, '0')
    for (let round = 0; round < 150; round++) {
      const events = Array.from({ length: 1 + random(4) }, (_, n) => {
        const day = `2031${two(2 + random(9))}${two(1 + random(28))}`
        const start = `${day}T${two(4 + random(18))}${two(random(4) * 15)}00`
        const days = [...new Set([random(7), random(7)])].map(
          (one) => ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'][one],
        )
        const rule = [
          `FREQ=DAILY;INTERVAL=${1 + random(5)}`,
          `FREQ=WEEKLY;INTERVAL=${1 + random(3)};BYDAY=${days.join(',')};WKST=SU`,
          `FREQ=MONTHLY;BYMONTHDAY=${1 + random(31)}`,
          `FREQ=MONTHLY;BYDAY=${random(2) ? -1 : 1 + random(4)}${days[0]}`,
          'FREQ=YEARLY',
        ][random(5)]!
        const end = random(2) ? `;COUNT=${1 + random(40)}` : `;UNTIL=2031${two(6 + random(6))}15T000000Z`
        return [
          'BEGIN:VEVENT',
          `UID:${n}@elsewhere`,
          `DTSTART;TZID=Asia/Jerusalem:${start}`,
          `DURATION:PT${15 * (1 + random(20))}M`,
          ...(random(4) ? [`RRULE:${rule}${end}`] : []),
          ...(random(3) ? [] : [`EXDATE;TZID=Asia/Jerusalem:${start}`]),
          'END:VEVENT',
        ]
      })
      const text = bytesOf([...zone, ...events.flat()])
      const calendar = new ICAL.Component(ICAL.parse(text.toString()) as never)
      ICAL.TimezoneService.register(new ICAL.Timezone(calendar.getFirstSubcomponent('vtimezone')!) as never)
      const found: [number, number][] = []
      for (const one of calendar.getAllSubcomponents('vevent').map((sub) => new ICAL.Event(sub))) {
        if (!one.isRecurring()) {
          found.push([one.startDate.toJSDate().getTime(), one.endDate.toJSDate().getTime()])
          continue
        }
        const steps = one.iterator()
        for (let next = steps.next(); next && next.toString() < '2032'; next = steps.next()) {
          const { startDate, endDate } = one.getOccurrenceDetails(next)
          found.push([startDate.toJSDate().getTime(), endDate.toJSDate().getTime()])
        }
      }
      // Minute by minute rather than by merging: what is busy is busy.
      const busy = (spans: readonly (readonly [number, number])[]) => {
        const quarters = new Set<number>()
        for (const [from, to] of spans)
          for (
            let at = Math.max(from, Date.parse(window.from));
            at < Math.min(to, Date.parse(window.to));
            at += 900_000
          )
            quarters.add(at / 900_000)
        return [...quarters].toSorted((a, b) => a - b)
      }
      const told = readBusy({ bytes: text, ...window }).spans.map(
        ([from, to]) => [Date.parse(from), Date.parse(to)] as const,
      )
      // A first day that is excluded although nothing repeats is read in two ways: the other library leaves
      // it in.
      if (
        events.some(
          (one) =>
            !one.some((line) => line.startsWith('RRULE')) && one.some((line) => line.startsWith('EXDATE')),
        )
      )
        continue
      expect(busy(told), text.toString()).toEqual(busy(found))
    }
  })
})

describe('files made to harm', () => {
  test.each<[string, () => Buffer, string]>([
    ['no calendar', () => Buffer.from('<html>sign in</html>'), 'outsideCalendars.notCalendar'],
    ['nothing', () => Buffer.from(''), 'outsideCalendars.notCalendar'],
    [
      'events by the hundred thousand',
      () =>
        bytesOf(Array.from({ length: 100_000 }, (_, n) => ['BEGIN:VEVENT', `UID:${n}`, 'END:VEVENT']).flat()),
      'outsideCalendars.tooMany',
    ],
    [
      'rules by the ten thousand',
      () =>
        bytesOf(
          Array.from({ length: 10_000 }, (_, n) => [
            'BEGIN:VEVENT',
            `UID:${n}`,
            'DTSTART:20310601T090000Z',
            'RRULE:FREQ=DAILY',
            'END:VEVENT',
          ]).flat(),
        ),
      'outsideCalendars.tooMany',
    ],
    [
      'more times than a year holds',
      () =>
        bytesOf(
          Array.from({ length: 6000 }, (_, n) => [
            'BEGIN:VEVENT',
            `UID:${n}`,
            `DTSTART:${new Date(Date.UTC(2031, 3, 1) + n * 3_600_000).toISOString().replace(/[-:]|\.000/g, '')}`,
            'DURATION:PT5M',
            'END:VEVENT',
          ]).flat(),
        ),
      'outsideCalendars.tooMany',
    ],
  ])('%s is refused with words', (_, file, code) => {
    expect(() => readBusy({ bytes: file(), ...window })).toThrow(expect.objectContaining({ code }))
  })

  test.each<[string, string[], number]>([
    ['each second', event('DTSTART:20310601T090000Z', 'DURATION:PT1M', 'RRULE:FREQ=SECONDLY'), 1],
    [
      'each second of a day',
      event('DTSTART:20310601T090000Z', 'RRULE:FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=1,2;BYSECOND=1,2,3'),
      1,
    ],
    [
      'a day that never comes',
      event('DTSTART:20310601T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'),
      0,
    ],
    [
      'a name that is a prototype',
      ['BEGIN:VEVENT', 'UID:__proto__', 'DTSTART:20310601T090000Z', 'DTEND:20310601T100000Z', 'END:VEVENT'],
      0,
    ],
    ['a rule that is none', event('DTSTART:20310601T090000Z', 'RRULE:FREQ=SOMETIMES;COUNT=x'), -1],
    ['an end before the beginning', event('DTSTART:20310601T090000Z', 'DTEND:20300601T100000Z'), 0],
    ['events inside events', Array.from({ length: 2000 }, () => 'BEGIN:VEVENT'), 0],
    [
      'a zone that is none',
      event('DTSTART;TZID=Nowhere/Land:20310601T090000', 'DTEND;TZID=Nowhere/Land:20310601T100000'),
      -1,
    ],
  ])('%s is passed over, or read, and harms nobody', (_, lines, skipped) => {
    const began = performance.now()
    let found: { skipped: number } | undefined
    try {
      found = read(...lines)
    } catch (e) {
      expect((e as { code: string }).code).toMatch(/^outsideCalendars\./)
    }
    if (skipped >= 0 && found) expect(found.skipped).toBe(skipped)
    expect(performance.now() - began).toBeLessThan(5000)
  })
})
