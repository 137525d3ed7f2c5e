import { expect, test, type Page } from '@playwright/test'
import { arrive, bytesOf, langs, readPdf, signUp, wordsIn, type Lang } from './support.ts'

/** Writes and issues an invoice to a customer who does not exist yet, with the keyboard alone. */
async function issueFirst(page: Page, lang: Lang): Promise<void> {
  const t = wordsIn(lang)
  let keys = 0
  const press = async (key: string) => {
    await page.keyboard.press(key)
    keys++
  }
  await press('n')
  await arrive(page, '**/invoice/InvoiceDocument*')
  await expect(page.getByRole('combobox').first()).toBeFocused()
  await page.keyboard.type('מוסך הציר הירוק')
  await page.getByRole('option').last().waitFor()
  await press('Enter')
  const sheet = page.getByRole('dialog')
  await sheet.waitFor()
  await press('Enter')
  await sheet.waitFor({ state: 'hidden' })
  const cell = (key: string) =>
    page.locator('input').and(page.getByLabel(t(key).replace('{place}', '1'), { exact: true }))
  // The sheet leaves the cursor where the work goes on.
  await expect(cell('documents.editor.itemOf')).toBeFocused()
  await page.keyboard.type('שעת עבודה 5×6')
  // Enter goes from cell to cell; a price may be a sum.
  await press('Enter')
  await expect(cell('documents.editor.quantityOf')).toBeFocused()
  await page.keyboard.type('2')
  await press('Enter')
  await page.keyboard.type('1000+250')
  await press('Enter')
  await press('Control+Enter')
  await arrive(page, '**/invoice/preview/*')
  // Beside the words and figures that are typed.
  expect(keys).toBeLessThanOrEqual(14)
}

for (const lang of langs) {
  const tag = lang === 'he' ? '@spine' : []
  test(`sign up and issue the first invoice by keyboard alone, in ${lang}`, { tag }, async ({ page }) => {
    const started = Date.now()
    await signUp(page, lang)
    await issueFirst(page, lang)
    const id = new URL(page.url()).pathname.split('/').at(-1)!
    await expect(page.getByRole('heading', { level: 1 })).toContainText('1')
    const original = readPdf(await bytesOf(page, `/api4/invoice/documents/${id}/pdf?variant=original`))
    expect(Date.now() - started).toBeLessThan(120_000)
    // The law's words are Hebrew on every paper.
    for (const word of ['חשבונית מס', 'מקור', 'ממוחשב', '2,500.00', '450.00', '2,950.00'])
      expect(original.text).toContain(word)
    expect(original.signature).toContain('Signature is Valid')
    expect(original.clean).toBe(true)
    const copy = readPdf(await bytesOf(page, `/api4/invoice/documents/${id}/pdf?variant=copy`))
    expect(copy.text).toContain('העתק')
    expect(copy.text).not.toContain('מקור')
  })
}
