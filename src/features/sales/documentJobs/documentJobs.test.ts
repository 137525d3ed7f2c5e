import { gzipSync } from 'node:zlib'
import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import { getDocument as openPdf } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { createDocument, getDocument } from '#features/sales/documents/endpoints.ts'
import { getJob } from '#features/base/jobs/endpoints.ts'
import { bundleFile, bundleMany, issueForCustomers, issueMany, sendMany, type Outcome } from './endpoints.ts'

let world: World
let shop: Business
let other: Business
let customer: string
beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
  other = await newBusiness(world)
  customer = (await shop.customer('כהן', { email: 'cohen@example.com' })).id
})
afterAll(() => world.close())

const draft = (over: Record<string, unknown> = {}) =>
  shop.call(createDocument, {
    type: 8,
    customerId: customer,
    lines: [{ description: 'x', unitPrice: '100' }],
    draft: true,
    ...over,
  })
/** Runs the long work alone. */
async function ended({ jobId }: { jobId: string }) {
  await asSystem(world.app.db, (tx) => sql`delete from outbox where name <> 'jobs.run'`.execute(tx))
  await world.worker.drain()
  const job = await shop.call(getJob, { id: jobId })
  return { ...job, result: job.result as unknown as Outcome }
}

test('drafts are issued by their days; a refused one stays a draft and holds nobody up', async () => {
  const { id: without } = await draft({ customerId: undefined })
  const [second, first] = [await draft({ date: '2026-03-02' }), await draft({ date: '2026-03-01' })]
  const { state, result } = await ended(await shop.call(issueMany, { ids: [second.id, without, first.id] }))
  expect({ state, made: result.made, refused: result.refused.map((one) => one.code) }).toEqual({
    state: 'done',
    made: 2,
    refused: ['documents.noCustomer'],
  })
  const number = async (id: string) => (await shop.call(getDocument, { id })).number
  expect((await number(second.id))! - (await number(first.id))!).toBe(1)
  expect(await number(without)).toBeNull()
  // Again: nothing is issued twice.
  expect((await ended(await shop.call(issueMany, { ids: [first.id] }))).result).toMatchObject({
    made: 0,
    refused: [{ code: 'documents.notDraft' }],
  })
  await expect(other.call(issueMany, { ids: [without] })).rejects.toMatchObject({ status: 404 })
})

test('documents are mailed each to its own customer, and who has no mail is told', async () => {
  const mute = await shop.customer('ללא דואר')
  const [a, b] = [await shop.invoice(customer, '10'), await shop.invoice(mute.id, '10')]
  const { result } = await ended(await shop.call(sendMany, { ids: [a.id, b.id] }))
  expect(result).toMatchObject({
    made: 1,
    refused: [{ code: 'documentJobs.noMail', name: expect.stringContaining('ללא דואר') }],
  })
  const { rows } = await shop.get<{ rows: { recipient: string; documentId: string }[] }>(
    '/api4/invoice/messages',
  )
  expect(rows.map((row) => [row.recipient, row.documentId])).toEqual([['cohen@example.com', a.id]])
})

test('their PDFs come as an archive of sealed files or as one file, for whoever asked', async () => {
  const ids = [
    (await shop.invoice(customer, '10')).id,
    (await shop.invoice(customer, '20')).id,
    (await draft()).id,
  ]
  const zip = (await ended(await shop.call(bundleMany, { ids, as: 'zip' }))).result
  expect(zip).toMatchObject({ made: 2, refused: [{ code: 'documents.stillDraft' }] })
  const files = unzipSync(new Uint8Array(await shop.call(bundleFile, { id: zip.bundleId! })))
  expect(Object.keys(files)).toHaveLength(2)
  for (const bytes of Object.values(files))
    expect(Buffer.from(bytes).toString('latin1')).toContain('/ByteRange')
  const one = (await ended(await shop.call(bundleMany, { ids: ids.slice(0, 2), as: 'one' }))).result
  const pdf = await openPdf({
    data: new Uint8Array(await shop.call(bundleFile, { id: one.bundleId! })),
    verbosity: 0,
  }).promise
  expect(pdf.numPages).toBe(2)
  await expect(other.call(bundleFile, { id: one.bundleId! })).rejects.toMatchObject({ status: 404 })
})

test('each of several customers gets a document of his own by a pattern', async () => {
  const pattern = await draft({ subject: 'ריטיינר', customerId: undefined })
  const eva = await shop.customer('Eva', { language: 'en', dueTerms: 'net:14' })
  const { result } = await ended(
    await shop.call(issueForCustomers, {
      templateId: pattern.id,
      customerIds: [customer, eva.id],
      issue: true,
    }),
  )
  expect(result).toMatchObject({ made: 2, refused: [] })
  const { rows } = await shop.get<{ rows: any[] }>('/api4/invoice/documents?q=ריטיינר&status=issued')
  expect(rows.map((row) => [row.customerIdName, row.language]).toSorted()).toEqual([
    ['Eva', 'en'],
    ['כהן', 'he'],
  ])
  // Each is due by its customer's terms, and goes to that customer's place.
  const note = await draft({
    type: 3,
    subject: 'אספקה חודשית',
    customerId: undefined,
    deliverTo: { city: 'יבנה' },
  })
  await shop.send('POST', '/api4/invoice/customerAddresses', {
    partyId: eva.id,
    kind: 'delivery',
    city: 'עפולה',
  })
  await ended(
    await shop.call(issueForCustomers, { templateId: note.id, customerIds: [customer, eva.id], issue: true }),
  )
  const made = async (q: string) =>
    Promise.all(
      (
        await shop.get<{ rows: any[] }>(`/api4/invoice/documents?q=${encodeURIComponent(q)}&status=issued`)
      ).rows.map(async ({ id }) => {
        const d = await shop.call(getDocument, { id })
        return [d.customer!.name, d.dueTerms, d.deliverTo?.city ?? null]
      }),
    )
  expect((await made('ריטיינר')).toSorted()).toEqual([
    ['Eva', 'net:14', null],
    ['כהן', 'net:30', null],
  ])
  expect((await made('אספקה חודשית')).toSorted()).toEqual([
    ['Eva', 'net:14', 'עפולה'],
    ['כהן', 'net:30', null],
  ])
  await expect(
    other.call(issueForCustomers, { templateId: pattern.id, customerIds: [customer] }),
  ).rejects.toMatchObject({ status: 404 })
})

test('a bundle of nothing, and one larger than is kept', async () => {
  const { id } = await draft()
  expect(await ended(await shop.call(bundleMany, { ids: [id], as: 'zip' }))).toMatchObject({
    state: 'failed',
    error: { code: 'documentJobs.nothing' },
  })
  const ids = [(await draft({ draft: false })).id]
  const bundled = async () => ended(await shop.call(bundleMany, { ids, as: 'zip' }))
  expect((await bundled()).state).toBe('done')
  // A paper of 151 MB, which takes next to no room packed.
  const client = await world.app.db.pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query('update document_papers set gzip = $1 where document_id = $2', [
      gzipSync(Buffer.alloc(151 * 1024 * 1024)),
      ids[0],
    ])
    await client.query('reset session_replication_role')
  } finally {
    client.release()
  }
  expect(await bundled()).toMatchObject({ state: 'failed', error: { code: 'documentJobs.tooLarge' } })
})
