import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeDocument, getDocument, issueDocument } from '#features/sales/documents/endpoints.ts'
import * as bookings from '#features/calendar/bookings/endpoints.ts'
import { settleHeld } from '#features/calendar/bookings/server/index.ts'
import * as passes from '#features/calendar/passes/endpoints.ts'
import { expire } from '#features/calendar/passes/server/index.ts'
import * as timetable from '#features/calendar/timetable/endpoints.ts'
import { makeAhead } from '#features/calendar/timetable/server/index.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'

/*
 * A studio's year, played through and checked against plain arithmetic: what each trainer is paid, what passes,
 * single visits and fees brought in, who came, and that the books hold exactly what the documents say.
 * WEEKS_BETWEEN=1 plays every week of it.
 */
const every = Number(process.env.WEEKS_BETWEEN ?? 5)

let now = new Date('2031-01-04T08:00:00Z')
let world: World
let studio: Business
beforeAll(async () => {
  world = await startWorld(() => now)
  studio = await newBusiness(world)
})
afterAll(() => world.close())

const base = '/api4/invoice'
const vatOf = (gross: number) => Math.round((gross * 18) / 118)

test(
  'pay, income and attendance of a year are what an independent count says',
  { timeout: 180_000 },
  async () => {
    const kind = async (name: string, more: object) =>
      (await studio.send('POST', `${base}/classKinds`, {
        name,
        minutes: 60,
        seats: 6,
        priceAgorot: 6000,
        cancelHours: 12,
        lateFeeAgorot: 2000,
        noShowFeeAgorot: 2500,
        ...more,
      })) as { id: string }
    const [yoga, pilates] = [
      await kind('יוגה', {}),
      await kind('פילאטיס', { minutes: 50, priceAgorot: 8000 }),
    ]
    const trainers = []
    for (const [name, payBy, payAgorot] of [
      ['נעמה', 'class', 15_000],
      ['רון', 'head', 1_800],
      ['מיכל', 'hour', 14_000],
    ] as const) {
      const supplier = await studio.send('POST', `${base}/suppliers`, { name })
      const { id } = await studio.send('POST', `${base}/classTrainers`, {
        name,
        payBy,
        payAgorot,
        supplierId: supplier.id,
      })
      trainers.push({ id: id as string, name, payBy, payAgorot })
    }
    // Sunday, Tuesday and Thursday.
    for (const [n, trainer] of trainers.entries())
      await studio.call(timetable.createClass, {
        kindId: n === 2 ? pilates.id : yoga.id,
        day: '2031-01-05',
        at: `${17 + n}:30`,
        trainerId: trainer.id,
        placeId: null,
        repeat: { unit: 'week', every, days: [n * 2], untilDay: '2031-12-31', times: null },
      } as never)
    const ten = await studio.send('POST', `${base}/passKinds`, {
      name: 'כרטיסייה',
      visits: 5,
      days: 90,
      priceAgorot: 24_000,
    })
    const people: string[] = []
    for (let n = 0; n < 5; n++) people.push((await studio.customer(`לקוח ${n}`)).id)

    // Counted beside it.
    const paper = { net: 0, vat: 0, gross: 0, passes: 0, visits: 0, fees: 0 }
    const pay = new Map<string, number>()
    const seen = { classes: 0, came: 0, missed: 0, late: 0 }
    const left = new Map(people.map((id) => [id, { visits: 0, until: '' }]))

    const issue = async (documentId: string, gross: number, of: 'passes' | 'visits' | 'fees') => {
      const draft = await studio.call(getDocument, { id: documentId })
      // Issued it is only when what was paid is what it comes to.
      expect(draft.lines.map((line) => Math.round(Number(line.unitPrice) * 100))).toEqual([gross])
      await studio.call(changeDocument, {
        id: documentId,
        type: draft.type,
        customerId: draft.customerId,
        lines: draft.lines.map(({ description, quantity, unitPrice, vatKind }) => ({
          description,
          quantity,
          unitPrice,
          vatKind,
        })),
        payments: [{ means: 3, amountAgorot: gross, date: draft.date }],
      } as never)
      await studio.call(issueDocument, { id: documentId })
      paper[of] += gross
      paper.gross += gross
      paper.vat += vatOf(gross)
      paper.net += gross - vatOf(gross)
    }

    for (let month = 1; month <= 12; month++) {
      const first = `2031-${String(month).padStart(2, '0')}-01`
      now = new Date(`${first}T06:00:00Z`)
      await makeAhead(world.app)
      const { rows } = await studio.call(timetable.listClasses, {
        from: first,
        to: `${first.slice(0, 8)}${month === 2 ? 28 : [4, 6, 9, 11].includes(month) ? 30 : 31}`,
      })
      for (const [n, row] of rows.entries()) {
        // The morning of the day: the person who books now cancels late.
        now = new Date(`${row.day}T07:00:00Z`)
        await expire(world.app, row.day)
        const trainer = trainers.find(({ id }) => id === row.trainerId)!
        const those = people.filter((_, i) => (i * 3 + n + month) % 5 < 3)
        const booked: { id: string; who: string; pays: string }[] = []
        for (const who of those) {
          const own = left.get(who)!
          // Every second time nothing is left another pass is bought; else the single visit is paid.
          if ((own.visits === 0 || own.until < row.day) && (people.indexOf(who) + month) % 2 === 0) {
            const pass = await studio.call(passes.sellPass, { kindId: ten.id, customerId: who } as never)
            await issue(pass.documentId!, 24_000, 'passes')
            Object.assign(own, { visits: 5, until: pass.toDay })
          }
          const usesPass = own.visits > 0 && row.day <= own.until
          const booking = await studio.call(bookings.makeBooking, {
            classId: row.id,
            customerId: who,
          } as never)
          expect(booking.pays).toBe(usesPass ? 'pass' : 'price')
          if (usesPass) own.visits--
          booked.push({ id: booking.id, who, pays: booking.pays })
        }
        if (n % 7 === 5) {
          await studio.call(timetable.cancelClass, {
            id: row.id,
            version: row.version,
            reason: 'מחלה',
          } as never)
          for (const one of booked) if (one.pays === 'pass') left.get(one.who)!.visits++
          continue
        }
        seen.classes++
        let came = 0
        now = new Date(new Date(row.endsAt).getTime() + 5 * 60_000)
        for (const [i, one] of booked.entries()) {
          const becomes = (n + i) % 6 === 2 ? 'missed' : (n + i) % 6 === 4 ? 'late' : 'came'
          if (becomes === 'late') {
            now = new Date(`${row.day}T08:00:00Z`)
            await studio.call(bookings.cancelBooking, { id: one.id } as never)
            now = new Date(new Date(row.endsAt).getTime() + 5 * 60_000)
          } else await studio.call(bookings.markBooking, { id: one.id, state: becomes } as never)
          seen[becomes]++
          if (becomes === 'came') came++
          const fee = becomes === 'late' ? 2000 : becomes === 'missed' ? 2500 : 0
          const visit = one.pays === 'price' && becomes !== 'late' ? row.priceAgorot! : 0
          if (visit + fee) {
            const { documentId } = await studio.call(bookings.chargeBooking, { id: one.id })
            await issue(documentId, visit + fee, visit ? 'visits' : 'fees')
          }
        }
        const due =
          trainer.payBy === 'class'
            ? trainer.payAgorot
            : trainer.payBy === 'head'
              ? trainer.payAgorot * came
              : Math.round((trainer.payAgorot * row.minutes) / 60)
        const key = `${trainer.id} ${first.slice(0, 7)}`
        pay.set(key, (pay.get(key) ?? 0) + due)
      }
      await settleHeld(world.app)
    }

    now = new Date('2032-01-03T08:00:00Z')
    await settleHeld(world.app)
    // Each month of a trainer becomes one bill of what it came to.
    let bills = 0
    for (const [key, due] of pay) {
      const [trainerId, month] = key.split(' ') as [string, string]
      // The month says the rate that each class is worked out by.
      expect((await studio.call(calls.trainerHistory, { trainerId, month })).rateAgorot).toBe(
        trainers.find(({ id }) => id === trainerId)!.payAgorot,
      )
      const { agorot } = await studio.call(calls.makeSheet, { trainerId, month })
      expect(agorot, key).toBe(due)
      bills += agorot
      await expect(studio.call(calls.makeSheet, { trainerId, month })).rejects.toMatchObject({
        code: 'trainers.sheetMade',
      })
    }
    expect(bills).toBe([...pay.values()].reduce((sum, one) => sum + one, 0))

    const year = 'from=2031-01-01&to=2031-12-31'
    const { totals } = await studio.get(`${base}/reports/attendance?${year}`)
    expect([totals.classes, totals.registered, totals.came, totals.missed, totals.late]).toEqual([
      seen.classes,
      seen.came + seen.missed,
      seen.came,
      seen.missed,
      seen.late,
    ])
    expect(totals.feesAgorot).toBe(seen.late * 2000 + seen.missed * 2500)
    // Income is what the papers say, on their days, and nothing is recognised that has no paper.
    const income = await studio.get(`${base}/reports/income?${year}`)
    expect([income.totals.netAgorot, income.totals.vatAgorot]).toEqual([paper.net, paper.vat])
    expect(paper.passes + paper.visits + paper.fees).toBe(paper.gross)
    const trial = await studio.get(`${base}/reports/trialBalance?${year}`)
    const balance = (number: string) =>
      trial.rows
        .filter((row: { number: string }) => row.number === number)
        .reduce(
          (sum: number, row: { creditAgorot: number; debitAgorot: number }) =>
            sum + row.creditAgorot - row.debitAgorot,
          0,
        )
    expect([balance('4000'), balance('2100')]).toEqual([paper.net, paper.vat])
  },
)
