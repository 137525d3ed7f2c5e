import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, type Page } from '@playwright/test'
import { openEmpty, openPage, type Tour } from '../../tools/tour.ts'
import { arrive, wordsIn, savedBy } from './support.ts'

/**
 * A page is built by the business and paid on a phone; the last use of a coupon is had once; a site that was
 * named frames the page and hears how it went.
 */
const t = wordsIn('he')
const word = (key: string) => t(`payPages.public.${key}`)

async function business(
  base: string,
): Promise<{ tour: Tour; send: (method: string, path: string, body?: object) => Promise<any> }> {
  const tour: Tour = { base, session: await openEmpty(base) }
  const send = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${base}/api4/invoice/${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-access-token': tour.session.UserKey! },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const said = await answer.json()
    if (!answer.ok) throw new Error(JSON.stringify(said))
    return said
  }
  await send('POST', 'terminals', { gateway: 'test' })
  return { tour, send }
}

const made = async (send: Awaited<ReturnType<typeof business>>['send'], more: object = {}) => {
  const { id } = await send('POST', 'paypages', {
    kind: 'charge',
    texts: { he: { title: 'סדנת קרמיקה' }, en: { title: 'Pottery workshop' } },
    items: [
      {
        id: crypto.randomUUID(),
        names: { he: 'מקום', en: 'A place' },
        priceAgorot: 20_000,
        isFixed: true,
        mostQuantity: 3,
      },
    ],
    ...more,
  })
  return send('POST', `paypages/${id}/open`, {}) as Promise<{
    id: string
    url: string
    frameUrl: string
    shortUrl: string
  }>
}

/** A picture of one point. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function payByTestCard(payer: Page): Promise<void> {
  await payer.getByRole('button', { name: '4242 4242 4242 4242' }).click()
  await payer.getByRole('button', { name: t('paymentLinks.test.pay'), exact: true }).click()
}

test('a page with suggested amounts shows them, and one of them or another amount is paid', async ({
  browser,
  baseURL,
}) => {
  const { send } = await business(baseURL!)
  const page = await made(send, { sumKind: 'suggested', suggested: [10_000, 25_000], items: [] })
  for (const [choice, agorot] of [
    ['second', 25_000],
    ['other', 7_700],
  ] as const) {
    const phone = await browser.newContext({
      viewport: { width: 390, height: 844 },
      locale: 'he-IL',
      baseURL: baseURL!,
    })
    const payer = await phone.newPage()
    const failures: string[] = []
    payer.on('pageerror', (error) => failures.push(error.message))
    await payer.goto(new URL(page.url).pathname)
    await expect(payer.getByRole('heading', { level: 1 })).toHaveText('סדנת קרמיקה')
    await expect(payer.getByText('100').first()).toBeVisible()
    if (choice === 'other') {
      await payer.getByLabel(word('otherSum')).fill('77')
      await payer.keyboard.press('Tab')
    } else await payer.getByRole('radio').nth(1).check()
    await payer.locator('input[name="payer.name"]').fill('רות כהן')
    await payer.locator('input[name="payer.email"]').fill('rut@example.com')
    await payer.keyboard.press('Enter')
    await arrive(payer, '**/testcard/**')
    await payByTestCard(payer)
    await arrive(payer, '**/paymentpage/**')
    await expect(payer.getByRole('heading', { name: word('paid') })).toBeVisible()
    expect(failures).toEqual([])
    await phone.close()
    const { rows } = await send('GET', 'documents?type=9&size=10')
    expect(rows.map((row: { totalAgorot: number }) => row.totalAgorot)).toContain(agorot)
  }
})

test('a page is built, opened, and paid on a phone by its short address', async ({
  context,
  browser,
  baseURL,
}) => {
  const { tour } = await business(baseURL!)
  const { page, failures } = await openPage(context, tour, '/invoice/paypages/new')
  await page.locator('input[name="title"]').fill('סדנת נגרות')
  const price = page.getByLabel(t('payPages.itemPrice'))
  await page.getByText(t('payPages.itemMore'), { exact: true }).click()
  await page.locator('.pe-item').getByLabel(t('payPages.itemName')).first().fill('מקום בסדנה')
  await price.fill('180')
  await price.blur()
  // The picture is the page itself.
  await expect(page.locator('.pe-frame h1')).toHaveText('סדנת נגרות')
  await expect(page.locator('.pe-frame .pp-sum')).toContainText('180.00')
  await page.getByRole('button', { name: t('kit.forms.save') }).click()
  await page.getByRole('button', { name: t('payPages.open') }).click()
  await expect(page.getByText(t('payPages.state.open'), { exact: true }).first()).toBeVisible()
  const short = await page.getByLabel(t('payPages.shortAddress')).inputValue()

  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: 'he-IL',
    baseURL: baseURL!,
  })
  const payer = await phone.newPage()
  const scripts: number[] = []
  payer.on('response', async (answer) => {
    if (/\.js(\?|$)/.test(answer.url()))
      scripts.push((await answer.body().catch(() => Buffer.alloc(0))).length)
  })
  const began = Date.now()
  await payer.goto(new URL(short).pathname)
  await expect(payer.getByRole('heading', { level: 1 })).toHaveText('סדנת נגרות')
  // Nothing but the page's own script came, and of it little even before it was packed.
  expect(scripts.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000)
  const largest = await payer.evaluate(
    () =>
      new Promise<number>((done) => {
        new PerformanceObserver((list) => done(list.getEntries().at(-1)!.startTime)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        })
      }),
  )
  expect(largest).toBeLessThan(5_000)
  await payer.getByRole('button', { name: new RegExp(word('pay')) }).click()
  await expect(payer.locator('input[name="payer.name"]')).toBeFocused()
  await payer.locator('input[name="payer.name"]').fill('רות כהן')
  await payer.locator('input[name="payer.email"]').fill('rut@example.com')
  await payer.keyboard.press('Enter')
  await arrive(payer, '**/testcard/**')
  await payByTestCard(payer)
  await arrive(payer, '**/paymentpage/**')
  await expect(payer.getByRole('heading', { name: word('paid') })).toBeVisible()
  const paper = payer.getByRole('link', { name: new RegExp(t('documents.types.receipt')) })
  const pdf = await phone.request.get((await paper.getAttribute('href'))!)
  expect((await pdf.body()).subarray(0, 5).toString()).toBe('%PDF-')
  expect(Date.now() - began).toBeLessThan(60_000)
  await phone.close()

  await page.reload()
  await expect(page.getByText('רות כהן').first()).toBeVisible()
  expect(failures).toEqual([])
})

test('a payer attaches what the page asks for by keyboard, and the business saves it from the sheet of the order', async ({
  context,
  browser,
  baseURL,
}) => {
  const { tour, send } = await business(baseURL!)
  const { url } = await made(send, {
    fields: [{ key: 'proof', kind: 'file', labels: { he: 'תעודת סטודנט' }, must: true }],
  })
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: 'he-IL',
    baseURL: baseURL!,
  })
  const payer = await phone.newPage()
  await payer.goto(new URL(url).pathname)
  await payer.locator('input[name="payer.name"]').fill('רות כהן')
  await payer.locator('input[name="payer.email"]').fill('rut@example.com')
  await payer.getByRole('button', { name: new RegExp(word('pay')) }).click()
  // It is asked for at its field, which has the cursor.
  const field = payer.getByLabel('תעודת סטודנט')
  await expect(field).toBeFocused()
  await field.setInputFiles({ name: 'x.exe', mimeType: 'application/pdf', buffer: Buffer.from('MZ program') })
  await expect(payer.getByText(t('errors.payPages.badFile'))).toBeVisible()
  await field.setInputFiles({ name: 'תעודה.png', mimeType: 'image/png', buffer: dot })
  await expect(payer.locator('.pp-file [role="status"]')).toHaveText(
    word('fileTaken').replace('{name}', 'תעודה.png'),
  )
  await payer.getByRole('button', { name: word('dropFile') }).press('Enter')
  await expect(field).toBeFocused()
  await field.setInputFiles({ name: 'תעודה.png', mimeType: 'image/png', buffer: dot })
  // Pressed while the file is still on its way: it waits for it.
  await payer.getByRole('button', { name: new RegExp(word('pay')) }).click()
  await arrive(payer, '**/testcard/**')
  await payByTestCard(payer)
  await arrive(payer, '**/paymentpage/**')
  await expect(payer.getByRole('heading', { name: word('paid') })).toBeVisible()
  await phone.close()

  const { page, failures } = await openPage(context, tour, '/invoice/paypagepayers')
  await page.getByText('רות כהן').first().click()
  const file = await savedBy(page, page.getByRole('dialog').getByRole('button', { name: 'תעודה.png' }))
  expect(file.suggestedFilename()).toBe('תעודה.png')
  expect(failures).toEqual([])
})

test('the last use of a coupon is had by one of two, and the other hears it', async ({
  browser,
  baseURL,
}) => {
  const { send } = await business(baseURL!)
  const { url } = await made(send)
  await send('POST', 'couponcodes', { code: 'LAST', kind: 'percent', valueBp: 5_000, usesMax: 1 })
  const phones = await Promise.all(
    ['א', 'ב'].map(async (name) => {
      const context = await browser.newContext({
        viewport: { width: 390, height: 844 },
        locale: 'he-IL',
        baseURL: baseURL!,
      })
      const payer = await context.newPage()
      await payer.goto(new URL(url).pathname)
      await payer.getByText(word('haveCoupon')).click()
      await payer.locator('input[name="coupon"]').fill('la st')
      await payer.getByRole('button', { name: word('apply') }).click()
      await expect(payer.locator('.pp-sum')).toContainText('100.00')
      await payer.locator('input[name="payer.name"]').fill(name)
      await payer.locator('input[name="payer.email"]').fill(`p${name === 'א' ? 1 : 2}@example.com`)
      return { context, payer }
    }),
  )
  await Promise.all(
    phones.map(({ payer }) => payer.getByRole('button', { name: new RegExp(word('pay')) }).click()),
  )
  const outcomes = await Promise.all(
    phones.map(({ payer }) =>
      Promise.race([
        payer.waitForURL('**/testcard/**').then(() => 'form'),
        payer
          .getByText(t('errors.payPages.couponUsedUp'))
          .waitFor()
          .then(() => 'usedUp'),
      ]),
    ),
  )
  expect(outcomes.toSorted()).toEqual(['form', 'usedUp'])
  for (const { context } of phones) await context.close()
})

test('a site that was named frames the page, and is told what became of it; another cannot', async ({
  browser,
  baseURL,
}) => {
  const { send } = await business(baseURL!)
  const sites: ReturnType<typeof createServer>[] = []
  const site = async (html: () => string): Promise<string> => {
    const server = createServer((_request, answer) =>
      answer.setHeader('content-type', 'text/html').end(html()),
    )
    sites.push(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  let frameUrl = ''
  const html =
    () => `<!doctype html><title>site</title><h1>site</h1><iframe src="${frameUrl}" style="width:400px;height:300px"></iframe>
    <script>window.heard = []; addEventListener('message', (event) => window.heard.push({ origin: event.origin, ...event.data }))</script>`
  const [named, other] = [await site(html), await site(html)]
  frameUrl = (await made(send, { sites: [named] })).frameUrl

  const context = await browser.newContext({ locale: 'he-IL' })
  const page = await context.newPage()
  await page.goto(named)
  const frame = page.frameLocator('iframe')
  await expect(frame.getByRole('heading', { level: 1 })).toHaveText('סדנת קרמיקה')
  const heard = () =>
    page.evaluate(
      () =>
        (window as unknown as { heard: { origin: string; type: string; state?: string; height?: number }[] })
          .heard,
    )
  await expect
    .poll(async () => (await heard()).some(({ type, height }) => type === 'height' && (height ?? 0) > 300))
    .toBe(true)
  await frame.locator('input[name="payer.name"]').fill('רות כהן')
  await frame.locator('input[name="payer.email"]').fill('rut@example.com')
  const opened = context.waitForEvent('page')
  await frame.getByRole('button', { name: new RegExp(word('pay')) }).click()
  const form = await opened
  await form.waitForURL('**/testcard/**')
  await payByTestCard(form)
  await expect(form.getByRole('heading', { name: word('paid') })).toBeVisible()
  await expect(frame.getByRole('heading', { name: word('paid') })).toBeVisible()
  expect(
    (await heard()).filter(({ type }) => type === 'state').map(({ state, origin }) => [state, origin]),
  ).toEqual([
    ['begun', new URL(frameUrl).origin],
    ['paid', new URL(frameUrl).origin],
  ])

  await page.goto(other)
  await page.waitForTimeout(1500)
  await expect(page.frameLocator('iframe').getByRole('heading', { level: 1 })).toHaveCount(0)
  expect(await heard()).toEqual([])
  await context.close()
  for (const one of sites) one.close()
})
