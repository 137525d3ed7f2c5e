import { addDays, dayInJerusalem } from '#domain/day.ts'
import { ms, quantile, type Figure } from './figures.ts'
import { ask, call, json, newCompany, type Running } from './server.ts'

/**
 * Classes: two hundred people want the twenty seats of one class at the same moment, through two servers over
 * one database; and a week of four hundred classes as the calendar asks for it.
 */
export async function measureClasses({
  servers,
  rounds,
}: {
  servers: readonly Running[]
  rounds: number
}): Promise<Figure[]> {
  const { url, token } = await newCompany(servers[0]!.url)
  const post = async (path: string, body: object) =>
    json<{ id: string }>(await ask(url, 'POST', `/api4/invoice/${path}`, { token, body }))
  const kind = await post('classKinds', {
    name: 'Yoga',
    minutes: 60,
    seats: 20,
    priceAgorot: 6000,
    cancelHours: 12,
  })
  const people: string[] = []
  for (let n = 0; n < 200; n++) people.push((await post('customers', { name: `Customer ${n}` })).id)
  const day = (n: number) => addDays(dayInJerusalem(new Date()), n)
  const made = async (n: number, at: string) =>
    json<{ row: { id: string } }>(
      await ask(url, 'POST', '/api4/invoice/classes', {
        token,
        body: { kindId: kind.id, day: day(n), at, anyway: true },
      }),
    ).row.id
  const waits: number[] = []
  let wrong = 0
  for (let round = 0; round < rounds; round++) {
    const classId = await made(3, '18:00')
    const answers = await Promise.all(
      people.map((customerId, n) =>
        call(servers[n % servers.length]!.url, 'POST', '/api4/invoice/classbookings', {
          token,
          body: { classId, customerId },
        }),
      ),
    )
    if (answers.filter(({ status }) => status === 201).length !== 20) wrong++
    waits.push(...answers.map((answer) => answer.ms))
  }
  for (let n = 0; n < 400; n++) await made(7 + (n % 7), `${String(7 + (n % 14)).padStart(2, '0')}:00`)
  const week: number[] = []
  for (let n = 0; n < 20; n++)
    week.push((await ask(url, 'GET', `/api4/invoice/classes?from=${day(7)}&to=${day(13)}`, { token })).ms)
  const part = 'Classes'
  return [
    {
      part,
      name: 'rounds in which not exactly 20 of 200 had a seat',
      value: String(wrong),
      goal: '0',
      ok: wrong === 0,
    },
    {
      part,
      name: '200 bookings of 20 seats at once by two servers, 95 of 100',
      value: ms(quantile(waits, 0.95)),
    },
    {
      part,
      name: 'a week of 400 classes, 95 of 100',
      value: ms(quantile(week, 0.95)),
      goal: '<= 200 ms',
      ok: quantile(week, 0.95) <= 200,
    },
  ]
}
