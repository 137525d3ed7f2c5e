import { sql } from 'kysely'
import { openDatabase } from '#kit/server/data/db.ts'
import { reseal } from '#kit/server/rights/reseal.ts'
import { addVaultKey, dropOlderVaultKeys, readSecrets, readSettings } from '#kit/server/settings.ts'
import { openStore } from '#kit/server/start.ts'
// Each feature says which of its columns are sealed.
import '../src/features.ts'

/*
 * `npm run rotate-key`, while no server runs: a new vault key; everything is sealed again with it, and the key of before goes once
 * nothing needs it. A run that was stopped is finished by the next one. `-- --keep` leaves the key of before in the file, for
 * backups that are sealed with it.
 */
const settings = readSettings()
const store = await openStore(settings)
const db = openDatabase(store.url, 1)
/** A connection that has just been closed is seen for a moment longer. */
async function othersAreConnected(): Promise<boolean> {
  for (let tries = 0; ; tries++) {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where application_name = 'pinkas' and datname = current_database()
        and pid <> pg_backend_pid()`.execute(db.kysely)
    if (!rows[0]!.n || tries === 10) return rows[0]!.n > 0
    await new Promise((done) => setTimeout(done, 300))
  }
}

try {
  if (await othersAreConnected()) throw new Error('Pinkas runs: stop all of its processes first')
  const begun = readSecrets(settings.secretsFile)
  const { vault } = begun.vault.before.length ? begun : addVaultKey(settings.secretsFile)
  const { done, unreadable, left } = await reseal(db, vault)
  console.log(`${done} values are sealed with the new key; ${unreadable} could be opened by no key.`)
  if (left) throw new Error(`${left} values are still sealed with a key of before, which stays`)
  if (process.argv.includes('--keep')) console.log('The key of before stays in the key file.')
  else dropOlderVaultKeys(settings.secretsFile)
} catch (e) {
  console.error((e as Error).message)
  process.exitCode = 1
} finally {
  await db.close()
  if (!store.adopted) await store.stop()
}
