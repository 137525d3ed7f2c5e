import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'

let world: World
let owner: Business
let customer: { id: string }
beforeAll(async () => {
  world = await startWorld()
  owner = await newBusiness(world)
  customer = await owner.customer('תיקיות בע"מ')
})
afterAll(() => world.close())

const pdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')
/** One red pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

/** A ZIP of one part that is nothing but zeros. */
function bomb(unpacked: number, claimed: number): Buffer {
  const packed = deflateRawSync(Buffer.alloc(unpacked))
  const local = Buffer.alloc(30 + 1)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(packed.length, 18)
  local.writeUInt32LE(claimed, 22)
  local.writeUInt16LE(1, 26)
  local.write('a', 30)
  const central = Buffer.alloc(46 + 1)
  central.writeUInt32LE(0x02014b50, 0)
  central.writeUInt16LE(8, 10)
  central.writeUInt32LE(packed.length, 20)
  central.writeUInt32LE(claimed, 24)
  central.writeUInt16LE(1, 28)
  central.write('a', 46)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length + packed.length, 16)
  return Buffer.concat([local, packed, central, end])
}

describe('keeping files', () => {
  test('the kind is what the bytes are, and the name says so', async () => {
    expect(await owner.call(calls.uploadFile, { name: 'scan.exe', bytes: pdf })).toMatchObject({
      name: 'scan.exe.pdf',
      mime: 'application/pdf',
      size: pdf.length,
      by: 'נועה ורדי',
    })
    const { id } = await owner.call(calls.uploadFile, { name: 'קבלה.png', bytes: png })
    const answer = await owner.get(`/api4/invoice/files/${id}`)
    expect(Buffer.compare(answer, png)).toBe(0)
    expect((await owner.get(`/api4/invoice/files/${id}/thumbnail`)).subarray(0, 3).toString('hex')).toBe(
      'ffd8ff',
    )
  })

  test.each([
    ['a page', 'x.html', Buffer.from('<!doctype html><script>alert(1)</script>'), 'files.badType'],
    ['a page called text', 'x.txt', Buffer.from('  <html><body>'), 'files.badType'],
    [
      'a drawing that may run code',
      'x.svg',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
      'files.badType',
    ],
    ['a program', 'x.pdf', Buffer.from('MZ\u0000\u0001\u0002\u0003'), 'files.badType'],
    ['an empty file', 'x.pdf', Buffer.alloc(0), 'files.broken'],
    ['a bomb', 'x.zip', bomb(20_000_000, 20_000_000), 'files.broken'],
    ['a bomb that lies about itself', 'x.xlsx', bomb(20_000_000, 10), 'files.broken'],
    ['half a ZIP', 'x.zip', bomb(1000, 1000).subarray(0, 40), 'files.broken'],
  ])('%s is refused', async (_, name, bytes, code) => {
    await expect(owner.call(calls.uploadFile, { name, bytes })).rejects.toMatchObject({ status: 422, code })
  })

  test('the same bytes take their room once; above the quota nothing is kept', async () => {
    const other = await newBusiness(world)
    await other.call(calls.uploadFile, { name: 'a.pdf', bytes: pdf })
    const before = (await other.call(calls.listFolders, {})).keptBytes
    await other.call(calls.uploadFile, { name: 'b.pdf', bytes: pdf })
    expect((await other.call(calls.listFolders, {})).keptBytes).toBe(before)
    const { id } = await other.get('/api4/invoice/company')
    await world.app.db.pool.query('update companies set file_quota_bytes = $1 where id = $2', [
      before + 10,
      id,
    ])
    await expect(other.call(calls.uploadFile, { name: 'c.png', bytes: png })).rejects.toMatchObject({
      code: 'files.overQuota',
    })
  })

  test('a repeated upload with one key is one file', async () => {
    const key = `k${Date.now()}`
    const first = await owner.call(calls.uploadFile, { name: 'once.pdf', bytes: pdf }, { key })
    expect(await owner.call(calls.uploadFile, { name: 'once.pdf', bytes: pdf }, { key })).toEqual(first)
    await expect(
      owner.call(calls.uploadFile, { name: 'once.pdf', bytes: png }, { key }),
    ).rejects.toMatchObject({ code: 'kit.keyReused' })
  })
})

describe('attaching', () => {
  test('a file hangs on a customer, stays when taken off, and is removed only when it hangs on nothing', async () => {
    const file = await owner.call(calls.uploadFile, {
      name: 'חוזה.pdf',
      bytes: pdf,
      entity: 'customers',
      entityId: customer.id,
    })
    expect(
      (await owner.call(calls.filesOfThing, { entity: 'customers', id: customer.id })).rows.map(
        (f) => f.name,
      ),
    ).toEqual(['חוזה.pdf'])
    await expect(owner.call(calls.removeFile, { id: file.id })).rejects.toMatchObject({ code: 'files.inUse' })
    await owner.call(calls.detach, { id: file.id, entity: 'customers', entityId: customer.id })
    await owner.call(calls.removeFile, { id: file.id })
    await expect(owner.get(`/api4/invoice/files/${file.id}`)).rejects.toMatchObject({ status: 404 })
  })

  test('a file of the store is found by its name and hung on a thing', async () => {
    const kept = await owner.call(calls.uploadFile, { name: 'תקנון.pdf', bytes: pdf })
    const found = (await owner.call(calls.listFiles, { q: 'תקנון' })).rows
    expect(found.map((f) => f.id)).toEqual([kept.id])
    await owner.call(calls.attach, { id: kept.id, entity: 'customers', entityId: customer.id })
    expect(
      (await owner.call(calls.filesOfThing, { entity: 'customers', id: customer.id })).rows.map(
        (f) => f.name,
      ),
    ).toContain('תקנון.pdf')
  })

  test('another business finds neither the thing nor the file', async () => {
    const stranger = await newBusiness(world)
    const file = await owner.call(calls.uploadFile, {
      name: 'x.pdf',
      bytes: pdf,
      entity: 'customers',
      entityId: customer.id,
    })
    const thing = { entity: 'customers', entityId: customer.id }
    await expect(
      stranger.call(calls.uploadFile, { name: 'y.pdf', bytes: pdf, ...thing }),
    ).rejects.toMatchObject({ status: 404 })
    await expect(stranger.call(calls.attach, { id: file.id, ...thing })).rejects.toMatchObject({
      status: 404,
    })
    await expect(
      stranger.call(calls.filesOfThing, { entity: 'customers', id: customer.id }),
    ).rejects.toMatchObject({ status: 404 })
  })
})

test('folders do not go into themselves, and their files come up when they go', async () => {
  const top = await owner.call(calls.makeFolder, { name: '2026' })
  const inner = await owner.call(calls.makeFolder, { name: 'ינואר', parentId: top.id })
  await expect(owner.call(calls.makeFolder, { name: '2026' })).rejects.toMatchObject({
    code: 'files.folderTaken',
  })
  await expect(owner.call(calls.changeFolder, { id: top.id, parentId: inner.id })).rejects.toMatchObject({
    code: 'files.folderInItself',
  })
  const file = await owner.call(calls.uploadFile, { name: 'z.pdf', bytes: pdf, folder: inner.id })
  expect((await owner.call(calls.listFiles, { folder: inner.id })).rows).toHaveLength(1)
  await owner.call(calls.removeFolder, { id: top.id })
  expect((await owner.call(calls.listFiles, { folder: 'top' })).rows.map((f) => f.id)).toContain(file.id)
})
