import { sql } from 'kysely'
import { dayInJerusalem } from '#domain/day.ts'
import { newId, type App, type Language } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { hashOfNone } from '#features/base/session/server/index.ts'
import { showOffice } from '#features/partners/practice/server/index.ts'
import { openDemoBusiness } from './fill.ts'
import { plumber } from './world.ts'

/** So that mail addresses of demos differ. */
export const mark = (): string =>
  newToken()
    .slice(0, 8)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, 'x')

/**
 * An accountant's office with its clients: one with a year of books behind it, others as they stand on the
 * fifteenth.
 */
export async function openDemoOffice(
  app: App,
  language: Language,
): Promise<{ companyId: string; userId: string }> {
  const client = await openDemoBusiness(app, plumber, {
    email: `demo-${mark()}@pinkas.example`,
    password: newToken(),
    language: 'he',
  })
  const userId = newId()
  const passwordHash = await hashOfNone()
  await asSystem(app.db, (tx) =>
    sql`insert into users (id, email, full_name, language, password_hash, email_verified_at)
      values (${userId}, ${`office-${mark()}@pinkas.example`}, 'דנה אלון', ${language},
        ${passwordHash}, now())`.execute(tx),
  )
  return {
    companyId: await showOffice(app, {
      clientId: client.companyId,
      ownerId: client.userId,
      userId,
      today: dayInJerusalem(app.now()),
    }),
    userId,
  }
}
