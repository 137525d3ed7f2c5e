import { randomUUID } from 'node:crypto'
import type { BrowserContext, Page, Request } from '@playwright/test'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import type { Screen } from '#kit/describe/screen.ts'
import { isBankDay } from '#domain/bankDays.ts'

/**
 * How pictures and journeys walk through the product: a session put in its place, paths filled from what the
 * business has.
 */
export interface Tour {
  base: string
  session: Record<string, string>
}

type Rows = { rows: Record<string, string>[] }

/**
 * A visitor with a separate address: the server counts the attempts of each address, and believes this header from a
 * proxy on its machine.
 */
const stranger = (): string => `10.${[0, 0, 0].map(() => 1 + Math.floor(Math.random() * 254)).join('.')}`

const send = (base: string, path: string, body: unknown, token = '') =>
  fetch(base + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-access-token': token,
      ...(token ? {} : { 'x-forwarded-for': stranger() }),
    },
    body: JSON.stringify(body),
  })

/** Asks what must succeed. */
export async function post(
  base: string,
  path: string,
  body: unknown,
  token = '',
): Promise<Record<string, string>> {
  let answer = await send(base, path, body, token)
  // As any client: a server that is busy says when to try again.
  for (let tries = 0; answer.status === 503 && tries < 5; tries++) {
    await new Promise((done) => setTimeout(done, 1000 * Number(answer.headers.get('retry-after') ?? 1)))
    answer = await send(base, path, body, token)
  }
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Record<string, string>
}

/** Asks what must be refused; answers the code of the refusal. */
export async function refused(
  base: string,
  path: string,
  body: unknown,
  token = '',
): Promise<string | undefined> {
  const answer = await send(base, path, body, token)
  return answer.ok ? undefined : ((await answer.json()) as { code: string }).code
}

const put = ({ base, session }: Tour, path: string, body: unknown) =>
  fetch(base + path, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-access-token': session.UserKey! },
    body: JSON.stringify(body),
  })

const get = async <T>({ base, session }: Tour, path: string): Promise<T> =>
  (await (await fetch(base + path, { headers: { 'x-access-token': session.UserKey! } })).json()) as T

export const openDemo = (base: string) => post(base, '/api/user/demo', { language: 'he' })

/** The main page as a dealer has it: not a separate screen, and looked at like one. */
export const dealerHome: Screen = {
  name: 'dealerHome',
  path: '/invoice/main',
  open: 'login',
  feature: 'home',
  load: () => Promise.reject(new Error('it is opened as a dealer')),
}

/**
 * Screens of people who are no owners of a business are walked by such a person; undefined: by the owner of
 * the demo business.
 */
export const walkedBy = ({ name, path }: Pick<Screen, 'name' | 'path'>): 'office' | 'dealer' | undefined =>
  path.startsWith('/cpa/') ? 'office' : name === dealerHome.name ? 'dealer' : undefined

/** A demo office of accountants, as its manager. */
export const openDemoOffice = (base: string) => post(base, '/api/user/demo/office', { language: 'he' })
/** A person who is no owner, by kind. */
export const openAs = {
  office: openDemoOffice,
  dealer: (base: string) => post(base, '/api/user/demo/dealer', {}),
}

export const openEmpty = (base: string) =>
  post(base, '/api/user/signup', {
    email: `${randomUUID()}@example.com`,
    password: 'a long enough password',
    fullName: 'נועה ורדי',
    business: { name: 'זרם טוב', kind: 'licensedDealer', taxId: '777777715' },
    language: 'he',
  })

/** A path with its `$parts` filled; undefined when the business has nothing to show there. */
export async function fillPath(tour: Tour, path: string): Promise<string | undefined> {
  if (!path.includes('$')) return path
  const first = async (list: string, query = '') =>
    (await get<Rows>(tour, `${list}?size=10${query}`)).rows[0]?.id
  const invoice = () => first('/api4/invoice/documents', '&status=issued')
  const pageKey = async () => {
    const id = await invoice()
    return id
      ? (await get<{ urls: { page: string } }>(tour, `/api4/invoice/documents/${id}`)).urls.page
          .split('/')
          .at(-1)
      : undefined
  }
  const outsideKey = async () => {
    const id = await first('/api4/invoice/outsideDocuments')
    return id
      ? (await get<{ url: string }>(tour, `/api4/invoice/outsideDocuments/${id}/whole`)).url.split('/').at(-1)
      : undefined
  }
  const signerKey = async () => {
    const id = await first('/api4/invoice/signRequests', '&state.in=sent,inProgress')
    const whole = id
      ? await get<{ signers: { url: string | null }[] }>(tour, `/api4/invoice/signRequests/${id}/whole`)
      : undefined
    return whole?.signers
      .find(({ url }) => url)
      ?.url?.split('/')
      .at(-1)
  }
  const signLinkKey = async () => {
    const id =
      (await first('/api4/invoice/signTemplates', '&isOpen=true')) ??
      (await first('/api4/invoice/signTemplates'))
    return id
      ? (await get<{ open: { url: string } }>(tour, `/api4/invoice/signTemplates/${id}/whole`)).open.url
          .split('/')
          .at(-1)
      : undefined
  }
  const letterKey = async () => {
    const id = await first('/api4/invoice/letters', '&state.in=queued,sent,kept,opened')
    return id
      ? (await get<{ url: string | null }>(tour, `/api4/invoice/letters/${id}/text`)).url?.split('/').at(-1)
      : undefined
  }
  const leadFormKey = async () => {
    const id = await first('/api4/invoice/leadSources', '&channel=form')
    return id ? (await get<{ key: string }>(tour, `/api4/invoice/leads/sources/${id}/door`)).key : undefined
  }
  // The link of the business; one is made when there is none.
  const registrationKey = async () => {
    const link = '/api4/invoice/registrationlink'
    const known = (await get<{ url: string | null }>(tour, link)).url
    return (known ?? (await post(tour.base, link, {}, tour.session.UserKey)).url)?.split('/').at(-1)
  }
  const openLink = async () => {
    const id = await first('/api4/invoice/paymentLinks', '&state=open')
    return id
      ? (await get<{ url: string }>(tour, `/api4/invoice/paymentLinks/${id}`)).url.split('/').at(-1)
      : undefined
  }
  // The form of the test acquirer, opened as a payer would.
  const formKey = async () => {
    const key = await openLink()
    return key
      ? (await post(tour.base, `/api2/invoice/payment/${key}/begin`, {})).url?.split('/').at(-1)
      : undefined
  }
  // A customer is asked for a card when nobody was.
  const cardKey = async () => {
    const customerId = await first('/api4/invoice/customers')
    return customerId
      ? (await post(tour.base, '/api4/invoice/cardRequests', { customerId }, tour.session.UserKey)).url
          ?.split('/')
          .at(-1)
      : undefined
  }
  // A standing order that has something to show: what failed, else any.
  const standingOrder = async () =>
    (await first('/api4/invoice/standingOrders', '&state.in=failing,needsCard')) ??
    first('/api4/invoice/standingOrders')
  const retainerKey = async () => {
    const id = await standingOrder()
    return id
      ? (await get<{ pageUrl: string }>(tour, `/api4/invoice/standingorders/${id}`)).pageUrl.split('/').at(-1)
      : undefined
  }
  const payPage = async () =>
    (await first('/api4/invoice/payPages', '&state.in=open')) ?? first('/api4/invoice/payPages')
  const payPageKey = async () => {
    const id = await payPage()
    return id
      ? (await get<{ url: string }>(tour, `/api4/invoice/paypages/${id}`)).url.split('/').at(-1)
      : undefined
  }
  const historyKey = async () => {
    const id = await first('/api4/invoice/customers')
    const page = `/api4/invoice/customers/${id}/page`
    const known = id ? (await get<{ url: string | null }>(tour, page)).url : undefined
    return (known ?? (id ? (await post(tour.base, page, {}, tour.session.UserKey)).url : undefined))
      ?.split('/')
      .at(-1)
  }
  const houseKey = async () => {
    const id = await first('/api4/invoice/committeebuildings').catch(() => undefined)
    return id
      ? (
          await get<{ building: { pageUrl: string | null } }>(tour, `/api4/invoice/committee/${id}`)
        ).building.pageUrl
          ?.split('/')
          .at(-1)
      : undefined
  }
  const handOverKey = async () => {
    const id = await first('/api4/invoice/committeebuildings').catch(() => undefined)
    if (!id) return undefined
    const { rows } = await get<{ rows: { pageUrl: string | null }[] }>(
      tour,
      `/api4/invoice/committee/${id}/handovers`,
    )
    return rows
      .find((row) => row.pageUrl)
      ?.pageUrl?.split('/')
      .at(-1)
  }
  const tenantKey = async () => {
    const id = await first('/api4/invoice/committeebuildings').catch(() => undefined)
    if (!id) return undefined
    const { rows } = await get<{ rows: { payerId: string | null }[] }>(tour, `/api4/invoice/committee/${id}`)
    const customerId = rows.find((row) => row.payerId)?.payerId
    if (!customerId) return undefined
    const answer = await fetch(`${tour.base}/api4/invoice/committee/${id}/tenantpage`, {
      method: 'PUT',
      headers: { 'x-access-token': tour.session.UserKey!, 'content-type': 'application/json' },
      body: JSON.stringify({ customerId }),
    })
    return ((await answer.json()) as { url: string }).url.split('/').at(-1)
  }
  const requestsKey = async () =>
    (await post(tour.base, '/api4/invoice/clientrequests/link', {}, tour.session.UserKey)).url
      ?.split('/')
      .at(-1)
  const shareKey = async () =>
    (await get<{ rows: { url: string; state: string }[] }>(tour, '/api4/invoice/reportshares')).rows
      .find(({ state }) => state === 'open')
      ?.url.split('/')
      .at(-1)
  const fileShareKey = async () => {
    const { rows } = await get<Rows>(tour, '/api4/invoice/files?q=price-list')
    const base = `/api4/invoice/fileshares?fileId=${rows[0]?.id}`
    return rows[0] && (await get<{ rows: { url: string }[] }>(tour, base)).rows[0]?.url.split('/').at(-1)
  }
  // The link to unsubscribe from a report is only in its email: one is sent when none was.
  const stopKey = async () => {
    const find = async () =>
      (await get<{ rows: { body: string }[] }>(tour, '/api4/invoice/messages')).rows
        .map(({ body }) => /reportstop\/([\w-]+)/.exec(body)?.[1])
        .find(Boolean)
    const known = await find()
    const plan = known ? undefined : (await get<Rows>(tour, '/api4/invoice/reportplans')).rows[0]?.id
    if (!plan) return known
    await post(tour.base, `/api4/invoice/reportplans/${plan}/send`, {}, tour.session.UserKey)
    for (let tries = 0; tries < 100; tries++) {
      const key = await find()
      if (key) return key
      await new Promise((done) => setTimeout(done, 100))
    }
    return undefined
  }
  // An electronic invoice comes in when nothing has.
  const paper = async () => {
    const known = await first('/api4/invoice/papers')
    if (known) return known
    const xml = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID>77</ID></Invoice>`
    await fetch(`${tour.base}/api4/invoice/papers?name=invoice.xml`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', 'x-access-token': tour.session.UserKey! },
      body: xml,
    })
    return first('/api4/invoice/papers')
  }
  // One line waits in a batch when nobody began one.
  const journalBatch = async () => {
    const known = await first('/api5/invoicecpa/batches')
    if (known) return known
    const line = {
      day: dayInJerusalem(new Date()),
      debitAccountId: await first('/api5/invoicecpa/accounts'),
      amountAgorot: 12_345,
    }
    return (await post(tour.base, '/api5/invoicecpa/batches', { lines: [line] }, tour.session.UserKey)).id
  }
  // A file for the clearing centre pays the first supplier who can be paid.
  const masavFile = async () => {
    const base = '/api4/invoice/masav'
    const known = (await get<Rows>(tour, `${base}/runs?direction=credit`)).rows[0]?.id
    if (known) return known
    await put(tour, `${base}/settings`, { institution: '12345678', sender: '12345', code: 'B' })
    type Proposal = {
      supplierId: string
      hindrance: string | null
      bills: { id: string; openAgorot: number }[]
    }
    const { rows } = await get<{ rows: Proposal[] }>(tour, `${base}/proposal/credits?until=2099-12-31`)
    const one = rows.find((row) => row.hindrance === null)
    if (!one) return undefined
    let payDay = addDays(dayInJerusalem(new Date()), 1)
    while (!isBankDay(payDay)) payDay = addDays(payDay, 1)
    const bills = one.bills.map((bill) => ({ id: bill.id, amountAgorot: bill.openAgorot }))
    const run = { payDay, suppliers: [{ supplierId: one.supplierId, bills }] }
    return (await post(tour.base, `${base}/credits`, run, tour.session.UserKey)).id
  }
  // What a part means depends on the page: the first words that stand in its path say so.
  type Ways = readonly (readonly [inPath: string, value: () => Promise<string | undefined>])[]
  const by = (ways: Ways, otherwise: () => Promise<string | undefined>) =>
    (ways.find(([words]) => path.includes(words))?.[1] ?? otherwise)()
  const documentKeys: Ways = [
    ['previewle', () => first('/api4/invoice/letters', '&state.in=queued,sent,kept,opened,printed')],
    ['Letter', () => first('/api4/invoice/letters', '&state=draft')],
    ['preview', invoice],
    ['correction', invoice],
  ]
  const yeshfitKey = async () =>
    (await get<{ url: string }>(tour, '/api4/invoice/bookingpage')).url.split('/').at(-1)
  const keys: Ways = [
    ['signdoc', signerKey],
    ['signpage', signLinkKey],
    ['signtemplate', () => first('/api4/invoice/signTemplates')],
    ['signrequest', () => first('/api4/invoice/signRequests')],
    ['outsidedoc', outsideKey],
    ['vaadpage', houseKey],
    ['vaadhandover', handOverKey],
    ['vaadtenant', tenantKey],
    ['clientrequests', requestsKey],
    ['protectreport', shareKey],
    ['sharedfile', fileShareKey],
    ['reportstop', stopKey],
    ['letterdoc', letterKey],
    ['documentoutside', () => first('/api4/invoice/outsideDocuments')],
    ['paymentdoc', pageKey],
    ['createcustomer', registrationKey],
    ['leadform', leadFormKey],
    ['/payment/', openLink],
    ['/paymentpage/', payPageKey],
    ['/payment2/', payPageKey],
    ['testcard', formKey],
    ['savecard', cardKey],
    // Only an acquirer without a page of its own has one, while somebody pays by it.
    ['cardframe', () => Promise.resolve(undefined)],
    ['/retainer/', retainerKey],
    ['yeshfit', yeshfitKey],
  ]
  const ids: Ways = [
    [
      '/cpa/client',
      async () =>
        (await get<Rows>(tour, '/api5/invoicecpa/office/clients')).rows.find(
          ({ name }) => name === 'זרם טוב – אינסטלציה וגז',
        )?.id,
    ],
    ['expensesspage', paper],
    ['/retainers/', standingOrder],
    ['/paypages/', payPage],
    ['historypayments', () => first('/api4/invoice/cardCharges')],
    ['paymentview', () => first('/api4/invoice/payments')],
    ['deposits', () => first('/api4/invoice/deposits')],
    ['supplierpayment', () => first('/api4/invoice/supplierpayments')],
    ['suppliers', () => first('/api4/invoice/suppliers')],
    ['stockproducts', () => first('/api4/invoice/items', '&isStocked=true')],
  ]
  const userKeys: Ways = [
    ['historydoc', historyKey],
    ['editsupplier', () => first('/api4/invoice/suppliers')],
    ['editworker', () => first('/api4/invoice/workers')],
    ['editcpa', () => first('/api4/invoice/accountants')],
  ]
  const values: Record<string, () => Promise<string | undefined>> = {
    $resource: async () => 'customers',
    $type: async () =>
      path.includes('Expenses')
        ? 'all'
        : path.includes('userkey')
          ? 'details'
          : path.includes('editcompany')
            ? 'details'
            : '8',
    $documentkey: () => by(documentKeys, () => first('/api4/invoice/documents', '&status=draft')),
    $key: () => by(keys, () => Promise.resolve(tour.session.CompanyKey)),
    $id: () => by(ids, () => first('/api4/invoice/items')),
    $customerid: () => first('/api4/invoice/customers'),
    $webhookid: () => first('/api4/invoice/webhooks'),
    $shopid: () => first('/api4/invoice/shops'),
    $ticketid: () => first('/api4/invoice/support'),
    $runid: () => masavFile(),
    $sapak: () => first('/api4/invoice/suppliers'),
    $moneykey: () => first('/api4/invoice/documents', '&openAgorot.lte=-1'),
    $docid: () => first('/api4/invoice/expenses'),
    $cardid: () => first('/api5/invoicecpa/accounts'),
    $batchid: () => journalBatch(),
    $entryid: () => first('/api5/invoicecpa/entries', '&from=2000-01-01&to=2199-12-31'),
    $bankid: () => first('/api4/invoice/bankaccounts'),
    $assetid: () => first('/api4/invoice/fixedassets'),
    $categoryid: () =>
      first(path.includes('leadcategories') ? '/api4/invoice/leadCategories' : '/api4/invoice/categories'),
    $packageid: () => first('/api4/invoice/passKinds'),
    $listid: () => first('/api4/invoice/priceLists'),
    $projectid: () => first('/api4/invoice/projects'),
    $tab: () =>
      Promise.resolve(
        path.includes('pricelist') ? 'buyers' : path.includes('projectItems') ? 'documents' : 'variants',
      ),
    $userkey: () => by(userKeys, () => first('/api4/invoice/customers')),
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

/**
 * Waits until nothing is under way, nothing was for a moment, and the page itself has nothing left to draw.
 */
export function watchNetwork(page: Page): (leastMs?: number) => Promise<void> {
  const underWay = new Set<Request>()
  let last = Date.now()
  const ended = (request: Request) => {
    underWay.delete(request)
    last = Date.now()
  }
  page.on('request', (request) => {
    // The line by which a page hears of what others do never ends.
    if (request.url().includes('/invoice/live')) return
    underWay.add(request)
    last = Date.now()
  })
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  return async (leastMs = 150) => {
    const until = Date.now() + 20_000
    while (Date.now() < until) {
      const left = underWay.size > 0 ? 30 : leastMs - (Date.now() - last)
      if (left > 0) {
        await new Promise((done) => setTimeout(done, Math.min(left, 50)))
        continue
      }
      // A busy machine is quiet for long while the page still works: it is asked for two pictures and a
      // moment without work.
      await page.evaluate(
        () =>
          new Promise<void>((done) =>
            requestAnimationFrame(() =>
              requestAnimationFrame(() => requestIdleCallback(() => done(), { timeout: 1000 })),
            ),
          ),
      )
      if (underWay.size === 0 && Date.now() - last >= leastMs) return
    }
  }
}

/**
 * Goes to a place as a link of the application does: the page stays, its screen changes, within `timeout` ms.
 */
export async function goOn(
  page: Page,
  path: string,
  quiet: (leastMs?: number) => Promise<void>,
  timeout = 30_000,
): Promise<void> {
  await page.evaluate((to) => {
    delete document.documentElement.dataset.place
    history.pushState({}, '', to)
  }, path)
  await page.waitForFunction(
    () => document.documentElement.dataset.place && document.querySelector('main'),
    undefined,
    { timeout },
  )
  await quiet()
}

/** Opens a page as somebody who chose a language and a theme before. */
export async function openPage(
  context: BrowserContext,
  tour: Tour,
  path: string,
  { lang = 'he', dark = false, guest = false } = {},
): Promise<{ page: Page; failures: string[]; quiet: (leastMs?: number) => Promise<void> }> {
  const page = await context.newPage()
  const failures: string[] = []
  page.on('pageerror', (e) => failures.push(e.message))
  page.on('console', (m) => {
    if (m.type() === 'error' && !/Failed to load resource/.test(m.text())) failures.push(m.text())
  })
  page.on('requestfailed', (r) => {
    const why = r.failure()?.errorText
    if (r.url().startsWith(tour.base) && why !== 'net::ERR_ABORTED')
      failures.push(`${new URL(r.url()).pathname}: ${why}`)
  })
  await page.addInitScript(
    ([user, language, theme]) => {
      // The browser's PDF viewer is in a frame without storage.
      if (window !== window.top) return
      localStorage.setItem('langXmlNumber', language!)
      localStorage.setItem('darkMode', theme!)
      if (user) localStorage.setItem('user', user)
    },
    [guest ? '' : JSON.stringify(tour.session), numbers[lang]!, String(dark)] as const,
  )
  const quiet = watchNetwork(page)
  await page.goto(`${tour.base}${path}`)
  // A busy machine may be quiet for long before the application has even begun: only from the first screen on
  // does quiet mean done.
  await page
    .waitForFunction(() => document.documentElement.dataset.route, undefined, { timeout: 30_000 })
    .catch(() => {})
  await quiet()
  return { page, failures, quiet }
}
