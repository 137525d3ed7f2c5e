import { expect, test } from '@playwright/test'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { arrive, wordsIn } from './support.ts'

/** A customer's own page on a phone: two documents are paid at once, and a quote is accepted. */
const t = wordsIn('he')

test('a customer pays two invoices at once on a phone, and accepts a quote', async ({
  context,
  browser,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const make = (path: string, body: unknown) =>
    post(tour.base, path, body, tour.session.UserKey) as unknown as Promise<{ id: string; url: string }>
  await make('/api4/invoice/terminals', { gateway: 'test' })
  const { id: customerId } = await make('/api4/invoice/customers', { name: 'רות כהן' })
  const document = (type: number, unitPrice: string) =>
    make('/api4/invoice/documents', {
      type,
      customerId,
      lines: [{ description: 'עבודה', quantity: '1', unitPrice }],
    })
  await document(8, '100')
  await document(8, '200')
  const quote = await document(1, '500')
  const { url } = await make(`/api4/invoice/customers/${customerId}/page`, {})

  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: 'he-IL',
    baseURL: baseURL!,
  })
  const payer = await phone.newPage()
  await payer.goto(new URL(url).pathname)
  const ticks = payer.getByRole('checkbox')
  await expect(ticks).toHaveCount(2)
  // What is due next is ticked at first.
  await expect(ticks.first()).toBeChecked()
  await expect(ticks.last()).not.toBeChecked()
  await payer.getByRole('button', { name: t('customerPages.chooseAll') }).click()
  await expect(ticks.last()).toBeChecked()
  await expect(payer.locator('.pl-paybar')).toContainText('354')
  // No prices of ours are on a page of the business.
  await expect(payer.getByRole('link', { name: t('screens.pricing') })).toHaveCount(0)

  await payer.getByRole('button', { name: t('customerPages.accept') }).click()
  await payer
    .getByRole('alertdialog')
    .getByRole('button', { name: t('customerPages.accept') })
    .click()
  await expect(payer.getByText(t('customerPages.answered.accepted'))).toBeVisible()

  await payer.locator('.pl-paybar').getByRole('button').click()
  await arrive(payer, '**/testcard/**')
  await payer.getByRole('button', { name: '4242 4242 4242 4242' }).click()
  await payer.getByRole('button', { name: t('paymentLinks.test.pay'), exact: true }).click()
  await arrive(payer, '**/historydoc/**')
  await expect(payer.getByText(t('paymentLinks.pay.done'))).toBeVisible()
  await expect(payer.getByText(t('customerPages.even'))).toBeVisible()
  await expect(ticks).toHaveCount(0)
  await phone.close()

  const { page, failures } = await openPage(context, tour, `/invoice/preview/${quote.id}`)
  await expect(page.getByText(t('customerPages.said.accepted')).first()).toBeVisible()
  expect(failures).toEqual([])
})

test('an empty list shows its first step and nothing else', async ({ context, baseURL }) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  for (const path of [
    '/invoice/documents',
    '/invoice/InvoiceCustomers',
    '/invoice/suppliers',
    '/invoice/Expenses',
    '/invoice/paymentkeys',
  ]) {
    const { page, failures } = await openPage(context, tour, path)
    const empty = page.locator('.k-empty[data-bare]')
    await expect(empty, path).toHaveCount(1)
    expect(await empty.locator('.acts > *').count(), path).toBeLessThanOrEqual(1)
    await expect(page.locator('main .k-search'), path).toBeHidden()
    await expect(page.locator('main .d-tools'), path).toBeHidden()
    await expect(page.locator('main .k-views'), path).toBeHidden()
    expect(failures).toEqual([])
    await page.close()
  }
})
