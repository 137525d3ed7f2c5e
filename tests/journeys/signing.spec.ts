import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type Browser, type Page } from '@playwright/test'
import { root } from '#kit/server/settings.ts'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { slowed } from './slowed.ts'
import { arrive, readPdf, tabTo, wordsIn, type Lang, savedBy } from './support.ts'

/**
 * A paper is prepared at a desk and signed on phones: by finger in Hebrew, by keys alone in Arabic; a long
 * one stays smooth.
 */
const t = wordsIn('he')
const sample = join(root, 'tests/papers/samples/classic-2.pdf')

async function shop(base: string): Promise<Tour> {
  return { base, session: await openEmpty(base) }
}

async function uploaded({ base, session }: Tour, file: string): Promise<string> {
  const answer = await fetch(
    `${base}/api4/invoice/signTemplates?name=${encodeURIComponent('הסכם שירות.pdf')}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', 'x-access-token': session.UserKey! },
      body: readFileSync(file),
    },
  )
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { id: string }).id
}

const field = (id: string, kind: string, y: number, more: object = {}) => ({
  id,
  kind,
  role: 'r1',
  page: 1,
  x: 60,
  y,
  w: 220,
  h: kind === 'signature' ? 60 : 22,
  ...more,
})

async function fields({ base, session }: Tour, id: string, all: object[]): Promise<void> {
  const answer = await fetch(`${base}/api4/invoice/signTemplates/${id}/fields`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-access-token': session.UserKey! },
    body: JSON.stringify({ version: 1, roles: [{ id: 'r1', name: 'הלקוח', order: 1 }], fields: all }),
  })
  expect(answer.status).toBe(200)
}

/** The address of the one whose turn it is. */
async function addressOf({ base, session }: Tour, request: string): Promise<string> {
  const answer = await fetch(`${base}/api4/invoice/signRequests/${request}/whole`, {
    headers: { 'x-access-token': session.UserKey! },
  })
  const { signers } = (await answer.json()) as { signers: { url: string | null }[] }
  return new URL(signers.find(({ url }) => url)!.url!).pathname
}

async function phone(browser: Browser, base: string, path: string): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    baseURL: base,
  })
  const page = await context.newPage()
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return page
}

/** The file as its signer saves it. */
async function saved(page: Page, lang: Lang): Promise<Buffer> {
  const download = await savedBy(
    page,
    page.getByRole('button', { name: wordsIn(lang)('signing.page.download'), exact: true }),
  )
  return readFileSync((await download.path())!)
}

test(
  'three fields are placed, the paper is sent and signed with a finger on a phone',
  { tag: '@spine' },
  async ({ browser, context, baseURL }) => {
    const tour = await shop(baseURL!)
    const id = await uploaded(tour, sample)
    const { page, failures } = await openPage(context, tour, `/invoice/signtemplate/${id}`)
    for (const kind of ['name', 'date', 'signature'])
      await page
        .getByRole('button', { name: t(`signing.kind.${kind}`), exact: true })
        .first()
        .click()
    // By keys: each field goes where it is wanted.
    const placed = page.locator('.sg-page [id^="sg-f"]')
    await expect(placed).toHaveCount(3)
    const before = await placed.first().boundingBox()
    await placed.first().focus()
    for (let n = 0; n < 6; n++) await page.keyboard.press('ArrowUp')
    await expect.poll(async () => (await placed.first().boundingBox())!.y).toBeLessThan(before!.y)
    await page.getByRole('button', { name: t('signing.send.verb'), exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(t('signing.send.name'), { exact: true }).fill('דנה לוי')
    await dialog.getByText(t('signing.channel.person'), { exact: true }).click()
    await dialog.getByRole('button', { name: t('signing.send.verb'), exact: true }).click()
    await arrive(page, '**/invoice/signrequest/**')
    expect(failures).toEqual([])
    const path = await addressOf(tour, page.url().split('/').at(-1)!)
    const signs = await phone(browser, baseURL!, path)
    expect(await signs.evaluate(() => document.documentElement.dir)).toBe('rtl')
    // Nothing of the page lies beside the screen.
    expect(await signs.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    const form = signs.getByRole('form', { name: t('signing.page.form') })
    // The document has the screen until a field is opened.
    await expect(form).toHaveCount(0)
    await signs.getByRole('button', { name: t('signing.page.toField'), exact: true }).click()
    const pad = form.locator('canvas')
    while (!(await pad.isVisible()))
      await form.getByRole('button', { name: t('signing.page.next'), exact: true }).click()
    const box = (await pad.boundingBox())!
    await signs.mouse.move(box.x + 30, box.y + 60)
    await signs.mouse.down()
    for (const [x, y] of [
      [60, 20],
      [90, 70],
      [140, 30],
      [200, 60],
    ] as const)
      await signs.mouse.move(box.x + x, box.y + y, { steps: 4 })
    await signs.mouse.up()
    await form.getByRole('button', { name: t('signing.page.sign'), exact: true }).click()
    await expect(signs.getByText(t('signing.page.state.done'))).toBeVisible({ timeout: 30_000 * slowed })
    const { text, signature, clean } = readPdf(await saved(signs, 'he'))
    expect(text).toContain('דנה לוי')
    expect(signature).toContain('Signature is Valid')
    expect(clean).toBe(true)
    await signs.context().close()
  },
)

test('a paper is signed in Arabic by keys alone, and everything has a name for who cannot see it', async ({
  browser,
  baseURL,
}) => {
  const ar = wordsIn('ar')
  const tour = await shop(baseURL!)
  const id = await uploaded(tour, sample)
  await fields(tour, id, [
    field('name', 'name', 440, { label: 'الاسم' }),
    field('agree', 'tick', 470, { label: 'أوافق', w: 18, h: 18 }),
    field('sign', 'signature', 500, { label: 'التوقيع' }),
  ])
  const sent = await post(
    tour.base,
    `/api4/invoice/signTemplates/${id}/send`,
    { language: 'ar', signers: [{ role: 'r1', name: 'محمد خليل', channel: 'person', language: 'ar' }] },
    tour.session.UserKey,
  )
  const page = await phone(browser, baseURL!, await addressOf(tour, String(sent.id)))
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
  const keys = page.keyboard
  // Each field is a button with its name and what is missing in it; a page is read as text.
  for (const label of ['الاسم', 'أوافق', 'التوقيع'])
    await expect(page.getByRole('button', { name: new RegExp(label) }).first()).toBeVisible()
  expect((await page.getByRole('region', { name: /1/ }).first().innerText()).length).toBeGreaterThan(40)
  await expect(page.getByRole('progressbar', { name: ar('signing.page.progressLabel') })).toHaveAttribute(
    'aria-valuenow',
    '0',
  )
  const form = page.getByRole('form', { name: ar('signing.page.form') })
  await tabTo(page, page.getByRole('button', { name: ar('signing.page.toField'), exact: true }))
  await keys.press('Enter')
  await tabTo(page, form.getByRole('textbox', { name: 'الاسم' }))
  await keys.type('محمد خليل')
  await keys.press('Enter')
  await tabTo(page, form.getByRole('checkbox', { name: 'أوافق' }))
  await keys.press('Space')
  await tabTo(page, form.getByRole('button', { name: ar('signing.page.next'), exact: true }))
  await keys.press('Enter')
  await expect(form.getByRole('group', { name: 'التوقيع' })).toBeVisible()
  await tabTo(page, form.getByRole('radio').first())
  await keys.press('ArrowDown')
  await expect(form.getByRole('textbox')).toHaveValue('محمد خليل')
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '3')
  await tabTo(page, form.getByRole('button', { name: ar('signing.page.sign'), exact: true }))
  await keys.press('Enter')
  await expect(page.getByText(ar('signing.page.state.done'))).toBeVisible({ timeout: 30_000 * slowed })
  const { text, signature } = readPdf(await saved(page, 'ar'))
  expect(text).toContain('محمد')
  expect(signature).toContain('Signature is Valid')
  await page.context().close()
})

test('sixty pages: those that are near are drawn, the others wait, and nothing stands still while one goes through them', async ({
  browser,
  baseURL,
}) => {
  const tour = await shop(baseURL!)
  const long = join(tmpdir(), `sixty-${process.pid}.pdf`)
  execFileSync('qpdf', [
    '--empty',
    '--pages',
    ...Array.from({ length: 60 }, () => [sample, '1']).flat(),
    '--',
    long,
  ])
  const id = await uploaded(tour, long)
  await fields(tour, id, [field('sign', 'signature', 500, { page: 60 })])
  const sent = await post(
    tour.base,
    `/api4/invoice/signTemplates/${id}/send`,
    { signers: [{ role: 'r1', name: 'דנה', channel: 'person' }] },
    tour.session.UserKey,
  )
  const page = await phone(browser, baseURL!, await addressOf(tour, String(sent.id)))
  await expect(page.locator('.sg-page')).toHaveCount(60)
  await expect(page.locator('.sg-page img').first()).toBeVisible()
  const drawn = () => page.locator('.sg-page img').count()
  expect(await drawn()).toBeLessThan(10)
  await page.evaluate(() => {
    const seen = { longest: 0 }
    ;(window as unknown as { seen: typeof seen }).seen = seen
    new PerformanceObserver((list) => {
      for (const one of list.getEntries()) seen.longest = Math.max(seen.longest, one.duration)
    }).observe({ type: 'longtask' })
  })
  let most = 0
  for (let n = 0; n < 40; n++) {
    await page.mouse.wheel(0, 900)
    most = Math.max(most, await drawn())
  }
  await page.locator('.sg-page').last().scrollIntoViewIfNeeded()
  await expect(page.locator('.sg-page').last().locator('img')).toBeVisible()
  expect(most).toBeLessThan(12)
  expect(await drawn()).toBeLessThan(12)
  expect(
    await page.evaluate(() => (window as unknown as { seen: { longest: number } }).seen.longest),
  ).toBeLessThan(200 * slowed)
  await page.context().close()
})
