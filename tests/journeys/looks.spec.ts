import { expect, test, type Page } from '@playwright/test'
import { dayInJerusalem } from '#domain/day.ts'
import { openEmpty, openPage, type Tour } from '../../tools/tour.ts'
import { takeCopy, wordsIn } from './support.ts'

/**
 * Where words of one language are longer than those of another: what a reader needs is not cut, and begins at the
 * reader's side.
 */
let tour: Tour
test.beforeAll(async () => {
  const { base, demo } = await takeCopy('looks')
  tour = { base, session: demo }
})

/** The texts of which a part is hidden by their box. */
const cutIn = (page: Page, boxes: string) =>
  page
    .locator(boxes)
    .evaluateAll((found) =>
      found
        .filter((box) => box.scrollWidth > box.clientWidth + 1)
        .map((box) => (box as HTMLElement).innerText),
    )

test('on a phone days and accounts are whole, and a name stands at the beginning of its card', async ({
  browser,
}) => {
  const headers = { 'content-type': 'application/json', 'x-access-token': tour.session.UserKey! }
  const proposed = await fetch(`${tour.base}/api4/invoice/masav/proposal/credits?until=2099-12-31`, {
    headers,
  })
  const { rows } = (await proposed.json()) as { rows: { supplierId: string }[] }
  const account = {
    bankCode: 12,
    bankBranch: '600',
    bankAccount: '123456789',
    bankAccountName: null,
    iban: null,
    again: '123456789',
  }
  for (const { supplierId } of rows) {
    const changed = await fetch(`${tour.base}/api4/invoice/suppliers/${supplierId}/bank`, {
      method: 'PUT',
      headers,
      body: JSON.stringify(account),
    })
    expect(changed.status).toBe(200)
  }
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' })
  for (const [path, lang] of [
    ['/invoice/masavrun', 'ru'],
    ['/invoice/vatreportlog', 'fr'],
  ] as const) {
    const { page } = await openPage(context, tour, path, { lang })
    await expect(page.locator('.k-cards .num').first()).toBeVisible()
    expect(await cutIn(page, '.k-cards .s:not(.end), .k-cards .s:not(.end) > *')).toEqual([])
    await page.close()
  }
  for (const lang of ['fr', 'ru'] as const) {
    const { page } = await openPage(context, tour, '/invoice/periods', { lang })
    await expect(page.locator('.k-cards .h').first()).toBeVisible()
    expect(await cutIn(page, '.k-cards .h')).toEqual([])
    await page.close()
  }
  const { page } = await openPage(context, tour, '/invoice/report856', { lang: 'he' })
  await expect(page.locator('.k-cards .h.cut').first()).toBeVisible()
  const ends = await page
    .locator('.k-cards .h.cut .cut')
    .evaluateAll((names) => names.map((name) => Math.round(name.getBoundingClientRect().right)))
  expect(new Set(ends).size).toBe(1)
  await context.close()
})

test('the cards of a phone have the totals, the parts of a comparison and the name of a count', async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' })
  const cards = (page: Page) => page.locator('.k-cards .k-pc')
  for (const lang of ['he', 'en', 'ar', 'ru', 'fr'] as const) {
    const t = wordsIn(lang)
    const { page } = await openPage(context, tour, '/invoice/report102', { lang })
    const total = cards(page).last()
    await expect(total.locator('.h').first()).toHaveText(t('kit.reports.total'))
    for (const column of ['grossAgorot', 'withheldAgorot', 'booksWithheldAgorot'])
      await expect(total).toContainText(t(`filings.reports.form102.columns.${column}`))
    await page.goto(`${tour.base}/invoice/reportpcnvat`)
    for (const column of ['returnAgorot', 'detailedAgorot'])
      await expect(cards(page).first()).toContainText(t(`vat.reports.pcnVat.columns.${column}`))
    expect(await cutIn(page, '.k-cards .s, .k-cards .s > *, .k-pc-sums, .k-pc-sums > *')).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await page.goto(`${tour.base}/invoice/cardtypes`)
    await expect(cards(page).first()).toContainText(t('cardKinds.fields.accountCount'))
    await page.goto(`${tour.base}/invoice/reportfilingdifferences`)
    await expect(page.getByText(t('filings.reports.filingDifferences.empty'))).toBeVisible()
    await page.close()
  }
  await context.close()
})

test('a sum nobody named is called the total, and what is empty asks for nothing that is not there', async ({
  browser,
}) => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  })
  const t = wordsIn('en')
  const { page } = await openPage(context, tour, '/invoice/depreciation', { lang: 'en' })
  await expect(page.locator('tfoot td').first()).toHaveText(t('kit.table.total'))
  await page.close()
  const fresh: Tour = { base: tour.base, session: await openEmpty(tour.base) }
  const { page: years } = await openPage(context, fresh, '/invoice/reportprofityears', { lang: 'en' })
  await expect(years.getByText(t('kit.reports.never'), { exact: true })).toBeVisible()
  await years.goto(`${tour.base}/invoice/vatgate`)
  await expect(years.getByText(/^No bills were entered for/)).toBeVisible()
  // What a check lacks is one step away.
  await years.goto(`${tour.base}/invoice/reportadvance`)
  await years
    .locator('.d-checks')
    .getByRole('link', { name: t('screens.businessDetails') })
    .click()
  await expect(years.getByRole('tab', { selected: true })).toHaveText(t('companies.tab.tax'))
  await context.close()
})

test('what a subtotal is of is read whole, and two lines of a cell keep off its edges', async ({
  browser,
}) => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  })
  for (const lang of ['he', 'en', 'ar', 'ru', 'fr']) {
    const { page } = await openPage(context, tour, '/invoice/report102', { lang })
    await expect(page.locator('tr[data-kind="sum"]').first()).toBeVisible()
    expect(await cutIn(page, '.k-tbl, .k-tbl td')).toEqual([])
    await page.close()
  }
  const { page } = await openPage(context, tour, '/invoice/vatreportlog', { lang: 'fr' })
  const pill = page.locator('td .k-st').first()
  await expect(pill).toBeVisible()
  const room = await pill.evaluate(
    (one) => one.getBoundingClientRect().top - one.closest('td')!.getBoundingClientRect().top,
  )
  expect(room).toBeGreaterThanOrEqual(4)
  await context.close()
})

test('the kind of a card is read whole where the name beside it has room', async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  })
  for (const lang of ['ru', 'fr', 'ar'] as const) {
    const { page } = await openPage(context, tour, '/invoice/cardskarteset', { lang })
    await expect(page.locator('tbody tr[data-row]').nth(20)).toBeVisible()
    expect(await cutIn(page, '.k-tbl td.trim, .k-tbl td.trim *')).toEqual([])
    await page.close()
  }
  await context.close()
})

test('in French a sign does not begin a line', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' })
  const { page } = await openPage(context, tour, '/invoice/codingrules', { lang: 'fr' })
  await expect(page.locator('main')).toContainText('mots\u00a0: type')
  await context.close()
})

test('on a phone a long state neither hides the name of its card nor cuts the day beside it', async ({
  browser,
}) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    reducedMotion: 'reduce',
  })
  const month = dayInJerusalem(new Date()).slice(0, 7)
  for (const lang of ['he', 'en', 'fr'] as const) {
    const { page } = await openPage(context, tour, `/invoice/vatgate?period=${month}`, { lang })
    const cards = page.locator('.k-cards .k-pc')
    await expect(cards.filter({ has: page.locator('.k-st + .k-st') }).first()).toBeVisible()
    expect(await cutIn(page, '.k-cards .s, .k-cards .s:not(.end) > *')).toEqual([])
    const names = await cards.locator('.h.cut').evaluateAll((all) => all.map((name) => name.clientWidth))
    expect(Math.min(...names)).toBeGreaterThan(100)
    await page.close()
  }
  await context.close()
})

test('on a phone the way back to all reports and to a lost password is as high as a finger', async ({
  browser,
}) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    reducedMotion: 'reduce',
  })
  for (const [path, links, guest] of [
    ['/invoice/maazanbohan', '.k-crumbs a', false],
    ['/login', '.a-line a', true],
  ] as const) {
    const { page } = await openPage(context, tour, path, { lang: 'he', guest })
    const link = page.locator(links).first()
    await expect(link).toBeVisible()
    const hit = await link.evaluate((one) => {
      const box = one.getBoundingClientRect()
      const x = (box.left + box.right) / 2
      const y = (box.top + box.bottom) / 2
      return [-21, 21].map((by) => one.contains(document.elementFromPoint(x, y + by)))
    })
    expect(hit).toEqual([true, true])
    await page.evaluate(() => localStorage.clear())
    await page.close()
  }
  await context.close()
})
