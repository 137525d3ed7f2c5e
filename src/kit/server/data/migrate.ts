import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Migrator, sql, type Migration } from 'kysely'
import type { Database } from './db.ts'
import { root } from '../settings.ts'

const folder = join(root, 'db/migrations')

export const migrationNames = (): string[] =>
  readdirSync(folder)
    .filter((f) => /^\d{4}-.+\.sql$/.test(f))
    .sort()

/**
 * Brings the database to the newest migration; forward only, each file in the transaction of the whole run.
 */
export async function migrate(db: Database): Promise<string[]> {
  const migrator = new Migrator({
    db: db.kysely,
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
    // Work that was done side by side is numbered apart: an earlier number may come to a database that has a
    // later one already.
    allowUnorderedMigrations: true,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          migrationNames().map((file): [string, Migration] => [
            file.replace(/\.sql$/, ''),
            { up: async (tx) => void (await sql.raw(readFileSync(join(folder, file), 'utf8')).execute(tx)) },
          ]),
        ),
    },
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error) {
    const failed = results?.find((r) => r.status === 'Error')?.migrationName
    const which = failed ? `migration ${failed}` : 'reading the migrations'
    throw new Error(`${which} failed: ${(error as Error).message}`, { cause: error })
  }
  return (results ?? []).map((r) => r.migrationName)
}

/** What the database must be able to do; a wrong collation would silently make Hebrew search crawl. */
export async function checkDatabase(db: Database): Promise<void> {
  const { rows } = await sql<{ trigrams: number; encoding: string; fsync: string; version: number }>`
    select coalesce(array_length(show_trgm('שלום'), 1), 0) as trigrams, current_setting('server_encoding') as
      encoding,
      current_setting('fsync') as fsync, current_setting('server_version_num')::int as version`.execute(
    db.kysely,
  )
  const now = rows[0]!
  if (now.version < 150000) throw new Error(`PostgreSQL 15 or newer is needed, this is ${now.version}`)
  if (now.encoding !== 'UTF8') throw new Error(`the database must be in UTF8, this one is in ${now.encoding}`)
  if (!now.trigrams)
    throw new Error('the database makes no trigrams of Hebrew: create it with LC_CTYPE C.UTF-8')
  if (now.fsync !== 'on') throw new Error('fsync is off: the database could lose issued documents')
}
