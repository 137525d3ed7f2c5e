import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { hash, verify } from '@node-rs/argon2'
import { sql } from 'kysely'
import { failAt } from '#kit/describe/errors.ts'
import type { Tx } from '#kit/server/data/db.ts'
import { root } from '#kit/server/settings.ts'
import { newToken } from '#kit/server/rights/vault.ts'

/** argon2id, the library's default; 19 MB and two passes as OWASP asks. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFKC'), cost)

/** Words that everybody who attacks this product tries first. */
const productWords = ['pinkas', 'פנקס', 'invoice', 'invoices', 'חשבונית', 'חשבוניות']
/** Shorter words occur in any sentence. */
const shortestWord = 4
/** So many characters must remain of a password without the words that others know about its owner. */
const fewestBesideWords = 6
/** Fewer different characters are a pattern, however long it is. */
const fewestDifferent = 5

const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

let common: Promise<ReadonlySet<string>> | undefined

/** The 20,000 most common passwords of published breaches; origin and licence: `common-passwords.md`. Read once, in the thread pool. */
const commonPasswords = (): Promise<ReadonlySet<string>> =>
  (common ??= readFile(join(root, 'src/features/base/session/server/common-passwords.txt.gz'))
    .then((packed) => promisify(gunzip)(packed))
    .then((text) => new Set(text.toString('utf8').split('\n').filter(Boolean))))

/** What others know: names and addresses as they are written, the part of an address before the @, and each of their words. */
const wordsOf = (about: readonly string[]): string[] =>
  [...productWords, ...about]
    .map((text) => fold(text).trim())
    .flatMap((text) => [text, text.split('@')[0]!, ...text.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word.length >= shortestWord)
    .sort((a, b) => b.length - a.length)

/**
 * Why a password is easy to guess; undefined when it is not. `common`: it is one of the most common passwords, one of
 * them between figures and signs that are no more than half of it, or of fewer than five different characters. `names`:
 * fewer than six characters are left without the words of the product and of `about`.
 */
export async function whyGuessable(
  password: string,
  about: readonly string[],
): Promise<'common' | 'names' | undefined> {
  const folded = fold(password)
  const core = folded.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const known = await commonPasswords()
  if (new Set(folded).size < fewestDifferent || known.has(folded)) return 'common'
  if (core.length * 2 >= folded.length && known.has(core)) return 'common'
  let rest = folded
  for (const word of wordsOf(about)) rest = rest.replaceAll(word, '')
  return rest === folded || rest.length >= fewestBesideWords ? undefined : 'names'
}

/**
 * The hash of a password that a person chose, to be stored. Refuses one that is easy to guess with
 * session.passwordCommon or session.passwordNames at `field`. `about`: what others know about its owner, such as the
 * names of the person and the business and the email address.
 */
export async function hashChosen(
  password: string,
  about: readonly string[],
  field = 'password',
): Promise<string> {
  const why = await whyGuessable(password, about)
  if (why) throw failAt(field, why === 'common' ? 'session.passwordCommon' : 'session.passwordNames')
  return hashPassword(password)
}

/** The hash of a password that nobody knows, for accounts that nobody logs in to by one. */
export const hashOfNone = (): Promise<string> => hashPassword(newToken())

/** What others know about a person: the name, the address, and the names of the person's businesses. */
export async function knownAbout(tx: Tx, userId: string): Promise<string[]> {
  const { rows } = await sql<{ known: string }>`select full_name as known from users where id = ${userId}
    union all select email from users where id = ${userId}
    union all (select c.name from memberships m join companies c on c.id = m.company_id
      where m.user_id = ${userId} and m.removed_at is null order by m.created_at limit 20)`.execute(tx)
  return rows.map(({ known }) => known)
}

let nobody: Promise<string> | undefined

/** Takes the same time for an account that does not exist, so that its absence cannot be measured. */
export async function passwordFits(stored: string | null | undefined, password: string): Promise<boolean> {
  nobody ??= hash('nobody has this password', cost)
  const fits = await verify(stored ?? (await nobody), password.normalize('NFKC')).catch(() => false)
  return fits && !!stored
}
