import { expect, test } from '@playwright/test'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { arrive, wordsIn } from './support.ts'

/** Letters on the business's paper, and a document sent by WhatsApp with the customer's consent asked. */
const t = wordsIn('he')
const make = (tour: Tour, path: string, body: unknown) => post(tour.base, path, body, tour.session.UserKey)
const get = async <T>(tour: Tour, path: string): Promise<T> =>
  (await (
    await fetch(tour.base + path, { headers: { 'x-access-token': tour.session.UserKey! } })
  ).json()) as T

test('a letter to two customers is written with fields, seen on paper, sent, and stands in the list', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const ids: string[] = []
  for (const [name, email] of [
    ['דנה כהן', 'dana@example.com'],
    ['יוסי לוי', 'yossi@example.com'],
  ])
    ids.push((await make(tour, '/api4/invoice/customers', { name, email })).id!)
  const { page, failures } = await openPage(
    context,
    tour,
    `/invoice/InvoiceDocumentLetter/new?to=${ids.join(',')}`,
  )
  await page.getByLabel(t('letters.fields.title'), { exact: true }).fill('מכתב אל ')
  await page.getByLabel(t('letters.fields.body'), { exact: true }).fill('שלום ')
  await page.getByRole('button', { name: t('letters.putField') }).click()
  const kept = page.waitForResponse(
    (answer) =>
      /\/letters(\/|$)/.test(answer.url()) &&
      (answer.request().postData() ?? '').includes('{customer.name}') &&
      !answer.url().endsWith('preview'),
  )
  await page.getByRole('menuitem', { name: t('letters.merge.customer.name') }).click()
  await expect(page.getByLabel(t('letters.fields.body'), { exact: true })).toHaveValue('שלום {customer.name}')
  await expect(page.locator('.le-paper img')).toHaveCount(1)
  // Saved automatically: a reload restores it.
  await kept
  // The editor stays as it is and takes the address of its draft.
  await page.waitForURL(/InvoiceDocumentLetter\/[0-9a-f-]{36}/)
  await page.reload()
  await expect(page.getByLabel(t('letters.fields.body'), { exact: true })).toHaveValue('שלום {customer.name}')
  await page.getByRole('button', { name: t('letters.send'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('letters.send'), exact: true })
    .click()
  await arrive(page, '**/invoice/InvoiceDocumentLetter')
  await expect(page.locator('tbody tr')).toHaveCount(2)
  const { rows } = await get<{ rows: { id: string; customerIdName: string }[] }>(
    tour,
    '/api4/invoice/letters',
  )
  expect(rows.map((row) => row.customerIdName).toSorted()).toEqual(['דנה כהן', 'יוסי לוי'])
  await page.locator('tbody tr').first().click()
  await arrive(page, '**/previewle/**')
  await expect(page.locator('.le-sheets img')).toHaveCount(1)
  expect(failures).toEqual([])
})

test('a document goes by WhatsApp: the consent is asked once and kept, the link opens with the text', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const { id } = await make(tour, '/api4/invoice/customers', { name: 'כהן', mobile: '052-7654321' })
  const invoice = await make(tour, '/api4/invoice/documents', {
    type: 8,
    customerId: id,
    lines: [{ description: 'עבודה', quantity: '1', unitPrice: '100' }],
  })
  await context.route('https://wa.me/**', (route) => route.fulfill({ body: 'ok' }))
  const { page, failures } = await openPage(context, tour, `/invoice/preview/${invoice.id}`)
  const open = async () => {
    await page
      .getByRole('button', { name: t('kit.actions.more') })
      .first()
      .click()
    await page.getByRole('menuitem', { name: t('documents.page.whatsApp') }).click()
  }
  await open()
  const dialog = page.getByRole('dialog')
  const go = dialog.getByRole('button', { name: t('documents.sending.openWhatsApp') })
  await dialog.getByRole('checkbox', { name: t('documents.sending.agrees') }).press('Space')
  const [popup] = await Promise.all([context.waitForEvent('page'), go.click()])
  expect(decodeURIComponent(popup.url())).toContain('/paymentdoc/')
  await popup.close()
  await expect(dialog.getByRole('status')).toContainText(t('documents.sending.outcome.opened'))
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('tab', { name: t('documents.page.tab.sending'), exact: true }).click()
  await expect(page.locator('#document-part')).toContainText('052-7654321')
  expect((await get<{ consentHow: string }>(tour, `/api4/invoice/customers/${id}`)).consentHow).toBe('phone')
  await open()
  await expect(go).toBeVisible()
  await expect(dialog.getByRole('checkbox', { name: t('documents.sending.agrees') })).toHaveCount(0)
  expect(failures).toEqual([])
})
