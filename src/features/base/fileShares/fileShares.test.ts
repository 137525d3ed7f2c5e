import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, addMonths, dayInJerusalem } from '#domain/day.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { removeFile, uploadFile } from '#features/base/files/endpoints.ts'
import * as calls from './endpoints.ts'
import { callAs, newBusiness, raw, startWorld, type Business, type World } from '../../../../tests/world.ts'

let world: World
let shop: Business
let companyId: string
let fileId: string
beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
  companyId = (await shop.get<{ companyId: string }>('/api/user/session')).companyId
  fileId = (await shop.call(uploadFile, { name: 'מחירון.pdf', bytes: pdf })).id
})
afterAll(() => world.close())

const pdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')
const today = () => dayInJerusalem(world.app.now())
const share = (expiresOn = addDays(today(), 10), id = fileId) =>
  shop.call(calls.createFileShare, { id, expiresOn })
const keyOf = ({ url }: { url: string }) => url.split('/').at(-1)!
const open = (key: string) => callAs(world, calls.openFileShare, { key }, {})
const bytesOf = (key: string, inline?: 'true') =>
  raw(world, calls.fileOfShare, { key, ...(inline && { inline }) })
const face = (key: string) => callAs(world, calls.fileShareFace, { key }, {})
const member = (change: string) =>
  asSystem(world.app.db, (tx) =>
    sql`update memberships set ${sql.raw(change)} where company_id = ${companyId}`.execute(tx),
  )

test('whoever has the link opens the file without an account; its page tells nothing of it before; each opening is counted', async () => {
  const made = await share()
  const key = keyOf(made)
  expect(made).toMatchObject({ name: 'מחירון.pdf', state: 'open', opened: 0, lastOpenedAt: null })
  expect(key).toMatch(/^[\w-]{32}$/)
  const before = await face(key)
  expect(before).toMatchObject({ state: 'open', language: 'he' })
  expect(JSON.stringify(before)).not.toContain('מחירון')
  expect(await open(key)).toMatchObject({
    name: 'מחירון.pdf',
    mime: 'application/pdf',
    size: pdf.length,
    isShown: true,
  })
  const saved = await bytesOf(key)
  expect(saved.rawPayload.equals(pdf)).toBe(true)
  expect(saved.headers['content-disposition']).toMatch(/^attachment/)
  expect((await bytesOf(key, 'true')).headers['content-disposition']).toMatch(/^inline/)
  const [told] = (await shop.call(calls.listFileShares, { fileId })).rows
  expect(told).toMatchObject({ id: made.id, opened: 1 })
  expect(told!.lastOpenedAt).not.toBeNull()
})

test('what a browser could run is saved, never shown', async () => {
  const { id } = await shop.call(uploadFile, { name: 'a.csv', bytes: Buffer.from('שם,סכום\nא,1\n') })
  const key = keyOf(await share(today(), id))
  expect((await open(key)).isShown).toBe(false)
  expect((await bytesOf(key, 'true')).headers['content-disposition']).toMatch(/^attachment/)
})

describe('how it ends', () => {
  const ended = async (key: string) => {
    await expect(open(key)).rejects.toMatchObject({ status: 410, code: 'fileShares.ended' })
    expect((await bytesOf(key)).statusCode).toBe(410)
    expect((await face(key)).state).toBe('ended')
  }

  test('taken back, at once; twice is once', async () => {
    const made = await share()
    for (let n = 0; n < 2; n++)
      expect((await shop.call(calls.takeBackFileShare, { id: made.id })).state).toBe('takenBack')
    await ended(keyOf(made))
  })

  test('past its day, and never for longer than a year or into the past', async () => {
    const made = await share(today())
    await asSystem(world.app.db, (tx) =>
      sql`update file_shares set expires_on = ${addDays(today(), -1)} where id = ${made.id}`.execute(tx),
    )
    await ended(keyOf(made))
    for (const day of [addDays(today(), -1), addDays(addMonths(today(), 12), 1)])
      await expect(share(day)).rejects.toMatchObject({
        errors: [{ path: 'expiresOn', code: 'fileShares.expiry' }],
      })
  })

  test('when its giver may not open it any more, or leaves the business', async () => {
    const key = keyOf(await share())
    // Everything but the files.
    await member("rules = '{9999}'")
    await ended(key)
    await member("rules = '{}', removed_at = now()")
    await ended(key)
    await member('removed_at = null')
    expect((await open(key)).name).toBe('מחירון.pdf')
  })

  test('with its file', async () => {
    const { id } = await shop.call(uploadFile, { name: 'b.pdf', bytes: pdf })
    const key = keyOf(await share(today(), id))
    await shop.call(removeFile, { id })
    await expect(open(key)).rejects.toMatchObject({ status: 404 })
  })
})

test('no other business sees, gives or takes back; an unknown key opens nothing; a link too many is refused', async () => {
  const stranger = await newBusiness(world)
  const made = await share()
  await expect(stranger.call(calls.listFileShares, { fileId })).rejects.toMatchObject({ status: 404 })
  await expect(
    stranger.call(calls.createFileShare, { id: fileId, expiresOn: today() }),
  ).rejects.toMatchObject({ status: 404 })
  await expect(stranger.call(calls.takeBackFileShare, { id: made.id })).rejects.toMatchObject({ status: 404 })
  await expect(open('x'.repeat(32))).rejects.toMatchObject({ status: 404 })
  const { id } = await shop.call(uploadFile, { name: 'c.pdf', bytes: pdf })
  for (let n = 0; n < 20; n++) await share(today(), id)
  await expect(share(today(), id)).rejects.toMatchObject({ status: 409, code: 'fileShares.tooMany' })
})

test('who may not open a scan with its sums hears of no link to it either', async () => {
  const { id } = await shop.call(uploadFile, { name: 'd.pdf', bytes: pdf })
  const made = await share(today(), id)
  // Somebody else uploaded it.
  await asSystem(world.app.db, (tx) =>
    sql`update files set created_by = (select id from users order by created_at desc limit 1)
      where id = ${id}`.execute(tx),
  )
  await member('hide_total_prices = true')
  await expect(shop.call(calls.listFileShares, { fileId: id })).rejects.toMatchObject({ status: 403 })
  await expect(shop.call(calls.createFileShare, { id, expiresOn: today() })).rejects.toMatchObject({
    status: 403,
  })
  await expect(shop.call(calls.takeBackFileShare, { id: made.id })).rejects.toMatchObject({ status: 403 })
  await expect(open(keyOf(made))).rejects.toMatchObject({ code: 'fileShares.ended' })
  await member('hide_total_prices = false')
  expect((await open(keyOf(made))).name).toBe('d.pdf')
})
