import type { App } from '../context.ts'

/** Pages that may be framed by another site, and by which: every other page refuses framing. */
const framed = new Map<string, readonly string[]>()

export const allowInside = (path: string, ancestors: readonly string[]): void =>
  void framed.set(path.toLowerCase(), ancestors)

/** A screen that is shown inside another of our own, as a picture of itself. */
const asPicture = /[?&]picture=1(&|$)/

/** What the header says of who may frame a page. */
export function framedBy(url = ''): string {
  const own = framed.get(url.split('?')[0]!.toLowerCase())
  return own ? own.join(' ') : asPicture.test(url) ? "'self'" : "'none'"
}

type SitesOf = (app: App, key: string) => Promise<readonly string[]>
const byKey = new Map<string, SitesOf>()

/**
 * Pages of a screen's path (`/page/$key`) whose sites a business configures: the database is read as the page is
 * served, so a removed site is refused at once in every process.
 */
export const allowByKey = (path: string, sites: SitesOf): void =>
  void byKey.set(path.split('/')[1]!.toLowerCase(), sites)

/** The sites that may frame the page of a key; none of any other page. */
export async function sitesOf(app: App, path: string): Promise<readonly string[]> {
  const [, first = '', key, ...more] = path.split('/')
  const ask = byKey.get(first.toLowerCase())
  return ask && key && !more.length ? ask(app, key) : []
}
