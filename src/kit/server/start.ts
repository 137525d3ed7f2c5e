import { pino } from 'pino'
import { openDatabase, type Database } from './db.ts'
import { startEmbeddedPostgres } from './embeddedPostgres.ts'
import { checkDatabase, migrate } from './migrate.ts'
import { newKeyPair } from './seal/certificates.ts'
import { readSecrets, type Settings } from './settings.ts'
import type { App } from './context.ts'

export interface Store {
  url: string
  /** The database was running before us (it may serve another process). */
  adopted: boolean
  stop: () => Promise<void>
}

/** The database: the one DATABASE_URL names, or our own in the data directory; migrated and checked. */
export async function openStore(settings: Settings): Promise<Store> {
  const store = settings.databaseUrl
    ? { url: settings.databaseUrl, adopted: true, stop: async () => {} }
    : await startEmbeddedPostgres(settings.dataDir)
  const db = openDatabase(store.url, 2)
  try {
    await migrate(db)
    await checkDatabase(db)
  } catch (e) {
    await store.stop()
    throw e
  } finally {
    await db.close()
  }
  return store
}

export function createApp(settings: Settings, db: Database, address: () => string): App {
  return {
    settings,
    secrets: readSecrets(settings.secretsFile),
    db,
    log: pino({
      level: settings.logLevel,
      redact: ['req.headers["x-access-token"]', '*.password', '*.token'],
    }),
    publicUrl: () => settings.publicUrl ?? address(),
    nudge: () => {},
    now: () => new Date(),
    newKeyPair,
  }
}
