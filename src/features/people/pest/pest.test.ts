import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  callAs,
  dataDir,
  newBusiness,
  newTaxId,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import { allAreas, areasOff } from '#kit/describe/area.ts'
import { asCaller, systemCaller } from '#kit/server/context.ts'
import { signUp } from '#features/base/companies/endpoints.ts'
import { listAreas } from '#features/base/modules/endpoints.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { openTasks } from '#features/people/tasks/endpoints.ts'
import { lookForWork } from '#features/people/tasks/server/makers.ts'
import { refusedByDatabase } from '../../../../tests/nets.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
beforeAll(async () => {
  world = await startWorld(() => new Date('2031-05-20T09:00:00Z'))
})
afterAll(() => world.close())
beforeEach(async () => {
  shop = await newBusiness(world)
  await shop.send('PATCH', '/api4/invoice/areas', { areas: { pest: true } }).catch(() => undefined)
})

const base = '/api4/invoice'
const lastLetter = (folder: string): string => {
  const mail = join(folder, 'mail')
  return readFileSync(join(mail, readdirSync(mail).toSorted().at(-1)!), 'utf8')
}
async function setUp(validUntil = '2031-12-31') {
  const customer = await shop.customer('מאפייה')
  const site = await shop.send('POST', `${base}/pestsites`, {
    customerId: customer.id,
    name: 'מטבח',
    address: 'הגפן 4, רמלה',
  })
  const licence = await shop.send('POST', `${base}/pestlicences`, {
    worker: 'אבי',
    number: '2841',
    validUntil,
  })
  const treat = (more: object = {}) =>
    shop.send('POST', `${base}/pesttreatments`, {
      siteId: site.id,
      licenceId: licence.id,
      day: '2031-05-18',
      pest: 'תיקנים',
      substance: 'אימידקלופריד',
      registration: '1208/יב',
      amount: '30',
      unit: 'g',
      reentryHours: 2,
      nextDay: '2031-08-18',
      ...more,
    })
  return { site, licence, treat }
}

test('all customers are listed, with their sites and without, and what one owes stands once', async () => {
  const { site, treat } = await setUp()
  await treat()
  const { customerId } = await shop.get(`${base}/pestsites/${site.id}`)
  await shop.send('POST', `${base}/pestsites`, { customerId, name: 'חצר', address: '' })
  const status = await shop.send('POST', `${base}/customerStatuses`, { name: 'פעיל', color: '#0b5d52' })
  await shop.send('PATCH', `${base}/customers/${customerId}`, { statusId: status.id })
  const other = await shop.customer('בלי אתר')
  await shop.call(createDocument, {
    type: 8,
    customerId,
    lines: [{ description: 'הדברה', quantity: '1', unitPrice: '100' }],
  } as never)
  const list = async (query = '') => (await shop.get(`${base}/reports/pestCustomers?${query}`)).rows
  expect(await list()).toMatchObject([
    { customer: 'בלי אתר', site: null, balanceAgorot: 0, open: `/invoice/invoiceCustomer/${other.id}/pest` },
    {
      customer: 'מאפייה',
      status: 'פעיל',
      site: 'מטבח',
      lastPest: 'תיקנים',
      licence: 'אבי · 2841',
      nextDay: '2031-08-18',
      lastDocument: '2031-05-20',
      balanceAgorot: 11_800,
    },
    { customer: 'מאפייה', site: 'חצר', balanceAgorot: null },
  ])
  expect((await list('withSite=true')).map((row: { site: string }) => row.site)).toEqual(['מטבח', 'חצר'])
  expect(await list('withSite=false')).toMatchObject([{ customer: 'בלי אתר' }])
  expect((await list('dueUntil=2031-08-18')).map((row: { site: string }) => row.site)).toEqual(['מטבח'])
  const { companyId } = await shop.get('/api/user/session')
  await world.app.db.pool.query(`update memberships set rules = '{232}' where company_id = $1`, [companyId])
  for (const row of await list())
    expect(row).toMatchObject({ balanceAgorot: null, status: null, lastDocument: null })
})

test('the area is off until somebody turns it on, whatever else a business said', () => {
  expect(allAreas().some(({ name }) => name === 'pest')).toBe(true)
  for (const trades of [null, [], ['services']]) expect(areasOff({ trades, switched: {} })).toContain('pest')
  expect(areasOff({ trades: null, switched: { pest: true } })).not.toContain('pest')
})

test('whoever signs up by the way in of the trade has the area on', async () => {
  const by = async (area?: string) => {
    const { UserKey: token } = await callAs(world, signUp, {
      email: `${crypto.randomUUID()}@example.com`,
      password: 'a long enough password',
      fullName: 'נועה ורדי',
      business: { name: 'הדברה', kind: 'licensedDealer', taxId: newTaxId() },
      ...(area ? { area } : {}),
    })
    const { rows } = await callAs(world, listAreas, {}, { token })
    return rows.find(({ name }) => name === 'pest')?.on
  }
  expect(await by('pest')).toBe(true)
  expect(await by()).toBe(false)
  expect(await by('no such')).toBe(false)
})

describe('a treatment', () => {
  test('is numbered without gaps, tells its site, and has a sealed certificate that is always the same', async () => {
    const { site, treat } = await setUp()
    const [first, second] = [
      await treat(),
      await treat({ day: '2031-05-19', substance: 'ביפנתרין', nextDay: null }),
    ]
    expect([first.number, second.number]).toEqual([1, 2])
    expect(first).toMatchObject({ worker: 'אבי', licenceNumber: '2841' })
    expect(await shop.get(`${base}/pestsites/${site.id}`)).toMatchObject({
      lastDay: '2031-05-19',
      lastSubstance: 'ביפנתרין',
      nextDay: null,
    })
    const hash = async () =>
      createHash('sha256')
        .update((await shop.call(calls.pestCertificate, { id: first.id })) as unknown as Buffer)
        .digest('hex')
    const bytes = (await shop.call(calls.pestCertificate, { id: first.id })) as unknown as Buffer
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    expect(bytes.includes('/ByteRange')).toBe(true)
    expect(await hash()).toBe(await hash())
    // Put away, it is shown no more and its site forgets it.
    await shop.send('DELETE', `${base}/pesttreatments/${second.id}`)
    expect(await shop.get(`${base}/pestsites/${site.id}`)).toMatchObject({
      lastDay: '2031-05-18',
      nextDay: '2031-08-18',
    })
    await expect(shop.call(calls.pestCertificate, { id: second.id })).rejects.toMatchObject({ status: 404 })
  })

  test('goes to its customer as the sealed paper by mail, and by WhatsApp as a link that opens the same bytes', async () => {
    const { treat } = await setUp()
    const { id } = await treat()
    const sealed = Buffer.from((await shop.call(calls.pestCertificate, { id })) as unknown as Buffer)
    const ready = await shop.call(calls.pestSending, { id })
    expect(ready.subject).toContain('1')
    await shop.call(calls.sendPest, { id, to: 'bakery@example.com' })
    await world.worker.drain()
    const [message] = (await shop.get(`${base}/messages`)).rows
    expect(message).toMatchObject({ kind: 'letter', recipient: 'bakery@example.com' })
    expect(['kept', 'sent']).toContain(message.state)
    expect(lastLetter(dataDir).replaceAll(/\s/g, '')).toContain(sealed.toString('base64').slice(0, 400))
    const { url } = await shop.call(calls.whatsAppPest, { id, to: '052-1234567' })
    const key = /pestcertificate\/(\w{64})/.exec(decodeURIComponent(url))![1]!
    expect(url).toContain('wa.me/972521234567')
    const opened = await world.http.inject({ method: 'GET', url: `/api2/invoice/pestcertificate/${key}` })
    expect([opened.statusCode, opened.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(opened.rawPayload.equals(sealed)).toBe(true)
    expect(
      (await world.http.inject({ method: 'GET', url: `/api2/invoice/pestcertificate/${'a'.repeat(64)}` }))
        .statusCode,
    ).toBe(404)
    await expect(shop.call(calls.sendPest, { id, to: 'nobody' })).rejects.toMatchObject({
      errors: [{ path: 'to' }],
    })
    const other = await newBusiness(world)
    await expect(other.call(calls.sendPest, { id, to: 'x@example.com' })).rejects.toMatchObject({
      status: expect.any(Number),
    })
    // Put away, what was given out stays: its link, its bytes, and the letter that was still waiting. It is
    // sent to nobody else.
    await shop.call(calls.sendPest, { id, to: 'second@example.com' })
    await shop.send('DELETE', `${base}/pesttreatments/${id}`)
    await world.worker.drain()
    const later = (await shop.get(`${base}/messages`)).rows.find(
      (row: { recipient: string }) => row.recipient === 'second@example.com',
    )
    expect(['kept', 'sent']).toContain(later.state)
    expect(
      (
        await world.http.inject({ method: 'GET', url: `/api2/invoice/pestcertificate/${key}` })
      ).rawPayload.equals(sealed),
    ).toBe(true)
    expect(
      Buffer.from((await shop.call(calls.pestCertificate, { id })) as unknown as Buffer).equals(sealed),
    ).toBe(true)
    await expect(shop.call(calls.pestSending, { id })).rejects.toMatchObject({ status: 404 })
    await expect(shop.call(calls.sendPest, { id, to: 'x@example.com' })).rejects.toMatchObject({
      status: 404,
    })
    expect((await shop.get(`${base}/pesttreatments?archived=true`)).rows).toMatchObject([
      { id, isSealed: true },
    ])
  })

  test('is followed by the next visit: a task of the business, and a letter to the customer, each once for the visit', async () => {
    const { site, treat } = await setUp()
    const companyId = (await shop.get('/api/user/session')).companyId as string
    const look = () => asCaller(world.app, systemCaller(companyId), '', lookForWork)
    await expect(shop.call(calls.pestReminding, { id: site.id })).rejects.toMatchObject({
      code: 'pest.noVisit',
    })
    await treat({ day: '2031-03-01', nextDay: '2031-05-25' })
    expect(await look()).toEqual({ made: 1, closed: 0 })
    expect(await look()).toEqual({ made: 0, closed: 0 })
    expect((await shop.call(openTasks, { of: 'all' })).rows).toMatchObject([
      { madeKind: 'treatmentDue', customerName: 'מאפייה' },
    ])
    const ready = await shop.call(calls.pestReminding, { id: site.id })
    expect(ready.text).toContain('25/05/2031')
    await shop.call(calls.remindPest, { id: site.id, to: 'bakery@example.com' })
    await world.worker.drain()
    const [message] = (await shop.get(`${base}/messages`)).rows
    expect(message).toMatchObject({ kind: 'letter', recipient: 'bakery@example.com', subject: ready.subject })
    expect(['kept', 'sent']).toContain(message.state)
    const row = () => shop.get(`${base}/pestsites/${site.id}`)
    expect(await row()).toMatchObject({
      lastPest: 'תיקנים',
      lastLicence: 'אבי · 2841',
      nextDay: '2031-05-25',
      remindedAt: '2031-05-20T09:00:00.000Z',
    })
    // Come again, and the task is done; the visit after it is again to be reminded of.
    await treat()
    expect(await look()).toEqual({ made: 0, closed: 1 })
    expect(await row()).toMatchObject({ nextDay: '2031-08-18', remindedAt: null })
    const { url } = await shop.call(calls.whatsAppRemindPest, {
      id: site.id,
      to: '052-1234567',
      text: 'נתראה בקרוב',
    })
    expect(decodeURIComponent(url)).toContain('972521234567?text=נתראה בקרוב')
    expect(await row()).toMatchObject({ remindedAt: '2031-05-20T09:00:00.000Z' })
    // It is kept with whom it went to, and what it said: where none is named, the number of the site.
    await shop.call(calls.whatsAppRemindPest, { id: site.id })
    const phone = (await shop.call(calls.pestReminding, { id: site.id })).phone
    expect(
      (await shop.get(`${base}/messages`)).rows
        .filter((one: { channel: string }) => one.channel === 'whatsapp')
        .map((one: { recipient: string }) => one.recipient)
        .toSorted(),
    ).toEqual([phone || '–', '052-1234567'].toSorted())
    const other = await newBusiness(world)
    await expect(other.call(calls.remindPest, { id: site.id, to: 'x@example.com' })).rejects.toMatchObject({
      status: expect.any(Number),
    })
  })

  test('is refused with the reason when the licence had ended on its day', async () => {
    const { treat, licence } = await setUp('2031-05-17')
    await expect(treat()).rejects.toMatchObject({
      errors: [{ path: 'licenceId', code: 'pest.licenceExpired' }],
    })
    await treat({ day: '2031-05-17' })
    await shop.send('PATCH', `${base}/pestlicences/${licence.id}`, { validUntil: '2032-05-17' })
    await treat()
  })

  test.each([
    [{ day: '2031-05-21' }, 'day', 'pest.notYet'],
    [{ nextDay: '2031-05-18' }, 'nextDay', 'pest.nextTooEarly'],
    [{ reentryHours: -1 }, 'reentryHours', 'fields.least'],
    [{ reentryHours: 721 }, 'reentryHours', 'fields.most'],
    [{ amount: '0' }, 'amount', 'fields.range'],
    [{ unit: 'barrel' }, 'unit', 'fields.choice'],
    [{ substance: '' }, 'substance', 'fields.need'],
    [{ siteId: '00000000-0000-7000-8000-000000000000' }, 'siteId', 'fields.ref'],
  ])('%j is refused at its field', async (more, path, code) => {
    const { treat } = await setUp()
    await expect(treat(more)).rejects.toMatchObject({ errors: [{ path, code }] })
  })

  test('goes to its customer also from whoever may not know his address, who is told none', async () => {
    const { site, treat } = await setUp()
    const { id } = await treat()
    const customerId = (await shop.get(`${base}/pestsites/${site.id}`)).customerId
    await shop.send('PATCH', `${base}/customers/${customerId}`, {
      email: 'bakery@example.com',
      mobile: '0521234567',
    })
    const { companyId } = await shop.get('/api/user/session')
    expect(await shop.call(calls.pestSending, { id })).toMatchObject({
      mail: 'bakery@example.com',
      isMailKept: false,
    })
    const allowed = async (rules: string) =>
      world.app.db.pool.query(`update memberships set rules = $2 where company_id = $1`, [companyId, rules])
    const [{ rules }] = (
      await world.app.db.pool.query(`select rules::text from memberships where company_id = $1`, [companyId])
    ).rows
    await allowed('{232,233}')
    for (const told of [
      await shop.call(calls.pestSending, { id }),
      await shop.call(calls.pestReminding, { id: site.id }),
    ])
      expect(told).toMatchObject({ mail: '', phone: '', isMailKept: true })
    await shop.call(calls.sendPest, { id })
    await shop.call(calls.remindPest, { id: site.id })
    const { url } = await shop.call(calls.whatsAppPest, { id })
    expect(url).not.toContain('972')
    await allowed(rules)
    expect(
      (await shop.get(`${base}/messages`)).rows
        .map((row: { channel: string; recipient: string }) => row.recipient)
        .toSorted(),
    ).toEqual(['0521234567', 'bakery@example.com', 'bakery@example.com'])
    await shop.send('PATCH', `${base}/customers/${customerId}`, { email: null })
    await expect(shop.call(calls.sendPest, { id })).rejects.toMatchObject({
      errors: [{ path: 'to', code: 'fields.need' }],
    })
  })

  test('never changes once it is certified, and is nobody else’s', async () => {
    const { treat, site } = await setUp()
    const { id } = await treat()
    const other = await newBusiness(world)
    await expect(other.call(calls.pestCertificate, { id })).rejects.toMatchObject({
      status: expect.any(Number),
    })
    await expect(
      other.send('POST', `${base}/pesttreatments`, {
        siteId: site.id,
        licenceId: id,
        day: '2031-05-18',
        pest: 'x',
        substance: 'x',
        registration: 'x',
        amount: '1',
        unit: 'g',
      }),
    ).rejects.toMatchObject({
      status: expect.any(Number),
    })
  })
})

test('a treatment stays as it was certified, by whatever statement', async () => {
  const { treat } = await setUp()
  const { id } = await treat()
  expect(await refusedByDatabase(world, sql`update pest_treatments set amount = 31 where id = ${id}`)).toBe(
    'pest.stays',
  )
  expect(
    await refusedByDatabase(world, sql`update pest_treatments set archived_at = now() where id = ${id}`),
  ).toBe('nothing')
})
