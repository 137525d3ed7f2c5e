import { randomBytes } from 'node:crypto'
import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newBusiness, raw, Refused, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { asCaller, systemCaller } from '#kit/server/context.ts'
import { uploadFile } from '#features/base/files/endpoints.ts'
import { getJob } from '#features/base/jobs/endpoints.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { expenseFacts } from '#features/purchases/expenses/endpoints.ts'
import { archiveFile, listArchives, makeArchive } from './endpoints.ts'
import { bytesOf, layOut } from './server/storedZip.ts'

let world: World
let shop: Business
const period = { from: '2026-01-01', to: '2026-12-31' }
const pictures = new Map<string, Buffer>()

/** A unique scan: anything may follow the signature of a PDF. */
const scan = (size: number): Buffer =>
  Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(size), Buffer.from('\n%%EOF\n')])

async function bill(number: string, day: string, supplier: string, scans: Buffer[]): Promise<void> {
  const files: string[] = []
  for (const [i, bytes] of scans.entries())
    files.push((await shop.call(uploadFile, { name: `סריקה ${number}-${i}.pdf`, bytes } as never)).id)
  const { types } = await shop.call(expenseFacts, {})
  await shop.send('POST', '/api4/invoice/expenses', {
    supplierId: supplier,
    supplierNumber: number,
    date: day,
    lines: [
      {
        typeId: types.find((t) => t.vatShare === 'full' && !t.isFixedAsset)!.id,
        netAgorot: 10_000,
        vatAgorot: 1800,
      },
    ],
    fileIds: files,
  })
}

beforeAll(async () => {
  world = await startWorld(() => new Date('2026-11-20T10:00:00Z'))
  shop = await newBusiness(world)
  const { id: supplier } = await shop.send('POST', '/api4/invoice/suppliers', { name: 'גליל: צנרת/ברזים' })
  for (let n = 0; n < 45; n++) {
    const day = `2026-${String(1 + (n % 9)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`
    const bytes = scan(2000 + n * 37)
    pictures.set(`${day.slice(0, 7)}/${day} גליל צנרת ברזים ${1000 + n}.pdf`, bytes)
    await bill(String(1000 + n), day, supplier, [bytes])
  }
  const [first, second] = [scan(3_000_000), scan(500)] as const
  pictures.set('2026-10/2026-10-03 גליל צנרת ברזים 77.pdf', first)
  pictures.set('2026-10/2026-10-03 גליל צנרת ברזים 77 (2).pdf', second)
  await bill('77', '2026-10-03', supplier, [first, second])
  await bill('78', '2026-10-04', supplier, [])
}, 120_000)
afterAll(() => world.close())

const make = async (asked: Record<string, string> = period) => {
  const { id, jobId } = await shop.call(makeArchive, asked as typeof period)
  await world.worker.drain()
  return { id, job: await shop.call(getJob, { id: jobId }) }
}

describe('the pictures of a period', () => {
  test('come as one archive, each by its day, its supplier and its number, with a list of all expenses', async () => {
    const { id, job } = await make()
    expect(job).toMatchObject({ state: 'done', done: 48, total: 48 })
    const { rows } = await shop.call(listArchives, {})
    const [archive] = rows.filter((one) => one.id === id)
    expect(archive).toMatchObject({
      files: 47,
      expenses: 47,
      without: 1,
      isReady: true,
      name: 'expenses-2026-01-01-2026-12-31.zip',
    })
    const bytes = (await shop.call(archiveFile, { id })) as Buffer
    expect(bytes.length).toBe(archive!.bytes)
    const { 'expenses.xlsx': list, ...found } = unzipSync(bytes)
    expect(Object.keys(found).sort()).toEqual([...pictures.keys()].sort())
    for (const [name, want] of pictures) expect(Buffer.compare(found[name]!, want), name).toBe(0)
    const sheet =
      Buffer.from(unzipSync(list!)['xl/worksheets/sheet1.xml']!).toString() +
      Buffer.from(unzipSync(list!)['xl/sharedStrings.xml'] ?? []).toString()
    for (const part of ['גליל: צנרת/ברזים', '2026-10/2026-10-03 גליל צנרת ברזים 77 (2).pdf', '78'])
      expect(sheet).toContain(part)
  })

  test('are taken up where they were cut off: any part is what it is in the whole', async () => {
    const { id } = await make()
    const whole = (await shop.call(archiveFile, { id })) as Buffer
    let came = Buffer.alloc(0)
    for (const most of [1, 7, 30, 1000, 65_536, 1_000_003, 5_000_000]) {
      const part = (await shop.call(archiveFile, { id, from: came.length, most })) as Buffer
      expect(part.length).toBe(Math.min(most, whole.length - came.length))
      came = Buffer.concat([came, part])
    }
    expect(came.equals(whole)).toBe(true)
    expect(((await shop.call(archiveFile, { id, from: whole.length + 5 })) as Buffer).length).toBe(0)
  })

  test('go on after a kill with the first picture that was not read', async () => {
    const { id, jobId } = await shop.call(makeArchive, period)
    const { CompanyKey } = await shop.call(mySession, {})
    // The first process dies after its first step: it never comes back to what it had begun.
    const db = world.app.db.kysely
    await world.worker.drain()
    const { rows: before } = await sql<{
      place: number
      crc: number
    }>`select place, crc from expense_archive_files where archive_id = ${id} order by place`.execute(db)
    await sql`update expense_archive_files set crc = null where archive_id = ${id} and place > 10`.execute(db)
    await sql`update jobs set state = 'running', position = ${JSON.stringify({ total: 47, done: 10 })}::jsonb,
        result = null, ended_at = null where id = ${jobId}`.execute(db)
    await asCaller(world.app, systemCaller(CompanyKey), '', (ctx) => ctx.later('jobs.run', { jobId }))
    await world.worker.drain()
    expect(await shop.call(getJob, { id: jobId })).toMatchObject({ state: 'done', result: { files: 47 } })
    const { rows: after } = await sql<{
      place: number
      crc: number
    }>`select place, crc from expense_archive_files where archive_id = ${id} order by place`.execute(db)
    expect(after).toEqual(before)
    expect(Object.keys(unzipSync((await shop.call(archiveFile, { id })) as Buffer))).toHaveLength(48)
  })

  test('are of whoever asked for them, and not of a stranger', async () => {
    const { id } = await make()
    const stranger = await newBusiness(world)
    expect((await stranger.call(listArchives, {})).rows).toEqual([])
    await expect(stranger.call(archiveFile, { id })).rejects.toThrow('kit.notFound')
    const { CompanyKey } = await shop.call(mySession, {})
    await sql`insert into memberships (company_id, user_id, type_id) select ${CompanyKey}, id, 9 from users
      where email = ${stranger.email}`.execute(world.app.db.kysely)
    await sql`update sessions set company_id = ${CompanyKey}
      where user_id = (select id from users where email = ${stranger.email})`.execute(world.app.db.kysely)
    await expect(stranger.call(archiveFile, { id })).rejects.toThrow('kit.notFound')
    await sql`update memberships set hide_total_prices = true where company_id = ${CompanyKey}
        and user_id = (select id from users where email = ${stranger.email})`.execute(world.app.db.kysely)
    await expect(stranger.call(makeArchive, period)).rejects.toThrow('session.forbidden')
  })

  test('are refused where there are none, and told when one was thrown away since', async () => {
    await expect(shop.call(makeArchive, { from: '2020-01-01', to: '2020-12-31' })).rejects.toThrow(
      'expensesBackup.nothing',
    )
    await expect(shop.call(makeArchive, { from: '2026-02-01', to: '2026-01-01' })).rejects.toThrow(Refused)
    await expect(
      shop.call(makeArchive, { ...period, supplier: '00000000-0000-7000-8000-000000000000' }),
    ).rejects.toThrow('kit.notFound')
    const { id } = await shop.call(makeArchive, period)
    expect((await raw(world, archiveFile, { id }, { token: shop.token })).statusCode).toBe(409)
    await world.worker.drain()
    const { CompanyKey } = await shop.call(mySession, {})
    const { rows } = await sql<{
      id: string
    }>`select f.file_id as id from expense_archive_files f where f.archive_id = ${id} order by f.place desc
      limit 1`.execute(world.app.db.kysely)
    await sql`delete from file_links where company_id = ${CompanyKey} and file_id = ${rows[0]!.id}`.execute(
      world.app.db.kysely,
    )
    await shop.send('DELETE', `/api4/invoice/files/${rows[0]!.id}`)
    await expect(shop.call(archiveFile, { id })).rejects.toThrow('expensesBackup.changed')
  })
})

test('an archive of random files opens, and any part of it is what it is in the whole', async () => {
  const files = Array.from({ length: 40 }, (_, i) => ({
    name: `תיקייה/${i}.bin`,
    bytes: randomBytes(Math.floor(Math.random() * 5000)),
  }))
  const { crc32 } = await import('node:zlib')
  const { parts, size } = layOut(
    files.map(({ name, bytes }) => ({ name, size: bytes.length, crc: crc32(bytes) })),
    new Date('2026-05-05T10:20:30Z'),
  )
  const read = (place: number, from: number, count: number) =>
    Promise.resolve(files[place]!.bytes.subarray(from, from + count))
  const take = async (from: number, to: number) => {
    const pieces: Uint8Array[] = []
    for await (const piece of bytesOf(parts, { from, to }, read)) pieces.push(piece)
    return Buffer.concat(pieces)
  }
  const whole = await take(0, size)
  expect(whole.length).toBe(size)
  expect(
    Object.entries(unzipSync(whole)).map(([name, bytes]) => [name, Buffer.from(bytes).toString('hex')]),
  ).toEqual(files.map(({ name, bytes }) => [name, bytes.toString('hex')]))
  for (let n = 0; n < 200; n++) {
    const from = Math.floor(Math.random() * size)
    const to = from + Math.floor(Math.random() * (size - from))
    expect((await take(from, to)).equals(whole.subarray(from, to)), `${from} ${to}`).toBe(true)
  }
})

test('an archive larger than a zip may be is refused before it is begun', async () => {
  await world.app.db.pool.query(`begin; set local session_replication_role = replica;
    update files set size = 2000000000 where company_id = (select m.company_id from memberships m
      join users u on u.id = m.user_id where u.email = '${shop.email}'); commit`)
  await expect(shop.call(makeArchive, period)).rejects.toMatchObject({
    status: 422,
    code: 'expensesBackup.tooLarge',
  })
})
