import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import { dataDir, newBusiness, raw, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { resendMessage } from '#features/office/messages/endpoints.ts'
import { followSigning, keyToSign, signByKey, strokes } from '../../../../tests/signing.ts'
import { requestPdf, signAbout } from '#features/sales/signing/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
})
afterAll(() => world.close())

const drain = async () => {
  await asSystem(world.app.db, (tx) => sql`delete from outbox where name not like 'letters.%'`.execute(tx))
  await world.worker.drain()
}
/** The letters to these addresses, among those that other files of tests keep in the same folder. */
async function mails(...to: string[]) {
  const kept = join(dataDir, 'mail')
  const all = await Promise.all(
    readdirSync(kept).map((name) => PostalMime.parse(readFileSync(join(kept, name)))),
  )
  return all.filter((mail) => to.includes(mail.to?.[0]?.address ?? ''))
}
const folder = mkdtempSync(join(tmpdir(), 'letters-'))
function readBack(bytes: Uint8Array) {
  const file = join(folder, `${Math.random()}.pdf`)
  writeFileSync(file, bytes)
  const run = (tool: string, ...args: string[]) =>
    execFileSync(tool, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return {
    text: run('pdftotext', '-layout', file, '-').replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ''),
    signature: run('pdfsig', file),
    clean: /No syntax or stream encoding errors/.test(run('qpdf', '--check', file)),
  }
}
const list = async () =>
  (await shop.get<{ rows: Record<string, any>[] }>('/api4/invoice/letters?sort=createdAt')).rows

test('a letter goes to two customers, each in his language with his own details, sealed, and stays', async () => {
  const dana = await shop.customer('דנה כהן', {
    email: 'dana.letter@example.com',
    street: 'הרצל 1',
    city: 'חיפה',
  })
  const eva = await shop.customer('Eva Ltd', { email: 'eva.letter@example.com', language: 'en' })
  const none = await shop.customer('ללא דואר')
  await shop.invoice(dana.id, '1000')
  const draft = await shop.call(calls.makeLetter, {
    title: 'Balance of {customer.name}',
    body: '{customer.address}\nBalance: {customer.balance}.\n\nTax number {customer.taxId}.\n\n{today}',
    customerIds: [dana.id, eva.id, none.id],
  })
  const preview = await shop.call(calls.previewLetter, {
    title: 'x',
    body: '{customer.taxId} {nope}',
    customerId: dana.id,
  })
  expect(preview).toMatchObject({ unknown: ['nope'], empty: ['customer.taxId'] })
  expect(preview.pages).toHaveLength(1)
  const { sent, without } = await shop.call(calls.dispatchLetter, { id: draft.id })
  expect([sent.length, without.map(({ name }) => name)]).toEqual([2, ['ללא דואר']])
  // The draft stays for the one who has no mail.
  expect((await shop.call(calls.getLetter, { id: draft.id })).customers.map(({ name }) => name)).toEqual([
    'ללא דואר',
  ])
  await drain()
  const states = (await list()).map((row) => [row.title, row.state, row.customerIdName])
  expect(states).toContainEqual(['Balance of דנה כהן', 'kept', 'דנה כהן'])
  expect(states).toContainEqual(['Balance of Eva Ltd', 'kept', 'Eva Ltd'])
  const letters = await mails('dana.letter@example.com', 'eva.letter@example.com')
  expect(letters.map(({ to }) => to?.[0]?.address).toSorted()).toEqual([
    'dana.letter@example.com',
    'eva.letter@example.com',
  ])
  const english = letters.find(({ to }) => to?.[0]?.address === 'eva.letter@example.com')!
  expect(english.text).toContain('Attached is a letter')
  const [danas] = await Promise.all(
    sent.map(async (id) => ({ id, letter: await shop.call(calls.getLetter, { id }) })),
  ).then((all) => all.filter(({ letter }) => letter.customers[0]!.id === dana.id))
  const bytes = (await shop.call(calls.pdfOfLetter, { id: danas!.id })) as Uint8Array
  const attached = letters.find(({ to }) => to?.[0]?.address === 'dana.letter@example.com')!.attachments[0]!
  expect(Buffer.from(attached.content as ArrayBuffer).equals(Buffer.from(bytes))).toBe(true)
  const read = readBack(bytes)
  expect(read.clean).toBe(true)
  expect(read.signature).toContain('Signature is Valid')
  for (const said of ['הרצל 1', '1,180.00', 'חיפה']) expect(read.text).toContain(said)
  expect(read.text).not.toContain('{')
  // A second download, after the customer moved, is the same bytes.
  await shop.send('PATCH', `/api4/invoice/customers/${dana.id}`, { city: 'עכו' })
  expect(
    Buffer.from((await shop.call(calls.pdfOfLetter, { id: danas!.id })) as Uint8Array).equals(
      Buffer.from(bytes),
    ),
  ).toBe(true)
  await expect(shop.call(calls.changeLetter, { id: danas!.id, title: 'x', body: 'x' })).rejects.toMatchObject(
    { code: 'letters.isSent' },
  )
  for (const change of [
    sql`update letters set body = 'x' where id = ${danas!.id}`,
    sql`delete from letters where id = ${danas!.id}`,
  ])
    await expect(asSystem(world.app.db, (tx) => change.execute(tx))).rejects.toMatchObject({ code: 'PK180' })
  // On the customer card, in a separate list.
  expect((await shop.get(`/api4/invoice/letters?customerId=${dana.id}`)).rows).toHaveLength(1)
})

test('its page shows the letter to whoever has the key, and then it is known to be opened', async () => {
  const own = await newBusiness(world)
  const dana = await own.customer('דנה כהן', { email: 'dana.page@example.com' })
  const { id } = await own.call(calls.makeLetter, {
    title: 'עדכון תעריפים',
    body: 'שלום {customer.name}',
    customerIds: [dana.id],
  })
  const [sent] = (await own.call(calls.dispatchLetter, { id })).sent
  const before = await own.call(calls.getLetter, { id: sent! })
  const key = before.url!.split('/').at(-1)!
  // Looked at before it left: the business's own people.
  await raw(world, calls.pageOfLetter, { key })
  expect((await own.call(calls.getLetter, { id: sent! })).messages[0]).toMatchObject({
    state: 'queued',
    openedAt: null,
  })
  await drain()
  expect((await own.call(calls.getLetter, { id: sent! })).state).toBe('kept')
  const [mail] = await mails('dana.page@example.com')
  expect(mail!.text).toContain(before.url)
  const page = await raw(world, calls.pageOfLetter, { key })
  expect(page.json()).toMatchObject({
    title: 'עדכון תעריפים',
    customer: 'דנה כהן',
    language: 'he',
    business: { name: 'זרם טוב' },
  })
  expect(page.json().pages[0]).toContain('<svg')
  const after = await own.call(calls.getLetter, { id: sent! })
  expect(after).toMatchObject({
    state: 'opened',
    messages: [{ state: 'opened', openedAt: expect.any(String) }],
  })
  expect(
    (await own.get('/api4/invoice/letters?state=opened')).rows.map((row: { id: string }) => row.id),
  ).toEqual([sent])
  const pdf = await raw(world, calls.pagePdfOfLetter, { key })
  expect(
    pdf.rawPayload.equals(Buffer.from((await own.call(calls.pdfOfLetter, { id: sent! })) as Uint8Array)),
  ).toBe(true)
  expect((await raw(world, calls.pageOfLetter, { key: `${key.slice(0, -1)}_` })).statusCode).toBe(404)
  // What is printed has no page, and no draft has one.
  const { id: second } = await own.call(calls.makeLetter, { title: 'x', body: 'x', customerIds: [dana.id] })
  expect((await own.call(calls.getLetter, { id: second })).url).toBeNull()
  const printed = (await own.call(calls.dispatchLetter, { id: second, way: 'print' })).sent[0]!
  expect(await own.call(calls.getLetter, { id: printed })).toMatchObject({ state: 'printed', url: null })
})

test('an old letter is opened, sent again and followed by its link like a new one', async () => {
  const own = await newBusiness(world)
  const dana = await own.customer('דנה כהן', { email: 'dana.old@example.com' })
  const { id } = await own.call(calls.makeLetter, {
    title: 'ישן',
    body: 'שלום {customer.name}',
    customerIds: [dana.id],
  })
  const old = (await own.call(calls.dispatchLetter, { id })).sent[0]!
  await drain()
  // As it stood before there were pages, with the work of its first sending long forgotten.
  await asSystem(world.app.db, async (tx) => {
    await sql`alter table letters disable trigger letters_stay`.execute(tx)
    await sql`update letters set page_key = null where id = ${old}`.execute(tx)
    await sql`alter table letters enable trigger letters_stay`.execute(tx)
    await sql`delete from outbox where payload->>'letterId' = ${old}`.execute(tx)
  })
  expect((await own.call(calls.getLetter, { id: old })).url).toBeNull()
  const [message] = (await own.call(calls.getLetter, { id: old })).messages
  await own.call(resendMessage, { id: message!.id })
  await drain()
  const [, again] = await mails('dana.old@example.com', 'dana.old@example.com')
  const pdf = Buffer.from((await own.call(calls.pdfOfLetter, { id: old })) as Uint8Array)
  expect(pdf.equals(Buffer.from(again!.attachments[0]!.content as ArrayBuffer))).toBe(true)

  await asSystem(world.app.db, (tx) =>
    sql.raw(readFileSync('db/migrations/0084-pages-of-old-letters.sql', 'utf8')).execute(tx),
  )
  const { url } = await own.call(calls.getLetter, { id: old })
  const key = url!.split('/').at(-1)!
  expect((await raw(world, calls.pageOfLetter, { key })).json().pages[0]).toContain('<svg')
  expect((await raw(world, calls.pagePdfOfLetter, { key })).rawPayload.equals(pdf)).toBe(true)
})

test('a letter about a document goes to its customer only; what nobody knows is refused before anything is sent', async () => {
  const dana = await shop.customer('דנה', { email: 'd@example.com' })
  const dan = await shop.customer('דן', { email: 'dan@example.com' })
  const invoice = await shop.invoice(dana.id, '100')
  const begin = (more: object) =>
    shop.call(calls.makeLetter, { title: 'על {document.number}', body: 'סך {document.total}', ...more })
  const refused = async (more: object) => {
    const { id } = await begin(more)
    return shop.call(calls.dispatchLetter, { id }).then(
      () => undefined,
      (e: { errors: { path: string; code: string }[] }) => [e.errors[0]!.path, e.errors[0]!.code],
    )
  }
  expect(await refused({ customerIds: [dana.id] })).toEqual(['documentId', 'letters.needsDocument'])
  expect(await refused({ customerIds: [dan.id], documentId: invoice.id })).toEqual([
    'documentId',
    'letters.documentOfAnother',
  ])
  expect(await refused({ customerIds: [dana.id, dan.id], documentId: invoice.id })).toEqual([
    'documentId',
    'letters.documentOfAnother',
  ])
  expect(await refused({ customerIds: [], documentId: invoice.id })).toEqual([
    'customerIds',
    'letters.nobody',
  ])
  expect(await refused({ customerIds: [dana.id], documentId: invoice.id, body: '{no.such}' })).toEqual([
    'body',
    'letters.unknownField',
  ])
  const { id } = await begin({ customerIds: [dana.id], documentId: invoice.id })
  const { sent } = await shop.call(calls.dispatchLetter, { id, way: 'print' })
  const letter = await shop.call(calls.getLetter, { id: sent[0]! })
  expect(letter).toMatchObject({ state: 'printed', title: `על ${invoice.number}`, messages: [] })
  expect(letter.body).toContain('118.00')
  await expect(shop.call(calls.getLetter, { id })).rejects.toMatchObject({ status: 404 })
})

test('sums are for those who may see them; strangers and people without the right get nothing', async () => {
  const own = await newBusiness(world)
  const dana = await own.customer('דנה', { email: 'd@example.com' })
  const { id } = await own.call(calls.makeLetter, {
    title: 'x',
    body: '{customer.balance}',
    customerIds: [dana.id],
  })
  const { sent } = await own.call(calls.dispatchLetter, { id })
  const { id: second } = await own.call(calls.makeLetter, {
    title: 'x',
    body: '{customer.balance}',
    customerIds: [dana.id],
  })
  const stranger = await newBusiness(world)
  for (const endpoint of [calls.getLetter, calls.pdfOfLetter, calls.picturesOfLetter])
    expect((await raw(world, endpoint as never, { id: sent[0] }, { token: stranger.token })).statusCode).toBe(
      404,
    )
  await expect(stranger.call(calls.makeLetter, { customerIds: [dana.id] })).rejects.toMatchObject({
    status: 404,
  })
  const { companyId } = await own.get('/api/user/session')
  const become = (change: string) =>
    asSystem(world.app.db, (tx) =>
      sql`update memberships set ${sql.raw(change)} where company_id = ${companyId}`.execute(tx),
    )
  await become('hide_total_prices = true')
  expect((await raw(world, calls.getLetter, { id: sent[0] }, { token: own.token })).statusCode).toBe(404)
  expect((await raw(world, calls.pdfOfLetter, { id: sent[0] }, { token: own.token })).statusCode).toBe(404)
  expect((await raw(world, calls.picturesOfLetter, { id: second }, { token: own.token })).statusCode).toBe(
    403,
  )
  expect((await raw(world, calls.dispatchLetter, { id: second }, { token: own.token })).statusCode).toBe(403)
  expect((await own.get('/api4/invoice/letters')).rows.map((row: any) => row.title ?? null)).not.toContain(
    'x',
  )
  // A balance is a report of debts.
  await become("hide_total_prices = false, rules = '{44,45}'")
  expect((await raw(world, calls.dispatchLetter, { id: second }, { token: own.token })).statusCode).toBe(403)
})

test('a letter is signed by whom it was written to; a draft is not', async () => {
  const dana = await shop.customer('דנה לוי', { email: 'dana.sign@example.com' })
  const draft = await shop.call(calls.makeLetter, {
    title: 'הסכם העסקה',
    body: 'תנאי ההעסקה של {customer.name}.',
    customerIds: [dana.id],
  })
  const signer = { name: 'דנה לוי', email: 'dana.sign@example.com' }
  await expect(shop.call(calls.signLetter, { id: draft.id, signer })).rejects.toMatchObject({
    code: 'letters.stillDraft',
  })
  const { sent } = await shop.call(calls.dispatchLetter, { id: draft.id, way: 'print' })
  const asked = await shop.call(calls.signLetter, { id: sent[0]!, signer })
  await signByKey(world, await keyToSign(shop, asked.id), { date: '2026-11-25', sign: strokes })
  await followSigning(world)
  const { text, signature, clean } = readBack((await shop.call(requestPdf, { id: asked.id })) as Uint8Array)
  expect(text).toContain('תנאי ההעסקה של דנה לוי')
  expect(signature).toContain('Signature is Valid')
  expect(clean).toBe(true)
  expect(await shop.call(signAbout, { about: sent[0]!, purposes: 'letter' })).toMatchObject({
    rows: [{ state: 'done' }],
  })
})

test('a letter without a word is not sent', async () => {
  const { id: customerId } = await shop.customer('ריק', { email: 'empty@example.com' })
  const { id } = await shop.call(calls.makeLetter, { title: 'x', body: ' ', customerIds: [customerId] })
  await expect(shop.call(calls.dispatchLetter, { id })).rejects.toMatchObject({
    status: 422,
    errors: [{ path: 'body', code: 'letters.empty' }],
  })
})
