import { expect, test, type Page } from '@playwright/test'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { over, wordsIn, savedBy } from './support.ts'

/**
 * A report is made one's own: gathered, compared, with columns and words of one's choice; kept, had as a
 * file, and given to somebody outside.
 */
const t = wordsIn('he')
const take = (page: Page, name: string) => page.getByRole('menu').getByText(name, { exact: true }).click()

test('a report is gathered, compared, kept as a view, had as a file and shared behind a password', async ({
  context,
  browser,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const make = (path: string, body: unknown) => post(tour.base, path, body, tour.session.UserKey)
  const sell = async (name: string, unitPrice: string) => {
    const { id } = await make('/api4/invoice/customers', { name })
    await make('/api4/invoice/documents', {
      type: 8,
      customerId: id,
      lines: [{ description: 'עבודה', quantity: '1', unitPrice }],
    })
  }
  await sell('מאפייה', '300')
  await sell('סטודיו', '900')
  const { page, failures } = await openPage(context, tour, '/invoice/reportpercustomer')
  const rows = page.locator('tbody tr')
  const title = t('salesReports.reports.perCustomer.title')
  await expect(rows).toHaveCount(2)

  // By a head: the smallest first, then the largest; the address says it.
  await page.getByRole('button', { name: t('salesReports.reports.perCustomer.columns.netAgorot') }).click()
  await expect(rows.first()).toContainText('סטודיו')
  await page.getByRole('button', { name: t('salesReports.reports.perCustomer.columns.netAgorot') }).click()
  await expect(rows.first()).toContainText('מאפייה')
  await expect(page).toHaveURL(/order=netAgorot/)

  // Beside the same of last year.
  await page.getByRole('button', { name: t('kit.reports.view'), exact: true }).click()
  await take(page, t('kit.reports.vs.previousYear'))
  await expect(page.locator('thead')).toContainText(String(new Date().getFullYear() - 1))

  // A column less, by the list of columns.
  await page.getByRole('button', { name: t('kit.table.columns'), exact: true }).click()
  await page
    .getByRole('checkbox', { name: t('salesReports.reports.perCustomer.columns.count'), exact: true })
    .uncheck()
  await page.keyboard.press('Escape')
  await expect(page.locator('thead')).not.toContainText(t('salesReports.reports.perCustomer.columns.count'))

  // A picture of it, and words that leave one row.
  await page.getByRole('button', { name: t('kit.reports.chart'), exact: true }).click()
  await expect(page.locator('.d-bars li')).toHaveCount(2)
  await page.getByPlaceholder(t('kit.reports.find')).fill('סטוד')
  await expect(rows).toHaveCount(1)

  // Kept under a name, left and found again.
  await page.getByRole('button', { name: t('kit.filters.save'), exact: true }).click()
  await over(page).getByRole('textbox').fill('הסטודיו')
  await over(page)
    .getByRole('button', { name: t('kit.filters.save') })
    .click()
  await page.getByRole('tab', { name: t('kit.reports.whole') }).click()
  await expect(rows).toHaveCount(2)
  await page.getByRole('tab', { name: 'הסטודיו' }).click()
  await expect(rows).toHaveCount(1)

  // The file holds what the screen shows.
  const download = await savedBy(
    page,
    page.getByRole('button', { name: t('kit.lists.export'), exact: true }),
    async (button) => {
      await button.click()
      await take(page, t('kit.lists.csv'))
    },
  )
  expect(download.suggestedFilename()).toContain('perCustomer')

  // Given away, and opened by somebody who has nothing but the link and the password.
  await page.getByRole('button', { name: t('kit.actions.more'), exact: true }).click()
  await take(page, t('reportShares.share'))
  await over(page).getByLabel(t('reportShares.fields.password'), { exact: true }).fill('ארבע מילים ארוכות')
  await over(page)
    .getByRole('button', { name: t('reportShares.give') })
    .click()
  const link = new URL((await page.locator('.rs-link').innerText()).trim())
  expect(failures).toEqual([])
  const guest = await (await browser.newContext({ locale: 'he-IL' })).newPage()
  await guest.goto(`${baseURL}${link.pathname}`)
  await guest.getByLabel(t('reportShares.fields.name'), { exact: true }).fill('דנה לוי')
  await guest.getByLabel(t('reportShares.fields.password'), { exact: true }).fill('לא זו')
  await guest.getByRole('button', { name: t('reportShares.open') }).click()
  await expect(guest.getByText(t('errors.reportShares.wrongPassword'))).toBeVisible()
  await guest.getByLabel(t('reportShares.fields.password'), { exact: true }).fill('ארבע מילים ארוכות')
  await guest.getByRole('button', { name: t('reportShares.open') }).click()
  await expect(guest.getByRole('heading', { name: title })).toBeVisible()
  await expect(guest.locator('tbody tr')).toHaveCount(1)
  await expect(guest.locator('tbody')).toContainText('סטודיו')
  await expect(guest.getByRole('link', { name: 'סטודיו' })).toHaveCount(0)
  await guest.context().close()
})
