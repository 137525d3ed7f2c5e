import { sql } from 'kysely'
import { brandOfPerson, siteOf } from '#kit/server/outside/brands.ts'
import { newId, type App } from '#kit/server/context.ts'
import { underBrand } from '#kit/server/work/threads/currentBusiness.ts'
import type { Tx } from '#kit/server/data/db.ts'
import { sendMail } from '#kit/server/outside/mail.ts'
import { encrypt, decrypt } from '#kit/server/rights/vault.ts'

/** Queues a message; its text is encrypted because it holds a key. */
export async function queueSealed(app: App, tx: Tx, name: string, letter: object): Promise<void> {
  const sealed = encrypt(app.secrets.vault, Buffer.from(JSON.stringify(letter))).toString('base64')
  await sql`insert into outbox (id, company_id, name, payload)
    values (${newId()}, null, ${name}, ${JSON.stringify({ sealed })})`.execute(tx)
}

export const openSealed = <T>(app: App, payload: Record<string, unknown>): T =>
  JSON.parse(decrypt(app.secrets.vault, Buffer.from(String(payload.sealed), 'base64')).toString()) as T

/**
 * Sends a message of an account itself (a code, a link, a notice) to one of its addresses, under the brand of its
 * person; `write` answers its words, with the address that links begin with. No limit of a business applies to it.
 */
export async function mailPerson(
  app: App,
  { to, userId }: { to: string; userId: string },
  write: (site: string) => { subject: string; text: string },
): Promise<void> {
  const brand = await brandOfPerson(app, userId)
  await underBrand(brand, () => sendMail({ app }, { to, ...write(siteOf(app)) }, brand))
}
