import { expect, test, type Page } from '@playwright/test'
import { saying, signUp, tokenOf, wordsIn } from './support.ts'

const t = wordsIn('he')

async function ask<T>(page: Page, path: string, body: object): Promise<T> {
  const token = await tokenOf(page)
  const answer = await page.request.post(path, { headers: { 'x-access-token': token }, data: body })
  expect(answer.ok(), await answer.text()).toBe(true)
  return (await answer.json()) as T
}

test('what the server does not take is said at its field and in the head, until it is saved', async ({
  page,
}) => {
  await signUp(page, 'he')
  const customer = await ask<{ id: string }>(page, '/api4/invoice/customers', { name: 'Maple Ridge' })
  const draft = await ask<{ id: string }>(page, '/api4/invoice/documents', {
    type: 8,
    draft: true,
    customerId: customer.id,
    currency: 'EUR',
    rate: '3.95',
    lines: [{ description: 'Oak table', unitPrice: '1000' }],
  })
  await page.goto(`/invoice/InvoiceDocument/${draft.id}`)
  await page.locator('.doc-editor .doc-bar').waitFor()
  const rate = page.getByLabel(t('documents.editor.rate'), { exact: true })
  const head = page.locator('.doc-state')
  await rate.fill('3.95אנגלית')
  // While it waits nothing says that it is saved.
  await expect(head).toContainText(t('documents.editor.unsaved'))
  await expect(head).toContainText(saying(t('documents.editor.notSavedWhat'), t('documents.editor.rate')))
  await expect(rate).toHaveAttribute('aria-invalid', 'true')
  await expect(rate).toBeFocused()
  // Another field changes: the refusal stays in the head, for it is still not saved.
  await page.locator('input[name="unitPrice"]').first().fill('1200')
  await expect(head).toContainText(t('documents.editor.notSaved'))
  await rate.fill('3.9')
  await expect(head).toContainText(/\d\d:\d\d/)
  await expect(rate).not.toHaveAttribute('aria-invalid', 'true')
  await page.reload()
  await expect(rate).toHaveValue('3.9')
})
