import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import pg from 'pg'
import { dayInJerusalem } from '#domain/day.ts'
import { startEmbeddedPostgres } from '#kit/server/data/embeddedPostgres.ts'
import { root } from '#kit/server/settings.ts'
import { openDemo, openDemoOffice, openAs } from '../../tools/tour.ts'
import { copyPrepared, digestOf, startPrepared } from '../setup/prepared.ts'

/**
 * What journeys walk on: one server for all of them, and beside it copies of an installation in which a demo
 * business, an office and a dealer have already lived their year. To copy a database and to start a server on
 * it takes a fifth of the time in which that year is lived, and the person who has a copy is alone in it.
 * `support.ts` asks for copies here, by HTTP: POST takes one (by a name the same one for all), DELETE ends
 * it.
 */
const data = process.env.JOURNEY_DATA!
const first = Number(process.env.JOURNEY_PORT)

export interface Copy {
  base: string
  /** Its data directory: letters and messages lie there. */
  data: string
  databaseUrl: string
  demo: Record<string, string>
  office: Record<string, string>
  dealer: Record<string, string>
}
type People = Pick<Copy, 'demo' | 'office' | 'dealer'>

const urlIn = (url: string, database: string): string => url.replace('/pinkas?', `/${database}?`)
const servers = new Set<ChildProcess>()

const template = join(data, 'prepared')
const people = join(template, 'people.json')
/** What the copies are made of holds for one build and one day, by which its year is counted. */
const digest = digestOf('dist/.built', 'db/migrations/', 'tests/journeys/serve.ts', 'tools/tour.ts')
await copyPrepared('demo', `${digest}-${dayInJerusalem(new Date())}`, data, prepare)
const store = await startEmbeddedPostgres(data)
const urlOf = (name: string) => urlIn(store.url, name)
const admin = new pg.Client({ connectionString: urlOf('postgres') })
await admin.connect()
// One database after another is made: two at once would copy the same one.
let last: Promise<unknown> = Promise.resolve()
const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
  const next = last.then(work)
  last = next.catch(() => undefined)
  return next
}

async function start(
  port: number,
  databaseUrl: string,
  dataDir: string,
  workers: number,
): Promise<{ base: string; stop: () => Promise<void> }> {
  const base = `http://127.0.0.1:${port}`
  const server = spawn(process.execPath, [join(root, 'dist/server/server.js')], {
    env: {
      ...process.env,
      PORT: String(port),
      // Behind a proxy, as in production: every visitor has a separate address.
      PUBLIC_URL: base,
      DATA_DIR: dataDir,
      WORKERS: String(workers),
      LOG_LEVEL: 'silent',
      DATABASE_URL: databaseUrl,
      PINKAS_DEV: '1',
      // A journey types its rates.
      EXCHANGE_RATES: 'off',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  servers.add(server)
  const gone = new Promise<void>((done) => server.once('exit', () => (servers.delete(server), done())))
  for (let tries = 0; !(await fetch(`${base}/readyz`).catch(() => undefined))?.ok; tries++) {
    if (tries > 1200 || server.exitCode !== null) throw new Error(`no server at ${base}`)
    await new Promise((done) => setTimeout(done, 50))
  }
  return {
    base,
    stop: () => {
      server.kill('SIGINT')
      return gone
    },
  }
}

async function prepare(folder: string): Promise<void> {
  const made = await startPrepared(folder)
  const client = new pg.Client({ connectionString: urlIn(made.url, 'postgres') })
  await client.connect()
  await client.query('create database prepared template pinkas')
  await client.end()
  const url = urlIn(made.url, 'prepared')
  const dataDir = join(folder, 'prepared')
  mkdirSync(dataDir)
  const { base, stop } = await start(first + 2, url, dataDir, 1)
  const [demo, office] = await Promise.all([openDemo(base), openDemoOffice(base)])
  const dealer = await openAs.dealer(base)
  // Jobs that the year left to be done are done here, once, and not in each copy.
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  const left = async () =>
    (
      await database.query(
        'select 1 from outbox where done_at is null and failed_at is null and run_after <= now() limit 1',
      )
    ).rowCount
  for (let tries = 0; tries < 300 && (await left()); tries++)
    await new Promise((done) => setTimeout(done, 100))
  await database.end()
  await stop()
  writeFileSync(join(dataDir, 'people.json'), JSON.stringify({ demo, office, dealer } satisfies People))
  await made.stop()
}

const copies = new Map<string, { stop: () => Promise<void>; database: string; data: string }>()
let count = 0
async function copy(): Promise<Copy> {
  const known = JSON.parse(readFileSync(people, 'utf8')) as People
  const n = count++
  const database = `copy_${n}`
  const dataDir = join(data, database)
  await inTurn(() => admin.query(`create database ${database} template prepared`))
  cpSync(template, dataDir, { recursive: true })
  const { base, stop } = await start(first + 3 + (n % 96), urlOf(database), dataDir, 1)
  copies.set(base, { stop, database, data: dataDir })
  return { base, data: dataDir, databaseUrl: urlOf(database), ...known }
}
async function end(base: string): Promise<void> {
  const known = copies.get(base)
  copies.delete(base)
  if (!known) return
  await known.stop()
  await inTurn(() => admin.query(`drop database ${known.database} with (force)`))
  rmSync(known.data, { recursive: true, force: true })
}

// The next one starts while somebody still walks on the one before.
let spare: Promise<Copy> | undefined
const named = new Map<string, Promise<Copy>>()
function take(name: string): Promise<Copy> {
  const known = named.get(name)
  if (known) return known
  const mine = spare ?? copy()
  spare = undefined
  if (name) named.set(name, mine)
  else {
    spare = copy()
    spare.catch(() => (spare = undefined))
  }
  return mine
}

const answer = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const door = createServer((request, response) => {
  const said = decodeURIComponent(request.url!.slice(1))
  const work = request.method === 'DELETE' ? end(said) : take(said)
  work.then(
    (made) => answer(response, 200, made ?? {}),
    (e: Error) => answer(response, 500, { error: e.message }),
  )
})

async function close(code: number): Promise<void> {
  door.close()
  for (const server of servers) server.kill('SIGINT')
  await Promise.all([...servers].map((server) => new Promise((done) => server.once('exit', done))))
  await admin.end()
  await store.stop()
  rmSync(data, { recursive: true, force: true })
  process.exit(code)
}
process.on('SIGINT', () => void close(0))
process.on('SIGTERM', () => void close(0))

door.listen(first + 1, '127.0.0.1')
await start(first, store.url, data, 2).catch((e: Error) => {
  console.error(e.message)
  return close(1)
})
