import { expect, test } from '@playwright/test'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { arrive, choose, wordsIn } from './support.ts'

const t = wordsIn('he')

test('an order is set up, fails, the customer gives a card on his own page, and is charged', async ({ context, baseURL, browser }) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey!
  await post(tour.base, '/api4/invoice/terminals', { gateway: 'test' }, token)
  await post(tour.base, '/api4/invoice/customers', { name: 'נעמה ברק', email: 'naama@example.com' }, token)

  // Set up: the next charges stand beside the form before anything is kept.
  const { page, failures } = await openPage(context, tour, '/invoice/retainers/new')
  await choose(page, 'customerId', 'נעמה ברק')
  await page.getByRole('textbox', { name: t('standingOrders.fields.description') }).fill('מנוי פילאטיס {חודש} {שנה}')
  await page.getByRole('textbox', { name: t('standingOrders.fields.unitPrice') }).fill('350')
  await page.getByRole('radio', { name: t('standingOrders.means.card') }).click()
  await expect(page.locator('.so-sticky').getByRole('listitem')).toHaveCount(12)
  await page.getByRole('button', { name: t('kit.forms.save') }).click()
  await arrive(page, /\/invoice\/retainers\/[0-9a-f-]{36}$/)

  // Charged by hand, there is no card: it failed, and says so.
  await page.getByRole('button', { name: t('kit.actions.more') }).click()
  await page.getByRole('menuitem', { name: t('standingOrders.deeds.chargeNow') }).click()
  await expect(page.getByText(t('standingOrders.state.failing')).first()).toBeVisible()
  await expect(page.getByText(t('standingOrders.step.failed')).first()).toBeVisible()

  // The customer, on a page of his own.
  const id = page.url().split('/').at(-1)!
  const { pageUrl } = (await (
    await fetch(`${tour.base}/api4/invoice/standingorders/${id}`, { headers: { 'x-access-token': token } })
  ).json()) as { pageUrl: string }
  const guest = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'he-IL' })
  const payer = await guest.newPage()
  await payer.goto(new URL(new URL(pageUrl).pathname, baseURL).href)
  await expect(payer.getByRole('heading', { name: 'מנוי פילאטיס' })).toBeVisible()
  await payer.getByRole('button', { name: t('standingOrders.page.addCard') }).click()
  await arrive(payer, '**/testcard/**')
  await payer.getByRole('button', { name: '4242 4242 4242 4242' }).click()
  await payer.getByRole('button', { name: t('paymentLinks.test.pay'), exact: true }).click()
  await arrive(payer, '**/retainer/**')
  await expect(payer.getByText('4242')).toBeVisible({ timeout: 20_000 })
  await guest.close()

  // What failed was charged by the new card, and has its paper.
  await expect(async () => {
    await page.reload()
    await expect(page.getByText(t('standingOrders.state.active')).first()).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 30_000 })
  await expect(page.getByText(t('standingOrders.period.done')).first()).toBeVisible()
  expect(failures).toEqual([])
})
