import { sql } from 'kysely'
import type { App, Language } from '../context.ts'
import { brandHere, registerBrands, type Brand } from '../work/threads/currentBusiness.ts'
import type { Database } from '../data/db.ts'
import { checkMessage } from './messages.ts'
import { wordsOf } from '../words.ts'

interface Known {
  brands: ReadonlyMap<string, Brand>
  /** By business; only those that were asked about. */
  worn: Map<string, string | null>
}

/** What another process changed is seen after so long. */
const freshMilliseconds = 5000
const known = new WeakMap<Database, { now: Promise<Known>; at: number; isBusy: boolean }>()

/** Brands are read again when one of them was changed. */
export const forgetBrands = ({ db }: Pick<App, 'db'>): void => void known.delete(db)

/**
 * The words of a brand's own in a language. What no longer has the gaps of the product's text would be said
 * with holes: the product's is said.
 */
export async function ownWordsOf({ db }: Pick<App, 'db'>, domain: string): Promise<Brand['words']> {
  const { rows } = await sql<{
    language: Language
    key: string
    text: string
  }>`select language, key, text from translation_proposals where domain = ${domain}`.execute(db.kysely)
  const words: Partial<Record<Language, Record<string, string>>> = {}
  for (const { language, key, text } of rows) {
    const source = wordsOf('he')[key]
    if (
      source === undefined ||
      checkMessage(source, 'he', () => undefined) !== checkMessage(text, language, () => undefined)
    )
      continue
    ;(words[language] ??= {})[key] = text
  }
  return words
}

async function read(app: Pick<App, 'db'>): Promise<Known> {
  const { rows } = await sql<
    Omit<Brand, 'words'>
  >`select b.domain, b.name, b.mail_name as "mailName", b.mail_from as "mailFrom",
      b.support_email as "supportEmail", b.page_ids as "pageIds", b.site_proved_at is not null as
      "isSiteProved",
      b.mail_from <> '' and b.mail_proved_at is not null as "isMailProved", l.bytes as logo
    from brands b left join brand_logos l on l.domain = b.domain where b.is_dealer`.execute(app.db.kysely)
  const brands = new Map<string, Brand>()
  for (const row of rows) brands.set(row.domain, { ...row, words: await ownWordsOf(app, row.domain) })
  return { brands, worn: new Map() }
}

/**
 * As they are known; what is old is read again behind the answer, so that nobody waits and a database that is
 * away is no fault here.
 */
function brandsNow(app: Pick<App, 'db'>): Promise<Known> {
  const held = known.get(app.db)
  if (!held) {
    const first = { now: read(app), at: performance.now(), isBusy: false }
    known.set(app.db, first)
    // What could not be read is asked for again by the person who comes next.
    first.now.catch(() => known.get(app.db) === first && known.delete(app.db))
    return first.now
  }
  if (!held.isBusy && performance.now() - held.at > freshMilliseconds) {
    held.isBusy = true
    read(app)
      .then((next) => void (held.now = Promise.resolve(next)))
      .catch(() => undefined)
      .finally(() => {
        held.at = performance.now()
        held.isBusy = false
      })
  }
  return held.now
}

/** The brand of a business; undefined for most, which use the product under its own name. */
export async function brandFor(app: Pick<App, 'db'>, companyId: string): Promise<Brand | undefined> {
  const { brands, worn } = await brandsNow(app)
  if (!brands.size) return undefined
  let domain = worn.get(companyId)
  if (domain === undefined) {
    const { rows } = await sql<{
      brand: string | null
    }>`select brand from companies where id = ${companyId}`.execute(app.db.kysely)
    domain = rows[0]?.brand ?? null
    // A business that is only being made may yet get one.
    if (rows[0]) worn.set(companyId, domain)
  }
  return domain === null ? undefined : brands.get(domain)
}

/** A brand by its domain, worn by somebody or not. */
export const brandAt = async (app: Pick<App, 'db'>, domain: string): Promise<Brand | undefined> =>
  (await brandsNow(app)).brands.get(domain)

registerBrands(brandFor)

/**
 * The brand of a person whose businesses all use the product under the same one; for messages outside any of them.
 */
export async function brandOfPerson(app: Pick<App, 'db'>, userId: string): Promise<Brand | undefined> {
  const { brands } = await brandsNow(app)
  if (!brands.size) return undefined
  const { rows } = await sql<{
    brand: string | null
  }>`select distinct c.brand from memberships m join companies c on c.id = m.company_id
    where m.user_id = ${userId} and m.removed_at is null`.execute(app.db.kysely)
  return rows.length === 1 && rows[0]!.brand ? brands.get(rows[0]!.brand) : undefined
}

/**
 * The address of this business for people, without a slash at the end: the domain of its brand once that was
 * verified, else the installation's address. What programs call (notices of acquirers, returns of log-ins elsewhere)
 * stays at `app.publicUrl()`, which they were configured with.
 */
export function siteOf(app: Pick<App, 'publicUrl'>): string {
  const brand = brandHere()
  return brand?.isSiteProved ? `https://${brand.domain}` : app.publicUrl()
}
