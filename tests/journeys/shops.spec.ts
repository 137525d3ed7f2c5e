import { expect, test } from '@playwright/test'
import { openEmpty, openPage, type Tour } from '../../tools/tour.ts'
import { over, saying, wordsIn } from './support.ts'
import { slowed } from './slowed.ts'

/**
 * A custom shop: a sample is pasted, its fields are found, an order is sent and has its document; a wrong one waits
 * and is skipped.
 */
const t = wordsIn('he')

const order = (id: number, more: Record<string, unknown> = {}) => ({
  id,
  order_number: String(id),
  status: 'paid',
  total: 236,
  currency: 'ILS',
  customer: { name: 'דנה לוי', email: 'dana@example.com' },
  items: [{ name: 'ספל', qty: 2, price: '118.00' }],
  ...more,
})

test('a shop is connected by a pasted sample and its orders become documents', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const { page, failures } = await openPage(context, tour, '/invoice/shops')
  await expect(page.getByText(t('shops.empty.title'))).toBeVisible()
  await page.getByRole('button', { name: t('shops.add') }).click()
  await over(page)
    .getByRole('radio', { name: t('shops.kinds.generic') })
    .click()
  await over(page).getByLabel(t('shops.fields.name')).fill('האתר שלי')
  await over(page)
    .getByRole('button', { name: t('shops.add') })
    .click()

  await expect(page.getByRole('heading', { name: 'האתר שלי' })).toBeVisible()
  const address = (await page.locator('pre').first().textContent())!.trim()
  await page.getByLabel(t('shops.fields.sample')).fill('{"id":1}')
  await page.getByRole('button', { name: t('shops.generic.try') }).click()
  await expect(page.getByText('total').first()).toBeVisible()
  await page.getByLabel(t('shops.fields.sample')).fill(JSON.stringify(order(1)))
  await page.getByRole('button', { name: t('shops.generic.try') }).click()
  await expect(page.locator('[data-outcome]')).toContainText('236.00')
  await page.getByRole('button', { name: t('shops.save') }).click()
  await expect(page.getByText(t('shops.saved'), { exact: true })).toBeVisible()

  const send = (body: unknown) =>
    fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  expect(await (await send(order(1))).json()).toEqual({ done: true, state: 'issued' })
  expect(await (await send(order(1))).json()).toEqual({ done: true, state: 'issued' })
  expect(await (await send(order(2, { total: 300 }))).json()).toEqual({ done: true, state: 'trouble' })

  await page.getByRole('tab', { name: t('shops.tabs.orders') }).click()
  await page.reload()
  const bad = page.getByRole('row', { name: '2' }).filter({ hasText: '300.00' })
  await bad.click()
  await expect(over(page).getByText(t('shops.remedy.sum'))).toBeVisible()
  await over(page)
    .getByRole('button', { name: t('shops.ignore') })
    .click()
  await over(page).getByLabel(t('shops.fields.note')).fill('הופק ידנית')
  await over(page)
    .getByRole('button', { name: t('shops.ignore') })
    .last()
    .click()
  await expect(page.getByText(t('shops.noTrouble.title'))).toBeVisible()
  // The question leaves first; the order it was asked about stays.
  await expect(over(page)).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(over(page)).toHaveCount(0)
  await page.getByRole('radio', { name: t('shops.order.all') }).click()
  await page.getByRole('row', { name: '1' }).filter({ hasText: '236.00' }).click()
  await over(page).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/invoice\/preview\//)
  expect(failures).toEqual([])
})

test('Shopify is connected by its consent, and copies go to a drive', async ({ context, baseURL }) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const { page, failures } = await openPage(context, tour, '/connectshopify')
  await page.getByLabel(t('shops.connect.address')).fill('my shop')
  await page.getByRole('button', { name: saying(t('shops.connect.verb'), 'Shopify') }).click()
  await expect(page.getByText(t('errors.shops.badAddress'))).toBeVisible()
  await page.getByLabel(t('shops.connect.address')).fill(`shop-${Date.now()}`)
  await page.getByRole('button', { name: saying(t('shops.connect.verb'), 'Shopify') }).click()
  await expect(page.getByRole('tab', { name: t('shops.tabs.settings'), selected: true })).toBeVisible()

  await page.goto(`${baseURL}/connectgoogledrive`)
  await page.getByRole('button', { name: t('drive.goGoogle') }).click()
  await expect(page.getByRole('row', { name: 'Google Drive' })).toContainText(t('drive.state.on'))
  await page.getByRole('row', { name: 'Google Drive' }).click()
  await expect(over(page).getByText(t('drive.noCopies.title'))).toBeVisible()
  expect(failures).toEqual([])
})

test('a translator finds a word, proposes another and takes it back', async ({ context, baseURL }) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const { page, failures } = await openPage(context, tour, '/translate?group=drive')
  await page.getByLabel(t('translations.search')).fill('drive.never')
  await page.getByRole('row', { name: 'drive.never' }).click()
  const english = over(page).getByLabel('English', { exact: true })
  await english.fill('Never {yet}')
  await over(page)
    .getByRole('button', { name: t('translations.propose') })
    .click()
  await expect(over(page).getByText(saying(t('errors.translations.holes'), '–'))).toBeVisible()
  await english.fill('Never yet')
  await over(page)
    .getByRole('button', { name: t('translations.propose') })
    .click()
  await over(page)
    .getByRole('button', { name: t('translations.withdraw') })
    .click()
  await expect(over(page).getByRole('button', { name: t('translations.withdraw') })).toBeHidden()

  // A word that a screen says as it opens is marked in a picture of that screen.
  await page.goto('/translate?group=drive')
  await page.getByLabel(t('translations.search')).fill('drive.goGoogle')
  await page.getByRole('row', { name: 'drive.goGoogle' }).click()
  await expect(over(page).getByText(t('translations.found.yes'))).toBeVisible({ timeout: 30_000 * slowed })
  const marked = over(page).frameLocator('iframe').locator('[style*="outline"]')
  await expect(marked).toContainText(t('drive.goGoogle'))
  if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}-translate.png` })
  expect(failures).toEqual([])
})
