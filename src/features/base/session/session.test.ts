import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { mailText } from '../../../../tests/letters.ts'
import {
  callAs,
  dataDir,
  newBusiness,
  newTaxId,
  raw,
  startWorld,
  type Business,
  type CallOptions,
  type World,
} from '../../../../tests/world.ts'
import { listAudit, signUp } from '#features/base/companies/endpoints.ts'
import { versions } from '#features/base/legal/versions.ts'
import { makeKey } from '#features/open/apiKeys/endpoints.ts'
import * as calls from './endpoints.ts'
import { letterLink } from './server/index.ts'
import { simulatedToken } from './server/googleSimulator.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
  world.app.settings.google = { mode: 'simulator', clientId: 'stand-in' }
})
afterAll(() => world.close())

const person = (email: string) => ({
  email,
  password: 'a long enough password',
  fullName: 'נועה ורדי',
  business: { name: 'זרם טוב', kind: 'licensedDealer' as const, taxId: newTaxId() },
  language: 'he' as const,
})
const newEmail = () => `p${Date.now()}${Math.floor(Math.random() * 1e6)}@example.com`

/** The newest letter or message to somebody, from the folder where they are kept without a server. */
const kept = (folder: string, to: string): string => {
  const dir = join(dataDir, folder)
  const found = readdirSync(dir)
    .map((f) => readFileSync(join(dir, f), 'utf8'))
    .filter((text) => text.includes(to))
  return found.at(-1) ?? ''
}

/** A browser that keeps its random name. */
const newDevice = () => `device-${Math.random().toString(36).slice(2).padEnd(24, '0')}`

/** Writes a phone number into an account, and unless told otherwise enters the code that is sent there. */
async function givePhone(b: Business, phone: string, isVerified = true): Promise<void> {
  await b.call(calls.changeMe, { phone, password: b.password })
  if (isVerified)
    await b.call(calls.verify, { what: 'phone', code: (await codeSentTo('sms', phone.slice(-8)))! })
}

/** The code in the newest email or text message to somebody. */
async function codeSentTo(folder: 'mail' | 'sms', to: string): Promise<string | undefined> {
  await world.worker.drain()
  const text = kept(folder, to)
  return /\b(\d{6})\b/.exec(folder === 'mail' ? mailText(text) : text.split('\n').slice(1).join(' '))?.[1]
}

describe('signing up', () => {
  test('answers the stored session of the specification', async () => {
    const session = await callAs(world, signUp, person(newEmail()))
    expect(session).toEqual({
      CompanyKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
      areasOff: ['pest', 'time', 'affiliates'],
      areasHidden: expect.arrayContaining(['books', 'projects', 'stock', 'time', 'standingOrders']),
      businessKind: 'licensedDealer',
      menuTold: true,
      mustSetFactor: false,
      UserKey: expect.stringMatching(/^[\w-]{43}$/),
      TypeID: 4,
      subTypeID: 0,
      Name: 'זרם טוב',
      FullName: 'נועה ורדי',
      rules: [],
      docsAllow: [],
      IsActiveButton: true,
      HideNavHeader: false,
      HideTotalPrices: false,
      ruleid: 0,
      dealerID: 0,
    })
  })

  test('keeps which terms were agreed to and how; whoever did not tick them opens nothing', async () => {
    const termsOf = async (more: object) => {
      const { UserKey } = await callAs(world, signUp, { ...person(newEmail()), ...more })
      const { companyId } = await callAs(world, calls.mySession, {}, { token: UserKey })
      const { rows } = await world.app.db.pool.query(
        `select after, at from audit_log where company_id = $1 and action = 'companies.signUp'`,
        [companyId],
      )
      expect(rows[0].at).toBeTruthy()
      return rows[0].after.terms
    }
    const { version, day } = versions.terms
    expect(await termsOf({ termsAccepted: true })).toEqual({ version, day, by: 'form' })
    expect(await termsOf({})).toEqual({ version, day, by: 'call' })
    await expect(
      callAs(world, signUp, { ...person(newEmail()), termsAccepted: false }),
    ).rejects.toMatchObject({
      errors: [{ path: 'termsAccepted', code: 'session.termsNeeded' }],
    })
  })

  test('refuses a wrong check digit, a short password and a known mail, each at its field', async () => {
    const email = newEmail()
    await callAs(world, signUp, person(email))
    const wrong = {
      ...person(email),
      password: 'short',
      business: { name: '', kind: 'licensedDealer' as const, taxId: '123456789' },
    }
    await expect(callAs(world, signUp, wrong)).rejects.toMatchObject({
      status: 422,
      errors: [
        { path: 'password', code: 'fields.password' },
        { path: 'business.name', code: 'fields.need' },
        { path: 'business.taxId', code: 'fields.taxId' },
      ],
    })
    await expect(callAs(world, signUp, person(email))).rejects.toMatchObject({
      errors: [{ path: 'email', code: 'session.emailTaken' }],
    })
  })
})

describe('logging in and out', () => {
  test('the token opens, ends with log-out, and is kept only as a hash', async () => {
    const b = await newBusiness(world)
    const session = await callAs(world, calls.logIn, { email: b.email.toUpperCase(), password: b.password })
    if (!('UserKey' in session)) throw new Error('no session')
    expect(session.UserKey).not.toBe(b.token)
    expect(await callAs(world, calls.mySession, {}, { token: session.UserKey })).toMatchObject({
      email: b.email,
      factor: false,
    })
    const { rows } = await world.app.db.pool.query('select * from sessions')
    expect(JSON.stringify(rows)).not.toContain(session.UserKey)
    await callAs(world, calls.logoutInvoice, { key: session.UserKey })
    await expect(callAs(world, calls.mySession, {}, { token: session.UserKey })).rejects.toMatchObject({
      status: 401,
    })
    expect(await callAs(world, calls.mySession, {}, { token: b.token })).toMatchObject({ email: b.email })
  })

  test('a phone opens however it is written', async () => {
    const b = await newBusiness(world)
    const tail = String(Math.floor(Math.random() * 9e7 + 1e7))
    await givePhone(b, `+972 5${tail}`)
    for (const email of [
      `05${tail}`,
      `+9725${tail}`,
      `(05${tail.slice(0, 1)}) ${tail.slice(1)}`,
      `00972 (0)5${tail}`,
    ])
      expect(await callAs(world, calls.logIn, { email, password: b.password }), email).toHaveProperty(
        'UserKey',
      )
  })

  test('a wrong password and an unknown account get the same answer', async () => {
    const b = await newBusiness(world)
    const [wrong, unknown] = await Promise.all([
      raw(world, calls.logIn, { email: b.email, password: 'not the password' }),
      raw(world, calls.logIn, { email: newEmail(), password: 'not the password' }),
    ])
    expect(wrong.statusCode).toBe(422)
    expect(unknown.statusCode).toBe(422)
    // Except for the unique id of each call.
    const said = ({ body }: { body: string }) => ({ ...JSON.parse(body), requestId: '' })
    expect(said(unknown)).toEqual(said(wrong))
  })

  test('guesses from one place end there, and lock nobody else out', async () => {
    const b = await newBusiness(world)
    const guess = (address: string, password = 'not the password') =>
      raw(world, calls.logIn, { email: b.email, password }, { address })
    const statuses: number[] = []
    for (let i = 0; i < 20; i++) statuses.push((await guess('10.9.8.7')).statusCode)
    expect(new Set(statuses)).toEqual(new Set([422]))
    const last = await guess('10.9.8.7', b.password)
    expect(last.statusCode).toBe(429)
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0)
    expect((await guess('10.9.8.6', b.password)).statusCode).toBe(200)
  })

  test('guesses from many places lock out strangers, and never a browser in which the account was open', async () => {
    const b = await newBusiness(world)
    const mine = newDevice()
    const logIn = (device?: string) =>
      raw(world, calls.logIn, { email: b.email, password: b.password }, device ? { device } : {})
    expect((await logIn(mine)).statusCode).toBe(200)
    await world.app.db.pool.query(
      `insert into throttles (key, window_start, count)
        select 'login:' || $1 || ':all', to_timestamp(floor(extract(epoch from now()) / 600) * 600 + w * 600), 200
        from generate_series(0, 1) w on conflict (key, window_start) do update set count = 200`,
      [b.email],
    )
    expect((await logIn()).statusCode).toBe(429)
    expect((await logIn(newDevice())).statusCode).toBe(429)
    expect((await logIn(mine)).statusCode).toBe(200)
  })

  test('sessions are listed and ended one by one; a new password ends the others', async () => {
    const b = await newBusiness(world)
    const other = await callAs(world, calls.logIn, { email: b.email, password: b.password })
    if (!('UserKey' in other)) throw new Error('no session')
    const { rows } = await b.call(calls.listSessions, {})
    expect(rows).toHaveLength(2)
    expect(rows.filter((r) => r.current)).toHaveLength(1)
    await b.call(calls.endSession, { id: rows.find((r) => !r.current)!.id })
    await expect(callAs(world, calls.mySession, {}, { token: other.UserKey })).rejects.toMatchObject({
      status: 401,
    })
    const third = await callAs(world, calls.logIn, { email: b.email, password: b.password })
    await expect(
      b.call(calls.changePassword, { current: 'wrong', password: 'another long password' }),
    ).rejects.toMatchObject({
      code: 'session.wrongPassword',
    })
    await b.call(calls.changePassword, { current: b.password, password: 'another long password' })
    if (!('UserKey' in third)) throw new Error('no session')
    await expect(callAs(world, calls.mySession, {}, { token: third.UserKey })).rejects.toMatchObject({
      status: 401,
    })
    expect(await b.call(calls.mySession, {})).toMatchObject({ email: b.email })
  })
})

describe('a forgotten password', () => {
  test('the link of the letter sets a new one, once, and ends every session', async () => {
    const b = await newBusiness(world)
    const known = await raw(world, calls.askReset, { email: b.email })
    const unknown = await raw(world, calls.askReset, { email: newEmail() })
    expect([known.statusCode, known.body]).toEqual([unknown.statusCode, unknown.body])
    await world.worker.drain()
    const token = /reset-password#([\w-]{43})/.exec(mailText(kept('mail', b.email)))?.[1]
    expect(token).toBeDefined()
    const { rows } = await world.app.db.pool.query(
      "select payload::text from outbox where name = 'session.mail'",
    )
    expect(JSON.stringify(rows)).not.toContain(token)
    // Looking at the link does not use it up.
    expect(await callAs(world, calls.checkReset, { token: token! })).toEqual({ done: true })
    await callAs(world, calls.useReset, { token: token!, password: 'a brand new password' })
    await expect(callAs(world, calls.checkReset, { token: token! })).rejects.toMatchObject({
      code: 'session.linkEnded',
    })
    await expect(b.call(calls.mySession, {})).rejects.toMatchObject({ status: 401 })
    expect(
      await callAs(world, calls.logIn, { email: b.email, password: 'a brand new password' }),
    ).toHaveProperty('UserKey')
    await expect(
      callAs(world, calls.useReset, { token: token!, password: 'once more please' }),
    ).rejects.toMatchObject({
      code: 'session.linkEnded',
    })
  })

  test('the code from the phone does the same, in the browser that asked for it', async () => {
    const b = await newBusiness(world)
    const phone = `05${Math.floor(Math.random() * 9e7 + 1e7)}`
    await givePhone(b, phone)
    const device = newDevice()
    await callAs(world, calls.askSmsCode, { phone: `+972 ${phone.slice(1)}` }, { device })
    const code = await codeSentTo('sms', phone.slice(1))
    expect(code).toBeDefined()
    const use = (given: string, options: CallOptions) =>
      callAs(world, calls.useSmsCode, { phone, code: given, password: 'a brand new password' }, options)
    await expect(use(code === '000000' ? '111111' : '000000', { device })).rejects.toMatchObject({
      code: 'session.wrongCode',
    })
    await expect(use(code!, { device: newDevice() })).rejects.toMatchObject({ code: 'session.wrongCode' })
    await use(code!, { device })
    const again = (await callAs(world, calls.logIn, {
      email: b.email,
      password: 'a brand new password',
    })) as { UserKey: string }
    expect(again).toHaveProperty('UserKey')
    const { rows: log } = await callAs(world, listAudit, {}, { token: again.UserKey })
    expect(log.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['session.resetPassword', 'session.changeMe', 'session.verify']),
    )
    expect(log.find(({ action }) => action === 'session.changeMe')).toMatchObject({ after: { phone } })
  })
})

describe('a log-in by a code to the phone', () => {
  const withPhone = async () => {
    const b = await newBusiness(world)
    const phone = `05${Math.floor(Math.random() * 9e7 + 1e7)}`
    await givePhone(b, phone)
    return { b, phone, device: newDevice() }
  }
  const codeTo = (phone: string) => codeSentTo('sms', phone.slice(1))
  const other = (code: string | undefined) => (code === '000000' ? '111111' : '000000')

  test('opens a session once, leaves the others, and a code of one kind opens nothing of the other', async () => {
    const { b, phone, device } = await withPhone()
    await callAs(world, calls.askLogInCode, { phone: `+972 ${phone.slice(1)}` }, { device })
    const code = await codeTo(phone)
    expect(code).toBeDefined()
    for (const deed of [
      () => callAs(world, calls.logInSms, { phone, code: other(code) }, { device }),
      () =>
        callAs(world, calls.useSmsCode, { phone, code: code!, password: 'a brand new password' }, { device }),
    ])
      await expect(deed()).rejects.toMatchObject({
        code: 'session.wrongCode',
        errors: [{ path: 'code', code: 'session.wrongCode' }],
      })
    // The person who comes with it at the same moment: one is in.
    const came = await Promise.all(
      Array.from({ length: 3 }, () => raw(world, calls.logInSms, { phone, code: code! }, { device })),
    )
    expect(came.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422, 422])
    const { UserKey } = came.find(({ statusCode }) => statusCode === 200)!.json() as { UserKey: string }
    expect(await callAs(world, calls.mySession, {}, { token: UserKey })).toMatchObject({ email: b.email })
    expect((await b.call(calls.listSessions, {})).rows).toHaveLength(2)
  })

  test('asks for the second factor, and ends with a new password or when the person is shut out', async () => {
    const { b, phone, device } = await withPhone()
    const { secret } = await b.call(calls.startFactor, { password: b.password })
    await b.call(calls.confirmFactor, {
      code: generateSync({ secret, epoch: Math.floor(Date.now() / 1000) - 30 }),
    })
    await callAs(world, calls.askLogInCode, { phone }, { device })
    const asked = await callAs(world, calls.logInSms, { phone, code: (await codeTo(phone))! }, { device })
    if (!('factorNeeded' in asked)) throw new Error('not asked')
    await expect(callAs(world, calls.mySession, {}, { token: asked.token })).rejects.toMatchObject({
      status: 401,
    })
    expect(
      await callAs(world, calls.logInFactor, { token: asked.token, code: generateSync({ secret }) }),
    ).toHaveProperty('UserKey')

    const { b: second, phone: theirs } = await withPhone()
    await callAs(world, calls.askLogInCode, { phone: theirs }, { device })
    const code = (await codeTo(theirs))!
    await world.app.db.pool.query('update users set blocked_at = now() where email = $1', [second.email])
    await expect(callAs(world, calls.logInSms, { phone: theirs, code }, { device })).rejects.toMatchObject({
      code: 'session.wrongCode',
    })
  })

  test('tells nobody which phones are known, and neither codes nor guesses come without end', async () => {
    const { phone } = await withPhone()
    const nobody = `05${Math.floor(Math.random() * 9e7 + 1e7)}`
    const said = ({ body }: { body: string }) => ({ ...JSON.parse(body), requestId: '' })
    for (const [call, more] of [
      [calls.askLogInCode, {}],
      [calls.logInSms, { code: '123456' }],
    ] as const) {
      const [known, unknown] = await Promise.all([
        raw(world, call, { phone, ...more } as never),
        raw(world, call, { phone: nobody, ...more } as never),
      ])
      expect(known.statusCode).toBe(unknown.statusCode)
      expect(said(known)).toEqual(said(unknown))
    }
    // Both kinds of code count together.
    const asked = []
    for (const call of [calls.askSmsCode, calls.askLogInCode, calls.askLogInCode])
      asked.push((await raw(world, call, { phone: nobody }, { address: '10.3.3.3' })).statusCode)
    asked.push((await raw(world, calls.askLogInCode, { phone: nobody }, { address: '10.3.3.3' })).statusCode)
    expect(asked).toEqual([200, 200, 200, 429])
    expect(
      (await raw(world, calls.askLogInCode, { phone: nobody }, { address: '10.3.3.4' })).statusCode,
    ).toBe(200)
  })
})

describe('Google', () => {
  const clientId = () => world.app.settings.google!.clientId
  const tokenOf = (email: string, claims: Record<string, unknown> = {}) =>
    simulatedToken(world.app.settings.dataDir, { clientId: clientId(), email, now: new Date() }, claims)
  const enter = async (token: string) => {
    const answer = await callAs(world, calls.logInGoogle, { token, join: true })
    if ('joinNeeded' in answer) throw new Error('asked for a confirmation')
    return answer
  }

  test('its account opens the session of whoever has that address, and is known by itself afterwards', async () => {
    const b = await newBusiness(world)
    expect(await callAs(world, calls.logInMeans, {})).toMatchObject({
      googleClientId: clientId(),
      googleAddress: '/google-stand-in',
    })
    const { token } = await callAs(world, calls.askGoogleStandIn, { email: b.email, nonce: 'n' })
    const session = await enter(token)
    if ('factorNeeded' in session) throw new Error('asked for a factor')
    expect(await callAs(world, calls.mySession, {}, { token: session.UserKey })).toMatchObject({
      email: b.email,
    })
    // The address changed at Google: the account is the same.
    const { sub } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { sub: string }
    expect(await enter(tokenOf(newEmail(), { sub }))).toMatchObject({ Name: 'זרם טוב' })
    // Somebody else's Google account with this address is not the person who is known here.
    await expect(enter(tokenOf(b.email, { sub: '1' }))).rejects.toMatchObject({
      code: 'session.googleUnknown',
    })
  })

  test('nobody here has that address: it says so', async () => {
    await expect(enter(tokenOf(newEmail()))).rejects.toMatchObject({
      status: 422,
      code: 'session.googleUnknown',
    })
  })

  test('a business is opened with it in place of a password, which may be chosen later; a known account opens no second one', async () => {
    const { password: _, ...who } = person(newEmail())
    const token = tokenOf(who.email)
    await expect(callAs(world, signUp, who)).rejects.toMatchObject({
      errors: [{ path: 'password', code: 'fields.need' }],
    })
    await expect(callAs(world, signUp, { ...who, googleToken: `${token}x` })).rejects.toMatchObject({
      code: 'session.googleRefused',
    })
    const { UserKey } = await callAs(world, signUp, { ...who, googleToken: token })
    expect(await callAs(world, calls.mySession, {}, { token: UserKey })).toMatchObject({
      email: who.email,
      hasPassword: false,
    })
    expect(await enter(token)).toMatchObject({ Name: 'זרם טוב' })
    await expect(
      callAs(world, calls.logIn, { email: who.email, password: 'anything at all' }),
    ).rejects.toMatchObject({
      code: 'session.wrongPassword',
    })
    // The same Google account under another address is the same person.
    await expect(
      callAs(world, signUp, { ...who, email: newEmail(), googleToken: token }),
    ).rejects.toMatchObject({
      errors: [{ path: 'email', code: 'session.emailTaken' }],
    })
    await callAs(world, calls.askReset, { email: who.email })
    await world.worker.drain()
    const link = /reset-password#([\w-]{43})/.exec(mailText(kept('mail', who.email)))![1]!
    await callAs(world, calls.useReset, { token: link, password: 'a brand new password' })
    expect(
      await callAs(world, calls.logIn, { email: who.email, password: 'a brand new password' }),
    ).toHaveProperty('UserKey')
  })

  test('the second factor is asked for after Google too', async () => {
    const b = await newBusiness(world)
    const { secret } = await b.call(calls.startFactor, { password: b.password })
    await b.call(calls.confirmFactor, { code: generateSync({ secret }) })
    expect(await enter(tokenOf(b.email))).toMatchObject({ factorNeeded: true })
  })

  test.each<[string, (email: string) => string]>([
    ['of another application', (email) => tokenOf(email, { aud: 'other' })],
    ['of another issuer', (email) => tokenOf(email, { iss: 'https://accounts.example' })],
    ['that is over', (email) => tokenOf(email, { exp: Math.floor(Date.now() / 1000) - 1 })],
    ['without an end', (email) => tokenOf(email, { exp: undefined })],
    ['with an address Google has not proved', (email) => tokenOf(email, { email_verified: false })],
    ['without an address', (email) => tokenOf(email, { email: undefined })],
    [
      'that was changed',
      (email) => tokenOf(newEmail()).replace(/\.[^.]+\./, `.${tokenOf(email).split('.')[1]}.`),
    ],
    [
      'signed by nobody',
      (email) =>
        `${Buffer.from('{"alg":"none","kid":"stand-in"}').toString('base64url')}.${tokenOf(email).split('.')[1]}.`,
    ],
    [
      'of an unknown key',
      (email) =>
        `${Buffer.from('{"alg":"RS256","kid":"x"}').toString('base64url')}.${tokenOf(email).split('.').slice(1).join('.')}`,
    ],
    ['that is none', () => 'x'],
  ])('a token %s is refused', async (_name, make) => {
    const b = await newBusiness(world)
    await expect(enter(make(b.email))).rejects.toMatchObject({ status: 422, code: 'session.googleRefused' })
  })

  test('without Google in the settings there is no button and no way in, and the stand-in answers nobody', async () => {
    const { google } = world.app.settings
    const token = tokenOf(newEmail())
    for (const [setting, standIn] of [
      [undefined, 'session.googleOff'],
      [{ mode: 'real' as const, clientId: clientId() }, 'session.googleOff'],
    ] as const) {
      world.app.settings.google = setting
      try {
        await expect(callAs(world, calls.askGoogleStandIn, { email: newEmail() })).rejects.toMatchObject({
          code: standIn,
        })
        if (setting) continue
        expect(await callAs(world, calls.logInMeans, {})).toMatchObject({
          googleClientId: null,
          googleAddress: null,
        })
        await expect(enter(token)).rejects.toMatchObject({ code: 'session.googleOff' })
      } finally {
        world.app.settings.google = google
      }
    }
  })
})

describe('the second factor', () => {
  test('is asked for after the password, and a code works once', async () => {
    const b = await newBusiness(world)
    // Said at the field it was written in.
    for (const [deed, path] of [
      [() => b.call(calls.startFactor, { password: 'wrong' }), 'password'],
      [() => b.call(calls.changePassword, { current: 'wrong', password: 'a brand new password' }), 'current'],
    ] as const)
      await expect(deed()).rejects.toMatchObject({
        code: 'session.wrongPassword',
        errors: [{ path, code: 'session.wrongPassword' }],
      })
    const { secret, uri } = await b.call(calls.startFactor, { password: b.password })
    expect(uri).toContain('otpauth://totp/')
    const now = Math.floor(Date.now() / 1000)
    await b.call(calls.confirmFactor, { code: generateSync({ secret, epoch: now - 30 }) })
    const asked = await callAs(world, calls.logIn, { email: b.email, password: b.password })
    expect(asked).toMatchObject({ factorNeeded: true })
    if (!('factorNeeded' in asked)) throw new Error('not asked')
    await expect(callAs(world, calls.mySession, {}, { token: asked.token })).rejects.toMatchObject({
      status: 401,
    })
    await expect(
      callAs(world, calls.logInFactor, { token: asked.token, code: '000000' }),
    ).rejects.toMatchObject({
      code: 'session.wrongCode',
      errors: [{ path: 'code', code: 'session.wrongCode' }],
    })
    const code = generateSync({ secret, epoch: now })
    expect(await callAs(world, calls.logInFactor, { token: asked.token, code })).toHaveProperty('UserKey')
    const again = await callAs(world, calls.logIn, { email: b.email, password: b.password })
    if (!('factorNeeded' in again)) throw new Error('not asked')
    await expect(callAs(world, calls.logInFactor, { token: again.token, code })).rejects.toMatchObject({
      code: 'session.wrongCode',
    })
    await expect(b.call(calls.dropFactor, { password: b.password })).rejects.toMatchObject({
      errors: [{ path: 'code', code: 'fields.need' }],
    })
    await b.call(calls.dropFactor, {
      password: b.password,
      code: generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 }),
    })
    expect(await callAs(world, calls.logIn, { email: b.email, password: b.password })).toHaveProperty(
      'UserKey',
    )
  })
})

describe('words and brands', () => {
  test('the dictionary comes by group, in the language asked for, by GET and by POST', async () => {
    const english = await callAs(world, calls.getTranslateDe, { lang: 'en', domain: 'x.example' })
    expect(Object.keys(english).sort()).toEqual([
      'dic',
      'iconApp',
      'iconlogo',
      'iconmenu',
      'isDealer',
      'logo',
      'name',
      'profileIcon',
      'secureIcon',
      'styleurl',
      'support',
      'words',
    ])
    expect(english.dic.kit!.yes).toBe('Yes')
    expect(await callAs(world, calls.postTranslateDe, { lang: 'en', domain: 'x.example' })).toEqual(english)
    expect((await callAs(world, calls.getTranslate, { lang: 'iw' })).dic.kit!.yes).toBe('כן')
    expect((await callAs(world, calls.getTranslate, { lang: '606' })).dic.kit!.yes).toBe('Да')
  })

  test('the dictionary answers the groups asked for, or none', async () => {
    const some = await callAs(world, calls.getTranslate, { lang: 'en', groups: 'kit, menu,nothing' })
    expect(Object.keys(some.dic).sort()).toEqual(['kit', 'menu'])
    expect(some.dic.kit).toEqual((await callAs(world, calls.getTranslate, { lang: 'en' })).dic.kit)
    const brand = await callAs(world, calls.getTranslateDe, { lang: 'en', domain: 'x.example', groups: '' })
    expect(brand).toMatchObject({ dic: {}, name: some.dic.kit!.product })
  })

  test('a domain with a brand of its own answers it', async () => {
    await world.app.db.pool.query(
      "insert into brands (domain, name, logo, style_url, is_dealer) values ('books.buzz.example', 'Buzz', '/buzz.svg', '/buzz.css', true) on conflict do nothing",
    )
    expect(
      await callAs(world, calls.getTranslateDe, { lang: 'he', domain: 'books.buzz.example' }),
    ).toMatchObject({
      name: 'Buzz',
      logo: '/buzz.svg',
      styleurl: '/buzz.css',
      isDealer: true,
    })
  })

  test('the language file tells its direction and the words of validation', async () => {
    const file = await world.http.inject({ method: 'GET', url: '/static/lang/ar.json' })
    expect(file.json()).toMatchObject({
      Settings: { Direction: 'rtl' },
      Validations: { taxId: expect.any(String) },
    })
    expect((await world.http.inject({ method: 'GET', url: '/static/lang/fr.json' })).json()).toMatchObject({
      Settings: { Direction: 'ltr' },
    })
    expect((await world.http.inject({ method: 'GET', url: '/static/lang/xx.json' })).statusCode).toBe(404)
  })

  test('events are counted', async () => {
    await callAs(world, calls.addEventView, { event: 'pricing' })
    await callAs(world, calls.addEventView, { event: 'pricing' })
    const { rows } = await world.app.db.pool.query(
      "select count from view_counts where kind = 'event' and name = 'pricing'",
    )
    expect(rows[0].count).toBe(2)
  })
})

describe('a way in by a letter', () => {
  const made = async () => {
    const session = await callAs(world, signUp, person(newEmail()))
    const { rows } = await world.app.db.pool.query('select user_id from memberships where company_id = $1', [
      session.CompanyKey,
    ])
    const userId = rows[0].user_id as string
    const url = await letterLink(world.app, {
      userId,
      companyId: session.CompanyKey,
      path: '/invoice/preview/1',
    })
    return { userId, companyId: session.CompanyKey, url: url!, token: url!.split('#')[1]! }
  }

  test('says for whom it opens, waits for a press, and lets him in once, at the page', async () => {
    const { url, token, companyId } = await made()
    expect(url).toContain('/autologin?by=letter#')
    // Whatever fetches links on the way opens nothing.
    await expect(callAs(world, calls.useAutoLogin, { token })).rejects.toThrow('session.autoEnded')
    expect(await callAs(world, calls.openLetterLink, { token })).toEqual({
      name: 'נועה ורדי',
      business: 'זרם טוב',
      seconds: 60,
    })
    expect(await callAs(world, calls.useAutoLogin, { token })).toMatchObject({
      CompanyKey: companyId,
      path: '/invoice/preview/1',
    })
    for (const again of [calls.useAutoLogin, calls.openLetterLink])
      await expect(callAs(world, again, { token })).rejects.toThrow('session.autoUsed')
  })

  test('is over a minute after it was opened, and a week after it was written', async () => {
    const { token, userId, companyId } = await made()
    await callAs(world, calls.openLetterLink, { token })
    await world.app.db.pool.query(
      "update auto_logins set opened_at = opened_at - interval '61 seconds' where user_id = $1",
      [userId],
    )
    for (const late of [calls.useAutoLogin, calls.openLetterLink])
      await expect(callAs(world, late, { token })).rejects.toThrow('session.autoEnded')
    const old = (await letterLink(world.app, { userId, companyId, path: '/invoice/main' }))!.split('#')[1]!
    await world.app.db.pool.query(
      "update auto_logins set expires_at = now() - interval '1 second' where user_id = $1",
      [userId],
    )
    await expect(callAs(world, calls.openLetterLink, { token: old })).rejects.toThrow('session.autoEnded')
    // Where an account has a second factor no emailed link opens it.
    await world.app.db.pool.query("update users set totp_secret = 'x' where id = $1", [userId])
    expect(await letterLink(world.app, { userId, companyId, path: '/invoice/main' })).toBeUndefined()
  })

  test('opens nothing once the account has a second factor, opened before or not', async () => {
    for (const isOpened of [false, true]) {
      const { token, userId } = await made()
      if (isOpened) await callAs(world, calls.openLetterLink, { token })
      await world.app.db.pool.query("update users set totp_secret = 'x' where id = $1", [userId])
      for (const late of [calls.openLetterLink, calls.useAutoLogin])
        await expect(callAs(world, late, { token })).rejects.toThrow('session.autoEnded')
    }
  })
})

describe('a link into the application of a phone', () => {
  /** A logged-in person, and a link for that person's phone. */
  const made = async () => {
    const b = await newBusiness(world)
    const { url, seconds } = await b.call(calls.makeAutoLogin, { into: 'app' })
    const { companyId } = await b.call(calls.mySession, {})
    const { rows } = await world.app.db.pool.query('select user_id from memberships where company_id = $1', [
      companyId,
    ])
    const userId = rows[0].user_id as string
    return { b, url, seconds, token: url.split('#')[1]!, companyId, userId }
  }
  const use = (token: string, options?: { token?: string }) =>
    callAs(world, calls.useAutoLogin, { token }, options)
  const logOf = async (companyId: string) =>
    (
      await world.app.db.pool.query(
        "select action, user_id, address, after->>'path' as path, after->>'madeIn' as made from audit_log where company_id = $1 and action like 'session.autoLogin%' order by at, id",
        [companyId],
      )
    ).rows as { action: string; user_id: string; path: string; made: string | null }[]

  test('opens its maker’s session once, where he stood, and says that it came by a link', async () => {
    const { b, url, seconds, token, companyId, userId } = await made()
    expect([new URL(url).pathname, new URL(url).search, seconds]).toEqual(['/autologin', '?platform=1', 60])
    const opened = await use(token)
    expect(opened).toMatchObject({ CompanyKey: companyId, TypeID: 4, path: '/login' })
    expect(await callAs(world, calls.mySession, {}, { token: opened.UserKey })).toMatchObject({ companyId })
    // Both devices are logged in; the new one is listed among the sessions, distinct, and can be ended from the old.
    const { rows } = await b.call(calls.listSessions, {})
    expect(rows.map(({ way, current }) => [way, current])).toEqual(
      expect.arrayContaining([
        ['', true],
        ['link', false],
      ]),
    )
    await b.call(calls.endSession, { id: rows.find(({ current }) => !current)!.id })
    await expect(callAs(world, calls.mySession, {}, { token: opened.UserKey })).rejects.toMatchObject({
      status: 401,
    })
    expect(await logOf(companyId)).toMatchObject([
      { action: 'session.autoLoginMade', user_id: userId, path: '/login', made: 'app' },
      { action: 'session.autoLogin', user_id: userId, path: '/login' },
    ])
  })

  test('of ten who come with it at once one is in, and the others are told that it was used', async () => {
    const { token } = await made()
    const came = await Promise.allSettled(Array.from({ length: 10 }, () => use(token)))
    expect(came.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of came)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'session.autoUsed' })
    await expect(use(token)).rejects.toMatchObject({ code: 'session.autoUsed' })
  })

  test('is over after a minute, bound to its person, and refuses each with its reason and without a session', async () => {
    const { token, userId, companyId } = await made()
    const other = await newBusiness(world)
    // In a browser where somebody else is in it opens nothing, and stays good for its own person.
    await expect(use(token, { token: other.token })).rejects.toMatchObject({
      status: 409,
      code: 'session.autoOther',
    })
    await expect(use('x'.repeat(43))).rejects.toMatchObject({ code: 'session.autoUnknown' })
    await expect(callAs(world, calls.openLetterLink, { token })).rejects.toMatchObject({
      code: 'session.autoUnknown',
    })
    const { rows } = await world.app.db.pool.query(
      'select extract(epoch from expires_at - now())::int as left, token_hash from auto_logins where user_id = $1',
      [userId],
    )
    expect(rows[0].left).toBeGreaterThan(50)
    expect(rows[0].left).toBeLessThanOrEqual(60)
    // What is kept opens nothing.
    expect(JSON.stringify(rows)).not.toContain(token)
    await world.app.db.pool.query(
      "update auto_logins set expires_at = now() - interval '1 second' where user_id = $1",
      [userId],
    )
    await expect(use(token)).rejects.toMatchObject({ code: 'session.autoEnded' })
    expect((await logOf(companyId)).map(({ action }) => action)).toEqual(['session.autoLoginMade'])
  })

  test('does not open for who was shut out meanwhile, leads only inside, and is made only by who is in', async () => {
    const { b, token, userId, companyId } = await made()
    await world.app.db.pool.query('update users set blocked_at = now() where id = $1', [userId])
    await expect(use(token)).rejects.toMatchObject({ code: 'session.autoShut' })
    await world.app.db.pool.query('update users set blocked_at = null where id = $1', [userId])
    for (const path of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])
      await expect(b.call(calls.makeAutoLogin, { path, into: 'app' })).rejects.toMatchObject({
        errors: [{ path: 'path' }],
      })
    await expect(callAs(world, calls.makeAutoLogin, { into: 'app' })).rejects.toMatchObject({ status: 401 })
    expect((await logOf(companyId)).filter(({ action }) => action === 'session.autoLogin')).toEqual([])
  })
})

describe('recovery codes', () => {
  test('each opens one log-in in place of the phone; new ones end the old, and none is kept as it is', async () => {
    const b = await newBusiness(world)
    const { secret } = await b.call(calls.startFactor, { password: b.password })
    const { codes } = await b.call(calls.confirmFactor, {
      code: generateSync({ secret, epoch: Math.floor(Date.now() / 1000) - 30 }),
    })
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    const { rows } = await world.app.db.pool.query(
      'select user_id::text, code_hash::text from recovery_codes',
    )
    for (const code of codes) expect(JSON.stringify(rows)).not.toContain(code)
    for (const code of codes) expect(code).toMatch(/^([2-9A-HJKMNP-Z]{4}-){5}[2-9A-HJKMNP-Z]{4}$/)
    const enter = async (code: string) => {
      const asked = await callAs(world, calls.logIn, { email: b.email, password: b.password })
      if (!('factorNeeded' in asked)) throw new Error('not asked')
      return (await raw(world, calls.logInFactor, { token: asked.token, code })).statusCode
    }
    // One of the sixteen characters that were given before opens as it did.
    await world.app.db.pool.query(
      `insert into recovery_codes (user_id, code_hash)
        select id, sha256(convert_to('recovery:' || id || ':2345ABCD6789EFGH', 'utf8')) from users where email = $1`,
      [b.email],
    )
    expect(await enter('2345-ABCD-6789-EFGH')).toBe(200)
    const left = async () => (await b.call(calls.recoveryCodes, {})).left
    expect(await enter(codes[0]!)).toBe(200)
    expect(await enter(codes[0]!)).toBe(422)
    // As people write: small letters, no lines between.
    expect(await enter(codes[1]!.toLowerCase().replaceAll('-', ' '))).toBe(200)
    expect(await left()).toBe(8)
    const other = await newBusiness(world)
    await other.call(calls.startFactor, { password: other.password })
    await expect(other.call(calls.confirmFactor, { code: codes[2]! })).rejects.toMatchObject({
      code: 'session.wrongCode',
    })
    await expect(b.call(calls.renewRecoveryCodes, { password: 'wrong' })).rejects.toMatchObject({
      code: 'session.wrongPassword',
    })
    // The code of the second factor, or one of those kept for its place.
    await expect(b.call(calls.renewRecoveryCodes, { password: b.password })).rejects.toMatchObject({
      errors: [{ path: 'code', code: 'fields.need' }],
    })
    const { codes: next } = await b.call(calls.renewRecoveryCodes, { password: b.password, code: codes[2]! })
    expect(await enter(codes[3]!)).toBe(422)
    expect(await enter(next[0]!)).toBe(200)
    await b.call(calls.dropFactor, { password: b.password, code: next[1]! })
    expect(await left()).toBe(0)
    await expect(b.call(calls.renewRecoveryCodes, { password: b.password })).rejects.toMatchObject({
      code: 'session.noFactor',
    })
  })
})

describe('an address that is only claimed', () => {
  test('is verified by the code or by the link of the email, for ten tries', async () => {
    const b = await newBusiness(world, { isVerified: false })
    expect(await b.call(calls.mySession, {})).toMatchObject({ emailVerified: false })
    const code = (await codeSentTo('mail', b.email))!
    const wrong = code === '000000' ? '111111' : '000000'
    for (let i = 0; i < 10; i++)
      await expect(b.call(calls.verify, { what: 'email', code: wrong })).rejects.toMatchObject({
        errors: [{ path: 'code', code: 'session.wrongCode' }],
      })
    await expect(b.call(calls.verify, { what: 'email', code })).rejects.toMatchObject({
      errors: [{ path: 'code', code: 'session.codeEnded' }],
    })
    expect(await b.call(calls.sendVerification, { what: 'email' })).toMatchObject({ to: b.email })
    await b.call(calls.verify, { what: 'email', code: (await codeSentTo('mail', b.email))! })
    expect(await b.call(calls.mySession, {})).toMatchObject({ emailVerified: true })

    const other = await newBusiness(world, { isVerified: false })
    await world.worker.drain()
    const token = /verify-email#([\w-]{43})/.exec(mailText(kept('mail', other.email)))![1]!
    expect(await callAs(world, calls.verifyLink, { token })).toEqual({ email: other.email })
    await expect(callAs(world, calls.verifyLink, { token })).rejects.toMatchObject({
      code: 'session.linkEnded',
    })
    expect(await other.call(calls.mySession, {})).toMatchObject({ emailVerified: true })
  })

  test('belongs to the person who proves it: what was set up before ends', async () => {
    const link = async (email: string) => {
      await callAs(world, calls.askReset, { email })
      await world.worker.drain()
      return /reset-password#([\w-]{43})/.exec(mailText(kept('mail', email)))![1]!
    }
    const google = (email: string) =>
      simulatedToken(world.app.settings.dataDir, { clientId: 'stand-in', email, now: new Date() })
    for (const prove of [
      async (b: Business) =>
        callAs(world, calls.useReset, { token: await link(b.email), password: 'owner of the mailbox' }),
      async (b: Business) =>
        expect(await callAs(world, calls.logInGoogle, { token: google(b.email) })).toMatchObject({
          cleared: true,
        }),
    ]) {
      const stranger = await newBusiness(world, { isVerified: false })
      const { secret: key } = await stranger.call(makeKey, {
        name: 'מחשבון',
        readOnly: false,
        draftsOnly: false,
        rules: [],
        docsAllow: [],
        sumLimitAgorot: null,
        expiresOn: null,
      })
      const { url } = await stranger.call(calls.makeAutoLogin, {})
      const { secret } = await stranger.call(calls.startFactor, { password: stranger.password })
      await stranger.call(calls.confirmFactor, { code: generateSync({ secret }) })
      await prove(stranger)
      await expect(stranger.call(calls.mySession, {})).rejects.toMatchObject({ status: 401 })
      await expect(
        callAs(world, calls.logIn, { email: stranger.email, password: stranger.password }),
      ).rejects.toMatchObject({
        code: 'session.wrongPassword',
      })
      await expect(callAs(world, calls.useAutoLogin, { token: url.split('#')[1]! })).rejects.toMatchObject({
        code: 'session.autoUnknown',
      })
      const answer = await world.http.inject({
        url: '/api4/invoice/customers',
        headers: { 'x-access-token': key },
      })
      expect(answer.statusCode).toBe(401)
    }
  })

  test('joins a Google account only after a confirmation once it is verified', async () => {
    const b = await newBusiness(world)
    const token = simulatedToken(world.app.settings.dataDir, {
      clientId: 'stand-in',
      email: b.email,
      now: new Date(),
    })
    expect(await callAs(world, calls.logInGoogle, { token })).toEqual({ joinNeeded: true, email: b.email })
    expect(await callAs(world, calls.logInGoogle, { token, join: true })).toHaveProperty('UserKey')
    expect(await callAs(world, calls.logInGoogle, { token })).toHaveProperty('UserKey')
    // What was there before stays.
    expect(await b.call(calls.mySession, {})).toMatchObject({ email: b.email })
    expect(await callAs(world, calls.logIn, { email: b.email, password: b.password })).toHaveProperty(
      'UserKey',
    )
  })
})

describe('a change of how an account is reached', () => {
  const undoOf = async (to: string): Promise<string> => {
    await world.worker.drain()
    return /undo-change#([\w-]{43})/.exec(mailText(kept('mail', to)))![1]!
  }

  test('needs the password, and the code of the second factor where there is one', async () => {
    const b = await newBusiness(world)
    const { secret } = await b.call(calls.startFactor, { password: b.password })
    await b.call(calls.confirmFactor, {
      code: generateSync({ secret, epoch: Math.floor(Date.now() / 1000) - 30 }),
    })
    const email = newEmail()
    const phone = `05${Math.floor(Math.random() * 9e7 + 1e7)}`
    const changes: [string, (proof: { password?: string; code?: string }) => Promise<unknown>][] = [
      ['password', (proof) => b.call(calls.changeMe, { phone, ...proof })],
      ['password', ({ password = '', ...proof }) => b.call(calls.changeEmail, { email, password, ...proof })],
      [
        'current',
        ({ password: current = '', ...proof }) =>
          b.call(calls.changePassword, { current, password: 'another long password', ...proof }),
      ],
      ['password', ({ password = '', ...proof }) => b.call(calls.startFactor, { password, ...proof })],
      ['password', ({ password = '', ...proof }) => b.call(calls.renewRecoveryCodes, { password, ...proof })],
      ['password', ({ password = '', ...proof }) => b.call(calls.dropFactor, { password, ...proof })],
    ]
    for (const [path, change] of changes) {
      await expect(change({})).rejects.toMatchObject({ errors: [{ path }] })
      await expect(change({ password: b.password })).rejects.toMatchObject({ errors: [{ path: 'code' }] })
    }
    await expect(changes[0]![1]({ password: b.password, code: '000000' })).rejects.toMatchObject({
      errors: [{ path: 'code', code: 'session.wrongCode' }],
    })
    expect(await b.call(calls.mySession, {})).toMatchObject({ email: b.email, phone: '', factor: true })
  })

  test('is announced to the address of before, and undone from there with all that came after', async () => {
    const b = await newBusiness(world)
    const first = `05${Math.floor(Math.random() * 9e7 + 1e7)}`
    await givePhone(b, first)
    const undo: string[] = []
    // Somebody who has the password takes the account over, step by step.
    const theirs = newEmail()
    const theirPhone = `05${Math.floor(Math.random() * 9e7 + 1e7)}`
    await b.call(calls.changePassword, { current: b.password, password: 'the password of a thief' })
    undo.push(await undoOf(b.email))
    await b.call(calls.changeMe, { phone: theirPhone, password: 'the password of a thief' })
    await b.call(calls.changeEmail, { email: theirs, password: 'the password of a thief' })
    await b.call(calls.verify, { what: 'email', code: (await codeSentTo('mail', theirs))! })
    // The address of before is notified of this and of what follows.
    const { secret } = await b.call(calls.startFactor, { password: 'the password of a thief' })
    await b.call(calls.confirmFactor, { code: generateSync({ secret }) })
    undo.push(await undoOf(b.email))
    expect(await b.call(calls.mySession, {})).toMatchObject({
      email: theirs,
      phone: theirPhone,
      factor: true,
    })

    expect(await callAs(world, calls.showChange, { token: undo[0]! })).toMatchObject({ kind: 'password' })
    expect(await callAs(world, calls.showChange, { token: undo[1]! })).toMatchObject({ kind: 'factorOn' })
    const { token } = await callAs(world, calls.undoChange, { token: undo[0]! })
    await expect(b.call(calls.mySession, {})).rejects.toMatchObject({ status: 401 })
    for (const used of undo)
      await expect(callAs(world, calls.undoChange, { token: used })).rejects.toMatchObject({
        code: 'session.linkEnded',
      })
    const back = (await callAs(world, calls.logIn, { email: b.email, password: b.password })) as {
      UserKey: string
    }
    expect(await callAs(world, calls.mySession, {}, { token: back.UserKey })).toMatchObject({
      email: b.email,
      emailVerified: true,
      phone: first,
      phoneVerified: true,
      factor: false,
    })
    await callAs(world, calls.useReset, { token, password: 'a password of my own' })
    expect(
      await callAs(world, calls.logIn, { email: b.email, password: 'a password of my own' }),
    ).toHaveProperty('UserKey')
  })

  test('a known device is listed and forgotten by its person alone; the next log-in from it is announced again', async () => {
    const b = await newBusiness(world)
    const [one, other] = [newDevice(), newDevice()]
    const at = { address: '10.44.0.1' }
    const logIn = async (device: string) => {
      const answer = await callAs(
        world,
        calls.logIn,
        { email: b.email, password: b.password },
        { ...at, device },
      )
      if (!('UserKey' in answer)) throw new Error('not in')
      return answer.UserKey
    }
    const notices = () =>
      world.app.db.pool
        .query<{ n: number }>(
          `select count(*)::int as n from account_changes c join users u on u.id = c.user_id
            where u.email = $1 and c.kind = 'device'`,
          [b.email],
        )
        .then(({ rows }) => rows[0]!.n)
    const token = await logIn(one)
    await logIn(other)
    const before = await notices()
    await logIn(one)
    expect(await notices()).toBe(before)
    const { rows } = await callAs(world, calls.listDevices, {}, { token })
    // The browser of the sign-up, and these two.
    expect(rows).toHaveLength(3)
    expect(rows.filter(({ current }) => current)).toMatchObject([{ address: '10.44.0.1' }])
    expect(JSON.stringify(rows)).not.toContain(one)
    const mine = rows.find(({ current }) => current)!
    const stranger = await newBusiness(world)
    await expect(stranger.call(calls.forgetDevice, { id: mine.id })).rejects.toMatchObject({ status: 404 })
    await callAs(world, calls.forgetDevice, { id: mine.id }, { token })
    await expect(callAs(world, calls.forgetDevice, { id: mine.id }, { token })).rejects.toMatchObject({
      status: 404,
    })
    expect((await callAs(world, calls.listDevices, {}, { token })).rows.map(({ id }) => id)).not.toContain(
      mine.id,
    )
    // The other browser of the same kind at the same address does not vouch for it.
    await logIn(one)
    expect(await notices()).toBe(before + 1)
    await logIn(one)
    expect(await notices()).toBe(before + 1)
    // A forgotten device is bound by the limit of wrong passwords that all unknown ones share.
    const known = (await callAs(world, calls.listDevices, {}, { token })).rows
    expect(known).toHaveLength(3)
    await expect(callAs(world, calls.listDevices, {}, { token: 'no such session' })).rejects.toMatchObject({
      status: 401,
    })
  })

  test('is announced for keys and new devices too, and undoing ends those', async () => {
    const b = await newBusiness(world)
    const { secret: key } = await b.call(makeKey, {
      name: 'קופה',
      readOnly: true,
      draftsOnly: false,
      rules: [],
      docsAllow: [],
      sumLimitAgorot: null,
      expiresOn: null,
    })
    const keyUndo = await undoOf(b.email)
    expect(await callAs(world, calls.showChange, { token: keyUndo })).toMatchObject({ kind: 'apiKey' })
    const call = () =>
      world.http.inject({ url: '/api4/invoice/customers', headers: { 'x-access-token': key } })
    expect((await call()).statusCode).toBe(200)
    const device = newDevice()
    const session = (await callAs(
      world,
      calls.logIn,
      { email: b.email, password: b.password },
      { device },
    )) as { UserKey: string }
    const deviceUndo = await undoOf(b.email)
    expect(await callAs(world, calls.showChange, { token: deviceUndo })).toMatchObject({ kind: 'device' })
    // A browser that is known is not announced again.
    await callAs(world, calls.logIn, { email: b.email, password: b.password }, { device })
    expect(await undoOf(b.email)).toBe(deviceUndo)
    await callAs(world, calls.undoChange, { token: keyUndo })
    expect((await call()).statusCode).toBe(401)
    await expect(
      callAs(world, calls.mySession, {}, session.UserKey ? { token: session.UserKey } : {}),
    ).rejects.toMatchObject({
      status: 401,
    })
  })

  test('a new password ends sign-in links and, if asked, API keys', async () => {
    const b = await newBusiness(world)
    const keys = await Promise.all(
      ['א', 'ב'].map((name) =>
        b.call(makeKey, {
          name,
          readOnly: true,
          draftsOnly: false,
          rules: [],
          docsAllow: [],
          sumLimitAgorot: null,
          expiresOn: null,
        }),
      ),
    )
    const opens = async () =>
      (
        await Promise.all(
          keys.map(({ secret }) =>
            world.http.inject({ url: '/api4/invoice/customers', headers: { 'x-access-token': secret } }),
          ),
        )
      ).map(({ statusCode }) => statusCode)
    const { url } = await b.call(calls.makeAutoLogin, {})
    await b.call(calls.changePassword, { current: b.password, password: 'another long password' })
    await expect(callAs(world, calls.useAutoLogin, { token: url.split('#')[1]! })).rejects.toMatchObject({
      code: 'session.autoUnknown',
    })
    expect(await opens()).toEqual([200, 200])
    await b.call(calls.changePassword, {
      current: 'another long password',
      password: 'and one more password',
      endKeys: true,
    })
    expect(await opens()).toEqual([401, 401])
  })

  test('a number that somebody else wrote into their account opens and closes nothing', async () => {
    const b = await newBusiness(world)
    const phone = `05${Math.floor(Math.random() * 9e7 + 1e7)}`
    await givePhone(b, phone)
    const stranger = await newBusiness(world)
    await givePhone(stranger, `+972 ${phone.slice(1)}`, false)
    expect(await callAs(world, calls.logIn, { email: phone, password: b.password })).toHaveProperty('UserKey')
    const device = newDevice()
    await callAs(world, calls.askLogInCode, { phone }, { device })
    const session = (await callAs(
      world,
      calls.logInSms,
      { phone, code: (await codeSentTo('sms', phone.slice(1)))! },
      { device },
    )) as { UserKey: string }
    expect(await callAs(world, calls.mySession, {}, { token: session.UserKey })).toMatchObject({
      email: b.email,
    })
    expect(await stranger.call(calls.mySession, {})).toMatchObject({ phoneVerified: false })
    // Two who never verified it: each password opens its own account.
    const other = `05${Math.floor(Math.random() * 9e7 + 1e7)}`
    const [one, two] = [await newBusiness(world), await newBusiness(world)]
    await one.call(calls.changeMe, { phone: other, password: one.password })
    await two.call(calls.changeMe, { phone: other, password: two.password })
    await two.call(calls.changePassword, { current: two.password, password: 'only the second one' })
    const second = (await callAs(world, calls.logIn, { email: other, password: 'only the second one' })) as {
      UserKey: string
    }
    expect(await callAs(world, calls.mySession, {}, { token: second.UserKey })).toMatchObject({
      email: two.email,
    })
    await callAs(world, calls.askLogInCode, { phone: other }, { device })
    await world.worker.drain()
    expect(kept('sms', other.slice(1)).split('\n').length, 'only the codes to verify it').toBeLessThan(4)
  })
})

test('a log-in with Google while its keys cannot be had', async () => {
  const before = world.app.settings.google
  const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('connection refused'))
  world.app.settings.google = { mode: 'real', clientId: 'pinkas' }
  try {
    await expect(callAs(world, calls.logInGoogle, { token: 'a.b.c' })).rejects.toMatchObject({
      status: 503,
      code: 'session.googleAway',
    })
  } finally {
    world.app.settings.google = before
    fetched.mockRestore()
  }
})
