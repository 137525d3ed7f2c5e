import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '#kit/server/settings.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { newBusiness, raw, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { handmadePdf } from '../../../../tests/pdf.ts'
import { followSigning, keyToSign, signByKey, strokes } from '../../../../tests/signing.ts'
import { getTemplate, requestPdf, signAbout } from '#features/sales/signing/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
})
afterAll(() => world.close())

const sample = readFileSync(join(root, 'tests/papers/samples/classic-2.pdf'))
const folder = mkdtempSync(join(tmpdir(), 'outside-'))
const run = (tool: string, ...args: string[]) =>
  execFileSync(tool, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
const onDisk = (bytes: Uint8Array) => {
  const file = join(folder, `${Math.random()}.pdf`)
  writeFileSync(file, bytes)
  return file
}
const textOf = (bytes: Uint8Array) => run('pdftotext', '-layout', onDisk(bytes), '-')
/** The sample with a line of its catalog replaced, its table of references made again by qpdf. */
const changed = (how: (file: string) => string[]) => {
  const [from, to] = [onDisk(sample), join(folder, `${Math.random()}.pdf`)]
  run('qpdf', ...how(from), to)
  return readFileSync(to)
}
const upload = (bytes: Uint8Array, more: object = {}) =>
  shop.call(calls.uploadOutside, { name: 'חוזה.pdf', bytes, ...more })

test('a PDF from elsewhere is sealed as it is, sent, opened on its page, and never changed after', async () => {
  const cohen = await shop.customer('כהן', { email: 'cohen@example.com' })
  const { id } = await upload(sample, { customerId: cohen.id })
  const bytes = (await shop.call(calls.pdfOfOutside, { id })) as Uint8Array
  const file = onDisk(bytes)
  expect(run('pdfsig', file)).toContain('Signature is Valid')
  expect(run('qpdf', '--check', file)).toContain('No syntax or stream encoding errors')
  expect(textOf(bytes)).toBe(textOf(sample))
  const before = await shop.call(calls.getOutside, { id })
  expect(before).toMatchObject({ name: 'חוזה', state: 'uploaded', sentAt: null })
  const key = before.url.split('/').at(-1)!
  const open = (path = '') => world.http.inject({ method: 'GET', url: `/api2/invoice/outside/${key}${path}` })
  // The business looks first: that is no opening by the customer.
  expect((await open()).json()).toMatchObject({ name: 'חוזה', customer: 'כהן' })
  await shop.send('PATCH', `/api4/invoice/outsideDocuments/${id}`, { name: 'חוזה שירות' })
  await shop.call(calls.sendOutside, { id, to: 'cohen@example.com' })
  await asSystem(world.app.db, (tx) => sql`delete from outbox where name <> 'outside.mail'`.execute(tx))
  await world.worker.drain()
  expect(await shop.call(calls.getOutside, { id })).toMatchObject({
    state: 'sent',
    messages: [{ recipient: 'cohen@example.com', state: 'kept' }],
  })
  const given = await open('/pdf')
  expect(given.rawPayload.equals(Buffer.from(bytes))).toBe(true)
  expect(given.headers['content-disposition']).toContain('attachment')
  expect(await shop.call(calls.getOutside, { id })).toMatchObject({
    state: 'opened',
    openedAt: expect.any(String),
  })
  expect((await shop.get('/api4/invoice/messages')).rows[0]).toMatchObject({
    outsideIdName: 'חוזה שירות',
    openedAt: expect.any(String),
  })
  await expect(
    shop.send('PATCH', `/api4/invoice/outsideDocuments/${id}`, { name: 'אחר' }),
  ).rejects.toMatchObject({
    code: 'outside.isSent',
  })
  // Put away, its link opens no more; brought back, it does.
  await shop.send('DELETE', `/api4/invoice/outsideDocuments/${id}`)
  expect((await open()).statusCode).toBe(404)
  await shop.send('POST', `/api4/invoice/outsideDocuments/${id}/restore`)
  expect((await open()).statusCode).toBe(200)
})

test('files of every making are sealed: packed, plain, and one that was signed before', async () => {
  const linear = changed((from) => [from, '--linearize', '--object-streams=generate'])
  const plain = changed((from) => [from, '--object-streams=disable', '--qdf'])
  for (const bytes of [linear, plain]) {
    const { id } = await upload(bytes)
    const sealed = (await shop.call(calls.pdfOfOutside, { id })) as Uint8Array
    expect(run('pdfsig', onDisk(sealed))).toContain('Signature is Valid')
    expect(textOf(sealed)).toBe(textOf(bytes))
  }
  const { id } = await upload(sample)
  const signed = (await shop.call(calls.pdfOfOutside, { id })) as Uint8Array
  const again = (await shop.call(calls.pdfOfOutside, { id: (await upload(signed)).id })) as Uint8Array
  expect(run('pdfsig', onDisk(again)).match(/Signature is Valid/g)).toHaveLength(2)
  // The first seal covers its bytes still.
  expect(Buffer.from(again).subarray(0, signed.length).equals(Buffer.from(signed))).toBe(true)
})

const withCatalog = (entry: string) => {
  const plain = changed((from) => [
    from,
    '--object-streams=disable',
    '--qdf',
    '--no-original-object-ids',
  ]).toString('latin1')
  const text = plain.replace(/\/Type \/Catalog/, `/Type /Catalog ${entry}`)
  const file = onDisk(Buffer.from(text, 'latin1'))
  const mended = join(folder, `${Math.random()}.pdf`)
  // It complains about offsets and mends them.
  try {
    run('qpdf', file, mended)
  } catch {
    // A warning is an exit code too.
  }
  return readFileSync(mended)
}

test.each([
  ['no PDF', () => Buffer.from('<html>x</html>'), 'outside.notPdf'],
  ['a head and nothing more', () => Buffer.from('%PDF-1.7\nnothing'), 'outside.broken'],
  ['locked', () => changed((from) => [from, '--encrypt', 'a', 'b', '256', '--']), 'outside.locked'],
  [
    'a script',
    () => withCatalog('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>'),
    'outside.active',
  ],
])('%s is refused', async (_name, bytes, code) => {
  const error = await upload(bytes()).then(
    () => undefined,
    (e: { code: string }) => e,
  )
  expect(error?.code).toBe(code)
})

test('is sent to be signed as it is, or becomes a template for fields; the seal it had is put aside and its pages stay', async () => {
  const { id } = await upload(sample)
  const listed = async (query = '') =>
    (await shop.get(`/api4/invoice/outsideDocuments?${query}`)).rows
      .filter((row: { id: string }) => row.id === id)
      .map((row: { signState: string | null; signedAt: string | null }) => [
        row.signState,
        row.signedAt !== null,
      ])
  expect(await listed()).toEqual([[null, false]])
  const asked = await shop.call(calls.signOutside, { id, signer: { name: 'רות', email: 'ruth@example.com' } })
  expect(await listed('signState=waiting')).toEqual([['waiting', false]])
  await signByKey(world, await keyToSign(shop, asked.id), { date: '2026-11-25', sign: strokes })
  await followSigning(world)
  const signed = (await shop.call(requestPdf, { id: asked.id })) as Uint8Array
  const file = onDisk(signed)
  expect(run('pdfsig', file).match(/Signature is Valid/g)).toHaveLength(1)
  expect(run('qpdf', '--check', file)).toContain('No syntax or stream encoding errors')
  // Its own page is the first, word for word.
  expect(run('pdftotext', '-layout', '-l', '1', file, '-')).toBe(
    run('pdftotext', '-layout', '-l', '1', onDisk(sample), '-'),
  )
  expect(await shop.call(signAbout, { about: id, purposes: 'outside' })).toMatchObject({
    rows: [{ state: 'done', hasFile: true }],
  })
  expect(await listed('signState=signed')).toEqual([['signed', true]])
  expect(await listed('signState=waiting')).toEqual([])
  const template = await shop.call(calls.templateOfOutside, { id })
  expect(await shop.call(getTemplate, { id: template.id })).toMatchObject({ name: 'חוזה', fields: [] })
})

test.each<[what: string, code: string, bytes: () => Buffer]>([
  ['300 pages', 'outside.tooLong', () => handmadePdf({ pages: 300 })],
  [
    'what was signed elsewhere and cannot be added to',
    'outside.signedElsewhere',
    () => handmadePdf({ more: ['<</Type/Sig/ByteRange [0 1 2 3]/Contents<00>>>'], isFound: false }),
  ],
])('a PDF that cannot be sealed is refused: %s', async (_, code, bytes) => {
  await expect(upload(bytes())).rejects.toMatchObject({ status: 422, code })
})

test('nobody else sees it, by id or by key', async () => {
  const { id } = await upload(sample)
  const stranger = await newBusiness(world)
  expect((await raw(world, calls.getOutside, { id }, { token: stranger.token })).statusCode).toBe(404)
  expect((await raw(world, calls.pdfOfOutside, { id }, { token: stranger.token })).statusCode).toBe(404)
  expect((await world.http.inject({ method: 'GET', url: `/api2/invoice/outside/${id}` })).statusCode).toBe(
    404,
  )
  const { companyId } = await shop.get('/api/user/session')
  await asSystem(world.app.db, (tx) =>
    sql`update memberships set rules = '{53}' where company_id = ${companyId}`.execute(tx),
  )
  expect(
    (await raw(world, calls.sendOutside, { id, to: 'x@example.com' }, { token: shop.token })).statusCode,
  ).toBe(403)
})
