import { expect, test, type Page } from '@playwright/test'
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

const idNow = (page: Page) => new URL(page.url()).pathname.split('/').at(-1)!
const open = async (page: Page, id: string) =>
  (await ask<{ totals: { openAgorot: number } }>(page, 'GET', `/api4/invoice/documents/${id}`)).totals
    .openAgorot

/** Goes on from an invoice to its receipt. */
async function receive(page: Page, id: string): Promise<void> {
  await page.goto(`/invoice/preview/${id}`)
  await page.getByRole('button', { name: t('documents.page.receive'), exact: true }).click()
  await arrive(page, '**/invoice/InvoiceDocument/*')
}

test('an invoice is paid in parts by one amount each time, and a cheque is not issued without its details', async ({
  page,
}) => {
  test.slow()
  await signUp(page, 'he')
  const { id: customerId } = await ask<{ id: string }>(page, 'POST', '/api4/invoice/customers', {
    name: 'דנה',
  })
  const { id: invoice } = await ask<{ id: string }>(page, 'POST', '/api4/invoice/documents', {
    type: 8,
    customerId,
    lines: [{ description: 'ארון', unitPrice: '4550' }],
  })

  // One amount is typed over the one that was proposed, and nothing else.
  await receive(page, invoice)
  await page.getByRole('button', { name: t('documents.means.transfer') }).click()
  const amount = page.locator('.doc-payment input[name="amountAgorot"]')
  await expect(amount).toHaveValue('5,369.00')
  await amount.fill('2000')
  await page.keyboard.press('Control+Enter')
  await arrive(page, '**/invoice/preview/*')
  expect(await open(page, invoice)).toBe(336_900)

  // More is allocated by hand than was received.
  await receive(page, invoice)
  await page.locator('input[name="closeAmount"]').fill('3000')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: t('documents.means.cheque') }).click()
  await amount.fill('1500')
  await page.keyboard.press('Tab')
  // Both amounts are named, and one press lowers what was allocated.
  const above = page.locator('.doc-money .k-msg')
  await expect(above).toContainText('3,000.00')
  await above.getByRole('button').click()
  await expect(page.locator('input[name="closeAmount"]')).toHaveValue('1,500.00')

  await page.keyboard.press('Control+Enter')
  const details = page.locator('.doc-payment .details')
  await expect(details.getByText(t('errors.documents.paymentDetail'))).toHaveCount(4)
  await details.getByLabel(t('documents.money.bank')).click()
  await page.getByRole('option').first().click()
  await details.locator('input[name="branch"]').fill('600')
  await details.locator('input[name="account"]').fill('123456')
  await details.locator('input[name="number"]').fill('5001')
  await page.keyboard.press('Control+Enter')
  await arrive(page, '**/invoice/preview/*')
  expect(await open(page, invoice)).toBe(186_900)
  const receipt = await ask<{ payments: { number: string; branch: string }[] }>(
    page,
    'GET',
    `/api4/invoice/documents/${idNow(page)}`,
  )
  expect(receipt.payments).toMatchObject([{ number: '5001', branch: '600' }])
})

test('what an exempt dealer receives without a debt is named income, not credit of the customer', async ({
  page,
}) => {
  await signUp(page, 'he')
  await ask(page, 'PATCH', '/api4/invoice/company', { kind: 'exemptDealer' })
  const { id: customerId } = await ask<{ id: string }>(page, 'POST', '/api4/invoice/customers', {
    name: 'נועה',
  })
  const { id } = await ask<{ id: string }>(page, 'POST', '/api4/invoice/documents', {
    type: 6,
    customerId,
    draft: true,
  })
  await page.goto(`/invoice/InvoiceDocument/${id}`)
  await expect(page.getByText(t('documents.closes.noneIncome'))).toBeVisible()
  await page.getByRole('button', { name: t('documents.means.cash') }).click()
  await page.locator('.doc-payment input[name="amountAgorot"]').fill('150')
  await page.keyboard.press('Tab')
  await expect(page.locator('.doc-account')).toContainText(t('documents.closes.asIncome'))
})
