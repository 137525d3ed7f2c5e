import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { implementations } from '../src/features.ts'
import { dayInJerusalem } from '#domain/day.ts'
import { allEvents } from '#kit/describe/event.ts'
import { asCaller, systemCaller } from '#kit/server/context.ts'
import { featurePlaces } from '#kit/server/features.ts'
import { allServed } from '#kit/server/described/resources.ts'
import { root } from '#kit/server/settings.ts'
import { sweep } from '#kit/server/work/housekeeping.ts'
import { cancelDocument, createDocument, batchDocuments } from '#features/sales/documents/endpoints.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { newBusiness, startWorld, type Business, type World } from './world.ts'

let world: World
let owner: Business
let companyId: string

beforeAll(async () => {
  world = await startWorld()
  owner = await newBusiness(world)
  companyId = (await owner.call(mySession, {})).CompanyKey
})
afterAll(() => world.close())

interface Told {
  id: string
  name: string
  entity: string
  entity_id: string
  version: number
  payload: Record<string, unknown>
  by_user: string | null
}
const told = async (): Promise<Told[]> =>
  (
    await sql<Told>`select * from events where company_id = ${companyId} order by version`.execute(
      world.app.db.kysely,
    )
  ).rows
/** The events that are reported while something is done. */
async function during(work: () => Promise<unknown>): Promise<Told[]> {
  const before = new Set((await told()).map(({ id }) => id))
  await work()
  return (await told()).filter(({ id }) => !before.has(id))
}
const names = (events: Told[]) => events.map(({ name }) => name)

describe('what happens is told', () => {
  test('once, with the deed, by whom and of what', async () => {
    let id = ''
    const [event, ...others] = await during(async () => (id = (await owner.customer('כהן')).id))
    expect(others).toEqual([])
    expect(event).toMatchObject({
      name: 'customer.created',
      entity: 'customers',
      entity_id: id,
      payload: { name: 'כהן' },
    })
    expect(event!.by_user).toMatch(/^[0-9a-f-]{36}$/)
    expect(event!.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/)
    expect(Math.abs(Number.parseInt(event!.id.replace('-', '').slice(0, 12), 16) - Date.now())).toBeLessThan(
      60_000,
    )
  })

  test('not when it was refused or taken back', async () => {
    const { id } = await owner.customer('לוי')
    const refused = await during(() =>
      owner.call(createDocument, { type: 8, customerId: id, lines: [] }).then(
        () => expect.unreachable(),
        () => undefined,
      ),
    )
    expect(refused).toEqual([])
    const undone = await during(() =>
      asCaller(world.app, systemCaller(companyId), '', async (ctx) => {
        await ctx.audit('customers.change', 'customers', id, {}, { name: 'אחר' })
        throw new Error('taken back')
      }).catch(() => undefined),
    )
    expect(undone).toEqual([])
  })

  test('of a document from its number to its end, with a version that only grows', async () => {
    const { id: customerId } = await owner.customer('מזרחי')
    let id = ''
    const life = await during(async () => {
      id = (await owner.invoice(customerId, '1000')).id
      const receipt = (agorot: number) =>
        owner.call(createDocument, {
          type: 6,
          customerId,
          payments: [{ means: 4, amountAgorot: agorot }],
          closes: [{ documentId: id, amountAgorot: agorot }],
        } as never)
      await receipt(50_000)
      await receipt(68_000)
    })
    const ofInvoice = life.filter((one) => one.entity_id === id)
    expect(names(ofInvoice)).toEqual(['document.issued', 'document.partlyClosed', 'document.closed'])
    expect(ofInvoice[0]!.payload).toMatchObject({
      type: 8,
      status: 'issued',
      totalAgorot: 118_000,
      customerId,
      currency: 'ILS',
    })
    expect(ofInvoice[0]!.payload.number).toEqual(expect.any(Number))
    expect(names(life).filter((name) => name === 'document.issued')).toHaveLength(3)
    for (const [i, one] of ofInvoice.entries())
      if (i) expect(one.version).toBeGreaterThan(ofInvoice[i - 1]!.version)
    const other = await owner.invoice(customerId, '10')
    const end = await during(() => owner.call(cancelDocument, { id: other.id, reason: 'טעות' }))
    expect(names(end.filter((one) => one.entity_id === other.id))).toContain('document.cancelled')
    expect(
      names(end.filter((one) => one.entity_id === other.id && one.name === 'document.cancelled')),
    ).toHaveLength(1)
  })

  test('of each of many papers that are issued together', async () => {
    const { id: customerId } = await owner.customer('ביטון')
    const papers = Array.from({ length: 20 }, (_, i) => ({
      type: 8,
      customerId,
      date: dayInJerusalem(new Date()),
      lines: [{ description: `x${i}`, unitPrice: '10' }],
    }))
    const events = await during(() => owner.call(batchDocuments, { documents: papers } as never))
    expect(names(events)).toEqual(Array.from({ length: 20 }, () => 'document.issued'))
    const numbers = events.map(({ payload }) => payload.number as number)
    expect(numbers).toEqual(numbers.map((_, i) => numbers[0]! + i))
    expect(new Set(events.map(({ entity_id }) => entity_id)).size).toBe(20)
  })

  test.each([
    ['customers', 'customer', { name: 'א' }, { name: 'ב' }],
    ['suppliers', 'supplier', { name: 'א' }, { name: 'ב' }],
    ['items', 'item', { name: 'א' }, { name: 'ב' }],
    ['projects', 'project', { name: 'א' }, { name: 'ב' }],
  ])('of %s through their life', async (resource, thing, first, then) => {
    const base = `/api4/invoice/${resource}`
    const given =
      resource === 'projects' ? { ...first, customerId: (await owner.customer('של פרויקט')).id } : first
    let id = ''
    const life = await during(async () => {
      id = (await owner.send('POST', base, given)).id
      await owner.send('PATCH', `${base}/${id}`, then)
      await owner.send('DELETE', `${base}/${id}`)
      await owner.send('POST', `${base}/${id}/restore`)
    })
    expect(names(life)).toEqual(
      ['created', 'changed', 'archived', 'restored'].map((what) => `${thing}.${what}`),
    )
    expect(life.map(({ entity_id }) => entity_id)).toEqual([id, id, id, id])
    expect(life.map(({ payload }) => payload.name)).toEqual(['א', 'ב', undefined, undefined])
  })

  test('of each record that a file brings in, though the log has one line', async () => {
    const sent = await world.http.inject({
      method: 'POST',
      url: '/api4/invoice/import/customers?name=x.csv&check=true',
      headers: { 'x-access-token': owner.token, 'content-type': 'application/octet-stream' },
      payload: 'שם,עיר\nאלף,חיפה\nבית,עכו\nגימל,צפת',
    })
    await world.worker.drain()
    const events = await during(async () => {
      await owner.send('POST', `/api4/invoice/imports/${sent.json().id}/run`, { take: 'all' })
      await world.worker.drain()
    })
    expect(names(events)).toEqual(['customer.created', 'customer.created', 'customer.created'])
    expect(events.map(({ payload }) => payload.name).toSorted()).toEqual(['אלף', 'בית', 'גימל'])
  })

  test('for ninety days', async () => {
    const age = (days: number) =>
      sql`update events set at = now() - ${days} * interval '1 day' where company_id = ${companyId} and name = 'document.issued'`.execute(
        world.app.db.kysely,
      )
    const before = await told()
    await age(89)
    await sweep(world.app)
    expect((await told()).length).toBe(before.length)
    await age(91)
    await sweep(world.app)
    const after = await told()
    expect(after.length).toBe(before.filter(({ name }) => name !== 'document.issued').length)
    expect(after.length).toBeGreaterThan(0)
  })
})

describe('the list of events', () => {
  test('names a call that shows the thing, and a line of the log that a command writes', () => {
    const calls = new Map(implementations.map((one) => [one.endpoint.name, one.endpoint]))
    expect(allEvents().size).toBeGreaterThan(30)
    for (const { name, see } of allEvents().values()) {
      expect({ name, method: calls.get(see)?.method, path: calls.get(see)?.path }).toMatchObject({
        method: 'GET',
        path: expect.stringMatching(/\{id\}$/),
      })
    }
  })

  test('hangs on lines that commands write', () => {
    const written = featurePlaces()
      .flatMap(({ path }) =>
        readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }).map((file) =>
          join(root, path, file),
        ),
      )
      .filter(
        (file) =>
          file.includes('/server/') &&
          file.endsWith('.ts') &&
          !file.endsWith('events.ts') &&
          !file.includes('.test.'),
      )
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n')
    const served = new Set(allServed().map(({ resource }) => resource.name))
    for (const { on } of allEvents().values())
      for (const action of on) {
        const [thing, verb] = action.split('.') as [string, string]
        const isRegister =
          served.has(thing as never) && ['create', 'change', 'archive', 'restore'].includes(verb)
        const isLiteral = written.includes(`'${action}'`)
        const isMerge = verb.startsWith('merge') && written.includes(`\${resource}.${verb}\``)
        // What a charge becomes is worked out first and told as it is.
        const isCharge =
          thing === 'cardCharges' &&
          (new RegExp(`tell\\(ctx, [\\w.]+, '${verb}'`).test(written) ||
            (written.includes('tell(ctx, id, to,') &&
              new RegExp(`to: '${verb}'|move\\('${verb}'\\)`).test(written)))
        expect({ action, isWritten: isRegister || isLiteral || isMerge || isCharge }).toEqual({
          action,
          isWritten: true,
        })
      }
  })

  test('has everything the database tells by itself', async () => {
    const all = (await told()).map(({ name }) => name)
    for (const name of all) expect(allEvents().has(name)).toBe(true)
  })
})
