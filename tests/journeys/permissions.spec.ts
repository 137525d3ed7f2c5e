import { expect, test, type Page } from '@playwright/test'
import { watchNetwork } from '../../tools/tour.ts'
import { arrive, chosen, linkTo, newEmail, signUp, tokenOf, verifyAccount, wordsIn } from './support.ts'

/**
 * An owner creates a set of rights and invites a person, who has a menu by these rights and nothing beside it.
 */
const t = wordsIn('he')

const tick = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })

test('a set is made, a worker is invited by mail, and sees his own and no sums', async ({
  page,
  browser,
  baseURL,
}) => {
  await signUp(page, 'he')
  const token = await tokenOf(page)
  await verifyAccount(baseURL!, token)
  const send = async (path: string, body: unknown) =>
    (await (
      await fetch(baseURL + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-access-token': token },
        body: JSON.stringify(body),
      })
    ).json()) as { id: string }
  const customer = await send('/api4/invoice/customers', { name: 'כהן ובניו' })
  const invoice = await send('/api4/invoice/documents', {
    type: 8,
    customerId: customer.id,
    lines: [{ description: 'עבודה', unitPrice: '12345.67' }],
  })

  await page.goto('/invoice/permissions')
  await page.getByRole('button', { name: t('team.actions.newSet'), exact: true }).click()
  await page.getByLabel(t('team.sets.name'), { exact: true }).fill('דלפק בלי סכומים')
  for (const rule of ['customers.see', 'customers.change', 'documents.see', 'documents.draft'])
    await tick(page, t(`team.rules.${rule}`)).check()
  await tick(page, t('team.rights.hideTotalPrices')).check()
  await page.getByRole('button', { name: t('team.actions.save'), exact: true }).click()
  await expect(page.locator('.tm-set[aria-current="true"]')).toContainText('דלפק בלי סכומים')

  const email = newEmail()
  await page.goto('/invoice/editworker')
  await page.locator('input[name="fullName"]').fill('דנה לוי')
  await page.locator('input[name="email"]').fill(email)
  await page.getByRole('combobox', { name: t('team.rights.set') }).click()
  await page.getByRole('option', { name: /דלפק בלי סכומים/ }).click()
  await page.getByRole('button', { name: t('team.actions.invite'), exact: true }).click()
  await arrive(page, '**/invoice/workers')
  await expect(page.getByRole('row', { name: /דנה לוי/ }).getByText(t('workers.state.invited'))).toBeVisible()

  const hers = await browser.newContext()
  const dana = await hers.newPage()
  await chosen(dana, 'he')
  await dana.goto(await linkTo(email, /\/invitation\?lang=\w\w#[\w-]{43}/))
  await expect(dana.getByRole('heading', { level: 1 })).toContainText('זרם טוב')
  expect(dana.url()).not.toContain('#')
  await dana.locator('input[name="password"]').fill('a long enough password')
  await dana.getByRole('button', { name: t('team.accept.do'), exact: true }).click()
  await arrive(dana, '**/worker/main')
  await expect(dana.getByRole('heading', { name: t('screens.mainWorker') })).toBeVisible()

  // The menu has what is hers, and the refused screen is behind the rest.
  const menu = dana.locator('nav').first()
  await expect(dana.getByRole('link', { name: t('customers.title'), exact: true }).first()).toBeVisible()
  await expect(menu.getByText(t('screens.workers'), { exact: true })).toHaveCount(0)
  for (const path of [
    '/invoice/workers',
    '/invoice/permissions',
    '/invoice/reportincome',
    '/invoice/InvoiceEditCompany',
  ]) {
    await dana.goto(path)
    await expect(dana.getByText(t('kit.shut.rule.title'), { exact: true })).toBeVisible()
  }

  // No amounts: not in the list, not on the document, not on the home page.
  for (const path of [
    '/invoice/documents',
    `/invoice/preview/${invoice.id}`,
    '/invoice/InvoiceCustomers',
    '/invoice/main',
    '/worker/main',
  ]) {
    const quiet = watchNetwork(dana)
    await dana.goto(path)
    await quiet(500)
    await expect(dana.locator('#content')).not.toContainText(/12,?345|14,?567/)
  }
  await dana.goto('/invoice/documents')
  await expect(dana.getByText('כהן ובניו').first()).toBeVisible()

  // The owner removes a right while her page is open: her menu follows with her next action, or earlier when a
  // notification arrives: then names of customers are gone from her list, too.
  await page.reload()
  await page
    .getByRole('row', { name: /דנה לוי/ })
    .getByText('דנה לוי')
    .click()
  await page.getByRole('tab', { name: t('team.tabs.rights') }).click()
  await page.getByRole('link', { name: t('team.rights.openSet') }).click()
  await tick(page, t('team.rules.customers.see')).uncheck()
  await tick(page, t('team.rules.customers.change')).uncheck()
  await page.getByRole('button', { name: t('team.actions.save'), exact: true }).click()
  await expect(page.getByText(t('team.done.saved'))).toBeVisible()
  await dana.locator('tbody tr').first().click()
  await arrive(dana, '**/preview/**')
  await expect(dana.getByRole('link', { name: t('customers.title'), exact: true })).toHaveCount(0)

  // Blocked: she is out with her next step, and her log-in no longer opens.
  await page.goto('/invoice/workers')
  await page
    .getByRole('row', { name: /דנה לוי/ })
    .getByText('דנה לוי')
    .click()
  await page
    .getByRole('button', { name: t('kit.actions.more') })
    .last()
    .click()
  await page.getByRole('menuitem', { name: t('team.actions.block') }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('team.actions.block'), exact: true })
    .click()
  await expect(page.getByText(t('workers.state.blocked'))).toBeVisible()
  await dana.goto('/invoice/documents')
  await arrive(dana, '**/login**')
  await dana.locator('input[name="email"]').fill(email)
  await dana.locator('input[name="password"]').fill('a long enough password')
  await dana.keyboard.press('Enter')
  await expect(dana.getByText(t('errors.session.wrongPassword'))).toBeVisible()
  await hers.close()
})
