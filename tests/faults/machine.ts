import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '#kit/server/data/db.ts'
import { startEmbeddedPostgres } from '#kit/server/data/embeddedPostgres.ts'
import { migrate } from '#kit/server/data/migrate.ts'
import { root } from '#kit/server/settings.ts'
import { scratchFolder } from '../setup/scratch.ts'
import { newTaxId } from '../world.ts'

/** Server processes over one real database, started and killed as a machine would. */
const running: ChildProcess[] = []
const folders: string[] = []
let program = ''

/**
 * The server as it is built for use: from source each start would compile all of it again, in every process. Each
 * file builds one.
 */
export function buildServer(name: string): void {
  const vite = [
    join(root, 'node_modules/vite/bin/vite.js'),
    'build',
    '--logLevel',
    'warn',
    '--config',
    'vite.server.config.ts',
  ]
  const built = spawnSync(process.execPath, [...vite, '--outDir', `dist/faults/${name}`], {
    cwd: root,
    encoding: 'utf8',
  })
  if (built.status !== 0) throw new Error(`the server was not built: ${built.stderr}`)
  program = join(root, 'dist/faults', name, 'server.js')
}

export const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })

export async function start(
  dataDir: string,
  port: number,
  workers = 2,
  more: Record<string, string> = {},
): Promise<{ url: string; child: ChildProcess }> {
  const env = {
    ...process.env,
    ...more,
    PORT: String(port),
    DATA_DIR: dataDir,
    WORKERS: String(workers),
    LOG_LEVEL: 'silent',
    DATABASE_URL: '',
  }
  const child = spawn(process.execPath, [program], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  running.push(child)
  let said = ''
  child.stdout!.on('data', (d: Buffer) => (said += d.toString()))
  child.stderr!.on('data', (d: Buffer) => (said += d.toString()))
  const url = `http://127.0.0.1:${port}`
  for (const until = Date.now() + 40_000; ;) {
    const ready = await fetch(`${url}/readyz`)
      .then((r) => r.ok)
      .catch(() => false)
    if (ready) return { url, child }
    if (Date.now() > until || child.exitCode !== null) throw new Error(`the server did not start: ${said}`)
    await new Promise((r) => setTimeout(r, 50))
  }
}

/**
 * The whole group at once, as a power switch: parent, workers. The database lives on and is adopted, or dies
 * with its own kill.
 */
export const killGroup = (child: ChildProcess) => process.kill(-child.pid!, 'SIGKILL')

export const killDatabase = (dataDir: string) =>
  process.kill(Number(readFileSync(join(dataDir, 'pg/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')

export async function call<T = any>(
  url: string,
  method: string,
  path: string,
  token: string,
  body?: unknown,
  key?: string,
  more: Record<string, string> = {},
): Promise<{ status: number; body: T }> {
  const answer = await fetch(url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-access-token': token,
      ...(key ? { 'idempotency-key': key } : {}),
      ...more,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as T }
}

export async function business(url: string): Promise<{ token: string; customerId: string }> {
  const signedUp = await call(url, 'POST', '/api/user/signup', '', {
    email: `x${Date.now()}@example.com`,
    password: 'a long enough password',
    fullName: 'נועה',
    business: { name: 'זרם', kind: 'licensedDealer', taxId: newTaxId() },
  })
  const token = signedUp.body.UserKey as string
  return {
    token,
    customerId: (await call(url, 'POST', '/api4/invoice/customers', token, { name: 'כהן' })).body.id,
  }
}

let prepared = ''

/**
 * A database with everything a new one contains, created once: each test has a copy, for migrating again took most
 * of its time.
 */
export async function prepareFolder(): Promise<void> {
  prepared = scratchFolder('pinkas-fault-')
  const store = await startEmbeddedPostgres(prepared)
  const db = openDatabase(store.url, 2)
  await migrate(db)
  await db.close()
  await store.stop()
}

export function forgetFolder(): void {
  rmSync(prepared, { recursive: true, force: true })
  // The next file of this process creates a new one, or none.
  prepared = ''
}

export const newFolder = () => {
  const folder = scratchFolder('pinkas-fault-')
  folders.push(folder)
  if (!prepared) return folder
  // Whose the files are is kept: PostgreSQL takes none of another's.
  const { status, stderr } = spawnSync('cp', ['-a', `${prepared}/.`, folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the prepared database was not copied: ${stderr}`)
  return folder
}

/** The database of a server of ours, whether that lives or not. */
export function poolOf(dataDir: string): pg.Pool {
  const socket = readFileSync(join(dataDir, 'pg/postmaster.pid'), 'utf8').split('\n')[4]!
  const password = readFileSync(join(dataDir, 'pg.password'), 'utf8').trim()
  const pool = new pg.Pool({
    connectionString: `postgres://pinkas:${password}@localhost/pinkas?host=${encodeURIComponent(socket)}`,
    max: 2,
  })
  pool.on('error', () => {})
  return pool
}

/** Ends everything that was started, and clears its folders away. */
export async function endAll(): Promise<void> {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const gone = new Promise((r) => child.once('exit', r))
    child.kill('SIGINT')
    await Promise.race([gone, new Promise((r) => setTimeout(r, 10_000))])
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}
