import { sql } from 'kysely'
import type { OpenCtx } from '#kit/server/context.ts'
import { directionOf, wordsOf } from '#kit/server/words.ts'
import { languageFrom } from './sessions.ts'

/** Words by group and key: the group is what stands before the first dot. All of them, or the groups named with commas between them. */
export function dictionary(lang: string | undefined, groups?: string): Record<string, Record<string, string>> {
  const dic: Record<string, Record<string, string>> = {}
  const wanted = groups === undefined ? undefined : new Set(groups.split(',').map((group) => group.trim()))
  for (const [key, message] of Object.entries(wordsOf(languageFrom(lang)))) {
    const dot = key.indexOf('.')
    if (wanted && !wanted.has(key.slice(0, dot))) continue
    ;(dic[key.slice(0, dot)] ??= {})[key.slice(dot + 1)] = message
  }
  return dic
}

/** The dictionary with the brand of the domain: a white label shows its own name and logo. */
export async function translation(
  ctx: OpenCtx,
  { lang, domain, groups }: { lang?: string | undefined; domain?: string | undefined; groups?: string | undefined },
) {
  const { rows } = await sql<
    Record<string, string> & { is_dealer: boolean }
  >`select * from brands where domain = ${(domain ?? '').toLowerCase()}`.execute(ctx.tx)
  const brand = rows[0]
  const { rows: own } = brand?.is_dealer
    ? await sql<{
        key: string
        text: string
      }>`select key, text from translation_proposals where domain = ${brand.domain} and language = ${languageFrom(lang)}`.execute(ctx.tx)
    : { rows: [] }
  return {
    dic: dictionary(lang, groups),
    iconlogo: brand?.icon_logo || '/icons/logo.svg',
    iconmenu: brand?.icon_menu || '/icons/logo.svg',
    name: brand?.name || wordsOf(languageFrom(lang))['kit.product'] || 'Pinkas',
    iconApp: brand?.icon_app || '/icons/app-512.png',
    secureIcon: brand?.secure_icon || '/icons/secure.svg',
    profileIcon: brand?.profile_icon || '/icons/profile.svg',
    isDealer: brand?.is_dealer ?? false,
    styleurl: brand?.style_url ?? '',
    logo: brand?.logo || '/icons/logo.svg',
    // What the white label says in words of its own, laid over the product's.
    words: Object.fromEntries(own.map(({ key, text }) => [key, text])),
  }
}

/** The language file of the specification, with its direction and the words of validation. */
export function languageFile(lang: string): object {
  const language = languageFrom(lang)
  const validations = Object.fromEntries(
    Object.entries(wordsOf(language)).flatMap(([key, message]) =>
      key.startsWith('errors.fields.') ? [[key.slice('errors.fields.'.length), message]] : [],
    ),
  )
  return { Settings: { Direction: directionOf(language) }, Validations: validations }
}
