import { expect, test } from '@playwright/test'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { wordsIn } from './support.ts'
import { slowed } from './slowed.ts'

const t = wordsIn('he')

test('opened without a network, a list stands as it was last seen; after the log-out nothing of it is left on the device', async ({
  browser,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  await post(
    tour.base,
    '/api4/invoice/customers',
    { name: 'נעמה ברק', phone: '0521234567' },
    tour.session.UserKey,
  )
  const context = await browser.newContext({ locale: 'he-IL', viewport: { width: 390, height: 844 } })
  const { page } = await openPage(context, tour, '/invoice/InvoiceCustomers')
  const name = page.getByText('נעמה ברק').first()
  await expect(name).toBeVisible()
  // The worker that opens pages without a network takes its place at the visit after the one that brought it.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.reload()
  await expect(name).toBeVisible()
  const kept = () =>
    page.evaluate(async () => {
      // Opened too early it would be made here, without its store.
      if (!(await indexedDB.databases()).some(({ name }) => name === 'pinkas-answers')) return []
      return new Promise<string[]>((done) => {
        const opening = indexedDB.open('pinkas-answers')
        opening.onsuccess = () => {
          const asked = opening.result.transaction('answers').objectStore('answers').getAllKeys()
          asked.onsuccess = () => (opening.result.close(), done(asked.result.map(String)))
        }
      })
    })
  await expect
    .poll(async () => (await kept()).some((key) => key.includes('customers.list')), {
      timeout: 30_000 * slowed,
    })
    .toBe(true)

  await context.setOffline(true)
  await page.reload()
  await expect(page.getByText(t('kit.offline.line'))).toBeVisible()
  await expect(name).toBeVisible()

  // Back again, what changed meanwhile is asked for.
  await post(tour.base, '/api4/invoice/customers', { name: 'אבי גולן' }, tour.session.UserKey)
  await context.setOffline(false)
  await expect(page.getByText('אבי גולן').first()).toBeVisible()

  await page.locator('.s-person').click()
  await page.getByRole('menuitem', { name: t('kit.shell.logOut') }).click()
  await page.waitForURL('**/logininvoice')
  await expect.poll(kept).toEqual([])
  await context.close()
})
