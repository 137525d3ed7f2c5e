import { afterAll, beforeAll, expect, test } from 'vitest'
import { allRules } from '#kit/describe/session.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { makeSet } from '#features/base/team/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
})
afterAll(() => world.close())

const checked = async (text: string) => {
  const one = await shop.call(calls.uploadImport, {
    resource: 'workers',
    name: 'people.csv',
    bytes: Buffer.from(text),
  } as never)
  await shop.call(calls.checkImport, { id: one.id, mapping: one.mapping })
  await world.worker.drain()
  return shop.call(calls.getImport, { id: one.id })
}
const run = async (id: string, take: 'all' | 'good' = 'all') => {
  await shop.call(calls.runImport, { id, take })
  await world.worker.drain()
  return shop.call(calls.getImport, { id })
}
const team = async () => (await shop.get('/api4/invoice/workers?size=50')).rows
const sent = async (): Promise<number> =>
  Number(
    (await world.app.db.pool.query(`select count(*) from outbox where name = 'team.mail'`)).rows[0].count,
  )

test('workers are invited from a file by the name of their set, once; what is wrong is named; nobody is asked by a trial', async () => {
  await shop.call(makeSet, { name: 'מחסן', rules: [allRules().get('items.see')!] } as never)
  const file = [
    'שם,דואר אלקטרוני,תפקיד,ערכת הרשאות',
    'דנה לוי,dana@people.example,מנהלת חשבונות,הנהלת חשבונות',
    'Sam,SAM@people.example,,Bookkeeping',
    'רות,ruth@people.example,מחסנאית,מחסן',
    'בלי קבוצה,none@people.example,,',
    'אין כזו,odd@people.example,,קוסמים',
    'רות שנייה,ruth@people.example,,מחסן',
  ]
  const one = await checked(file.slice(0, 6).join('\n'))
  expect(one.mapping).toEqual(['name', 'email', 'job', 'setName'])
  expect(one.counts).toMatchObject({ create: 3, faulty: 2 })
  const { rows } = await shop.call(calls.importRows, { id: one.id, outcome: 'faulty' })
  expect(
    rows.map(({ row, faults }) => [row, faults.map(({ field }: { field: string | null }) => field)]),
  ).toEqual([
    [5, ['setName']],
    [6, ['setName']],
  ])
  expect([await sent(), (await team()).length]).toEqual([0, 1])

  expect(await run(one.id, 'good')).toMatchObject({ state: 'done', mayUndo: true })
  const people = await team()
  const of = (email: string) => people.find((p: { email: string }) => p.email === email)
  expect(of('dana@people.example')).toMatchObject({ name: 'דנה לוי', job: 'מנהלת חשבונות', state: 'invited' })
  expect(of('sam@people.example')).toMatchObject({
    state: 'invited',
    setName: of('dana@people.example').setName,
  })
  expect(of('ruth@people.example')).toMatchObject({ setName: 'מחסן', rules: [allRules().get('items.see')] })
  expect(await sent()).toBe(3)

  // The same file again finds them all; an address that occurs twice is assigned to nobody until a person decides.
  expect((await checked(file.slice(0, 4).join('\n'))).counts).toEqual({ same: 3 })
  expect(
    (await checked([file[0], file[3]!.replace('ruth', 'noa'), file[6]!.replace('ruth', 'noa')].join('\n')))
      .counts,
  ).toEqual({
    faulty: 2,
  })

  // After the undo the invitations are gone.
  await shop.call(calls.undoImport, { id: one.id })
  await world.worker.drain()
  expect((await team()).map((p: { state: string }) => p.state)).toEqual(['active'])
})
