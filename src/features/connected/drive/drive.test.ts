import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { createServer as createPlain, type AddressInfo, type Socket } from 'node:net'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AwsV4Signer } from 'aws4fetch'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mySession } from '#features/base/session/endpoints.ts'
import { root } from '#kit/server/settings.ts'
import { makeKey } from '#features/open/apiKeys/endpoints.ts'
import { newBusiness, newMate, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'
import { pieceBytes } from './server/doors/google.ts'
import { standingDrive } from './server/doors/googleSimulator.ts'
import { Away } from './server/doors/door.ts'
import { googleDoor } from './server/doors/google.ts'
import { patience } from './server/doors/plain.ts'
import { copyAll } from './server/run.ts'

let world: World
let owner: Business
let customerId: string
const app = { mode: 'simulator' as const, clientId: 'app', clientSecret: 'secret' }
const servers: Server[] = []

beforeAll(async () => {
  world = await startWorld()
  world.app.settings.drive = app
  world.app.settings.webhooks = { http: false, local: true }
})
afterAll(async () => {
  for (const server of servers) server.close().closeAllConnections()
  await world.close()
})
beforeEach(async () => {
  Object.assign(standingDrive, { mood: 'well', calls: 0 })
  standingDrive.files.clear()
  standingDrive.sessions.clear()
  // A place of another test takes nothing of this one's.
  await sql`update drive_targets set state = 'off', paused_why = null`.execute(world.app.db.kysely)
  owner = await newBusiness(world)
  customerId = (await owner.customer('כהן / לוי\u202e')).id
})

async function google() {
  const { url } = await owner.call(calls.beginGoogle, {})
  const { state, code } = Object.fromEntries(new URL(url).searchParams) as { state: string; code: string }
  return (await owner.call(calls.endGoogle, { state, code })).target
}
const pdfs = () => [...standingDrive.files.values()].filter(({ mimeType }) => mimeType === 'application/pdf')
const listed = async (id: string) =>
  (await owner.call(calls.listTargets, {})).rows.find((one) => one.id === id)!
const again = (id: string) =>
  sql`update drive_copies set next_at = now() where target_id = ${id}`
    .execute(world.app.db.kysely)
    .then(() => sql`update drive_targets set rest_until = null where id = ${id}`.execute(world.app.db.kysely))

describe('consent', () => {
  test('is good once, for whoever began, with the proof that stayed here', async () => {
    const { url } = await owner.call(calls.beginGoogle, {})
    const { state, code } = Object.fromEntries(new URL(url).searchParams) as { state: string; code: string }
    const other = await newBusiness(world)
    await expect(other.call(calls.endGoogle, { state, code })).rejects.toMatchObject({
      code: 'drive.tieEnded',
    })
    expect((await owner.call(calls.endGoogle, { state, code })).target).toMatchObject({
      kind: 'google',
      place: 'owner@example.com',
      state: 'on',
    })
    await expect(owner.call(calls.endGoogle, { state, code })).rejects.toMatchObject({
      code: 'drive.tieEnded',
    })
    const next = await owner.call(calls.beginGoogle, {})
    const query = Object.fromEntries(new URL(next.url).searchParams) as { state: string }
    // A code that was asked for with another proof.
    await expect(owner.call(calls.endGoogle, { state: query.state, code })).rejects.toMatchObject({
      code: 'drive.refused',
    })
    const { rows } = await sql<{
      sealed: Buffer
    }>`select secret_sealed as sealed from drive_targets
      where place->>'account' = 'owner@example.com'`.execute(world.app.db.kysely)
    expect(rows.every(({ sealed }) => !sealed.includes('rt1'))).toBe(true)
  })
})

describe('what is issued', () => {
  test('is laid in its folders once, whoever runs at the same time', async () => {
    const { id } = await google()
    const paper = await owner.invoice(customerId, '100')
    await Promise.all([copyAll(world.app), copyAll(world.app)])
    await copyAll(world.app)
    expect(pdfs()).toHaveLength(1)
    expect(pdfs()[0]!.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    const { rows } = await owner.call(calls.listCopies, { id })
    const [year, month] = paper.date.split('-')
    expect(rows).toMatchObject([
      {
        entity: 'documents',
        entityId: paper.id,
        state: 'done',
        path: expect.stringMatching(
          new RegExp(`^${year}/${month}/[^/]+/[^/\u202e]+ ${paper.number} כהן - לוי\\.pdf$`),
        ),
      },
    ])
    expect(rows[0]!.sizeBytes).toBe(pdfs()[0]!.bytes.length)
    expect(await listed(id)).toMatchObject({ done: 1, waiting: 0 })
    await owner.invoice(customerId, '50')
    await copyAll(world.app)
    // The folders are those made before.
    expect(
      [...standingDrive.files.values()].filter(({ mimeType }) => mimeType !== 'application/pdf'),
    ).toHaveLength(3)
    expect(await owner.call(calls.againCopies, { id, sinceDay: paper.date })).toEqual({ count: 0 })
  })

  test('goes on where the line was cut, and is laid again in a folder that was deleted', async () => {
    const { id } = await google()
    await owner.invoice(customerId, '100')
    standingDrive.mood = 'cut'
    await copyAll(world.app)
    expect(pdfs()).toEqual([])
    expect(standingDrive.sessions.size).toBe(1)
    await again(id)
    await copyAll(world.app)
    expect(pdfs()).toHaveLength(1)
    expect(standingDrive.sessions.size).toBe(1)
    const { rows } = await owner.call(calls.listCopies, { id })
    const { rows: kept } = await sql<{
      sha: Buffer
    }>`select sha256 as sha from drive_copies where target_id = ${id}`.execute(world.app.db.kysely)
    expect(createHash('sha256').update(pdfs()[0]!.bytes).digest('hex')).toBe(kept[0]!.sha.toString('hex'))
    expect(rows[0]!.tries).toBe(1)
    standingDrive.files.clear()
    await owner.invoice(customerId, '60')
    await copyAll(world.app)
    await again(id)
    await copyAll(world.app)
    expect(pdfs()).toHaveLength(1)
  })

  test('waits where there is no room or too many calls, and is told once', async () => {
    const { id } = await google()
    const folder = `${world.app.settings.dataDir}/mail`
    const mails = () => (existsSync(folder) ? readdirSync(folder).length : 0)
    await world.worker.drain()
    const before = mails()
    await owner.invoice(customerId, '100')
    standingDrive.mood = 'rate'
    await copyAll(world.app)
    expect(await listed(id)).toMatchObject({ state: 'on', waiting: 1, lastError: 'userRateLimitExceeded' })
    standingDrive.mood = 'full'
    await again(id)
    await copyAll(world.app)
    await again(id)
    await copyAll(world.app)
    expect(await listed(id)).toMatchObject({ state: 'full', waiting: 1 })
    await world.worker.drain()
    expect(mails()).toBe(before + 1)
    standingDrive.mood = 'well'
    await again(id)
    await copyAll(world.app)
    expect(await listed(id)).toMatchObject({ state: 'on', waiting: 0, done: 1, lastError: '' })
  })

  test('stops when consent is taken back, which is told, and goes on when it is given again', async () => {
    const { id } = await google()
    standingDrive.mood = 'revoked'
    await owner.invoice(customerId, '100')
    await copyAll(world.app)
    expect(await listed(id)).toMatchObject({ state: 'revoked', waiting: 1 })
    const { calls: before } = standingDrive
    await copyAll(world.app)
    expect(standingDrive.calls).toBe(before)
    standingDrive.mood = 'well'
    expect(await google()).toMatchObject({ id, state: 'on' })
    await copyAll(world.app)
    expect(await listed(id)).toMatchObject({ waiting: 0, done: 1 })
  })

  test('that was rolled back is never copied', async () => {
    const { id } = await google()
    await owner.invoice(customerId, 'nothing').catch(() => undefined)
    await copyAll(world.app)
    expect((await owner.call(calls.listCopies, { id })).rows).toEqual([])
  })
})

test('a file of several pieces arrives whole', async () => {
  const bytes = Buffer.alloc(pieceBytes * 2 + 17, 'x')
  const kept: Record<string, string> = {}
  await googleDoor(app, 'rt1').put(
    { folders: ["a'b"], name: 'big.bin', bytes, mime: 'application/octet-stream' },
    {
      remoteId: '',
      session: '',
      keep: async (now) => void Object.assign(kept, now),
      folder: async () => undefined,
      keepFolder: async () => {},
      forgetFolders: async () => {},
    },
  )
  expect(standingDrive.files.get(kept.remoteId!)!.bytes.equals(bytes)).toBe(true)
  await expect(
    googleDoor(app, 'rt1').put(
      { folders: [], name: 'x', bytes, mime: 'x/y' },
      {
        remoteId: 'z',
        session: '',
        keep: async () => ((standingDrive.mood = 'down'), undefined),
        folder: async () => undefined,
        keepFolder: async () => {},
        forgetFolders: async () => {},
      },
    ),
  ).rejects.toBeInstanceOf(Away)
})

interface Stored {
  method: string
  path: string
  headers: Record<string, string | string[] | undefined>
  bytes: number
}
async function server(
  status: (stored: Stored, all: Stored[]) => number,
): Promise<{ url: string; got: Stored[] }> {
  const got: Stored[] = []
  const made = createServer((request, response) => {
    let bytes = 0
    request.on('data', (part: Buffer) => (bytes += part.length))
    request.on('end', () => {
      const stored = {
        method: request.method!,
        path: decodeURIComponent(request.url!),
        headers: request.headers,
        bytes,
      }
      got.push(stored)
      response.writeHead(status(stored, got)).end()
    })
  })
  servers.push(made)
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(made.address() as AddressInfo).port}/dav/`, got }
}

describe('other places', () => {
  test('WebDAV: folders are made once, the file lies in them', async () => {
    const folders = new Set<string>()
    const { url, got } = await server(({ method, path }) =>
      method === 'MKCOL' ? (folders.has(path) ? 405 : (folders.add(path), 201)) : 201,
    )
    const target = await owner.call(calls.addPlace, {
      kind: 'webdav',
      address: url,
      user: 'u',
      password: 'p',
      name: 'ענן',
    })
    await owner.call(calls.changeTarget, { id: target.id, pattern: '{year}' })
    const paper = await owner.invoice(customerId, '100')
    await copyAll(world.app)
    expect(got.map(({ method }) => method)).toEqual(['PUT', 'MKCOL', 'PUT'])
    expect(got[2]).toMatchObject({
      path: expect.stringMatching(new RegExp(`^/dav/${paper.date.slice(0, 4)}/.+ ${paper.number} .+\\.pdf$`)),
      headers: { authorization: `Basic ${Buffer.from('u:p').toString('base64')}` },
    })
    await owner.invoice(customerId, '70')
    await copyAll(world.app)
    expect(got.slice(3).map(({ method }) => method)).toEqual(['PUT'])
  })

  test('one that drips is left after a time, holds up nobody else, and what follows an answer is not waited for', async () => {
    const usual = { ...patience }
    const sockets = new Set<Socket>()
    let trials = 3
    // The trial file is taken; then a byte of the head comes every fifty milliseconds, and never the end.
    const dripping = createPlain((socket) => {
      sockets.add(socket)
      let timer: NodeJS.Timeout | undefined
      socket.on('error', () => {}).on('close', () => clearInterval(timer))
      socket.once('data', () => {
        if (trials-- > 0) return socket.end('HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n')
        socket.write('HTTP/1.1 201 Created\r\nx-drip: ')
        timer = setInterval(() => socket.write('.'), 50)
        return undefined
      })
    })
    await new Promise<void>((resolve) => dripping.listen(0, '127.0.0.1', () => resolve()))
    const slow = owner
    const url = `http://127.0.0.1:${(dripping.address() as AddressInfo).port}/dav/`
    const keys = { kind: 'webdav', user: 'u', password: 'p', name: '' } as const
    for (let n = 0; n < 3; n++) await slow.call(calls.addPlace, { ...keys, address: url })
    await slow.invoice(customerId, '100')
    owner = await newBusiness(world)
    customerId = (await owner.customer('כהן')).id
    // An answer whose body never ends.
    const endless = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(201).write('.'))
    })
    servers.push(endless)
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve))
    const good = await owner.call(calls.addPlace, {
      ...keys,
      address: `http://127.0.0.1:${(endless.address() as AddressInfo).port}/dav/`,
    })
    await owner.invoice(customerId, '100')
    Object.assign(patience, { ms: 6000 })
    try {
      const from = performance.now()
      const all = copyAll(world.app)
      await expect
        .poll(() => owner.call(calls.listTargets, {}).then(({ rows }) => rows[0]!.done), { timeout: 5000 })
        .toBe(1)
      expect(performance.now() - from).toBeLessThan(5500)
      expect((await owner.call(calls.listTargets, {})).rows).toMatchObject([{ id: good.id, lastError: '' }])
      await all
      const { rows } = await slow.call(calls.listTargets, {})
      expect(rows).toHaveLength(3)
      for (const row of rows) expect(row).toMatchObject({ done: 0, lastError: 'timeout' })
    } finally {
      Object.assign(patience, usual)
      for (const socket of sockets) socket.destroy()
      dripping.close()
    }
  }, 60_000)

  test('S3: the signature is that of the published example, and one byte changed is another', async () => {
    // Amazon S3 API reference, "Signature Calculations … Example: GET Object".
    const signed = (range: string) =>
      new AwsV4Signer({
        method: 'GET',
        url: 'https://examplebucket.s3.amazonaws.com/test.txt',
        accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
        secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
        service: 's3',
        region: 'us-east-1',
        datetime: '20130524T000000Z',
        allHeaders: true,
        headers: {
          range,
          'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        },
      }).sign()
    expect((await signed('bytes=0-9')).headers.get('authorization')).toContain(
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    )
    expect((await signed('bytes=0-8')).headers.get('authorization')).not.toContain('f0e8bdb87c9644')
    const { url, got } = await server(() => 200)
    await owner.call(calls.addPlace, {
      kind: 's3',
      address: url,
      region: 'eu-west-1',
      bucket: 'my-books',
      user: 'AK',
      password: 'SK',
    })
    await owner.invoice(customerId, '100')
    await copyAll(world.app)
    expect(got).toHaveLength(2)
    expect(got[1]).toMatchObject({
      method: 'PUT',
      path: expect.stringMatching(/^\/dav\/my-books\/\d{4}\/\d\d\//),
      headers: {
        authorization: expect.stringMatching(
          /^AWS4-HMAC-SHA256 Credential=AK\/\d{8}\/eu-west-1\/s3\/aws4_request/,
        ),
      },
    })
  })

  test('are refused by name: a private address, keys that are wrong, a pattern that is none', async () => {
    const place = { kind: 'webdav' as const, user: 'u', password: 'p' }
    for (const address of [
      'http://example.com/dav',
      'https://10.0.0.1/dav',
      'https://user:pass@example.com/',
      'https://localhost.localdomain:8443/',
    ])
      await expect(owner.call(calls.addPlace, { ...place, address })).rejects.toMatchObject({
        errors: [{ path: 'address', code: 'drive.badPlace' }],
      })
    const { url } = await server(() => 401)
    await expect(owner.call(calls.addPlace, { ...place, address: url })).rejects.toMatchObject({
      errors: [{ path: 'password', code: 'drive.refused' }],
    })
    const { id } = await google()
    await expect(owner.call(calls.changeTarget, { id, pattern: '{yaer}/../..' })).rejects.toMatchObject({
      errors: [{ path: 'pattern', code: 'drive.badPattern' }],
    })
    const other = await newBusiness(world)
    await expect(other.call(calls.listCopies, { id })).rejects.toMatchObject({ status: 404 })
    await expect(other.call(calls.dropTarget, { id })).rejects.toMatchObject({ status: 404 })
  })

  test('belong to one business: nobody hears of another’s papers', async () => {
    await google()
    const other = await newBusiness(world)
    const { id } = await other.customer('זר')
    await other.invoice(id, '10')
    await copyAll(world.app)
    expect(pdfs()).toEqual([])
    expect((await owner.call(mySession, {})).CompanyKey).toBeTruthy()
  })
})

describe('authority', () => {
  const limits = {
    rules: { rules: [222, 10] },
    documents: { docsAllow: [8] },
    customers: { ownCustomersOnly: true },
    totals: { hideTotalPrices: true },
  }
  const companyOf = async () => (await owner.call(mySession, {})).CompanyKey!
  const set = (userId: string, values: string) =>
    world.app.db.pool.query(`update memberships set ${values} where user_id = $1 and company_id = $2`, [
      userId,
      companyId,
    ])
  let companyId: string
  beforeEach(async () => {
    companyId = await companyOf()
  })
  const mails = () => {
    const folder = `${world.app.settings.dataDir}/mail`
    return existsSync(folder) ? readdirSync(folder).length : 0
  }
  async function googleOf(who: Business) {
    const { url } = await who.call(calls.beginGoogle, {})
    const { state, code } = Object.fromEntries(new URL(url).searchParams) as { state: string; code: string }
    return (await who.call(calls.endGoogle, { state, code })).target
  }

  test.each(Object.entries(limits))(
    'a person with limited %s neither connects, changes nor repeats',
    async (_, rights) => {
      const { id } = await google()
      const mate = await newMate(world, companyId, rights)
      const { url, got } = await server(() => 201)
      const refused = { status: 403, code: 'drive.notWhole' }
      expect(await mate.call(calls.listTargets, {})).toMatchObject({ mayConnect: false })
      await expect(
        mate.call(calls.addPlace, { kind: 'webdav', address: url, user: 'u', password: 'p' }),
      ).rejects.toMatchObject(refused)
      expect(got).toEqual([])
      await expect(mate.call(calls.beginGoogle, {})).rejects.toMatchObject(refused)
      await expect(mate.call(calls.changeTarget, { id, what: ['reports'] })).rejects.toMatchObject(refused)
      await expect(mate.call(calls.changeTarget, { id, on: true })).rejects.toMatchObject(refused)
      await expect(mate.call(calls.againCopies, { id, sinceDay: '2020-01-01' })).rejects.toMatchObject(
        refused,
      )
      expect(await mate.call(calls.changeTarget, { id, on: false })).toMatchObject({ state: 'off' })
    },
  )

  test('an API key of the owner never connects', async () => {
    const { secret: key } = await owner.call(makeKey, {
      name: 'x',
      readOnly: false,
      draftsOnly: false,
      rules: [],
      docsAllow: [],
      sumLimitAgorot: null,
      expiresOn: null,
    })
    const { url, got } = await server(() => 201)
    const given = { kind: 'webdav', address: url, user: 'u', password: 'p' } as const
    const refused = { status: 403, code: 'drive.noKeys' }
    await expect(owner.call(calls.addPlace, given, { token: key })).rejects.toMatchObject(refused)
    await expect(owner.call(calls.beginGoogle, {}, { token: key })).rejects.toMatchObject(refused)
    expect(got).toEqual([])
  })

  test.each([
    ['left', 'removed_at = now()'],
    ['left', 'blocked_at = now()'],
    ['limited', "rules = '{222,10}'"],
    ['limited', "docs_allow = '{8}'"],
    ['limited', 'own_customers_only = true'],
    ['limited', 'hide_total_prices = true'],
  ])(
    'copies pause (%s) after %s of the person who connected, and the owner turns them on',
    async (why, change) => {
      const mate = await newMate(world, companyId)
      const { id } = await googleOf(mate)
      await owner.invoice(customerId, '100')
      await copyAll(world.app)
      expect(pdfs()).toHaveLength(1)
      await set(mate.userId, change)
      await world.worker.drain()
      const before = mails()
      await owner.invoice(customerId, '200')
      await copyAll(world.app)
      await copyAll(world.app)
      expect(pdfs()).toHaveLength(1)
      expect(await listed(id)).toMatchObject({ state: 'paused', pausedWhy: why, waiting: 1 })
      await world.worker.drain()
      expect(mails()).toBe(before + 1)
      expect(await owner.call(calls.changeTarget, { id, on: true })).toMatchObject({
        state: 'on',
        pausedWhy: null,
      })
      await copyAll(world.app)
      expect(pdfs()).toHaveLength(2)
      expect(await listed(id)).toMatchObject({ state: 'on', by: 'נועה ורדי', waiting: 0 })
    },
  )

  test('an upgrade pauses what limited people, people who left and API keys connected', async () => {
    const made: Record<string, string> = {}
    const who = { owner, whole: await newMate(world, companyId), left: await newMate(world, companyId) }
    const limited = await newMate(world, companyId)
    for (const [name, mate] of Object.entries({ ...who, limited, off: limited, key: owner })) {
      const { rows } = await world.app.db.pool.query<{ id: string }>(
        `insert into drive_targets (company_id, id, kind, name, secret_sealed, what, state, created_by)
          select $1, gen_random_uuid(), 'webdav', $2, '', '{documents}', $3, id from users where email = $4 returning id`,
        [companyId, name, name === 'off' ? 'off' : 'on', mate.email],
      )
      made[name] = rows[0]!.id
    }
    await set(who.left.userId, 'removed_at = now()')
    await set(limited.userId, "docs_allow = '{8}'")
    await world.app.db.pool.query(
      `insert into audit_log (company_id, id, action, entity, entity_id, address)
        values ($1, gen_random_uuid(), 'drive.add', 'driveTargets', $2, 'pk_live_ab… 10.0.0.1')`,
      [companyId, made.key],
    )
    const [statement] = readFileSync(
      join(root, 'db/migrations/0445-copies-under-a-person.sql'),
      'utf8',
    ).match(/^update drive_targets t[^;]*;/gm)!
    await world.app.db.pool.query(statement!)
    const { rows } = await owner.call(calls.listTargets, {})
    expect(Object.fromEntries(rows.map(({ name, state, pausedWhy }) => [name, pausedWhy ?? state]))).toEqual({
      owner: 'on',
      whole: 'on',
      left: 'left',
      limited: 'limited',
      off: 'off',
      key: 'key',
    })
  })

  test('what a person connected goes on under the owner who renews its consent', async () => {
    const mate = await newMate(world, companyId)
    const { id } = await googleOf(mate)
    await set(mate.userId, 'removed_at = now()')
    expect(await google()).toMatchObject({ id })
    await owner.invoice(customerId, '100')
    await copyAll(world.app)
    expect(pdfs()).toHaveLength(1)
  })
})

describe('what is refused', () => {
  test('a log-in while the drive is away', async () => {
    const { url } = await owner.call(calls.beginGoogle, {})
    const given = Object.fromEntries(new URL(url).searchParams) as { state: string; code: string }
    standingDrive.mood = 'down'
    await expect(owner.call(calls.endGoogle, given)).rejects.toMatchObject({
      status: 503,
      code: 'drive.away',
    })
  })

  test('the eleventh place', async () => {
    const { id } = await google()
    await sql`insert into drive_targets select (jsonb_populate_record(t, jsonb_build_object('id',
        gen_random_uuid()))).* from drive_targets t, generate_series(1, 9) where t.id = ${id}`.execute(
      world.app.db.kysely,
    )
    const server = createServer((_, response) => response.writeHead(201).end())
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const place = () =>
      owner.call(calls.addPlace, {
        kind: 'webdav',
        address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
        user: 'u',
        password: 'p',
      })
    await expect(place()).rejects.toMatchObject({ status: 422, code: 'drive.tooMany' })
    await owner.call(calls.dropTarget, { id })
    await place()
  })
})
