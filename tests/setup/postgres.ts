import { rmSync } from 'node:fs'
import pg from 'pg'
import { openDatabase } from '#kit/server/data/db.ts'
import { checkDatabase, migrate } from '#kit/server/data/migrate.ts'
import { demoDatabase } from './demoDatabase.ts'
import { startPrepared } from './prepared.ts'
import { scratchFolder } from './scratch.ts'

// The database of one test run, in a separate process: it reports the address to its parent once, and ends when the
// parent disconnects, however that one ended. The embedded PostgreSQL, or the one that TEST_DATABASE_URL names.
const folder = scratchFolder('pinkas-test-')
const served = process.env.TEST_DATABASE_URL

async function start(): Promise<{ url: string; stop: () => Promise<void> }> {
  if (served) {
    const db = openDatabase(served, 2)
    await migrate(db)
    await checkDatabase(db)
    await db.close()
    return { url: served, stop: dropDemo }
  }
  const postgres = await startPrepared(folder)
  // Nothing here must survive a crash of the machine; tests of crashes have separate servers (tests/faults).
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit'])
    await client.query(`alter system set ${setting} = off`)
  await client.query('select pg_reload_conf()')
  await client.end()
  return postgres
}

/** The server goes on after the run, without the demo business that the files of the run shared. */
async function dropDemo(): Promise<void> {
  const client = new pg.Client({ connectionString: served })
  await client.connect()
  await client.query(`drop database if exists ${demoDatabase(folder)} with (force)`)
  await client.end()
}

const { url, stop } = await start()
process.on('disconnect', () => {
  void stop().finally(() => {
    rmSync(folder, { recursive: true, force: true })
    process.exit(0)
  })
})
// Ctrl+C in a terminal reaches both; the parent decides when this ends.
process.on('SIGINT', () => {})
process.send!({ url, dataDir: folder })
