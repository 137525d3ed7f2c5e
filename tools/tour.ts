import type { BrowserContext, Page } from '@playwright/test'

/** How pictures and journeys walk through the product: a session put in its place, paths filled from what the business has. */
export interface Tour {
  base: string
  session: Record<string, string>
}

type Rows = { rows: Record<string, string>[] }

export const post = async (base: string, path: string, body: unknown, token = ''): Promise<Record<string, string>> =>
  (await (
    await fetch(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-access-token': token },
      body: JSON.stringify(body),
    })
  ).json()) as Record<string, string>

const get = async <T>({ base, session }: Tour, path: string): Promise<T> =>
  (await (await fetch(base + path, { headers: { 'x-access-token': session.UserKey! } })).json()) as T

export const openDemo = (base: string) => post(base, '/api/user/demo', { language: 'he' })

export const openEmpty = (base: string) =>
  post(base, '/api/user/signup', {
    email: `e${Date.now()}@example.com`,
    password: 'a long enough password',
    fullName: 'נועה ורדי',
    business: { name: 'זרם טוב', kind: 'licensedDealer', taxId: '777777715' },
    language: 'he',
  })

/** A path with its `$parts` filled; undefined when the business has nothing to show there. */
export async function fillPath(tour: Tour, path: string): Promise<string | undefined> {
  if (!path.includes('$')) return path
  const first = async (list: string, query = '') => (await get<Rows>(tour, `${list}?size=10${query}`)).rows[0]?.id
  const invoice = () => first('/api4/invoice/documents', '&status=issued')
  const pageKey = async () => {
    const id = await invoice()
    return id ? (await get<{ urls: { page: string } }>(tour, `/api4/invoice/documents/${id}`)).urls.page.split('/').at(-1) : undefined
  }
  const values: Record<string, () => Promise<string | undefined>> = {
    $type: async () => (path.includes('userkey') ? 'details' : path.includes('editcompany') ? 'details' : '8'),
    $documentkey: () => (path.includes('preview') ? invoice() : first('/api4/invoice/documents', '&status=draft')),
    $key: () => (path.includes('paymentdoc') ? pageKey() : Promise.resolve('mine')),
    $id: () => first('/api4/invoice/items'),
    $cardid: () => first('/api5/invoicecpa/accounts'),
    $userkey: () => first('/api4/invoice/customers'),
  }
  let filled = path
  for (const [part] of path.matchAll(/\$\w+/g)) {
    const value = await values[part]?.()
    if (!value) return undefined
    filled = filled.replace(part, value)
  }
  return filled
}

const numbers: Record<string, string> = { he: '359', en: '139', ru: '606', ar: '15', fr: '282' }

/** Opens a page as somebody who chose a language and a theme before. */
export async function openPage(
  context: BrowserContext,
  tour: Tour,
  path: string,
  { lang = 'he', dark = false, guest = false } = {},
): Promise<{ page: Page; failures: string[] }> {
  const page = await context.newPage()
  const failures: string[] = []
  page.on('pageerror', (e) => failures.push(e.message))
  page.on('console', (m) => {
    if (m.type() === 'error' && !/Failed to load resource/.test(m.text())) failures.push(m.text())
  })
  await page.addInitScript(
    ([user, language, theme]) => {
      localStorage.setItem('langXmlNumber', language!)
      localStorage.setItem('darkMode', theme!)
      if (user) localStorage.setItem('user', user)
    },
    [guest ? '' : JSON.stringify(tour.session), numbers[lang]!, String(dark)] as const,
  )
  await page.goto(`${tour.base}${path}`)
  await page.waitForLoadState('networkidle').catch(() => {})
  return { page, failures }
}
