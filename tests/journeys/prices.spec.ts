import { expect, test, type Page } from '@playwright/test'
import { arrive, signUp, wordsIn } from './support.ts'

const t = wordsIn('he')

/** What a person made elsewhere. */
const make = (page: Page, path: string, body: unknown) =>
  page.evaluate(
    async ([url, json]) => {
      const user = JSON.parse(localStorage.getItem('user') ?? '{}') as { UserKey?: string }
      const answer = await fetch(url!, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-access-token': user.UserKey ?? '' },
        body: json!,
      })
      return (await answer.json()) as { id: string }
    },
    [path, JSON.stringify(body)],
  )

/** Chooses the first hit in a field that finds records. */
async function choose(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(text)
  await page.getByRole('option', { name: text }).first().click()
}

async function addPrice(page: Page, item: string, price: string, from?: string): Promise<void> {
  await page
    .getByRole('button', { name: t('priceListLines.new') })
    .first()
    .click()
  const sheet = page.getByRole('dialog')
  await choose(page, t('priceListLines.fields.itemId'), item)
  await sheet.locator('input[name="price"]').fill(price)
  if (from) await sheet.locator('input[name="fromQuantity"]').fill(from)
  await page.keyboard.press('Control+s')
  await sheet.waitFor({ state: 'hidden' })
}

test('a price list, its break and its customer; the editor takes the price and says where it is from', async ({
  page,
}) => {
  await signUp(page, 'he')
  const customer = await make(page, '/api4/invoice/customers', { name: 'מוסך הציר הירוק' })

  await page.goto('/invoice/items/new')
  await page.locator('input[name="name"]').fill('פח צבע 18 ליטר')
  await page.locator('input[name="sku"]').fill('PAINT-18')
  // A typing mistake is reported by the check digit, and prevents nothing.
  await page.locator('input[name="barcode"]').fill('7290000066319')
  await expect(page.getByText(t('items.wrongCheckDigit'))).toBeVisible()
  await page.locator('input[name="barcode"]').fill('7290000066318')
  await page.locator('input[name="price"]').fill('100')
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('פח צבע')

  await page.goto('/invoice/pricelist')
  await page
    .getByRole('button', { name: t('priceLists.new') })
    .first()
    .click()
  await page.getByRole('dialog').locator('input[name="name"]').fill('סיטונאי')
  await page.getByRole('radio', { name: t('priceLists.base.none') }).click()
  await page.keyboard.press('Control+s')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByRole('grid').getByRole('link', { name: 'סיטונאי' }).click()
  await addPrice(page, 'פח צבע', '90')
  await addPrice(page, 'פח צבע', '80', '10')
  await expect(page.getByText('80.00')).toBeVisible()

  await page.getByRole('tab', { name: t('priceLists.buyers.title') }).click()
  await choose(page, t('priceLists.buyers.add'), 'מוסך הציר')
  await expect(page.getByRole('link', { name: 'מוסך הציר הירוק' })).toBeVisible()

  await page.goto(`/invoice/InvoiceDocument?type=8&customer=${customer.id}`)
  const cell = (key: string, place = '1') =>
    page.locator('input').and(page.getByLabel(t(key).replace('{place}', place), { exact: true }))
  await cell('documents.editor.itemOf').fill('7290000066318')
  await page.getByRole('option', { name: 'פח צבע' }).waitFor()
  await page.keyboard.press('Enter')
  await expect(cell('documents.editor.quantityOf')).toBeFocused()
  await expect(cell('documents.editor.priceOf')).toHaveValue('90.00')
  await expect(page.locator('.doc-from')).toHaveText(/מחירון .*סיטונאי/)

  await page.keyboard.type('10')
  await expect(cell('documents.editor.priceOf')).toHaveValue('80.00')
  await expect(page.locator('.doc-from')).toContainText('10')

  // A price typed by hand stays, until it is reset.
  await cell('documents.editor.priceOf').fill('85')
  await cell('documents.editor.quantityOf').fill('3')
  await expect(cell('documents.editor.priceOf')).toHaveValue('85.00')
  await page.locator('.doc-from').click()
  await expect(cell('documents.editor.priceOf')).toHaveValue('90.00')
  await cell('documents.editor.quantityOf').fill('12')
  await expect(cell('documents.editor.priceOf')).toHaveValue('80.00')

  await page.keyboard.press('Control+Enter')
  await arrive(page, '**/invoice/preview/*')
  // 12 × 80 and VAT of 18%.
  await expect(page.getByText('1,132.80').first()).toBeVisible()
})
