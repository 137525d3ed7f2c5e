import { expect, test } from '@playwright/test'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { newTaxId, wordsIn } from './support.ts'

const t = wordsIn('he')

/**
 * Allocation numbers against the simulator of the tax authority: connecting, numbers that arrive automatically, a
 * refusal and what follows it.
 */
test('a business connects, its invoices get their numbers, and a refusal is settled', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey
  const customer = await post(
    baseURL!,
    '/api4/invoice/customers',
    { name: 'מוסך דרום', taxId: newTaxId(), isDealer: true },
    token,
  )
  const invoice = async (price: string) =>
    (
      await post(
        baseURL!,
        '/api4/invoice/documents',
        {
          type: 8,
          customerId: customer.id,
          lines: [{ description: 'עבודה', quantity: '1', unitPrice: price }],
        },
        token,
      )
    ).id!
  const granted = await invoice('8000')
  await invoice('10460')

  const { page, failures } = await openPage(context, tour, '/invoice/missingisraeltax')
  await expect(page.getByText(t('errors.allocation.notConnected'))).toBeVisible()
  await page.getByRole('link', { name: t('allocation.link.connect') }).click()
  // The stand-in asks nobody to log in: the browser goes out and comes back.
  await page.getByRole('button', { name: t('allocation.link.connect') }).click()
  await expect(page.getByText(t('allocation.link.isConnected'))).toBeVisible()
  await expect(page).toHaveURL(/\/israeltax$/)

  // The waiting one was requested automatically.
  await page.goto(`${tour.base}/invoice/preview/${granted}`)
  await expect(page.getByText(t('documents.page.allocation')).first()).toBeVisible()

  await page.goto(`${tour.base}/invoice/missingisraeltax?view=refused`)
  const row = page.getByRole('row').filter({ hasText: 'מוסך דרום' })
  await expect(row).toContainText(t('allocation.reason.460'))
  await row.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: t('allocation.decide') }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('radio')).toHaveCount(4)
  await dialog.getByText(t('allocation.choice.continue.title')).click()
  await dialog.getByRole('button', { name: t('allocation.go') }).click()
  await expect(page.getByText(t('allocation.choice.done.continue'))).toBeVisible()
  await expect(row).toHaveCount(0)
  await page
    .getByRole('tab', { name: t('allocation.view.decided') })
    .or(page.getByText(t('allocation.view.decided')))
    .first()
    .click()
  await expect(row).toContainText(t('allocation.choice.continue.title'))
  expect(failures).toEqual([])
})

test('a number is entered by hand', async ({ context, baseURL }) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey
  const customer = await post(
    baseURL!,
    '/api4/invoice/customers',
    { name: 'מוסך צפון', taxId: newTaxId(), isDealer: true },
    token,
  )
  await post(
    baseURL!,
    '/api4/invoice/documents',
    { type: 8, customerId: customer.id, lines: [{ description: 'עבודה', quantity: '1', unitPrice: '9000' }] },
    token,
  )
  const { page } = await openPage(context, tour, '/invoice/missingisraeltax')
  const row = page.getByRole('row').filter({ hasText: 'מוסך צפון' })
  await row.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: t('allocation.enter') }).click()
  const field = page.getByRole('dialog').getByLabel(t('allocation.number'))
  await field.fill('12')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('allocation.save') })
    .click()
  await expect(page.getByText(t('errors.allocation.digits'))).toBeVisible()
  await field.fill('123456789')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('allocation.save') })
    .click()
  await expect(page.getByText(t('allocation.missing.empty'))).toBeVisible()
})
