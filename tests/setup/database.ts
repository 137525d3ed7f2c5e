import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#kit/server/db.ts'
import { startEmbeddedPostgres } from '#kit/server/embeddedPostgres.ts'
import { checkDatabase, migrate } from '#kit/server/migrate.ts'
import { scratchFolder } from './scratch.ts'

/** One real PostgreSQL for the whole run: our own, or the served one that TEST_DATABASE_URL names. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = scratchFolder('pinkas-test-')
  const served = process.env.TEST_DATABASE_URL
  const store = served ? { url: served, stop: async () => {} } : await startEmbeddedPostgres(dataDir)
  const db = openDatabase(store.url, 2)
  await migrate(db)
  await checkDatabase(db)
  // Nothing here must outlive a fall of the machine; what tests falls has servers of its own (tests/faults). A server that was given is left as it is.
  if (!served) {
    for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit'])
      await sql`alter system set ${sql.raw(setting)} = off`.execute(db.kysely)
    await sql`select pg_reload_conf()`.execute(db.kysely)
  }
  await db.close()
  project.provide('databaseUrl', store.url)
  project.provide('dataDir', dataDir)
  return async () => {
    await store.stop()
    // Of a thousand files and more: nobody waits until they are gone.
    if (process.platform === 'win32') rmSync(dataDir, { recursive: true, force: true })
    else spawn('rm', ['-rf', dataDir], { detached: true, stdio: 'ignore' }).unref()
  }
}
