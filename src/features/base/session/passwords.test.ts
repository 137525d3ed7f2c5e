import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callAs, newBusiness, newTaxId, startWorld, type World } from '../../../../tests/world.ts'
import { signUp } from '#features/base/companies/endpoints.ts'
import { say } from '#kit/server/words.ts'
import * as calls from './endpoints.ts'
import { whyGuessable } from './server/passwords.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const refused = (code: string, path = 'password') => ({ status: 422, code, errors: [{ path, code }] })

describe('a password that is easy to guess', () => {
  const about = ['נועה ורדי', 'noa.vardi@blueriver.example', 'Blue River Plumbing', 'זרם טוב']

  test.each([
    ['password1', 'common'],
    ['PassWord1', 'common'],
    ['qwertyuiop', 'common'],
    ['monkey2026!', 'common'],
    ['**iloveyou**', 'common'],
    ['11111111', 'common'],
    ['abababababab', 'common'],
    ['pinkas2026', 'names'],
    ['פנקס-1234', 'names'],
    ['BlueRiver1!', 'names'],
    ['blue river plumbing', 'names'],
    ['noa.vardi@blueriver.example', 'names'],
    ['noa.vardi77', 'names'],
    ['ורדי1234', 'names'],
  ])('%s is refused: %s', async (password, why) => {
    expect(await whyGuessable(password, about)).toBe(why)
  })

  test.each([
    'a long enough password',
    'correct horse battery staple',
    'pinkas keeps my books',
    'ארבע מילים ארוכות',
    'Xk4#9mPq',
    '8jK!dog#29x',
  ])('%s is not', async (password) => {
    expect(await whyGuessable(password, about)).toBeUndefined()
  })

  test('is refused at the field wherever one is chosen, in five languages', async () => {
    const given = {
      email: `kingfisher${Date.now()}@example.com`,
      fullName: 'Dana',
      business: { name: 'Blauwvis', kind: 'licensedDealer' as const, taxId: newTaxId() },
      language: 'he' as const,
    }
    await expect(callAs(world, signUp, { ...given, password: 'princess1' })).rejects.toMatchObject(
      refused('session.passwordCommon'),
    )
    await expect(callAs(world, signUp, { ...given, password: 'blauwvis99' })).rejects.toMatchObject(
      refused('session.passwordNames'),
    )
    const b = await newBusiness(world, { name: 'Blauwvis' })
    await expect(
      b.call(calls.changePassword, { current: b.password, password: 'Blauwvis1' }),
    ).rejects.toMatchObject(refused('session.passwordNames'))
    expect(
      await b.call(calls.changePassword, { current: b.password, password: 'quiet otters swim' }),
    ).toEqual({ done: true })
    for (const language of ['he', 'en', 'ar', 'ru', 'fr'] as const)
      for (const code of ['session.passwordCommon', 'session.passwordNames'])
        expect(say(language, `errors.${code}`).length).toBeGreaterThan(30)
  })

  test('no other module hashes passwords, so that none is stored without this check', () => {
    const own = 'src/features/base/session/server/passwords.ts'
    const all = (readdirSync('src', { recursive: true }) as string[])
      .map((path) => join('src', path))
      .filter((path) => path.endsWith('.ts'))
    expect(
      all.filter(
        (path) =>
          path !== own &&
          !path.endsWith('.test.ts') &&
          readFileSync(path, 'utf8').includes("from '@node-rs/argon2'"),
      ),
    ).toEqual([])
    expect(readFileSync(own, 'utf8')).not.toMatch(/export (const|async function|function) hashPassword/)
  })
})

describe('a session', () => {
  const open = (token: string) =>
    callAs(world, calls.mySession, {}, { token }).then(
      () => true,
      () => false,
    )

  test('ends 180 days after it was opened, however often it is used', async () => {
    const b = await newBusiness(world)
    const aged = (days: number, unusedDays: number) =>
      world.app.db.pool.query(
        `update sessions s set created_at = now() - make_interval(days => $2), used_at = now() - make_interval(days => $3),
          expires_at = now() + interval '1 day' from users u where u.id = s.user_id and u.email = $1`,
        [b.email, days, unusedDays],
      )
    const left = async () =>
      (
        await world.app.db.pool.query<{ days: number }>(
          `select extract(epoch from expires_at - now()) / 86400 as days from sessions s join users u on u.id = s.user_id
            where u.email = $1`,
          [b.email],
        )
      ).rows.map(({ days }) => Math.round(Number(days)))
    await aged(10, 1)
    expect(await open(b.token)).toBe(true)
    expect(await left()).toEqual([30])
    await aged(175, 1)
    expect(await open(b.token)).toBe(true)
    expect(await left()).toEqual([5])
    await aged(181, 1)
    await open(b.token)
    expect(await open(b.token)).toBe(false)
  })

  test('ends when its browser logs in anew, once the second factor was given, too', async () => {
    const b = await newBusiness(world)
    const other = await newBusiness(world)
    const { UserKey: elsewhere } = (await callAs(world, calls.logIn, {
      email: b.email,
      password: b.password,
    })) as { UserKey: string }
    const logIn = (token: string) =>
      callAs(world, calls.logIn, { email: b.email, password: b.password }, { token })
    const { UserKey: second } = (await logIn(b.token)) as { UserKey: string }
    expect([await open(b.token), await open(second), await open(elsewhere)]).toEqual([false, true, true])
    // Also where somebody else logs in.
    const { UserKey: third } = (await logIn(other.token)) as { UserKey: string }
    expect([await open(other.token), await open(third)]).toEqual([false, true])

    const { secret } = await callAs(world, calls.startFactor, { password: b.password }, { token: third })
    const epoch = Math.floor(Date.now() / 1000)
    await callAs(
      world,
      calls.confirmFactor,
      { code: generateSync({ secret, epoch: epoch - 30 }) },
      { token: third },
    )
    const asked = await logIn(third)
    if (!('factorNeeded' in asked)) throw new Error('not asked')
    expect(await open(third)).toBe(true)
    await callAs(
      world,
      calls.logInFactor,
      { token: asked.token, code: generateSync({ secret, epoch }) },
      { token: third },
    )
    expect(await open(third)).toBe(false)
  })
})

describe('the log', () => {
  test('has session events and refusals, without names, addresses, tokens and passwords', async () => {
    const lines: Record<string, unknown>[] = []
    const logged = await startWorld()
    const { log } = logged.app
    const keep = (fields: Record<string, unknown>) => void lines.push(fields)
    logged.app.log = new Proxy(log, {
      get: (of, name) => (name === 'info' ? keep : Reflect.get(of, name)),
    })
    try {
      const b = await newBusiness(logged)
      const at = { address: '203.0.113.77' }
      await callAs(logged, calls.logIn, { email: b.email, password: 'not the password' }, at).catch(() => {})
      const { UserKey: token } = (await callAs(
        logged,
        calls.logIn,
        { email: b.email, password: b.password },
        at,
      )) as { UserKey: string }
      await callAs(logged, calls.logOut, { key: token }, at)
      const { secret } = await b.call(calls.startFactor, { password: b.password })
      await b.call(calls.confirmFactor, { code: generateSync({ secret }) })
      const said = lines.filter((line) => 'security' in line)
      expect(said).toContainEqual(
        expect.objectContaining({
          security: 'refused',
          code: 'session.wrongPassword',
          method: 'POST',
          route: calls.logIn.path,
          source: expect.stringMatching(/^[\w-]{16}$/) as string,
        }),
      )
      await callAs(logged, calls.mySession, {}, { token: 'no session' }).catch(() => {})
      expect(lines).toContainEqual(expect.objectContaining({ security: 'refused', code: 'session.needed' }))
      expect(said.flatMap(({ by }) => by ?? [])).toEqual(['signUp', 'password'])
      expect(said.map(({ security }) => security)).toEqual(
        expect.arrayContaining(['session.opened', 'session.ended', 'account.changed']),
      )
      const text = JSON.stringify(said)
      for (const secretOf of [b.email, 'נועה', token, b.token, 'not the password', b.password, at.address])
        expect(text).not.toContain(secretOf)
    } finally {
      await logged.close()
    }
  })
})
