import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, type Day } from '#domain/day.ts'
import { asCaller, systemCaller, type Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/db.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { getDocument } from '#features/sales/documents/endpoints.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'
import type { OrderInput } from './endpoints.ts'
import { sweep } from './server/sweep.ts'

let world: World
let shop: Business
let companyId: string
let customerId: string
let time = new Date('2026-03-01T08:00:00Z')

beforeAll(async () => {
  world = await startWorld(() => time)
  world.app.settings.testAcquirer = true
})
afterAll(() => world.close())
beforeEach(async () => {
  time = new Date('2026-03-01T08:00:00Z')
  shop = await newBusiness(world)
  companyId = (await shop.call(mySession, {})).companyId
  customerId = (await shop.customer('נעמה ברק', { email: 'naama@example.com' })).id
})

const goTo = (day: Day, hour = 8) => void (time = new Date(`${day}T${String(hour).padStart(2, '0')}:00:00Z`))
const query = async <T>(text: ReturnType<typeof sql<T>>): Promise<T[]> => (await asSystem(world.app.db, (tx) => text.execute(tx))).rows
const given = (more: Partial<OrderInput> = {}): OrderInput => ({
  title: 'מנוי פילאטיס',
  customerId,
  startDay: '2026-03-01',
  documentType: 8,
  partyKind: 'business',
  lines: [{ description: 'מנוי {חודש} {שנה}, {from}-{to}', unitPrice: '350', vatKind: 2 }],
  ...more,
})
const make = (more: Partial<OrderInput> = {}) => shop.call(calls.createOrder, given(more))
const get = (id: string) => shop.call(calls.getOrder, { id })
const messages = () =>
  query(sql<{ recipient: string; subject: string; body: string; channel: string }>`select recipient, subject, body, channel from messages
    where company_id = ${companyId} and kind = 'standingOrder' order by created_at, id`)

describe('an order that only bills', () => {
  test('issues and sends the same invoice every month by itself, and each of its days once', async () => {
    const { id, state, nextDay, sumAgorot, coming } = await make()
    expect({ state, nextDay, sumAgorot }).toEqual({ state: 'active', nextDay: '2026-03-01', sumAgorot: 35_000 })
    expect(coming).toHaveLength(12)
    await sweep(world.app)
    await sweep(world.app)
    const first = await get(id)
    expect(first.periods).toMatchObject([{ start: '2026-03-01', end: '2026-03-31', state: 'billed', totalAgorot: 35_000 }])
    expect(first.nextDay).toBe('2026-04-01')
    const document = await shop.call(getDocument, { id: first.periods[0]!.document!.id })
    expect(document).toMatchObject({ type: 8, status: 'issued', date: '2026-03-01', totalAgorot: 35_000 })
    expect(document.lines[0]!.description).toBe('מנוי מרץ 2026, 01/03/2026-31/03/2026')
    expect(first.steps.map(({ kind }) => kind)).toEqual(['sent', 'billed', 'created'])
    goTo('2026-05-03')
    await sweep(world.app)
    expect((await get(id)).periods.map(({ start, dueDay }) => [start, dueDay])).toEqual([
      ['2026-05-01', '2026-05-01'],
      ['2026-04-01', '2026-04-01'],
      ['2026-03-01', '2026-03-01'],
    ])
  })
})
