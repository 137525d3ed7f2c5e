import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import { callAs, newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { followSigning, keyToSign, signByKey, strokes } from '../../../../tests/signing.ts'
import { signPage } from '#features/sales/signing/endpoints.ts'
import * as calls from './endpoints.ts'
import { healthHere } from './server/index.ts'
import { asCaller, systemCaller } from '#kit/server/context.ts'

let world: World
let studio: Business
let now = new Date('2031-05-20T09:00:00Z')
beforeAll(async () => {
  world = await startWorld(() => now)
  studio = await newBusiness(world)
  await studio.send('POST', '/api4/invoice/classKinds', {
    name: 'יוגה',
    minutes: 60,
    seats: 9,
    needsHealth: true,
  })
})
afterAll(() => world.close())

const answers = (yes: number[] = []) =>
  Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [`q${n}`, yes.includes(n) ? 'כן' : 'לא']))
const whole = (yes: number[] = []) => ({ ...answers(yes), date: '2031-05-20', sign: strokes })
const row = async (q: string) => (await studio.call(calls.listEntries, { q })).rows[0]!
const signer = { name: 'דנה כהן', channel: 'person' as const }

test('a declaration is in force when it is signed, for a year; every question must be answered', async () => {
  const dana = await studio.customer('דנה')
  expect((await row('דנה')).refusals).toContain('health')
  const { id } = await studio.call(calls.askHealth, { customerId: dana.id, signer })
  const key = await keyToSign(studio, id)
  const { q7: _, ...six } = answers()
  await expect(signByKey(world, key, { ...six, date: '2031-05-20', sign: strokes })).rejects.toMatchObject({
    errors: [{ path: 'values.q7', code: 'fields.need' }],
  })
  expect((await row('דנה')).refusals).toContain('health')
  await signByKey(world, key, whole())
  await followSigning(world)
  expect(await row('דנה')).toMatchObject({ healthUntil: '2032-05-18', needsLetter: false })
  expect((await row('דנה')).refusals).not.toContain('health')
  const { rows } = await asSystem(world.app.db, (tx) =>
    sql<{
      id: string
    }>`select sign_request_id as id from health_forms where customer_id = ${dana.id}`.execute(tx),
  )
  expect(rows).toEqual([{ id }])
  await expect(
    studio.call(calls.bringLetter, { customerId: dana.id, letterUntil: '2031-12-31' }),
  ).rejects.toMatchObject({
    code: 'bookings.noDeclaration',
  })
})

test('a yes asks for a doctor’s letter, which the desk writes down; it holds as long as the doctor says', async () => {
  const eli = await studio.customer('אלי')
  const { id } = await studio.call(calls.askHealth, {
    customerId: eli.id,
    signer: { ...signer, name: 'אלי' },
  })
  await signByKey(world, await keyToSign(studio, id), whole([4]))
  await followSigning(world)
  expect(await row('אלי')).toMatchObject({ needsLetter: true, healthUntil: null })
  await studio.call(calls.bringLetter, { customerId: eli.id, letterUntil: '2031-08-01' })
  expect(await row('אלי')).toMatchObject({ needsLetter: false, healthUntil: '2031-08-01' })
  now = new Date('2031-08-02T09:00:00Z')
  expect((await row('אלי')).refusals).toContain('health')
  now = new Date('2031-05-20T09:00:00Z')
})

test('on the booking page one customer gets one paper, however often he asks, in his own language', async () => {
  const maha = await studio.customer('مها', { language: 'ar', phone: '0501234567' })
  const { id: companyId } = await studio.get('/api4/invoice/company')
  const here = () => asCaller(world.app, systemCaller(companyId), '', (ctx) => healthHere(ctx, maha.id))
  const [first, second] = [await here(), await here()]
  expect(second.url).toBe(first.url)
  const page = await callAs(world, signPage, { key: first.url.split('/').at(-1)! })
  expect(page.language).toBe('ar')
  expect(page.fields.filter(({ kind }) => kind === 'choice').map(({ options }) => options)).toEqual(
    Array.from({ length: 7 }, () => ['نعم', 'لا']),
  )
})
