import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, dayInJerusalem, momentAt } from '#domain/day.ts'
import { allRules } from '#kit/describe/session.ts'
import { asSystem } from '#kit/server/data/db.ts'
import * as orders from '#features/money/standingOrders/endpoints.ts'
import { sweep } from '#features/money/standingOrders/server/sweep.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'

const today = dayInJerusalem(new Date())
let world: World
let studio: Business
beforeAll(async () => {
  // Orders are billed from the morning on.
  world = await startWorld(() => new Date(`${today}T10:00:00Z`))
  studio = await newBusiness(world)
})
afterAll(() => world.close())

/** Somebody of the business who may do so much. */
async function worker(rules: string[], more = ''): Promise<Business> {
  const other = await newBusiness(world)
  const { companyId } = await studio.get('/api/user/session')
  await asSystem(world.app.db, async (tx) => {
    const { rows } = await sql<{ id: string }>`select id from users where email = ${other.email}`.execute(tx)
    await sql`insert into memberships (company_id, user_id, type_id, rules)
      values (${companyId}, ${rows[0]!.id}, 9,
        ${rules.map((rule) => allRules().get(rule)!)}::smallint[])`.execute(tx)
    await sql`update sessions set company_id = ${companyId} where user_id = ${rows[0]!.id}`.execute(tx)
    if (more)
      await sql`update memberships set ${sql.raw(more)} where company_id = ${companyId}
          and user_id = ${rows[0]!.id}`.execute(tx)
  })
  return other
}

const list = async (business: Pick<Business, 'get'>, query = '') =>
  (await business.get(`/api4/invoice/holdings?${query}`)).rows as {
    id: string
    customerIdName: string
    packageIdName: string
    kind: string
    fromDay: string
    toDay: string | null
    left: number | null
    leftOf: string | null
    state: string
    renewal: string | null
    open: string
  }[]
const said = (rows: Awaited<ReturnType<typeof list>>) =>
  rows.map((row) => [row.customerIdName, row.packageIdName, row.state, row.left, row.leftOf, row.renewal])

describe('who holds a pass or a plan', () => {
  let kindId: string
  let noa: string
  let dan: string
  beforeAll(async () => {
    noa = (await studio.customer('נועה')).id
    dan = (await studio.customer('דן')).id
    kindId = (
      await studio.send('POST', '/api4/invoice/passKinds', {
        name: 'עשר כניסות',
        visits: 10,
        days: 60,
        priceAgorot: 50_000,
      })
    ).id
  })
  const sell = (customerId: string, ago: number) =>
    studio.call(calls.sellPass, { kindId, customerId, fromDay: addDays(today, -ago), paper: false } as never)

  test('of one package: since when, until when, what is left, and whether it wants a new one', async () => {
    const over = await sell(noa, 100)
    const running = await sell(noa, 10)
    const ending = await sell(dan, 50)
    const rows = await list(studio, `packageId=${kindId}`)
    expect(said(rows)).toEqual([
      ['נועה', 'עשר כניסות', 'active', 10, 'visits', 'anew'],
      ['דן', 'עשר כניסות', 'ending', 10, 'visits', 'anew'],
      // Another followed it.
      ['נועה', 'עשר כניסות', 'ended', null, null, null],
    ])
    expect(rows.map(({ id }) => id)).toEqual([running.id, ending.id, over.id])
    expect(rows[0]).toMatchObject({
      kind: 'pass',
      fromDay: addDays(today, -10),
      toDay: addDays(today, 49),
      open: `/invoice/invoiceCustomer/${noa}/passes`,
    })
    expect((await list(studio, `packageId=${kindId}&state=ending`)).map(({ id }) => id)).toEqual([ending.id])
    expect(await list(studio, `packageId=${kindId}&left.lte=9`)).toEqual([])
    expect(
      (await list(studio, `toDay.lte=${addDays(today, 15)}&state.in=active,ending`)).map(({ id }) => id),
    ).toEqual([ending.id])
    expect((await list(studio, 'q=דן')).map(({ id }) => id)).toEqual([ending.id])
    expect(await studio.get(`/api4/invoice/packages/${kindId}`)).toMatchObject({
      name: 'עשר כניסות',
      kind: 'pass',
    })
  })

  test('plans stand beside them: without an end, with one that is near, and over', async () => {
    const item = await studio.send('POST', '/api4/invoice/items', { name: 'ליווי חודשי', price: '300' })
    const order = (title: string, more: object = {}) =>
      studio.call(orders.createOrder, {
        title,
        customerId: dan,
        startDay: addDays(today, -1),
        documentType: 5,
        send: 'none',
        trialDays: 20,
        lines: [{ description: title, unitPrice: '300', itemId: item.id }],
        ...more,
      } as never)
    await order('ליווי')
    const short = await order('ליווי קצר', { untilDay: addDays(today, 20), trialDays: 15 })
    const gone = await order('ליווי ישן')
    await studio.call(orders.cancelOrder, { id: gone.id, when: 'now', reason: 'עבר' } as never)
    const rows = await list(studio, `packageId=${item.id}&sort=toDay`)
    expect(rows.map((row) => [row.state, row.left, row.leftOf, row.renewal]).toSorted()).toEqual(
      [
        ['active', null, null, 'itself'],
        ['ending', 21, 'days', 'prolong'],
        ['cancelled', null, null, 'anew'],
      ].toSorted(),
    )
    expect(rows.find(({ id }) => id === short.id)).toMatchObject({
      kind: 'plan',
      toDay: addDays(today, 20),
      left: 21,
      open: `/invoice/retainers/${short.id}`,
    })
    expect(await studio.get(`/api4/invoice/packages/${item.id}`)).toMatchObject({
      name: 'ליווי חודשי',
      kind: 'item',
    })
    expect((await studio.get('/api4/invoice/packages?q=ליווי')).rows).toHaveLength(1)
    // All of both kinds together, and as a file.
    expect((await list(studio, 'state.in=active,ending')).map(({ kind }) => kind).toSorted()).toEqual([
      'pass',
      'pass',
      'plan',
      'plan',
    ])
  })

  test('an order that brings passes stands there until its pass does', async () => {
    const renewed = await studio.send('POST', '/api4/invoice/passKinds', {
      name: 'מתחדש',
      days: 30,
      priceAgorot: 20_000,
      renews: 'month',
    })
    const { orderId } = await studio.call(calls.renewPass, { kindId: renewed.id, customerId: noa } as never)
    expect((await list(studio, `packageId=${renewed.id}`)).map((row) => [row.kind, row.renewal])).toEqual([
      ['plan', 'itself'],
    ])
    // Orders are charged from six in the morning: the test may run before.
    await sweep({ ...world.app, now: () => momentAt(today, 12) })
    const [bill] = (await studio.call(orders.getOrder, { id: orderId })).periods
    await studio.call(createDocument, {
      type: 6,
      customerId: noa,
      payments: [{ means: 1, amountAgorot: 20_000 }],
      closes: [{ documentId: bill!.document!.id, amountAgorot: 20_000 }],
    } as never)
    expect(
      (await list(studio, `packageId=${renewed.id}`)).map((row) => [row.kind, row.state, row.renewal]),
    ).toEqual([['pass', 'active', 'itself']])
  })

  test('nobody finds what he may not see, nor what is not his business', async () => {
    const desk = await worker(['customers.see', 'passes.see'])
    expect(new Set((await list(desk)).map(({ kind }) => kind))).toEqual(new Set(['pass']))
    const clerk = await worker(['customers.see', 'standingOrders.see'])
    const seen = await list(clerk)
    expect(new Set(seen.map(({ kind }) => kind))).toEqual(new Set(['plan']))
    // The order that brings passes is visible to people who see no passes.
    expect(seen.map(({ packageIdName }) => packageIdName)).toContain('מתחדש')
    const nobody = await worker(['customers.see'])
    expect(await list(nobody)).toEqual([])
    await expect(nobody.get(`/api4/invoice/packages/${kindId}`)).rejects.toMatchObject({
      code: 'kit.notFound',
    })
    const agent = await worker(
      ['customers.see', 'passes.see', 'standingOrders.see'],
      'own_customers_only = true',
    )
    expect(await list(agent)).toEqual([])
    const other = await newBusiness(world)
    expect(await list(other)).toEqual([])
    await expect(other.get(`/api4/invoice/packages/${kindId}`)).rejects.toMatchObject({
      code: 'kit.notFound',
    })
    await expect(list(studio, 'packageId=x')).rejects.toMatchObject({
      errors: [{ path: 'packageId', code: 'fields.ref' }],
    })
  })
})
