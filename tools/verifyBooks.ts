import { verifyBooks } from '#features/books/proof/server/index.ts'
import { openDatabase } from '#kit/server/data/db.ts'
import { readSettings } from '#kit/server/settings.ts'
import { createApp, openStore } from '#kit/server/start.ts'

// `npm run verify-books [-- COMPANY-ID]`: checks the chain of issued documents and entries of every business,
// and names the first record that is not what it was when it was issued. Ends with 1 when there is one.
const settings = readSettings()
const store = await openStore(settings)
const db = openDatabase(store.url)
const app = createApp({ ...settings, logLevel: 'warn' }, db, () => 'http://localhost')
const why = {
  link: 'the chain itself was altered here',
  changed: 'this record was changed',
  gone: 'this record is gone',
  unjoined: 'this record was put in behind the back of the chain',
  short: 'the chain was cut off here',
}
try {
  for await (const { company, records, root, broken } of verifyBooks(app, process.argv[2])) {
    console.log(broken ? `✗ ${company}` : `✓ ${company}: ${records} records, root ${root}`)
    if (broken) {
      console.log(`  link ${broken.seq}, ${broken.kind} ${broken.recordId}: ${why[broken.why]}`)
      process.exitCode = 1
    }
  }
} finally {
  await db.close()
  if (!store.adopted) await store.stop()
}
