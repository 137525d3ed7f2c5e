import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#domain/day.ts'
import { bankDesk } from '#features/money/matching/endpoints.ts'
import { callAs, startWorld, type World } from '../../../../tests/world.ts'
import { openDemo } from './endpoints.ts'

/**
 * The demo lives its year up to today. Journeys and the tour look for what is in it, so it has to be there whatever day of
 * the month or of the year it is opened on.
 */
let world: World
let time = new Date()
beforeAll(async () => {
  world = await startWorld(() => time)
}, 60_000)
afterAll(() => world.close())

describe.each(['2026-12-01', '2027-01-31', '2027-02-28', '2027-08-16'])('opened on %s', (today) => {
  let get: (url: string) => Promise<any>
  let desk: any
  beforeAll(async () => {
    time = new Date(`${today}T10:00:00Z`)
    const { UserKey: token } = await callAs(world, openDemo, { language: 'he' })
    get = async (url) =>
      (await world.http.inject({ method: 'GET', url, headers: { 'x-access-token': token! } })).json()
    const { rows } = await get('/api4/invoice/bankaccounts')
    desk = await callAs(world, bankDesk, { id: rows[0].id }, { token: token! })
  }, 180_000)

  test('its books balance and its reports hold', async () => {
    const trial = await get(`/api4/invoice/reports/trialBalance?from=${addDays(today, -360)}&to=${today}`)
    expect(trial.checks.filter((one: { ok: boolean }) => !one.ok)).toEqual([])
  })

  test('its bank has something to match: a payment that is certain, a charge, and money that came in', () => {
    const amounts = (rows: { amountAgorot: number }[]) => rows.map(({ amountAgorot }) => amountAgorot)
    const once = (all: number[]) => all.filter((one) => all.filter((other) => other === one).length === 1)
    const [bank, books] = [amounts(desk.lines), amounts(desk.postings)]
    expect(once(bank).filter((one) => one < 0 && once(books).includes(one))).not.toEqual([])
    expect(desk.lines.some((one: { text: string }) => one.text.includes('עמלת'))).toBe(true)
    expect(once(bank).some((one) => one > 0)).toBe(true)
    expect(desk.proposals.some((one: { confidence: string }) => one.confidence === 'certain')).toBe(true)
  })

  test('something waits for its owner', async () => {
    expect(await get('/api4/invoice/expenses/figures')).toMatchObject({ waiting: 1, drafts: 1 })
  })
})
