import { createHash } from 'node:crypto'
import type { App, Language } from '../context.ts'
import { asSystem, type Tx } from '../data/db.ts'

/** The preview of a link to a page, in a chat or a search: whose it is, and nothing of its content. */
export interface Face {
  language: Language
  title: string
  description: string
  /** The path of a picture, without a session. */
  image?: string
}

/** The face of the page with this key; undefined where nobody has it. */
type FaceOf = (tx: Tx, key: string) => Promise<Face | undefined>

const faces = new Map<string, FaceOf>()

/** Sets the preview of a public page. `path`: the part before the key in its address, as '/payment'. */
export const registerPublicPage = (path: string, face: FaceOf): void => void faces.set(path, face)

/** Whether an address is that of a page for strangers, which no search engine should keep. */
export const isPublicPage = (path: string): boolean => faces.has(beginningOf(path))

const beginningOf = (path: string): string => /^(\/[a-z0-9]+)\/[^/]+\/?$/.exec(path)?.[1] ?? ''

/**
 * The face of the page at an address, where it has one. What cannot be told is no fault: the page opens
 * without it.
 */
export async function faceAt(app: App, path: string): Promise<Face | undefined> {
  const [, beginning = '', key = ''] = /^(\/[a-z0-9]+)\/([\w-]{8,100})\/?$/.exec(path) ?? []
  const face = faces.get(beginning)
  if (!face) return undefined
  return asSystem(app.db, (tx) => face(tx, key)).catch((e: unknown) => {
    app.log.warn({ err: (e as Error).message }, 'a page without its face')
    return undefined
  })
}

/** The scripts that stand in a page itself, as a content policy names them: `'sha256-…'`. */
export const inlineHashes = (html: string): string[] =>
  [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(
    ([, code]) => `'sha256-${createHash('sha256').update(code!).digest('base64')}'`,
  )

const escaped = (text: string): string =>
  text.replace(
    /[&<>"']/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign]!,
  )

/**
 * The page of the application with the face of one of its pages. `site`: where we are reached, for the
 * picture's whole address.
 */
export function withFace(html: string, { language, title, description, image }: Face, site: string): string {
  const meta = (name: 'property' | 'name', of: string, content: string) =>
    `<meta ${name}="${of}" content="${escaped(content)}" />`
  const tags = [
    `<title>${escaped(title)}</title>`,
    meta('name', 'description', description),
    meta('name', 'robots', 'noindex, nofollow'),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta(
      'property',
      'og:locale',
      { he: 'he_IL', ar: 'ar_IL', ru: 'ru_RU', en: 'en_US', fr: 'fr_FR' }[language],
    ),
    meta('name', 'twitter:card', 'summary'),
    ...(image ? [meta('property', 'og:image', `${site}${image}`)] : []),
  ]
  const direction = language === 'he' || language === 'ar' ? 'rtl' : 'ltr'
  return html
    .replace(/<html lang="\w+" dir="\w+">/, `<html lang="${language}" dir="${direction}">`)
    .replace(/\s*<meta name="description"[^>]*>/, '')
    .replace(/<title>[^<]*<\/title>/, () => tags.join('\n    '))
}

/**
 * Whether a call that met no other door asks for a page: browsers say so, and the person who says nothing (chats
 * that show what a link leads to, monitors, curl) means what is there to read. A name with an ending is a
 * file, unless a browser asks.
 */
export function asksForPage(method: string, path: string, accept: string | undefined): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  // /api/doc is a page of the application although it begins like a call.
  if (/^\/api\/doc(\/|$)/.test(path)) return true
  // Addresses that programs of other APIs try are no pages either.
  if (/^\/(api\d*|v\d+|rest|static|assets|brands|icons)(\/|$)/.test(path)) return false
  if (accept?.includes('text/html')) return true
  return (
    (!accept || /\*\/\*|text\/\*/.test(accept)) &&
    !/\.[a-z0-9]+$/i.test(path) &&
    !path.startsWith('/.well-known/')
  )
}

/** Calls are for programs; pages that hold a key say themselves that they are for nobody else. */
export const robots = 'User-agent: *\nDisallow: /api\n'

/** Where security problems are reported (RFC 9116). */
export const securityText = (contact: string, site: string, now: Date): string =>
  [
    `Contact: ${contact}`,
    `Expires: ${new Date(now.getTime() + 180 * 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`,
    'Preferred-Languages: he, en',
    `Canonical: ${site}/.well-known/security.txt`,
    '',
  ].join('\n')
