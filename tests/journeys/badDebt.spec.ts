import { expect, test, type Page } from '@playwright/test'
import { addMonths, dayInJerusalem } from '#domain/day.ts'
import { arrive, signUp, wordsIn } from './support.ts'

const t = wordsIn('he')

const ask = <T>(page: Page, method: string, path: string, body?: unknown) =>
  page.evaluate(
    async ([verb, url, json]) => {
      const user = JSON.parse(localStorage.getItem('user') ?? '{}') as { UserKey?: string }
      const answer = await fetch(url!, {
        method: verb!,
        headers: { 'content-type': 'application/json', 'x-access-token': user.UserKey ?? '' },
        ...(json ? { body: json } : {}),
      })
      return answer.json()
    },
    [method, path, body ? JSON.stringify(body) : ''],
  ) as Promise<T>

test('an invoice that nobody paid is written off, and half of it is paid after all', async ({ page }) => {
  test.slow()
  await signUp(page, 'he')
  const { id: customerId } = await ask<{ id: string }>(page, 'POST', '/api4/invoice/customers', {
    name: 'בית קפה הגשר',
  })
  const { id } = await ask<{ id: string }>(page, 'POST', '/api4/invoice/documents', {
    type: 8,
    customerId,
    date: addMonths(dayInJerusalem(new Date()), -8),
    lines: [{ description: 'כיסא', quantity: '10', unitPrice: '100', vatKind: 1 }],
  })
  const deed = async (word: string) => {
    await page.getByRole('button', { name: t('kit.actions.more') }).click()
    await page.getByRole('menuitem', { name: t(word) }).click()
  }
  await page.goto(`/invoice/preview/${id}`)
  await deed('badDebts.menu')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(t('badDebts.expense'))).toBeVisible()
  await expect(dialog.locator('.doc-running')).toContainText('180.00')
  await dialog.getByRole('combobox', { name: t('badDebts.ground') }).click()
  await page.getByRole('option', { name: t('badDebts.grounds.enforcement') }).click()
  await dialog.getByRole('textbox', { name: t('badDebts.steps') }).fill('שלושה מכתבים ותיק הוצאה לפועל')
  // The VAT is due again only once a payment is recorded.
  await dialog.getByRole('button', { name: t('badDebts.do') }).click()
  await expect(dialog.getByText(t('errors.badDebts.vatPaidNeeded'))).toBeVisible()
  await dialog.getByRole('checkbox', { name: t('badDebts.vatPaid') }).check()
  await dialog.getByRole('button', { name: t('badDebts.do') }).click()
  await arrive(page, '**/invoice/preview/*')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(t('documents.types.creditInvoice'))

  await deed('badDebts.recoverMenu')
  await expect(dialog.locator('.doc-running')).toContainText('1,180.00')
  await dialog.locator('input[name="agorot"]').fill('590')
  await dialog.getByRole('button', { name: t('badDebts.recoverDo') }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(t('documents.types.taxInvoice'))
  await page.goto('/invoice/reportbaddebts')
  await expect(page.getByRole('main')).toContainText(t('badDebts.grounds.enforcement'))
})
