import { businesses, openDemoBusiness } from '#features/office/demo/server/index.ts'
import { openDatabase } from '#kit/server/db.ts'
import { readSettings } from '#kit/server/settings.ts'
import { createApp, openStore } from '#kit/server/start.ts'
import { newToken } from '#kit/server/vault.ts'

// Loads the small world: three businesses, each with a believable year. Each run makes new ones; every one can be thrown away from its home page.
const settings = readSettings()
const store = await openStore(settings)
const db = openDatabase(store.url)
const app = createApp({ ...settings, logLevel: 'warn' }, db, () => 'http://localhost')
try {
  for (const business of businesses) {
    const email = `${business.key}-${newToken()
      .slice(0, 5)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, 'x')}@pinkas.example`
    const password = newToken().slice(0, 12)
    await openDemoBusiness(app, business, { email, password, language: 'he' })
    console.log(`${business.name}\n  log in: ${email}   password: ${password}`)
  }
} finally {
  await db.close()
  // A server that runs on the same data keeps its database: only what this run started is stopped.
  if (!store.adopted) await store.stop()
}
