import { sql, type RawBuilder } from 'kysely'
import { registerPublicPage } from '#kit/server/http/pages.ts'
import { say } from '#kit/server/words.ts'
import type { Company } from '../endpoints.ts'

/**
 * A page that a business shows to strangers has the face of the business: its name, its logo, and what kind
 * of page it is. `owner` answers the business (`company_id`) of a key, `words` is the key of its one
 * sentence, and `logo` the call that gives the logo by the key.
 */
export const registerBusinessPage = (
  path: string,
  {
    owner,
    words,
    logo,
  }: {
    owner: (key: string) => RawBuilder<{ company_id: string }>
    words: string
    logo: (key: string) => string
  },
): void =>
  registerPublicPage(path, async (tx, key) => {
    const { rows } = await sql<{
      name: string
      language: Company['language']
      hasLogo: boolean
    }>`select c.name, c.language,
      exists (select 1 from logos l where l.company_id = c.id) as "hasLogo"
      from companies c where c.id = (${owner(key)})`.execute(tx)
    const [business] = rows
    if (!business) return undefined
    const { name, language, hasLogo } = business
    return {
      language,
      title: name,
      description: say(language, words, { name }),
      ...(hasLogo ? { image: logo(key) } : {}),
    }
  })
