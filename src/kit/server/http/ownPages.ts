import type { App, Language } from '../context.ts'
import { withFace, type Face } from './pages.ts'

/*
 * Pages for strangers that come with a script of their own instead of the whole application: opened once, by
 * a phone, by the person who was sent an address. The server lays what they show into them.
 */

export interface OwnPageAnswer {
  language: Language
  /** What the page shows, as its script reads it. */
  laid: object
  /** Origins that may frame it; none: nobody. */
  framedBy: readonly string[]
}

export interface OwnPage {
  /** The page as it was built, in the folder of the built application. */
  file: string
  /** undefined: nobody has this key, and the page of the application says so. */
  open: (
    app: App,
    key: string,
    query: URLSearchParams,
    isFramed: boolean,
  ) => Promise<OwnPageAnswer | undefined>
}

const pages = new Map<string, OwnPage>()
const shortcuts = new Map<string, (app: App, code: string) => Promise<string | undefined>>()

/** `path`: the part before the key, as '/paymentpage'. */
export const registerOwnPage = (path: string, page: OwnPage): void => void pages.set(path, page)

/** A short address that leads to a long one. `path`: the part before its code, as '/p'. */
export const registerShortcut = (
  path: string,
  leadsTo: (app: App, code: string) => Promise<string | undefined>,
): void => void shortcuts.set(path, leadsTo)

const parted = (url: string): { beginning: string; key: string; query: URLSearchParams } => {
  const [path = '', query = ''] = url.split('?')
  const [, beginning = '', key = ''] = /^(\/[a-z0-9]+)\/([\w-]{4,100})\/?$/.exec(path) ?? []
  return { beginning, key, query: new URLSearchParams(query) }
}

/** Where a short address leads; undefined where it is none. */
export async function shortcutAt(app: App, url: string): Promise<string | undefined> {
  const { beginning, key } = parted(url)
  return shortcuts.get(beginning)?.(app, key)
}

export const ownPageAt = (url: string): OwnPage | undefined => pages.get(parted(url).beginning)

/** The page at an address, ready to be sent. */
export async function openOwnPage(
  app: App,
  page: OwnPage,
  html: string,
  url: string,
  face: Face | undefined,
  isFramed: boolean,
): Promise<{ html: string; framedBy: readonly string[] } | undefined> {
  const { key, query } = parted(url)
  const answer = await page.open(app, key, query, isFramed)
  if (!answer) return undefined
  const { language, laid, framedBy } = answer
  const faced = face ? withFace(html, { ...face, language }, app.publicUrl()) : html
  // What people wrote can close no element.
  const text = JSON.stringify(laid).replaceAll('<', '\\u003c')
  return {
    html: faced.replace(
      '<script id="laid" type="application/json"></script>',
      () => `<script id="laid" type="application/json">${text}</script>`,
    ),
    framedBy,
  }
}
