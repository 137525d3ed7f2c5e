import { expect, test, type Locator } from '@playwright/test'
import { arrive, signUp, tokenOf, wordsIn } from './support.ts'

const t = wordsIn('he')

test('an exempt dealer issues a receipt on a phone and sends it by WhatsApp in at most nine taps', async ({
  browser,
}) => {
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
  })
  await phone.route(/wa\.me/, (route) => route.fulfill({ body: 'WhatsApp' }))
  const page = await phone.newPage()
  await signUp(page, 'he')
  const changed = await page.request.patch('/api4/invoice/company', {
    headers: { 'x-access-token': await tokenOf(page) },
    data: { kind: 'exemptDealer' },
  })
  expect(changed.ok(), await changed.text()).toBe(true)
  await page.goto('/invoice/main')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  let taps = 0
  const tap = async (target: Locator) => {
    await target.tap()
    taps++
  }
  // From home to a receipt.
  await tap(
    page
      .getByRole('link', { name: t('documents.newType.receipt') })
      .or(page.getByRole('button', { name: t('documents.newType.receipt') }))
      .first(),
  )
  await arrive(page, '**/invoice/InvoiceDocument*')
  await page.locator('.doc-editor .doc-bar').waitFor()
  // Typing is no tap; the customer's field has the cursor.
  await page.getByRole('combobox').first().fill('דנה כהן')
  await tap(page.getByRole('option', { name: /דנה כהן/ }).last())
  const sheet = page.getByRole('dialog')
  await sheet.waitFor()
  const mobile = sheet.locator('input[name="mobile"]')
  await tap(mobile)
  await mobile.fill('052-7654321')
  await tap(sheet.getByRole('button', { name: t('documents.editor.addCustomer'), exact: true }))
  await sheet.waitFor({ state: 'hidden' })
  await tap(page.getByRole('button', { name: t('documents.means.cash'), exact: true }).first())
  await page.locator('.doc-payment input[name="amountAgorot"]').first().fill('150')
  await tap(page.getByRole('button', { name: t('documents.editor.issue'), exact: true }))
  await arrive(page, '**/invoice/preview/**')
  // Two taps from issued to sent: the sheet opens on WhatsApp, with the number and the words ready.
  await tap(page.getByRole('button', { name: t('documents.page.send'), exact: true }))
  const sending = page.getByRole('dialog')
  const opened = phone.waitForEvent('request', (request) => request.url().includes('wa.me'))
  await tap(sending.getByRole('button', { name: t('documents.sending.openWhatsApp'), exact: true }))
  expect((await opened).url()).toContain('972527654321')
  expect(taps).toBeLessThanOrEqual(9)
  // What is known afterwards: it was opened there, and nothing more.
  await expect(sending.getByRole('status')).toContainText(t('documents.sending.outcome.opened'))
  await phone.close()
})
