import { afterAll, beforeAll, expect, test } from 'vitest'
import { chooseAreas } from '#features/base/modules/endpoints.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { allRules } from '#kit/describe/session.ts'
import { implementations } from '../../../features.ts'
import { newBusiness, newMate, raw, startWorld, type Business, type World } from '../../../../tests/world.ts'

/** No other figure of the business contains these digits. */
const pay = 9_876_543
let world: World
let owner: Business
let desk: Business
let trainerId: string

beforeAll(async () => {
  world = await startWorld()
  owner = await newBusiness(world)
  await owner.call(chooseAreas, { areas: { calendar: true } })
  trainerId = (
    await owner.send('POST', '/api4/invoice/classTrainers', { name: 'נעמה', payBy: 'class', payAgorot: pay })
  ).id
  const companyId = (await owner.call(mySession, {})).CompanyKey!
  const rules = [...allRules()].filter(([name]) => name !== 'calendar.pay').map(([, number]) => number)
  desk = await newMate(world, companyId, { rules })
})
afterAll(() => world.close())

test('the owner is told what a trainer is paid', async () => {
  expect(await owner.get(`/api4/invoice/classTrainers/${trainerId}`)).toMatchObject({ payAgorot: pay })
})

test('without calendar.pay no answer of the calendar tells what a trainer is paid', async () => {
  const told: string[] = []
  let asked = 0
  for (const { endpoint } of implementations) {
    const rule = typeof endpoint.access === 'object' ? endpoint.access.rule : ''
    if (endpoint.method !== 'GET' || !/^(calendar|passes)\./.test(rule)) continue
    for (const format of endpoint.path.includes('export') ? ['csv', 'xlsx'] : [undefined]) {
      const ids = Object.fromEntries(
        [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, trainerId]),
      )
      const month = new Date().toISOString().slice(0, 7)
      const given = {
        ...ids,
        trainerId,
        month,
        from: `${month}-01`,
        to: `${month}-28`,
        ...(format ? { format } : {}),
      }
      const { statusCode, body } = await raw(world, endpoint, given, { token: desk.token })
      if (statusCode === 200) asked++
      if (
        statusCode >= 500 ||
        body.includes(String(pay)) ||
        body.includes('98765.43') ||
        body.includes('98,765.43')
      )
        told.push(`${endpoint.name} ${statusCode}`)
    }
  }
  expect(told).toEqual([])
  expect(asked).toBeGreaterThan(8)
  const { rows } = await desk.get('/api4/invoice/classTrainers')
  expect(rows).toMatchObject([{ name: 'נעמה', payBy: 'class', payAgorot: null }])
})

test('without calendar.pay a trainer’s pay is not set, found out by filter or order, or lost by another change', async () => {
  const path = `/api4/invoice/classTrainers/${trainerId}`
  const refused = { status: 403, code: 'session.forbidden' }
  await expect(desk.send('PATCH', path, { payAgorot: 1 })).rejects.toMatchObject(refused)
  await expect(
    desk.send('POST', '/api4/invoice/classTrainers', { name: 'x', payBy: 'class', payAgorot: 1 }),
  ).rejects.toMatchObject(refused)
  for (const query of ['sort=payAgorot', `payAgorot.gte=1`])
    await expect(desk.get(`/api4/invoice/classTrainers?${query}`)).rejects.toMatchObject(refused)
  expect(await desk.send('PATCH', path, { phone: '050-1112223' })).toMatchObject({ payAgorot: null })
  expect(await owner.get(path)).toMatchObject({ payAgorot: pay })
  expect(
    await desk.send('POST', '/api4/invoice/classTrainers', { name: 'רון', payBy: 'class', payAgorot: 0 }),
  ).toMatchObject({ payAgorot: null })
})
