import { expect, test, type Page } from '@playwright/test'
import { arrive, newTaxId, signUp, wordsIn } from './support.ts'

const t = wordsIn('he')
/** Inserted values are isolated, so that they never change the direction of the sentence. */
const filled = (key: string, values: Record<string, string>) =>
  Object.entries(values).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, `\u2068${value}\u2069`),
    t(key),
  )

/** The name in the frame, behind which the other businesses are. */
const switchOf = (page: Page, name: string) =>
  page.getByRole('button', { name: filled('companies.switch.of', { name }) })

async function addBusiness(page: Page, name: string): Promise<void> {
  await page.goto('/invoice/InvoiceCompanies')
  await page.getByRole('button', { name: t('companies.add.title') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('companies.fields.name')).fill(name)
  await dialog.getByRole('radio', { name: t('companies.kind.company') }).click()
  await dialog.getByLabel(t('companies.fields.taxId')).fill(newTaxId())
  await dialog.getByRole('button', { name: t('companies.add.do') }).click()
  await arrive(page, '**/invoice/main')
  await expect(switchOf(page, name)).toBeVisible()
}

async function switchBy(page: Page, from: string, to: string): Promise<void> {
  await switchOf(page, from).click()
  await page.getByRole('dialog').getByRole('button', { name: to }).click()
  await expect(switchOf(page, to)).toBeVisible()
}

test('a second business: switching keeps the place, and an old tab cannot write into the wrong one', async ({
  page,
  context,
}) => {
  await signUp(page, 'he')
  await addBusiness(page, 'חנות הצמחים')

  // The same screen, empty of what the other business has.
  await page.goto('/invoice/InvoiceEditCustomers')
  await page.getByLabel(t('customers.fields.name'), { exact: true }).first().fill('לקוח של החנות')
  await page.keyboard.press('Control+s')
  await arrive(page, (url) => !url.pathname.endsWith('InvoiceEditCustomers'))
  await page.goto('/invoice/InvoiceCustomers')
  await expect(page.getByText('לקוח של החנות')).toBeVisible()
  await switchBy(page, 'חנות הצמחים', 'זרם טוב')
  expect(new URL(page.url()).pathname).toBe('/invoice/InvoiceCustomers')
  await expect(page.getByText(t('customers.empty.title'))).toBeVisible()
  await expect(page.getByText('לקוח של החנות')).toHaveCount(0)

  // By the palette, from a form: what is typed is not lost without asking.
  const old = await context.newPage()
  await old.goto('/invoice/InvoiceEditCustomers')
  await old.getByLabel(t('customers.fields.name'), { exact: true }).first().fill('לקוח של זרם')
  await switchBy(page, 'זרם טוב', 'חנות הצמחים')

  await expect(old.getByText(filled('kit.elsewhere.move', { there: 'חנות הצמחים' }))).toBeVisible()
  await old.bringToFront()
  await old.keyboard.press('Control+s')
  await expect(old.getByText(t('errors.kit.otherCompany')).first()).toBeVisible()
  await page.reload()
  await expect(page.getByText('לקוח של החנות')).toBeVisible()
  await expect(page.getByText('לקוח של זרם')).toHaveCount(0)

  // Back to the business of the old tab: what was typed is still there and is kept now.
  await old.getByRole('button', { name: filled('kit.elsewhere.back', { here: 'זרם טוב' }) }).click()
  await expect(old.getByText(filled('kit.elsewhere.move', { there: 'חנות הצמחים' }))).toHaveCount(0)
  await old.getByLabel(t('customers.fields.name'), { exact: true }).first().focus()
  await old.keyboard.press('Control+s')
  await arrive(old, (url) => !url.pathname.endsWith('InvoiceEditCustomers'))
  await expect(page.getByText(filled('kit.elsewhere.move', { there: 'זרם טוב' }))).toBeVisible()
  await page.getByRole('button', { name: filled('kit.elsewhere.move', { there: 'זרם טוב' }) }).click()
  await expect(page.getByText('לקוח של זרם').first()).toBeVisible()
})

test('a module is added; a key is made and a program calls with it', async ({ page, request }) => {
  await signUp(page, 'he')
  await page.goto('/invoice/modules')
  await page.getByRole('button', { name: t('modules.add') }).click()
  await expect(page.getByText(t('modules.on'), { exact: true })).toBeVisible()

  await page.goto('/invoice/apikeys')
  const newKey = async (name: string, may: string) => {
    await page
      .getByRole('button', { name: t('apiKeys.make') })
      .first()
      .click()
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel(t('apiKeys.fields.name'), { exact: true }).fill(name)
    await sheet.getByRole('radio', { name: t(`apiKeys.may.${may}`) }).click()
    await sheet.getByRole('button', { name: t('apiKeys.create') }).click()
    const secret = (await sheet.locator('[data-secret]').textContent()) ?? ''
    expect(secret).toMatch(/^pk_live_/)
    await sheet.getByRole('button', { name: t('apiKeys.kept') }).click()
    return secret
  }
  const call = (secret: string, data?: object) =>
    request.fetch('/api4/invoice/customers', {
      method: data ? 'POST' : 'GET',
      headers: { 'x-access-token': secret },
      ...(data ? { data } : {}),
    })
  const writer = await newKey('חנות', 'all')
  const reader = await newKey('דוחות', 'read')
  expect((await call(writer, { name: 'מן החנות' })).status()).toBe(201)
  expect((await call(reader, { name: 'אסור' })).status()).toBe(403)
  const list = await call(reader)
  expect(((await list.json()) as { rows: { name: string }[] }).rows.map(({ name }) => name)).toEqual([
    'מן החנות',
  ])
  expect(list.headers()['ratelimit-limit']).toBe('120')

  await page.reload()
  await expect(page.getByText(reader.slice(0, 12)).first()).toBeVisible()
  await expect(page.getByText(reader)).toHaveCount(0)
  await page
    .getByRole('button', { name: new RegExp('דוחות') })
    .last()
    .click()
  await page.getByRole('menuitem', { name: t('apiKeys.revoke') }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('apiKeys.revoke') })
    .click()
  await expect(page.getByText(t('apiKeys.state.revoked'))).toBeVisible()
  expect((await call(reader)).status()).toBe(401)
})
