import { setTimeout as sleep } from 'node:timers/promises'
import { isAway, isPooled, openDatabase, travelsPlain, type Database } from './data/db.ts'
import { startEmbeddedPostgres } from './data/embeddedPostgres.ts'
import { openLog } from './log.ts'
import { checkDatabase, migrate } from './data/migrate.ts'
import { newKeyPair } from './seal/certificates.ts'
import { readSecrets, type Settings } from './settings.ts'
import type { App } from './context.ts'

export interface Store {
  url: string
  /** The database was running before us (it may serve another process). */
  adopted: boolean
  /** A pooler is in between that releases connections after each transaction. */
  isPooled: boolean
  stop: () => Promise<void>
}

/** Told when the database cannot be reached at the start: why, and in how many milliseconds it is tried again. */
export type Waiting = (error: Error, ms: number) => void

/** Between two tries to reach the database at the start: each twice as long as the one before, up to this. */
const longestWaitMs = 15_000

/**
 * The database: the one DATABASE_URL names, or our own in the data directory; migrated and checked. Where `waiting` is
 * given, a database that cannot be reached is waited for, as long as it takes; any other failure is thrown.
 */
export async function openStore(settings: Settings, waiting?: Waiting): Promise<Store> {
  const store = settings.databaseUrl
    ? { url: settings.databaseUrl, adopted: true, stop: async () => {} }
    : await startEmbeddedPostgres(settings.dataDir)
  for (let ms = 500; ; ms = Math.min(ms * 2, longestWaitMs))
    try {
      return { ...store, isPooled: await prepareStore(store.url) }
    } catch (e) {
      if (!waiting || !isUnreachable(e)) {
        await store.stop()
        throw e
      }
      waiting(e as Error, ms)
      await sleep(ms)
    }
}

/** Migrates and checks the database; answers whether there is a pooler before it. */
async function prepareStore(url: string): Promise<boolean> {
  const pooled = await isPooled(url)
  const db = openDatabase(url, 2, { isPooled: pooled })
  try {
    await migrate(db)
    await checkDatabase(db)
  } finally {
    await db.close()
  }
  return pooled
}

/** Whether a failure, or what caused it, says that no database answers now; a wrong password or name does not. */
function isUnreachable(e: unknown): boolean {
  const { code, syscall, message, cause } = e as NodeJS.ErrnoException & { cause?: unknown }
  if (syscall === 'connect' || syscall === 'getaddrinfo' || message === 'timeout expired') return true
  return (code !== 'ENOENT' && isAway(e)) || (cause !== undefined && isUnreachable(cause))
}

export function createApp(settings: Settings, db: Database, address: () => string): App {
  const log = openLog(settings.logLevel)
  if (settings.databaseUrl && travelsPlain(settings.databaseUrl))
    log.warn('the connection to the database is not encrypted: add sslmode=verify-full to DATABASE_URL')
  return {
    settings,
    secrets: readSecrets(settings.secretsFile),
    db,
    log,
    publicUrl: () => settings.publicUrl ?? address(),
    nudge: () => {},
    now: () => new Date(),
    newKeyPair,
  }
}
