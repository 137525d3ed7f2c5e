import { expect, test, type Page } from '@playwright/test'
import { post } from '../../tools/tour.ts'
import { arrive, newTaxId, signUp, tokenOf, wordsIn } from './support.ts'

const t = wordsIn('he')
const vat = /מע״מ|ניכוי מס תשומות/

const send = async (page: Page, path: string, data: object): Promise<{ id: string }> =>
  (await post(new URL(page.url()).origin, path, data, await tokenOf(page))) as { id: string }

test('an exempt dealer reads nothing of VAT or of credit, and sees the ceiling from the first receipt', async ({
  page,
}) => {
  test.slow()
  await signUp(page, 'he')
  const changed = await page.request.patch('/api4/invoice/company', {
    headers: { 'x-access-token': await tokenOf(page) },
    data: { kind: 'exemptDealer' },
  })
  expect(changed.ok(), await changed.text()).toBe(true)
  const { id: customerId } = await send(page, '/api4/invoice/customers', { name: 'רונית' })
  const { id } = await send(page, '/api4/invoice/documents', {
    type: 6,
    customerId,
    lines: [{ description: 'מניקור', unitPrice: '150' }],
    payments: [{ means: 1, amountAgorot: 15_000 }],
  })

  await page.goto('/invoice/main')
  const home = page.locator('main')
  await expect(home.locator('.home-ceiling')).toContainText('150')
  await expect(home).not.toContainText(vat)

  // The receipt is income: nothing of it is the customer's credit.
  await page.goto(`/invoice/preview/${id}`)
  const receipt = page.locator('main')
  await expect(receipt.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(receipt.getByText('150.00').first()).toBeVisible()
  for (const key of ['documents.fields.onAccount', 'documents.closes.onAccount'])
    await expect(receipt.getByText(t(key))).toHaveCount(0)
  await page.goto('/invoice/documents/6')
  await expect(page.getByRole('row').filter({ hasText: 'רונית' })).toBeVisible()
  await expect(page.getByText(t('documents.fields.onAccount'))).toHaveCount(0)
  await expect(page.getByText(t('documents.views.onAccount'))).toHaveCount(0)

  // Neither the editor nor the form of a new customer speaks of VAT, and what is left over is income.
  await page.goto('/invoice/InvoiceDocument?type=6')
  await page.locator('.doc-editor .doc-bar').waitFor()
  await page.getByRole('combobox').first().fill('דנה כהן')
  await page
    .getByRole('option', { name: /דנה כהן/ })
    .last()
    .click()
  const sheet = page.getByRole('dialog')
  await sheet.waitFor()
  await expect(sheet).not.toContainText(vat)
  await sheet.getByRole('button', { name: t('documents.editor.addCustomer'), exact: true }).click()
  await sheet.waitFor({ state: 'hidden' })
  await page
    .getByRole('button', { name: t('documents.means.cash'), exact: true })
    .first()
    .click()
  await page.locator('.doc-payment input[name="amountAgorot"]').first().fill('90')
  const editor = page.locator('.doc-editor')
  await expect(editor.getByText(t('documents.closes.noneIncome'))).toBeVisible()
  await expect(editor).not.toContainText(vat)
  await expect(editor.getByText(t('documents.closes.onAccount'))).toHaveCount(0)
})

test('before an invoice above the threshold is issued, a business that is not connected is offered to connect', async ({
  page,
}) => {
  await signUp(page, 'he')
  const { id: customerId } = await send(page, '/api4/invoice/customers', {
    name: 'מוסך דרום',
    taxId: newTaxId(),
    isDealer: true,
  })
  const { id } = await send(page, '/api4/invoice/documents', {
    type: 8,
    draft: true,
    customerId,
    lines: [{ description: 'שיפוץ', unitPrice: '40000' }],
  })
  await page.goto(`/invoice/InvoiceDocument/${id}`)
  await expect(page.getByText(t('documents.editor.allocation.title'))).toBeVisible()
  await expect(page.getByText(t('errors.allocation.notConnected'))).toBeVisible()
  await page.getByRole('link', { name: t('allocation.link.connect') }).click()
  await arrive(page, '**/israeltax')
  await expect(page.getByRole('button', { name: t('allocation.link.connect') })).toBeVisible()
})

test('after an upgrade changed defaults are announced once, in the language of the person', async ({
  page,
}) => {
  await signUp(page, 'he')
  const seen = await page.request.put('/api4/invoice/help/seen', {
    headers: { 'x-access-token': await tokenOf(page) },
    data: { version: '0.1.0' },
  })
  expect(seen.ok(), await seen.text()).toBe(true)
  const told = page.waitForResponse((answer) => answer.url().endsWith('/help/told') && answer.ok())
  await page.goto('/invoice/main')
  const link = page.getByRole('link', { name: t('help.changedSee') })
  await expect(link).toBeVisible()
  await told
  await link.click()
  await arrive(page, '**/invoice/releasenotes*')
  const changes = page.locator('#changed')
  await expect(changes.getByRole('heading', { name: t('help.changedTitle') })).toBeVisible()
  await expect(changes.locator('[lang="he"] li').first()).toHaveText(/[א-ת]/)
  await expect(changes.locator('[lang="en"]')).toHaveCount(0)

  // Once.
  const asked = page.waitForResponse((answer) => answer.url().endsWith('/help/news') && answer.ok())
  await page.goto('/invoice/customers')
  expect(await (await asked).json()).toMatchObject({ changed: null })
  await expect(page.getByRole('link', { name: t('help.changedSee') })).toHaveCount(0)
})
