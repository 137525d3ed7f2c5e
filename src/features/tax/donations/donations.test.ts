import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newBusiness, newTaxId, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { simulatedAuthority } from '#features/tax/allocation/server/index.ts'
import { cancelDocument, createDocument, pdfOfDocument } from '#features/sales/documents/endpoints.ts'
import { chooseAreas } from '#features/base/modules/endpoints.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import * as calls from './endpoints.ts'
import { report } from './server/report.ts'
import { asCaller, systemCaller } from '#kit/server/context.ts'
import { simulatedDonations } from './server/simulator.ts'

let world: World
let charity: Business
let companyId: string

beforeAll(async () => {
  world = await startWorld()
  world.app.settings.donations.mode = 'simulator'
  simulatedAuthority.latencyMs = 0
})
afterAll(() => world.close())
beforeEach(async () => {
  Object.assign(simulatedDonations, { outage: false, calls: [] })
  charity = await newBusiness(world, { kind: 'nonProfit', name: 'עמותת לב' })
  companyId = (await charity.call(mySession, {})).companyId
})

const connectUp = async () => {
  const { url } = await charity.call(calls.connect, {})
  const { searchParams: sent } = new URL(url)
  expect(url).toContain('/taxdonation?')
  return charity.call(calls.returned, { code: sent.get('code')!, state: sent.get('state')! })
}
const donate = async (agorot = 36_000, taxId: string | null = newTaxId(), date?: string) => {
  const donor = await charity.customer('רות כהן', taxId ? { taxId } : {})
  return charity.call(createDocument, {
    type: 11,
    customerId: donor.id,
    ...(date ? { date } : {}),
    payments: [{ means: 3, amountAgorot: agorot }],
  })
}
const work = () => world.worker.drain()
/** Time passes: what is planned for later is due. */
const later = async () => {
  await asSystem(world.app.db, async (tx) => {
    await sql`update outbox set run_after = now() where company_id = ${companyId} and done_at is null
        and name like 'donations.%'`.execute(tx)
    await sql`update donation_reports set next_at = now() where company_id = ${companyId}
        and next_at is not null`.execute(tx)
    await sql`update authority_links set away_until = now() where company_id = ${companyId}
        and away_until is not null`.execute(tx)
  })
  await work()
}
const rows = async (view: 'open' | 'refused' | 'all' = 'all') =>
  (await charity.call(calls.listDonations, { view })).rows
const textOf = (bytes: unknown) =>
  Buffer.from(bytes as Uint8Array)
    .subarray(0, 5)
    .toString()

describe('the number of a donation', () => {
  test('comes behind the commit, once, and another copy of the paper is made with it', async () => {
    await connectUp()
    const receipt = await donate()
    const copy = () => charity.call(pdfOfDocument, { id: receipt.id, variant: 'copy' })
    const before = Buffer.from((await copy()) as unknown as Uint8Array)
    await work()
    const [row] = await rows()
    expect(row).toMatchObject({ id: receipt.id, state: 'granted', anonymous: false, cancels: false })
    expect(row!.reportNumber).toMatch(/^\d{10}$/)
    const after = Buffer.from((await copy()) as unknown as Uint8Array)
    expect(textOf(after)).toBe('%PDF-')
    expect(after.equals(before)).toBe(false)
    await asCaller(world.app, systemCaller(companyId), '', (ctx) => report(ctx, receipt.id))
    expect(simulatedDonations.calls).toHaveLength(1)
    expect(await rows('open')).toEqual([])
  })

  test('waits for a connection, and is asked for once there is one', async () => {
    const receipt = await donate()
    await work()
    expect((await rows('open'))[0]).toMatchObject({
      id: receipt.id,
      state: 'waiting',
      reason: 'notConnected',
    })
    await expect(charity.call(calls.askDonation, { id: receipt.id })).rejects.toMatchObject({
      code: 'donations.notConnected',
    })
    expect(await connectUp()).toMatchObject({ state: 'connected', authority: 'simulator', waiting: 1 })
    await work()
    expect((await rows())[0]).toMatchObject({ state: 'granted' })
  })

  test('of an anonymous donation is given too, without a giver', async () => {
    await connectUp()
    await donate(5_000, null)
    await work()
    expect((await rows())[0]).toMatchObject({ state: 'granted', anonymous: true })
    expect(simulatedDonations.calls[0]).toMatchObject({ donorId: '' })
  })

  test('is not needed for a donation from before the duty', async () => {
    await connectUp()
    await donate(5_000, newTaxId(), '2025-12-31')
    await work()
    expect((await rows())[0]).toMatchObject({ state: 'notNeeded' })
    expect(simulatedDonations.calls).toEqual([])
  })
})

test('none is begun while the business does without donations, and one that stands can still be taken back', async () => {
  const { id } = await donate()
  await charity.call(chooseAreas, { areas: { donations: false } })
  await expect(donate()).rejects.toMatchObject({ status: 403, code: 'kit.areaOff' })
  expect((await charity.call(cancelDocument, { id, reason: 'נרשמה פעמיים' })).totals.totalAgorot).toBe(
    -36_000,
  )
  await charity.call(chooseAreas, { areas: { donations: true } })
  expect((await donate()).number).toBe(3)
})

describe('a cancellation', () => {
  test('is reported under the number of what it cancels', async () => {
    await connectUp()
    const receipt = await donate()
    await work()
    await charity.call(cancelDocument, { id: receipt.id, reason: 'טעות' })
    await work()
    const all = await rows()
    expect(all.map((r) => [r.cancels, r.state]).toSorted()).toEqual([
      [false, 'granted'],
      [true, 'granted'],
    ])
    expect(simulatedDonations.calls.map((c) => c.call)).toEqual(['report', 'cancel'])
  })

  test('waits for the number of its donation, and both go out in order', async () => {
    const receipt = await donate()
    await charity.call(cancelDocument, { id: receipt.id, reason: 'טעות' })
    await work()
    expect((await rows('open')).find((r) => r.cancels)).toMatchObject({ reason: 'first' })
    await connectUp()
    await work()
    await work()
    expect(simulatedDonations.calls.map((c) => c.call)).toEqual(['report', 'cancel'])
    expect(await rows('open')).toEqual([])
  })
})

describe('when it does not go smoothly', () => {
  test('a silence is waited out, and everything follows by itself', async () => {
    await connectUp()
    simulatedDonations.outage = true
    await donate(100)
    await donate(200)
    await work()
    expect((await rows('open')).map((r) => r.state)).toEqual(['away', 'away'])
    simulatedDonations.outage = false
    await later()
    await work()
    expect((await rows()).map((r) => r.state)).toEqual(['granted', 'granted'])
  })

  test('a refusal is told, asked again by a person, and can be said not to be needed', async () => {
    await connectUp()
    const receipt = await donate(46_000)
    await work()
    expect((await rows('refused'))[0]).toMatchObject({ reason: '460' })
    expect(await charity.call(calls.askDonation, { id: receipt.id })).toMatchObject({
      state: 'refused',
      reason: '460',
    })
    await charity.call(calls.donationNotNeeded, { id: receipt.id, reason: 'דווח בטופס' })
    expect(await rows('open')).toEqual([])
    await expect(charity.call(calls.askDonation, { id: receipt.id })).rejects.toMatchObject({
      code: 'donations.notWaiting',
    })
  })

  test('a connection that was ended asks nobody, and another business sees nothing of it', async () => {
    await connectUp()
    const receipt = await donate()
    expect(await charity.call(calls.revoke, {})).toMatchObject({ state: 'ended' })
    await work()
    expect((await rows('open'))[0]).toMatchObject({ reason: 'ended' })
    await expect(charity.call(calls.askAllDonations, {})).rejects.toMatchObject({ code: 'donations.ended' })
    const other = await newBusiness(world, { kind: 'nonProfit' })
    expect((await other.call(calls.listDonations, { view: 'all' })).rows).toEqual([])
    await expect(other.call(calls.askDonation, { id: receipt.id })).rejects.toMatchObject({ status: 404 })
  })
})

describe('what is refused', () => {
  test('a log-in that nobody here began, and one while the authority is away', async () => {
    const begin = async () => {
      const { searchParams } = new URL((await charity.call(calls.connect, {})).url)
      return { code: searchParams.get('code')!, state: searchParams.get('state')! }
    }
    const given = await begin()
    await expect(charity.call(calls.returned, { ...given, state: 'x' })).rejects.toMatchObject({
      status: 409,
      code: 'donations.loginRefused',
    })
    simulatedAuthority.outage = true
    await expect(charity.call(calls.returned, given)).rejects.toMatchObject({
      status: 503,
      code: 'donations.away',
    })
    simulatedAuthority.outage = false
    await charity.call(calls.returned, given)
  })

  test('a number that is being asked for, and asking when nothing waits', async () => {
    await connectUp()
    await expect(charity.call(calls.askAllDonations, {})).rejects.toMatchObject({
      status: 409,
      code: 'donations.nothingToAsk',
    })
    simulatedDonations.outage = true
    const { id } = await donate()
    await work()
    simulatedDonations.outage = false
    await asSystem(world.app.db, async (tx) => {
      await sql`select 1 from donation_reports where company_id = ${companyId} and document_id = ${id}
        for update`.execute(tx)
      await expect(charity.call(calls.askDonation, { id })).rejects.toMatchObject({
        status: 409,
        code: 'donations.beingAsked',
      })
    })
    await charity.call(calls.askDonation, { id })
  })
})
