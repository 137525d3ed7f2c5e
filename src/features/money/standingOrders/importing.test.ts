import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, dayInJerusalem, type Day } from '#domain/day.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import * as imports from '#features/registers/imports/endpoints.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { getOrder } from './endpoints.ts'

let world: World
let shop: Business
let companyId: string
const today = dayInJerusalem(new Date())
const [past, soon, far] = [addDays(today, -20), addDays(today, 5), addDays(today, 40)]
beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
  companyId = (await shop.call(mySession, {})).companyId
  await shop.customer('נעמה ברק')
})
afterAll(() => world.close())

const query = async <T>(text: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await asSystem(world.app.db, (tx) => text.execute(tx))).rows

test('orders come in from a file: what is wrong is named by its row, the same again is there already, and all can be taken back', async () => {
  await shop.customer('אבי לוי')
  await shop.customer('אבי לוי')
  const checked = async (lines: string[]) => {
    const one = await shop.call(imports.uploadImport, {
      resource: 'standingOrders',
      name: 'orders.csv',
      bytes: Buffer.from(['לקוח,עבור,מחיר כולל מע״מ,מתחיל ב,כל,יחידת זמן,עד,אמצעי', ...lines].join('\n')),
    } as never)
    await shop.call(imports.checkImport, {
      id: one.id,
      mapping: ['customer', 'title', 'priceAgorot', 'startDay', 'everyN', 'unit', 'untilDay', 'means'],
    })
    await world.worker.drain()
    return shop.call(imports.getImport, { id: one.id })
  }
  const good = [`נעמה ברק,מנוי,350,${soon},,,,`, `נעמה ברק,"ליווי, שנתי",1200.50,${far},1,years,,`]
  const bad = [
    `אבי לוי,מנוי,350,${soon},,,,`,
    `מישהו אחר,מנוי,350,${soon},,,,`,
    `נעמה ברק,מנוי ישן,350,${past},,,,`,
    `נעמה ברק,מנוי כרטיס,350,${soon},,,,card`,
    `נעמה ברק,עד אתמול,350,${soon},,,${past},`,
    `נעמה ברק,חינם,0,${soon},,,,`,
  ]
  const one = await checked([...good, ...bad])
  expect(one.counts).toMatchObject({ create: 2, faulty: 6 })
  const { rows } = await shop.call(imports.importRows, { id: one.id, outcome: 'faulty' })
  expect(rows.map(({ faults }) => faults.map(({ field }: { field: string | null }) => field)[0])).toEqual([
    'customer',
    'customer',
    'startDay',
    'means',
    'untilDay',
    'priceAgorot',
  ])
  // A trial makes nothing.
  expect(await query(sql`select 1 from standing_orders where company_id = ${companyId}`)).toEqual([])
  await shop.call(imports.runImport, { id: one.id, take: 'good' })
  await world.worker.drain()
  const made = await query(sql<{
    id: string
    unit: string
    sum: number
    day: Day
  }>`select id, unit, next_total_agorot as sum, next_day::text as day
    from standing_orders where company_id = ${companyId} order by number`)
  expect(made).toMatchObject([
    { unit: 'month', sum: 35_000, day: soon },
    { unit: 'year', sum: 120_050, day: far },
  ])
  expect((await checked(good)).counts).toEqual({ same: 2 })
  await shop.call(imports.undoImport, { id: one.id })
  await world.worker.drain()
  expect((await shop.call(getOrder, { id: made[0]!.id })).state).toBe('cancelled')
})
