import ICAL from 'ical.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { offeredUntil } from '#domain/calendar/rules.ts'
import { addDays, dayInJerusalem, weekday } from '#domain/day.ts'
import * as passCalls from '#features/calendar/passes/endpoints.ts'
import { expire } from '#features/calendar/passes/server/index.ts'
import * as timetable from '#features/calendar/timetable/endpoints.ts'
import { makeAhead } from '#features/calendar/timetable/server/index.ts'
import { israelZone } from '../../../../tests/ical.ts'
import { callAs, newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'
import { lapse, settleHeld } from './server/index.ts'

/*
 * Random lives of a small studio, by two processes over one database, beside a model that knows nothing of
 * tables: seats, queues, passes and fees by plain lists, and the calendar by what a library makes of the same
 * rules (RFC 5545), through both nights on which clocks change. CLASSLIVES=2000 lives more of them, from SEED
 * on.
 */
const lives = Number(process.env.CLASSLIVES ?? 3)
const firstSeed = Number(process.env.SEED ?? 1)

let now = new Date()
let worlds: World[]
beforeAll(async () => {
  worlds = [await startWorld(() => now), await startWorld(() => now)]
})
afterAll(async () => {
  for (const world of worlds) await world.close()
})

interface Pass {
  id: string
  people: string[]
  visits: number | null
  from: string
  to: string
  frozen: [string, string][]
  nth: number
  isEnded: boolean
}
interface Booking {
  id: string
  classId: string
  who: string
  state: string
  pass: Pass | undefined
  price: number
  fee: number
  until: Date | null
  nth: number
}
interface Class {
  id: string
  starts: Date
  ends: Date
  day: string
  seats: number
  isCancelled: boolean
  isHeld: boolean
}

const hour = 3_600_000
const takes = ['booked', 'offered', 'held', 'came', 'missed']
const [cancelHours, lateFee, noShowFee, price] = [12, 2000, 3000, 6000]
const freezeDays = 10

/** A stretch of a series that had one hour, as an event with its exceptions. */
interface Stretch {
  rrule: string
  first: string
  at: string
  minutes: number
  /** Days that were cancelled; days that are elsewhere. */
  gone: Set<string>
  moved: Map<string, { day: string; at: string; minutes: number }>
}

const wall = (day: string, at: string) => `${day.replaceAll('-', '')}T${at.replace(':', '')}00`

/** The beginnings and ends of all stretches up to a day, by ical.js. */
function expanded(stretches: readonly Stretch[], until: string): string[] {
  const text = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    israelZone,
    ...stretches.flatMap((one, n) => {
      const event = (more: string[], day: string, at: string, minutes: number) => [
        'BEGIN:VEVENT',
        `UID:${n}`,
        ...more,
        `DTSTART;TZID=Asia/Jerusalem:${wall(day, at)}`,
        `DURATION:PT${minutes}M`,
        'END:VEVENT',
      ]
      return [
        ...event(
          [
            `RRULE:${one.rrule}`,
            ...[...one.gone].map((day) => `EXDATE;TZID=Asia/Jerusalem:${wall(day, one.at)}`),
          ],
          one.first,
          one.at,
          one.minutes,
        ),
        ...[...one.moved].flatMap(([day, to]) =>
          event([`RECURRENCE-ID;TZID=Asia/Jerusalem:${wall(day, one.at)}`], to.day, to.at, to.minutes),
        ),
      ]
    }),
    'END:VCALENDAR',
  ].join('\r\n')
  const calendar = new ICAL.Component(ICAL.parse(text) as never)
  const timezone = new ICAL.Timezone(calendar.getFirstSubcomponent('vtimezone')!)
  ICAL.TimezoneService.register(timezone as never)
  const found: string[] = []
  const all = calendar.getAllSubcomponents('vevent').map((one) => new ICAL.Event(one))
  for (const main of all.filter((one) => !one.isRecurrenceException())) {
    for (const exception of all.filter((one) => one.isRecurrenceException() && one.uid === main.uid))
      main.relateException(exception)
    const steps = main.iterator()
    for (let next = steps.next(); next && next.toString().slice(0, 10) <= until; next = steps.next()) {
      const { startDate, endDate } = main.getOccurrenceDetails(next)
      found.push(`${startDate.toJSDate().toISOString()} ${endDate.toJSDate().toISOString()}`)
    }
  }
  return found.toSorted()
}

describe.each(Array.from({ length: lives }, (_, i) => firstSeed + i))('life %i', (seed) => {
  test('seats, queues, passes and the calendar are what a model says', { timeout: 120_000 }, async () => {
    let state = seed * 2_654_435_761
    const random = (below: number) => {
      state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0
      return Math.abs(state ^ (state >>> 13)) % below
    }
    const pick = <T>(of: readonly T[]): T | undefined => of[random(of.length || 1)]
    now = new Date(
      `${['2031-03-12', '2031-10-12', '2032-03-10', '2030-06-01'][random(4)]}T0${random(9)}:30:00Z`,
    )
    const today = () => dayInJerusalem(now)
    const studio: Business = await newBusiness(worlds[0]!)
    // Each call by one process or the other.
    const call: Business['call'] = (endpoint, input) =>
      callAs(worlds[random(2)]!, endpoint, input, { token: studio.token })
    const refused = (code: string) => ({ code })

    const kind = await studio.send('POST', '/api4/invoice/classKinds', {
      name: 'יוגה',
      minutes: 60,
      seats: 2,
      priceAgorot: price,
      cancelHours,
      lateFeeAgorot: lateFee,
      noShowFeeAgorot: noShowFee,
    })
    const passKinds = [
      await studio.send('POST', '/api4/invoice/passKinds', {
        name: 'כרטיסייה',
        visits: 3,
        days: 30,
        priceAgorot: 15000,
        freezeDays,
        people: 2,
      }),
      await studio.send('POST', '/api4/invoice/passKinds', {
        name: 'חודשי',
        days: 20,
        priceAgorot: 25000,
        freezeDays,
      }),
    ]
    const people: string[] = []
    for (const name of ['דנה', 'גיל', 'רות', 'עומר', 'תמר']) people.push((await studio.customer(name)).id)

    const classes = new Map<string, Class>()
    const bookings: Booking[] = []
    const passes: Pass[] = []
    let nth = 0

    // The calendar: one series of some rule, changed from a day on, with exceptions.
    const unit = pick(['day', 'week', 'week', 'month'] as const)!
    const every = 1 + random(3)
    const days = unit === 'week' ? [...new Set([random(7), random(7)])].toSorted() : []
    let first = addDays(today(), random(4))
    const times = random(3) ? null : 1 + random(12)
    const untilDay = times === null && random(3) === 0 ? addDays(first, 20 + random(60)) : null
    const at = () => `${String(5 + random(18)).padStart(2, '0')}:${pick(['00', '15', '30', '45'])}`
    const began = at()
    const { made } = await studio.call(timetable.createClass, {
      kindId: kind.id,
      day: first,
      at: began,
      trainerId: null,
      placeId: null,
      title: 'ויניאסה',
      repeat: { unit, every, days, untilDay, times },
      anyway: true,
    } as never)
    if (unit === 'week') while (!days.includes(weekday(first))) first = addDays(first, 1)
    const names = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
    const ruleOf = (end: string) =>
      `FREQ=${{ day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY' }[unit]};INTERVAL=${every}${unit === 'week' ? `;BYDAY=${days.map((day) => names[day]).join(',')};WKST=SU` : ''}${end}`
    const lastOf = (day: string) => `;UNTIL=${day.replaceAll('-', '')}T235959Z`
    const stretches: Stretch[] = [
      {
        rrule: ruleOf(times === null ? (untilDay ? lastOf(untilDay) : '') : `;COUNT=${times}`),
        first,
        at: began,
        minutes: 60,
        gone: new Set(),
        moved: new Map(),
      },
    ]
    let left = times
    let horizon = addDays(first > today() ? first : today(), 90)
    const ruleDays = new Map<string, string>()

    /**
     * What of the calendar is known to the model comes from the list; that the list is right is asked at the
     * end.
     */
    const look = async () => {
      for (let from = addDays(today(), -120); from <= addDays(today(), 100); from = addDays(from, 60)) {
        const { rows } = await call(timetable.listClasses, {
          from,
          to: addDays(from, 59),
          cancelled: 'true',
        } as never)
        for (const row of rows) {
          const known = classes.get(row.id)
          if (!known) ruleDays.set(row.id, row.day)
          const next: Class = {
            id: row.id,
            starts: new Date(row.startsAt),
            ends: new Date(row.endsAt),
            day: row.day,
            seats: row.seats,
            isCancelled: row.state === 'cancelled',
            isHeld: row.state === 'held',
          }
          if (known) {
            // Only what the model did to a class may have changed it.
            expect({ ...next, isHeld: known.isHeld }, 'a class').toEqual(known)
            known.isHeld = next.isHeld
          } else classes.set(row.id, next)
          expect(row.title).toBe('ויניאסה')
          expect(row.taken, 'seats that are taken').toBe(
            bookings.filter((one) => one.classId === row.id && takes.includes(one.state)).length,
          )
          expect(row.taken).toBeLessThanOrEqual(row.seats)
          expect(row.waiting).toBe(
            bookings.filter((one) => one.classId === row.id && one.state === 'waiting').length,
          )
        }
      }
    }
    await look()
    expect(classes.size).toBe(made)

    const lastDayOf = (pass: Pass) =>
      addDays(
        pass.to,
        pass.frozen.reduce(
          (sum, [from, to]) => sum + (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1,
          0,
        ),
      )
    const used = (pass: Pass) =>
      bookings.filter((one) => one.pass === pass && ['booked', 'came', 'missed', 'late'].includes(one.state))
        .length
    const leftIn = (pass: Pass) => (pass.visits === null ? Infinity : pass.visits - used(pass))
    const payFor = (who: string, day: string): Pass | undefined =>
      passes
        .filter(
          (one) =>
            !one.isEnded &&
            one.people.includes(who) &&
            one.from <= day &&
            day <= lastDayOf(one) &&
            !one.frozen.some(([from, to]) => from <= day && day <= to) &&
            leftIn(one) > 0,
        )
        .toSorted((a, b) =>
          lastDayOf(a) === lastDayOf(b)
            ? Number(a.visits === null) - Number(b.visits === null) || a.nth - b.nth
            : lastDayOf(a) < lastDayOf(b)
              ? -1
              : 1,
        )[0]
    const freeIn = (of: Class) =>
      of.seats - bookings.filter((one) => one.classId === of.id && takes.includes(one.state)).length
    const waitersOf = (of: Class) =>
      bookings
        .filter((one) => one.classId === of.id && one.state === 'waiting')
        .toSorted((a, b) => a.nth - b.nth)
    const offer = (of: Class) => {
      if (of.isCancelled || of.isHeld) return
      const until = offeredUntil(of.starts, now)
      for (const next of until ? waitersOf(of) : []) {
        if (freeIn(of) <= 0) return
        next.state = 'offered'
        next.until = until
      }
    }
    /** What the model says becomes of a wish to book; nothing is kept. */
    const wish = (who: string, of: Class, wait: boolean): 'booked' | 'waiting' | string => {
      if (of.isCancelled) return 'classes.isCancelled'
      if (of.ends <= now) return 'bookings.isOver'
      if (
        bookings.some(
          (one) => one.classId === of.id && one.who === who && !['cancelled', 'late'].includes(one.state),
        )
      )
        return 'bookings.twice'
      if (freeIn(of) > 0 && !(waitersOf(of).length && offeredUntil(of.starts, now))) return 'booked'
      return wait ? 'waiting' : 'bookings.full'
    }
    const keep = (id: string, who: string, of: Class, as: string) => {
      const pass = payFor(who, of.day)
      bookings.push({
        id,
        classId: of.id,
        who,
        state: as,
        pass,
        price: pass ? 0 : price,
        fee: 0,
        until: null,
        nth: nth++,
      })
    }
    const cancel = (one: Booking, waive: boolean) => {
      const of = classes.get(one.classId)!
      const isLate = now.getTime() > of.starts.getTime() - cancelHours * hour
      const late = isLate && !waive && one.state === 'booked'
      one.state = late ? 'late' : 'cancelled'
      one.fee = late ? lateFee : 0
      one.until = null
      offer(of)
    }
    const confirm = (one: Booking) => {
      const of = classes.get(one.classId)!
      one.pass = payFor(one.who, of.day)
      one.price = one.pass ? 0 : price
      one.state = 'booked'
      one.until = null
    }
    /**
     * A class has another beginning: no offer reaches into its last hour, and what is free there no more is
     * offered.
     */
    const moved = (of: Class) => {
      const last = of.starts.getTime() - hour
      for (const one of bookings)
        if (one.classId === of.id && one.until && one.until.getTime() > last) one.until = new Date(last)
      offer(of)
    }
    const ahead = () => [...classes.values()].filter((one) => one.starts > now && !one.isCancelled)
    /** Classes somebody cares for: the next few, so that they fill up. */
    const near = () =>
      ahead()
        .toSorted((a, b) => a.starts.getTime() - b.starts.getTime())
        .slice(0, 3)
    /** No seat is free beside somebody who waits for it, but in the last hour. */
    const nobodyForgotten = async () => {
      const { rows } = await worlds[0]!.app.db.pool.query(
        `select c.starts_at, c.seats from classes c where c.company_id = (select company_id from class_kinds where id = $1) and c.state = 'planned' and c.starts_at > $2::timestamptz + interval '1 hour'
          and exists (select 1 from class_bookings b where b.company_id = c.company_id and b.class_id = c.id and b.state = 'waiting')
          and exists (select 1 from class_seats s where s.company_id = c.company_id and s.class_id = c.id and s.booking_id is null)`,
        [kind.id, now.toISOString()],
      )
      expect(rows, 'seats nobody was offered').toEqual([])
    }
    const versionOf = async (id: string) => (await call(timetable.getClass, { id })).version

    for (let step = 0; step < 36; step++) {
      await nobodyForgotten()
      switch (random(14)) {
        case 0: {
          const who = pick(people)!
          const n = random(2)
          const from = addDays(today(), random(3))
          const other = n === 0 && random(2) ? people.find((one) => one !== who)! : undefined
          const { id } = await call(passCalls.sellPass, {
            kindId: passKinds[n]!.id,
            customerId: who,
            fromDay: from,
            people: other ? [other] : [],
          } as never)
          passes.push({
            id,
            people: [who, ...(other ? [other] : [])],
            visits: n ? null : 3,
            from,
            to: addDays(from, n ? 19 : 29),
            frozen: [],
            nth: nth++,
            isEnded: false,
          })
          break
        }
        case 1:
        case 2:
        case 3: {
          const of = random(8) ? pick(near()) : pick([...classes.values()])
          if (!of) break
          const [who, wait] = [pick(people)!, random(3) > 0]
          const becomes = wish(who, of, wait)
          const deed = call(calls.makeBooking, { classId: of.id, customerId: who, wait } as never)
          if (becomes === 'booked' || becomes === 'waiting') {
            const view = await deed
            expect(view.state).toBe(becomes)
            keep(view.id, who, of, becomes)
          } else await expect(deed).rejects.toMatchObject(refused(becomes))
          break
        }
        case 4: {
          // All at once, by both processes, each twice: as many as there are seats, each once.
          const of = pick(near())
          if (!of) break
          const waits = random(2) > 0
          const free = waitersOf(of).length && offeredUntil(of.starts, now) ? 0 : freeIn(of)
          const may = people.filter(
            (who) => !['bookings.twice', 'bookings.isOver'].includes(wish(who, of, true)),
          )
          const answers = await Promise.allSettled(
            [...people, ...people].map((who, n) =>
              callAs(
                worlds[n % 2]!,
                calls.makeBooking,
                { classId: of.id, customerId: who, wait: waits } as never,
                {
                  token: studio.token,
                },
              ).then((view) => ({
                who,
                view,
              })),
            ),
          )
          const won = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
          const seated = won.filter(({ view }) => view.state === 'booked')
          expect(seated).toHaveLength(Math.min(free, may.length))
          expect(won).toHaveLength(waits ? may.length : seated.length)
          for (const one of answers)
            if (one.status === 'rejected')
              expect((one.reason as { code: string }).code).toMatch(/^bookings\.(twice|full|isOver)$/)
          const { people: queue } = await call(calls.classPeople, { id: of.id })
          const order = (id: string) => queue.findIndex((one) => one.id === id)
          // Somebody with a family's pass may have come before the other: the database says by what each
          // paid, and the model says how often.
          for (const { who, view } of [
            ...seated,
            ...won
              .filter(({ view }) => view.state === 'waiting')
              .toSorted((a, b) => order(a.view.id) - order(b.view.id)),
          ]) {
            keep(view.id, who, of, view.state)
            const one = bookings.at(-1)!
            if (view.state === 'booked') {
              const may = passes.filter((pass) => pass.people.includes(who))
              if (view.pays !== 'pass') one.pass = undefined
              else one.pass ??= may[0]
              one.price = view.pays === 'pass' ? 0 : price
            }
          }
          break
        }
        case 5: {
          const one = pick(bookings.filter((b) => !['cancelled', 'late'].includes(b.state)))
          if (!one) break
          const waive = random(4) === 0
          const deed = () => call(calls.cancelBooking, { id: one.id, waive })
          if (['came', 'missed'].includes(one.state))
            await expect(deed()).rejects.toMatchObject(refused('bookings.kept'))
          else {
            cancel(one, waive)
            const answers = await Promise.all([deed(), deed()])
            for (const view of answers) expect([view.state, view.feeAgorot]).toEqual([one.state, one.fee])
          }
          break
        }
        case 6: {
          const one = pick(bookings.filter((b) => ['offered', 'waiting'].includes(b.state)))
          if (!one) break
          const of = classes.get(one.classId)!
          const deed = () => call(calls.confirmBooking, { id: one.id })
          const inLastHour = offeredUntil(of.starts, now) === null
          if (of.isCancelled) await expect(deed()).rejects.toMatchObject(refused('classes.isCancelled'))
          else if (one.state === 'waiting' && !inLastHour)
            await expect(deed()).rejects.toMatchObject(refused('bookings.notOffered'))
          else if (one.state === 'waiting' && freeIn(of) <= 0)
            await expect(deed()).rejects.toMatchObject(refused('bookings.full'))
          else {
            confirm(one)
            const answers = await Promise.all([deed(), deed()])
            for (const view of answers) expect(view.state).toBe('booked')
          }
          break
        }
        case 7: {
          const one = pick(bookings.filter((b) => ['booked', 'came', 'missed'].includes(b.state)))
          if (!one) break
          const to = pick(['came', 'missed', 'booked'] as const)!
          const of = classes.get(one.classId)!
          const deed = () => call(calls.markBooking, { id: one.id, state: to } as never)
          if (to === 'missed' && one.state !== 'missed' && of.starts > now)
            await expect(deed()).rejects.toMatchObject(refused('bookings.kept'))
          else {
            one.state = to
            one.fee = to === 'missed' ? noShowFee : 0
            const answers = await Promise.all([deed(), deed()])
            for (const view of answers) expect([view.state, view.feeAgorot]).toEqual([to, one.fee])
          }
          break
        }
        case 8: {
          const pass = pick(passes.filter((one) => !one.isEnded))
          if (!pass) break
          const from = addDays(today(), random(12))
          const to = addDays(from, random(6))
          const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
          const had = pass.frozen.reduce(
            (sum, [a, b]) => sum + (Date.parse(b) - Date.parse(a)) / 86_400_000 + 1,
            0,
          )
          const visits = bookings.filter(
            (one) => one.pass === pass && ['booked', 'came', 'missed'].includes(one.state),
          )
          const isFine =
            from >= pass.from &&
            had + days <= freezeDays &&
            !pass.frozen.some(([a, b]) => a <= to && b >= from) &&
            !visits.some(
              (one) => classes.get(one.classId)!.day >= from && classes.get(one.classId)!.day <= to,
            )
          const deed = call(passCalls.freezePass, { id: pass.id, fromDay: from, toDay: to })
          if (isFine) {
            await deed
            pass.frozen.push([from, to])
          } else await expect(deed).rejects.toMatchObject({ status: 422 })
          break
        }
        case 9: {
          // One of the series is moved separately.
          const of = pick(
            ahead().filter((one) => stretches.at(-1)!.at && ruleDays.get(one.id)! >= stretches.at(-1)!.first),
          )
          if (!of) break
          const [day, hourOf, minutes] = [addDays(of.day, random(5) - 1), at(), 30 + 15 * random(5)]
          const row = await call(timetable.moveClass, {
            id: of.id,
            version: await versionOf(of.id),
            day,
            at: hourOf,
            minutes,
            anyway: true,
          } as never)
          stretches.at(-1)!.moved.set(ruleDays.get(of.id)!, { day, at: hourOf, minutes })
          Object.assign(of, { day, starts: new Date(row.startsAt), ends: new Date(row.endsAt) })
          expect((of.ends.getTime() - of.starts.getTime()) / 60_000).toBe(minutes)
          moved(of)
          break
        }
        case 10: {
          const of = pick(random(3) ? near() : ahead())
          if (!of || random(2)) break
          const { cancelled } = await call(timetable.cancelClass, {
            id: of.id,
            version: await versionOf(of.id),
            reason: '',
          } as never)
          expect(cancelled).toBe(1)
          of.isCancelled = true
          for (const one of bookings.filter(
            (b) => b.classId === of.id && !['cancelled', 'late'].includes(b.state),
          ))
            Object.assign(one, { state: 'cancelled', fee: 0, price: 0, until: null })
          const stretch = stretches.findLast((one) => one.first <= ruleDays.get(of.id)!)!
          stretch.moved.delete(ruleDays.get(of.id)!)
          stretch.gone.add(ruleDays.get(of.id)!)
          break
        }
        case 11: {
          // All from one on begin at another hour; what was moved separately stays where it is.
          const whole = stretches.at(-1)!
          const of = pick(
            ahead().filter(
              (one) => ruleDays.get(one.id)! > whole.first && !whole.moved.has(ruleDays.get(one.id)!),
            ),
          )
          if (!of || random(2)) break
          const [from, hourOf] = [ruleDays.get(of.id)!, at()]
          const minutes = whole.minutes
          await call(timetable.changeClass, {
            id: of.id,
            version: await versionOf(of.id),
            following: true,
            at: hourOf,
            minutes,
            anyway: true,
          } as never)
          const before = expandedDays(whole, from)
          stretches.push({
            rrule: ruleOf(left === null ? (untilDay ? lastOf(untilDay) : '') : `;COUNT=${left - before}`),
            first: from,
            at: hourOf,
            minutes,
            gone: new Set([...whole.gone].filter((day) => day >= from)),
            moved: new Map([...whole.moved].filter(([day]) => day >= from)),
          })
          if (left !== null) left -= before
          whole.rrule = ruleOf(lastOf(addDays(from, -1)))
          whole.gone = new Set([...whole.gone].filter((day) => day < from))
          whole.moved = new Map([...whole.moved].filter(([day]) => day < from))
          for (const { rows } of [
            await call(timetable.listClasses, { from, to: addDays(from, 61) } as never),
            await call(timetable.listClasses, { from: addDays(from, 62), to: addDays(from, 120) } as never),
          ])
            for (const row of rows) {
              const known = classes.get(row.id)!
              if (ruleDays.get(row.id)! < from || stretches.at(-1)!.moved.has(ruleDays.get(row.id)!)) continue
              expect(row.at).toBe(hourOf)
              Object.assign(known, { starts: new Date(row.startsAt), ends: new Date(row.endsAt) })
              moved(known)
            }
          break
        }
        case 12: {
          const of = pick(near())
          if (!of) break
          const seats = 1 + random(4)
          const taken = of.seats - freeIn(of)
          const deed = call(timetable.changeClass, {
            id: of.id,
            version: await versionOf(of.id),
            seats,
          } as never)
          if (seats < taken) await expect(deed).rejects.toMatchObject(refused('classes.seatsTaken'))
          else {
            await deed
            if (!stretches.some((one) => one.moved.has(ruleDays.get(of.id)!))) {
              // It is separate from now on: a change of the whole series skips it.
              const stretch = stretches.findLast((one) => one.first <= ruleDays.get(of.id)!)!
              stretch.moved.set(ruleDays.get(of.id)!, {
                day: of.day,
                at: stretch.at,
                minutes: stretch.minutes,
              })
            }
            of.seats = seats
            offer(of)
          }
          break
        }
        default: {
          // Time goes on, and what works behind does its round.
          now = new Date(now.getTime() + [20 / 60, 2, 9, 30, 100][random(5)]! * hour)
          const until = addDays(today(), 90)
          if (until > horizon) horizon = until
          await Promise.all(worlds.map(({ app }) => makeAhead(app)))
          await look()
          for (const one of bookings
            .filter((b) => b.state === 'offered' && b.until! < now)
            .toSorted((a, b) => a.until!.getTime() - b.until!.getTime() || a.nth - b.nth))
            cancel(one, true)
          await Promise.all(worlds.map(({ app }) => lapse(app)))
          await settleHeld(worlds[0]!.app)
          for (const of of classes.values()) if (!of.isCancelled && of.ends < now) of.isHeld = true
          await expire(worlds[1]!.app, today())
          for (const one of passes) if (!one.isEnded && lastDayOf(one) < today()) one.isEnded = true
        }
      }
    }

    await look()
    // Every booking is what the model says, and every visit is paid once.
    for (const of of classes.values()) {
      const { people: those, gone } = await call(calls.classPeople, { id: of.id })
      const own = bookings.filter((one) => one.classId === of.id)
      expect([...those, ...gone]).toHaveLength(own.length)
      for (const view of [...those, ...gone]) {
        const one = own.find(({ id }) => id === view.id)!
        expect(
          [
            view.state,
            view.feeAgorot,
            view.pays === 'pass',
            view.untilAt && new Date(view.untilAt).getTime(),
          ],
          `${one.nth}`,
        ).toEqual([one.state, one.fee, one.pass !== undefined, one.until && one.until.getTime()])
        if (one.state !== 'cancelled') expect(view.priceAgorot).toBe(one.price)
      }
    }
    const { rows: moves } = (await worlds[0]!.app.db.pool.query(
      `select b.id, b.state, b.pays, count(m.*) filter (where m.why = 'used')::int as used, count(m.*) filter (where m.why = 'returned')::int as back
       from class_bookings b left join pass_moves m on m.company_id = b.company_id and m.booking_id = b.id and m.pass_id = b.pass_id
       where b.company_id = (select company_id from class_kinds where id = $1) group by 1, 2, 3`,
      [kind.id],
    )) as { rows: { state: string; pays: string; used: number; back: number }[] }
    for (const one of moves) {
      const isUsed = one.pays === 'pass' && ['booked', 'came', 'missed', 'late'].includes(one.state)
      expect(one.used - one.back, JSON.stringify(one)).toBe(isUsed ? 1 : 0)
      expect([one.used <= 1, one.back <= one.used]).toEqual([true, true])
    }
    const { rows: views } = await call(passCalls.listPasses, {})
    const total = (of: readonly { left: number | null }[]) =>
      of.reduce((sum, one) => sum + (one.left ?? 0), 0)
    for (const view of views) expect(view.left === null || view.left >= 0, 'below nothing').toBe(true)
    const running = passes.filter((one) => !one.isEnded && one.visits !== null)
    expect(total(views.filter(({ id }) => running.some((one) => one.id === id)))).toBe(
      running.reduce((sum, one) => sum + leftIn(one), 0),
    )

    // The calendar, as the feed tells it to other calendars, is what a library makes of the rules.
    const wanted = expanded(stretches, horizon)
    const { url } = await call(timetable.makeFeed, { trainerId: null, placeId: null })
    const feed = await worlds[1]!.http.inject({ method: 'GET', url: new URL(url).pathname })
    const told = new ICAL.Component(ICAL.parse(feed.body) as never)
      .getAllSubcomponents('vevent')
      .map((one) => new ICAL.Event(one))
      .filter((one) => one.component.getFirstPropertyValue('status') !== 'CANCELLED')
      .map((one) => `${one.startDate.toJSDate().toISOString()} ${one.endDate.toJSDate().toISOString()}`)
    const recent = (moment: string) => dayInJerusalem(new Date(moment.slice(0, 24))) > addDays(today(), -60)
    expect(told.toSorted()).toEqual(wanted.filter(recent))
  })
})

/** On how many days of a stretch its rule falls before a day. */
function expandedDays(of: Stretch, before: string): number {
  const steps = ICAL.Recur.fromString(of.rrule).iterator(ICAL.Time.fromDateString(of.first))
  let count = 0
  for (let next = steps.next(); next && next.toString().slice(0, 10) < before; next = steps.next()) count++
  return count
}
