import { businesses, openDemoBusiness } from '#features/office/demo/server/index.ts'
import { openDatabase } from '#kit/server/data/db.ts'
import { readSettings } from '#kit/server/settings.ts'
import { createApp, openStore } from '#kit/server/start.ts'
import { createHttp } from '#kit/server/http/http.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import {
  doors,
  findCaller,
  implementations,
  languageFile,
  letterhead,
  reports,
  wingOf,
} from '../src/features.ts'

// Loads the small world: three businesses, each with a believable year. Each run makes new ones; every one
// can be thrown away from its home page. `npm run demo -- key` loads the one of that name.
const wanted = process.argv[2]
const chosen = businesses.filter(({ key }) => !wanted || key === wanted)
if (!chosen.length) {
  console.error(`no business ${wanted}: ${businesses.map(({ key }) => key).join(', ')}`)
  process.exit(2)
}
const settings = readSettings()
const store = await openStore(settings)
const db = openDatabase(store.url)
const app = createApp({ ...settings, logLevel: 'warn' }, db, () => 'http://localhost')
// Nobody is served here; but a year shares reports and is called by shops and banks, and these are known to
// the person who could serve them.
const http = await createHttp(app, {
  implementations,
  doors,
  reports,
  findCaller,
  languageFile,
  letterhead,
  wingOf,
})
try {
  for (const business of chosen) {
    const email = `${business.key}-${newToken()
      .slice(0, 5)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, 'x')}@pinkas.example`
    const password = newToken().slice(0, 12)
    await openDemoBusiness(app, business, { email, password, language: 'he' })
    console.log(`${business.name}\n  log in: ${email}   password: ${password}`)
  }
} finally {
  await http.close()
  await db.close()
  // A server that runs on the same data keeps its database: only what this run started is stopped.
  if (!store.adopted) await store.stop()
}
