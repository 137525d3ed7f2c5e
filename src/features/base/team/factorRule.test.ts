import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailText } from '../../../../tests/letters.ts'
import {
  callAs,
  dataDir,
  newBusiness,
  raw,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import { allImplementations } from '#kit/server/contract/implement.ts'
import { livePath } from '#kit/server/http/live.ts'
import { makeKey } from '#features/open/apiKeys/endpoints.ts'
import { myCompanies } from '#features/base/companies/endpoints.ts'
import { confirmFactor, logIn, mySession, startFactor } from '#features/base/session/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const password = 'a long enough password'

const lettersTo = (email: string): number =>
  readdirSync(join(dataDir, 'mail')).filter((f) =>
    readFileSync(join(dataDir, 'mail', f), 'utf8').includes(`To: ${email}`),
  ).length

async function withFactor(token: string): Promise<void> {
  const { secret } = await callAs(world, startFactor, { password }, { token })
  await callAs(world, confirmFactor, { code: generateSync({ secret }) }, { token })
}

/** Somebody with all rights, who is no owner by kind unless `typeId` says so. */
async function hired(shop: Business, typeId: 4 | 9 = 9): Promise<{ token: string; email: string }> {
  const email = `f${Date.now()}${Math.random().toString(36).slice(2, 8)}@example.com`
  await shop.call(calls.inviteWorker, { fullName: 'דנה לוי', email, typeId, rules: [], everything: true })
  await world.worker.drain()
  const letter = readdirSync(join(dataDir, 'mail'))
    .sort()
    .map((f) => readFileSync(join(dataDir, 'mail', f), 'utf8'))
    .findLast((text) => text.includes(email))!
  const invitation = /invitation\?lang=\w\w#([\w-]{43})/.exec(mailText(letter))![1]!
  const { UserKey } = await callAs(world, calls.acceptInvitation, { token: invitation, password })
  return { token: UserKey, email }
}

test('an owner requires a second factor: people without one can only open their own account until they have it', async () => {
  const shop = await newBusiness(world)
  const dana = await hired(shop)
  const { secret: key } = await shop.call(makeKey, {
    name: 'x',
    readOnly: true,
    draftsOnly: false,
    rules: [],
    docsAllow: [],
    sumLimitAgorot: null,
    expiresOn: null,
  } as never)
  const set = (required: boolean, token = shop.token) =>
    callAs(world, calls.setFactorRule, { required, password }, { token })

  expect(await shop.call(calls.getFactorRule, {})).toEqual({ required: false, since: null, without: 2 })
  await expect(set(true, dana.token)).rejects.toMatchObject({ status: 403, code: 'team.ownersOnly' })
  await expect(set(true)).rejects.toMatchObject({ status: 409, code: 'team.factorFirst' })
  await withFactor(shop.token)
  await expect(
    shop.call(calls.setFactorRule, { required: true, password: 'not the password' }),
  ).rejects.toMatchObject({ code: 'session.wrongPassword' })
  await world.worker.drain()
  const before = { dana: lettersTo(dana.email), owner: lettersTo(shop.email) }
  expect(await set(true)).toMatchObject({ required: true, without: 1 })
  await world.worker.drain()
  expect([lettersTo(dana.email) - before.dana, lettersTo(shop.email) - before.owner]).toEqual([1, 0])

  const list = (token: string) =>
    world.http.inject({ url: '/api4/invoice/customers', headers: { 'x-access-token': token } })
  expect((await list(shop.token)).statusCode).toBe(200)
  // What a program does with the rights of a person goes on.
  expect((await list(key)).statusCode).toBe(200)
  const refused = await list(dana.token)
  expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([403, 'session.factorNeeded'])
  expect(refused.headers['x-rights']).toBeTruthy()
  expect(
    (await world.http.inject({ url: livePath, headers: { 'x-access-token': dana.token } })).statusCode,
  ).toBe(403)
  expect(await callAs(world, mySession, {}, { token: dana.token })).toMatchObject({ mustSetFactor: true })
  expect((await callAs(world, myCompanies, {}, { token: dana.token })).rows).toHaveLength(1)
  const { UserKey: again } = (await callAs(world, logIn, { email: dana.email, password })) as {
    UserKey: string
  }
  expect((await list(again)).statusCode).toBe(403)

  await withFactor(dana.token)
  expect((await list(dana.token)).statusCode).toBe(200)
  expect(await callAs(world, mySession, {}, { token: dana.token })).toMatchObject({ mustSetFactor: false })

  expect(await set(false)).toEqual({ required: false, since: null, without: 0 })
})

test('of all calls only those of the own account are open meanwhile', async () => {
  const shop = await newBusiness(world)
  const owner = await hired(shop, 4)
  await withFactor(shop.token)
  await shop.call(calls.setFactorRule, { required: true, password })
  const open: string[] = []
  for (const { endpoint, inside } of allImplementations()) {
    if (!inside) continue
    const input = Object.fromEntries(
      [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [
        name,
        '00000000-0000-7000-8000-000000000000',
      ]),
    )
    const { body } = await raw(world, endpoint, input, { token: owner.token })
    const code = body.startsWith('{') ? (JSON.parse(body) as { code?: string }).code : undefined
    if (code !== 'session.factorNeeded') open.push(endpoint.name)
  }
  expect(open.sort()).toEqual([
    'companies.mine',
    'companies.switch',
    'session.changeEmail',
    'session.changeMe',
    'session.changePassword',
    'session.confirmFactor',
    'session.devices',
    'session.end',
    'session.forgetDevice',
    'session.list',
    'session.mine',
    'session.recoveryCodes',
    'session.renewRecoveryCodes',
    'session.sendVerification',
    'session.startFactor',
    'session.verify',
  ])
})
