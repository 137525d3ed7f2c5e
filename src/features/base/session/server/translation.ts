import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { ownWordsOf } from '#kit/server/outside/brands.ts'
import type { OpenCtx } from '#kit/server/context.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { directionOf, wordsOf } from '#kit/server/words.ts'
import { languageFrom } from './sessions.ts'

/**
 * Words by group and key: the group is the part before the first dot. All of them, or the groups named with commas
 * between them.
 */
export function dictionary(
  lang: string | undefined,
  groups?: string,
): Record<string, Record<string, string>> {
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
  {
    lang,
    domain,
    groups,
  }: { lang?: string | undefined; domain?: string | undefined; groups?: string | undefined },
) {
  const { rows } = await sql<
    Record<string, string> & { is_dealer: boolean }
  >`select * from brands where domain = ${(domain ?? '').toLowerCase()}`.execute(ctx.tx)
  const brand = rows[0]
  const own = brand?.is_dealer ? await ownWordsOf(ctx.app, brand.domain!) : {}
  return {
    dic: dictionary(lang, groups),
    iconlogo: brand?.icon_logo || '/icons/logo.svg',
    iconmenu: brand?.icon_menu || '/icons/logo.svg',
    name: brand?.name || wordsOf(languageFrom(lang))['kit.product'] || 'Pinkas',
    iconApp: brand?.icon_app || '/icons/app-512.png',
    secureIcon: brand?.secure_icon || '/icons/secure.svg',
    profileIcon: brand?.profile_icon || '/icons/profile.svg',
    isDealer: brand?.is_dealer ?? false,
    styleurl:
      brand?.style_url ||
      (brand?.accent
        ? `/api/user/brandstyle?domain=${encodeURIComponent(brand.domain!)}&of=${brand.accent.slice(1)}`
        : ''),
    logo: brand?.logo || '/icons/logo.svg',
    support: brand?.is_dealer ? (brand.support_email ?? '') : '',
    // The white label's words replace the product's.
    words: own[languageFrom(lang)] ?? {},
  }
}

/** White or black, whichever is read better on a colour. */
function inkOn(colour: string): string {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#000' : '#fff'
}

/**
 * The colours of a white label that names one: buttons and links follow it, on the dark ground in a lighter
 * tone.
 */
export async function brandStyle(ctx: OpenCtx, { domain }: { domain: string }): Promise<FileAnswer> {
  const { rows } = await sql<{
    accent: string
  }>`select accent from brands where domain = ${domain.toLowerCase()} and is_dealer and accent <> ''`.execute(
    ctx.tx,
  )
  const accent = rows[0]?.accent
  if (!accent) throw fail('kit.notFound')
  const mix = (share: number, other: string) => `color-mix(in srgb, ${accent} ${share}%, ${other})`
  const css = `:root{--accent:${accent};--accent-hover:${mix(86, '#000')};--on-accent:${inkOn(accent)};--accent-text:${mix(80, '#000')};--accent-soft:${mix(10, '#fff')};--accent-soft-hover:${mix(16, '#fff')};--accent-line:${mix(40, '#fff')}}
@media (prefers-color-scheme:dark){:root:not([data-theme='light']){--accent-text:${mix(50, '#fff')};--accent-soft:${mix(22, '#000')};--accent-soft-hover:${mix(30, '#000')};--accent-line:${mix(55, '#000')}}}
[data-theme='dark']{--accent-text:${mix(50, '#fff')};--accent-soft:${mix(22, '#000')};--accent-soft-hover:${mix(30, '#000')};--accent-line:${mix(55, '#000')}}
`
  return { bytes: Buffer.from(css), mime: 'text/css; charset=utf-8', name: 'brand.css', inline: true }
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
