import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import { root } from '#kit/server/settings.ts'
import * as session from '#features/base/session/endpoints.ts'
import { sendCode, verifyCode } from '#features/calendar/bookingPage/endpoints.ts'
import { signOutside, uploadOutside } from '#features/people/outside/endpoints.ts'
import { createShare, openShare } from '#features/reports/reportShares/endpoints.ts'
import { askSignCode, giveSignCode } from '#features/sales/signing/endpoints.ts'
import { callAs, newBusiness, raw, startWorld, type Business, type World } from './world.ts'

let world: World
let b: Business
beforeAll(async () => {
  world = await startWorld()
  b = await newBusiness(world)
})
afterAll(() => world.close())

const atOnce = 60
const query = <T extends object>(text: string, values: unknown[] = []) =>
  world.app.db.pool.query<T>(text, values).then(({ rows }) => rows)

/** How often each refusal came of as many calls at once. */
async function guess(
  call: Parameters<typeof raw>[1],
  input: Record<string, unknown>,
  options: (no: number) => Parameters<typeof raw>[3],
): Promise<Record<string, number>> {
  const answers = await Promise.all(
    Array.from({ length: atOnce }, (_, no) => raw(world, call, { ...input }, options(no))),
  )
  const counts: Record<string, number> = {}
  for (const { body } of answers) {
    const { code, errors } = JSON.parse(body) as { code?: string; errors?: { code: string }[] }
    const said = errors?.[0]?.code ?? code ?? 'passed'
    counts[said] = (counts[said] ?? 0) + 1
  }
  return counts
}
const from = (address: string) => () => ({ address })
const anywhere = (no: number) => ({ address: `10.20.${Math.floor(no / 200)}.${(no % 200) + 1}` })

describe('of sixty guesses at once no more are compared than one after the other', () => {
  test('at a password', async () => {
    expect(
      await guess(session.logIn, { email: b.email, password: 'wrong wrong wrong' }, from('10.9.0.1')),
    ).toEqual({ 'session.wrongPassword': 20, 'kit.tooMany': 40 })
  })

  test('at the password of a session that is open', async () => {
    const other = await newBusiness(world)
    expect(
      await guess(session.startFactor, { password: 'wrong wrong wrong' }, () => ({ token: other.token })),
    ).toEqual({ 'session.wrongPassword': 10, 'kit.tooMany': 50 })
  })

  test('at the second factor', async () => {
    const other = await newBusiness(world)
    const { secret } = await other.call(session.startFactor, { password: other.password })
    const seconds = Math.floor(Date.now() / 1000)
    await other.call(session.confirmFactor, { code: generateSync({ secret, epoch: seconds - 30 }) })
    const asked = await callAs(world, session.logIn, { email: other.email, password: other.password })
    if (!('factorNeeded' in asked)) throw new Error('not asked')
    expect(
      await guess(session.logInFactor, { token: asked.token, code: '00000000' }, from('10.9.0.2')),
    ).toEqual({ 'session.wrongCode': 10, 'kit.tooMany': 50 })
  })

  test('at a code by text message', async () => {
    const phone = '0521239876'
    await query('update users set phone = $2, phone_verified_at = now() where email = $1', [b.email, phone])
    const device = 'device-of-one-who-guesses-codes'
    await callAs(world, session.askLogInCode, { phone }, { device })
    expect(await guess(session.logInSms, { phone, code: '000000' }, () => ({ device }))).toEqual({
      'session.wrongCode': 10,
      'kit.tooMany': 50,
    })
  })

  test('at a code that verifies an address', async () => {
    const other = await newBusiness(world, { isVerified: false })
    expect(
      await guess(session.verify, { what: 'email', code: '000000' }, () => ({ token: other.token })),
    ).toEqual({ 'session.wrongCode': 10, 'session.codeEnded': 50 })
  })

  test('at a code of the booking page, from wherever', async () => {
    const { companyId } = await b.call(session.mySession, {})
    const [{ key } = { key: '' }] = await query<{ key: string }>(
      'insert into booking_pages (company_id, is_on) values ($1, true) returning key',
      [companyId],
    )
    const { codeId } = await callAs(world, sendCode, { key, phone: '0521112223', name: 'x' } as never)
    expect(await guess(verifyCode, { key, codeId, code: '000000', name: 'x' }, anywhere)).toEqual({
      'bookingPage.wrongCode': 5,
      'bookingPage.codeEnded': 55,
    })
  })

  test('at a code of a signer, from wherever', async () => {
    const sample = readFileSync(join(root, 'tests/papers/samples/classic-2.pdf'))
    const { id } = await b.call(uploadOutside, { name: 'x.pdf', bytes: sample })
    const asked = await b.call(signOutside, { id, signer: { name: 'S', email: 's@outside.example' } })
    await query(`update sign_signers set identity = 'code' where request_id = $1`, [asked.id])
    const [{ key } = { key: '' }] = await query<{ key: string }>(
      'select page_key as key from sign_signers where request_id = $1',
      [asked.id],
    )
    await callAs(world, askSignCode, { key })
    expect(await guess(giveSignCode, { key, code: '000000' }, anywhere)).toEqual({
      'signing.wrongCode': 4,
      'signing.codeEnded': 56,
    })
    expect(
      await query(
        'select tries from sign_codes c join sign_signers s on s.id = c.signer_id where s.request_id = $1',
        [asked.id],
      ),
    ).toEqual([{ tries: 5 }])
  })

  test('at the password of a shared report, and its reader elsewhere comes in', async () => {
    const password = 'four long words here'
    const { url } = await b.call(createShare, {
      report: 'income',
      query: { from: '2026-01-01', to: '2026-02-01', cols: 'month,netAgorot' },
      title: 'x',
      password,
      expiresOn: addDays(dayInJerusalem(new Date()), 9),
    } as never)
    const key = url.split('/').at(-1)!
    expect(
      await guess(openShare, { key, password: 'wrong wrong', name: 'Reader' }, from('10.9.0.3')),
    ).toEqual({ 'reportShares.wrongPassword': 5, 'reportShares.wait': 55 })
    await expect(
      callAs(world, openShare, { key, password, name: 'Reader' }, { address: '10.9.0.3' }),
    ).rejects.toMatchObject({ code: 'reportShares.wait' })
    expect(
      await callAs(world, openShare, { key, password, name: 'Reader' }, { address: '10.9.0.4' }),
    ).toHaveProperty('answer')
  })
})

test('every table that keeps a code and counts its tries is counted by countTry', () => {
  const tables = readFileSync(join(root, 'db/tables.ts'), 'utf8')
  const counted = [...tables.matchAll(/^export interface (\w+) \{([^}]*)\}/gm)]
    .filter(([, , columns]) => /\bcode_hash:/.test(columns!) && /\btries:/.test(columns!))
    .map(([, name]) => name!.replace(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase())
  const throttle = readFileSync(join(root, 'src/kit/server/http/throttle.ts'), 'utf8')
  expect(counted.length).toBeGreaterThan(2)
  expect(counted.filter((name) => !throttle.includes(`'${name}'`))).toEqual([])
  const around = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => {
      const code = readFileSync(join(root, 'src', file), 'utf8')
      return counted.some((name) => new RegExp(`update ${name}\\b[^\`]*\\btries = tries \\+ 1`).test(code))
    })
  expect(around).toEqual([])
})
