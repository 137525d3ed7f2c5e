import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '#kit/server/settings.ts'
import { mailLimitOf, takeRoom } from '#kit/server/outside/mailLimit.ts'
import { Postponed } from '#kit/server/work/postponed.ts'
import { listNotifications } from '#features/people/bell/endpoints.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { addTerminal } from '#features/money/acquirers/endpoints.ts'
import { createLink, sendLink } from '#features/money/paymentLinks/endpoints.ts'
import { resendMessage } from '#features/office/messages/endpoints.ts'
import { sendLetters, sendStatements } from '#features/people/correspondence/endpoints.ts'
import { dispatchLetter, makeLetter } from '#features/people/letters/endpoints.ts'
import { sendOutside, signOutside, uploadOutside } from '#features/people/outside/endpoints.ts'
import { createPlan, listPlanPeople, sendPlan } from '#features/reports/reportPlans/endpoints.ts'
import { historyOfDocument, sendDocument } from '#features/sales/documents/endpoints.ts'
import { askSignCode } from '#features/sales/signing/endpoints.ts'
import {
  callAs,
  dataDir,
  newBusiness,
  startWorld,
  verifyAddress,
  type Business,
  type World,
} from './world.ts'

let world: World
let ahead = 0
beforeAll(async () => {
  world = await startWorld(() => new Date(Date.now() + ahead))
  world.app.settings.testAcquirer = true
})
afterAll(() => world.close())

const dayMs = 86_400_000
const query = <T extends object>(text: string, values: unknown[] = []) =>
  world.app.db.pool.query<T>(text, values).then(({ rows }) => rows)
const idOf = async (b: Business) => (await b.call(mySession, {})).companyId
/** The next day, at an hour at which what waited leaves. */
async function nextDay(): Promise<void> {
  ahead += dayMs
  await query(`update outbox set run_after = now() - interval '1 second' where done_at is null`)
  await world.worker.drain()
}
/** Addresses of messages of a business, by their state. */
async function byState(companyId: string): Promise<Record<string, string[]>> {
  const rows = await query<{ state: string; recipient: string }>(
    'select state, recipient from messages where company_id = $1 order by created_at, id',
    [companyId],
  )
  return Object.fromEntries(
    [...new Set(rows.map(({ state }) => state))].map((state) => [
      state,
      rows.filter((row) => row.state === state).map(({ recipient }) => recipient),
    ]),
  )
}
const mailsTo = (address: string): number =>
  existsSync(join(dataDir, 'mail'))
    ? readdirSync(join(dataDir, 'mail')).filter((name) =>
        readFileSync(join(dataDir, 'mail', name), 'utf8').includes(`To: ${address}`),
      ).length
    : 0

describe('the number of recipients', () => {
  test('grows with proof of the address, age and a paid plan, and never falls with age', () => {
    const of = (isVerified: boolean, ageDays: number, isPaying = false) =>
      mailLimitOf({ isVerified, ageDays, isPaying }).recipients
    expect([of(false, 0), of(false, 400), of(false, 400, true)]).toEqual([5, 5, 5])
    expect([-1, 0, 6.9, 7, 29, 30, 364, 365].map((days) => of(true, days))).toEqual([
      30, 30, 30, 200, 200, 1000, 1000, 2000,
    ])
    expect([0, 29, 30, 365].map((days) => of(true, days, true))).toEqual([2000, 2000, 5000, 10_000])
  })
})

describe('a business with an unverified address', () => {
  test('writes to five people in a day by all ways together; the rest waits for the next days, and the owner learns once a day', async () => {
    const b = await newBusiness(world, { isVerified: false })
    const companyId = await idOf(b)
    const customers = []
    for (const no of [1, 2, 3, 4, 5, 6, 7])
      customers.push(await b.customer(`C${no}`, { email: `c${no}@outside.example`, language: 'en' }))
    const [c1, c2, c3, , c5, c6, c7] = customers
    const paper = await b.invoice(c1!.id, '1000')
    // c1 twice: who got mail today does not count again.
    await b.call(sendDocument, { id: paper.id, to: 'c1@outside.example', attach: false })
    await b.call(sendStatements, { ids: [c1!.id, c2!.id] })
    await b.call(addTerminal, { gateway: 'test' })
    const link = await b.call(createLink, {
      description: 'x',
      amountAgorot: 5000,
      customerId: c3!.id,
    } as never)
    await b.call(sendLink, { id: String(link.id), to: 'c3@outside.example' })
    const sample = readFileSync(join(root, 'tests/papers/samples/classic-2.pdf'))
    const { id: outside } = await b.call(uploadOutside, { name: 'x.pdf', bytes: sample })
    await b.call(sendOutside, { id: outside, to: 'C4@outside.example' })
    await b.call(sendLetters, { ids: [c5!.id, c6!.id], subject: 'x', text: 'y' })
    const letter = await b.call(makeLetter, { title: 'x', body: 'y', customerIds: [c7!.id] } as never)
    await b.call(dispatchLetter, { id: letter.id })
    await b.call(signOutside, { id: outside, signer: { name: 'S', email: 'signer@outside.example' } })
    const me = (await b.call(listPlanPeople, { report: 'income' })).rows[0]!.id
    const plan = await b.call(createPlan, {
      report: 'income',
      query: { from: '2026-01-01', to: '2026-02-01', cols: 'month,netAgorot' },
      title: 'x',
      every: 'day',
      weekday: 0,
      monthDay: 1,
      daysBefore: 3,
      hour: 9,
      span: 'thisMonth',
      formats: ['xlsx'],
      condition: null,
      isOn: true,
      people: [me],
    })
    await b.call(sendPlan, { id: plan.id })
    await world.worker.drain()

    const first = await byState(companyId)
    const sent = new Set(first.kept!.filter((to) => to !== b.email))
    expect([...sent].toSorted()).toEqual([1, 2, 3, 4, 5].map((no) => `c${no}@outside.example`))
    // Mail to the business's own people is not limited.
    expect(first.kept).toContain(b.email)
    expect(first.postponed!.toSorted()).toEqual([
      'c6@outside.example',
      'c7@outside.example',
      'signer@outside.example',
    ])
    expect(first.queued).toBeUndefined()
    expect([mailsTo('c6@outside.example'), mailsTo('c1@outside.example')]).toEqual([0, 2])
    // A delay is not a failed try, and nothing runs before the next day.
    const waiting = await query<{ attempts: number; soon: boolean }>(
      `select attempts, run_after < now() + interval '1 hour' as soon from outbox
        where company_id = $1 and done_at is null and payload ? 'messageId'`,
      [companyId],
    )
    expect(waiting).toHaveLength(3)
    expect(waiting.map(({ attempts }) => attempts)).toEqual([0, 0, 0])
    const bells = async () =>
      (await b.call(listNotifications, {})).rows.filter(({ kind }) => kind === 'messages.limit')
    expect(await bells()).toMatchObject([{ params: { most: 5 } }])

    // The history of a document says that its message waits; it cannot be sent again meanwhile.
    await b.call(sendDocument, { id: paper.id, to: 'late@outside.example', attach: false })
    await world.worker.drain()
    const { messages } = await b.call(historyOfDocument, { id: paper.id })
    const late = messages.find(({ recipient }) => recipient === 'late@outside.example')!
    expect(late.state).toBe('postponed')
    await expect(b.call(resendMessage, { id: late.id })).rejects.toMatchObject({
      code: 'messages.stillQueued',
    })
    expect(await bells()).toHaveLength(1)

    await nextDay()
    const second = await byState(companyId)
    expect(second.postponed).toBeUndefined()
    expect(['c6', 'c7', 'signer', 'late'].map((name) => mailsTo(`${name}@outside.example`))).toEqual([
      1, 1, 1, 1,
    ])
  })

  test('many jobs at once do not exceed the limit together', async () => {
    const b = await newBusiness(world, { isVerified: false })
    const companyId = await idOf(b)
    const taken = await Promise.allSettled(
      Array.from({ length: 40 }, (_, i) => takeRoom(world.app, companyId, `r${i % 20}@outside.example`)),
    )
    const refused = taken.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
    expect(refused.every((e) => e instanceof Postponed)).toBe(true)
    expect(refused).toHaveLength(30)
    expect(
      await query('select count(*)::int as n from mail_recipients where company_id = $1', [companyId]),
    ).toEqual([{ n: 5 }])
  })

  test('several addresses in one field count each, and one person gets a limited number of messages', async () => {
    const b = await newBusiness(world, { isVerified: false })
    const companyId = await idOf(b)
    await takeRoom(world.app, companyId, 'A <a@x.example>, b@x.example; c@x.example')
    await expect(takeRoom(world.app, companyId, 'd@x.example,e@x.example,f@x.example')).rejects.toThrow(
      Postponed,
    )
    for (let no = 0; no < 9; no++) await takeRoom(world.app, companyId, 'a@x.example')
    await expect(takeRoom(world.app, companyId, 'a@x.example')).rejects.toThrow(Postponed)
    // One that did not leave is not counted.
    const giveBack = await takeRoom(world.app, companyId, 'b@x.example')
    await giveBack()
    expect(
      await query(`select messages from mail_recipients where company_id = $1 and email = 'b@x.example'`, [
        companyId,
      ]),
    ).toEqual([{ messages: 1 }])
  })

  test('a code that would come too late is refused at once', async () => {
    const b = await newBusiness(world, { isVerified: false })
    const companyId = await idOf(b)
    const sample = readFileSync(join(root, 'tests/papers/samples/classic-2.pdf'))
    const { id } = await b.call(uploadOutside, { name: 'x.pdf', bytes: sample })
    await b.call(signOutside, { id, signer: { name: 'S', email: 'coded@outside.example' } })
    await query(`update sign_signers set identity = 'code' where company_id = $1`, [companyId])
    await query(`delete from outbox where company_id = $1 and name = 'signing.mail'`, [companyId])
    const [{ key } = { key: '' }] = await query<{ key: string }>(
      'select page_key as key from sign_signers where company_id = $1',
      [companyId],
    )
    for (const no of [1, 2, 3, 4, 5]) await takeRoom(world.app, companyId, `t${no}@outside.example`)
    await expect(callAs(world, askSignCode, { key })).rejects.toMatchObject({
      status: 429,
      code: 'kit.tooMany',
    })
    expect(await query(`select 1 from sign_codes where company_id = $1`, [companyId])).toEqual([])
  })
})

test('a verified business writes to more', async () => {
  const b = await newBusiness(world)
  const companyId = await idOf(b)
  for (let no = 0; no < 30; no++) await takeRoom(world.app, companyId, `v${no}@outside.example`)
  await expect(takeRoom(world.app, companyId, 'v30@outside.example')).rejects.toThrow(Postponed)
  await query(`update companies set created_at = now() - interval '400 days' where id = $1`, [companyId])
  await takeRoom(world.app, companyId, 'v30@outside.example')
})

test('mail of an account itself is never delayed', async () => {
  const b = await newBusiness(world, { isVerified: false })
  const companyId = await idOf(b)
  for (const no of [1, 2, 3, 4, 5]) await takeRoom(world.app, companyId, `s${no}@outside.example`)
  await world.worker.drain()
  // The sign-up's own message.
  expect(mailsTo(b.email)).toBe(1)
  await takeRoom(world.app, companyId, b.email)
  await verifyAddress(world, b.email)
})

/**
 * Where mail leaves without the limit of a business, each with the reason. Everything else is sent by `sendMailOf` or
 * `deliverQueued`.
 */
const around: Record<string, string> = {
  'features/base/session/server/sealed.ts': 'codes, links and notices for the account itself',
  'features/office/support/server/givenUp.ts': 'to the operators, whom the installation names',
}

test('no feature sends mail around the limit', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({ file, code: readFileSync(join(root, 'src', file), 'utf8') }))
  expect(
    sources
      .filter(({ file, code }) => /\bsendMail\b/.test(code) && file.startsWith('features/'))
      .map(({ file }) => file)
      .toSorted(),
  ).toEqual(Object.keys(around).toSorted())
  expect(sources.filter(({ code }) => /\bnodemailer\b/.test(code)).map(({ file }) => file)).toEqual([
    'kit/server/outside/mail.ts',
  ])
})
