import { readFileSync } from 'node:fs'
import { NotRestored, restore } from '#features/office/backup/server/index.ts'
import { openDatabase } from '#kit/server/data/db.ts'
import { readSettings } from '#kit/server/settings.ts'
import { openStore } from '#kit/server/start.ts'

// `npm run restore -- FILE`: sets a business up again from its backup, in a database that does not hold it.
// People who are new here ask for a password.
const file = process.argv[2]
if (!file) {
  console.error('Give the file of the backup.')
  process.exit(2)
}
const store = await openStore(readSettings())
const db = openDatabase(store.url)
try {
  const { name, rows } = await restore(db, readFileSync(file))
  console.log(`${name}: ${rows} rows are back.`)
} catch (e) {
  console.error(e instanceof NotRestored ? `Not restored: ${e.message}.` : e)
  process.exitCode = 1
} finally {
  await db.close()
  if (!store.adopted) await store.stop()
}
