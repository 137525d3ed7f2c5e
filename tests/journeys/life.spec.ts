import { expect, test, type Page } from '@playwright/test'
import { arrive, signUp, wordsIn } from './support.ts'

const t = wordsIn('he')

/** What a person made elsewhere, or asks of the server to look at. */
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

interface Read {
  status: string
  totals: { totalAgorot: number; openAgorot: number; creditedAgorot: number }
}
const idNow = (page: Page) => new URL(page.url()).pathname.split('/').at(-1)!
const readNow = (page: Page, id = idNow(page)) => ask<Read>(page, 'GET', `/api4/invoice/documents/${id}`)

/** Issues the document in the editor and waits for its page. */
async function issue(page: Page, type: string): Promise<string> {
  await page.locator('.doc-editor .doc-bar').waitFor()
  await page.keyboard.press('Control+Enter')
  await arrive(page, '**/invoice/preview/*')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(t(`documents.types.${type}`))
  return idNow(page)
}

/** Goes on from a document's page to the next kind. */
async function goOn(page: Page, type: string): Promise<void> {
  const name = t(type === 'receipt' ? 'documents.page.receive' : `documents.make.${type}`)
  // The likely steps are buttons, the others entries of the menu beside them.
  const next = page.getByRole('button', { name: t('documents.page.next') })
  const button = page.getByRole('button', { name, exact: true })
  await next.or(button).first().waitFor()
  if (await button.isVisible()) return button.click()
  await next.click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/** Takes so much of each line in the dialog, in their order. */
async function take(page: Page, type: string, quantities: readonly string[]): Promise<void> {
  const dialog = page.getByRole('dialog')
  for (const [i, quantity] of quantities.entries())
    await dialog.locator('input[name="take"]').nth(i).fill(quantity)
  await dialog.getByRole('button', { name: t(`documents.make.${type}`), exact: true }).click()
  await arrive(page, '**/invoice/InvoiceDocument/*')
}

test('a quote becomes an order, two deliveries, one invoice; it is paid in part, credited in part, and the rest by three cheques, one of which bounces', async ({
  page,
}) => {
  test.slow()
  await signUp(page, 'he')
  const customer = await ask<{ id: string }>(page, 'POST', '/api4/invoice/customers', {
    name: 'בית קפה הגשר',
  })

  await page.goto(`/invoice/InvoiceDocument?type=1&customer=${customer.id}`)
  for (const [i, [text, quantity, price]] of [
    ['כיסא', '10', '100'],
    ['שולחן', '4', '500'],
  ].entries()) {
    const line = page.locator('.doc-lines [data-line]').nth(i)
    await line.locator('input[name="item"]').fill(text!)
    await page.keyboard.press('Escape')
    await line.locator('input[name="quantity"]').fill(quantity!)
    await line.locator('input[name="unitPrice"]').fill(price!)
    await page.keyboard.press('Tab')
  }
  await issue(page, 'priceQuote')

  await goOn(page, 'order')
  await take(page, 'order', ['10', '4'])
  const order = await issue(page, 'order')

  await goOn(page, 'deliveryNote')
  await take(page, 'deliveryNote', ['6', '1'])
  await issue(page, 'deliveryNote')
  await page.goto(`/invoice/preview/${order}`)
  await goOn(page, 'deliveryNote')
  // What is left is filled in already.
  await expect(page.getByRole('dialog').locator('input[name="take"]').first()).toHaveValue('4')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('documents.make.deliveryNote'), exact: true })
    .click()
  await arrive(page, '**/invoice/InvoiceDocument/*')
  await issue(page, 'deliveryNote')

  // Both deliveries go into one invoice from the list.
  await page.goto('/invoice/documents/3')
  const boxes = page.getByRole('row').getByRole('checkbox')
  // The head ticks all.
  await expect(boxes).toHaveCount(3)
  await boxes.first().check({ force: true })
  await page.getByRole('button', { name: t('documents.list.join') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('documents.make.taxInvoice'), exact: true })
    .click()
  await arrive(page, '**/invoice/InvoiceDocument/*')
  const invoice = await issue(page, 'taxInvoice')
  // 10 x 100 + 4 x 500 and VAT.
  expect((await readNow(page)).totals.totalAgorot).toBe(354_000)

  // A part of it is paid: tax withheld of the sum with VAT, the rest by transfer.
  await goOn(page, 'receipt')
  await arrive(page, '**/invoice/InvoiceDocument/*')
  await page.locator('input[name="closeAmount"]').fill('1180')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: t('documents.money.otherMeans') }).click()
  await page.getByRole('menuitem', { name: t('documents.means.withheldTax') }).click()
  await page.locator('input[name="withheldRate"]').fill('5')
  await page.keyboard.press('Tab')
  await expect(page.locator('.doc-payment input[name="amountAgorot"]').first()).toHaveValue('59.00')
  await page.getByRole('button', { name: t('documents.means.transfer') }).click()
  await expect(page.locator('.doc-payment input[name="amountAgorot"]').nth(1)).toHaveValue('1,121.00')
  await issue(page, 'receipt')
  expect(await readNow(page, invoice)).toMatchObject({
    status: 'partlyClosed',
    totals: { openAgorot: 236_000 },
  })

  // One of the tables goes back.
  await page.goto(`/invoice/preview/${invoice}`)
  await page.getByRole('button', { name: t('kit.actions.more') }).click()
  await page.getByRole('menuitem', { name: t('documents.credit.menu') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(t('documents.credit.lines'), { exact: true }).click()
  await dialog.locator('input[name="credit"]').nth(1).fill('1')
  await dialog.locator('input[name="reason"]').fill('שולחן פגום')
  await expect(dialog.locator('.doc-running')).toContainText('590.00')
  await dialog.getByRole('button', { name: t('documents.credit.do') }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(t('documents.types.creditInvoice'))
  expect((await readNow(page, invoice)).totals).toMatchObject({ openAgorot: 177_000, creditedAgorot: 59_000 })

  // The rest by three cheques in one step.
  await page.goto(`/invoice/preview/${invoice}`)
  await goOn(page, 'receipt')
  await arrive(page, '**/invoice/InvoiceDocument/*')
  await page.getByRole('button', { name: t('documents.means.cheque') }).click()
  await expect(page.locator('.doc-payment input[name="amountAgorot"]')).toHaveValue('1,770.00')
  await page.locator('.doc-payment .details').getByLabel(t('documents.money.bank')).click()
  await page.getByRole('option').first().click()
  await page.locator('.doc-payment input[name="branch"]').fill('600')
  await page.locator('.doc-payment input[name="account"]').fill('123456')
  await page.locator('.doc-payment input[name="number"]').fill('70041')
  await page.getByRole('button', { name: t('documents.money.series') }).click()
  await page.locator('input[name="series"]').fill('3')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: t('documents.money.seriesDo') }).click()
  await expect(page.locator('.doc-payment input[name="number"]').nth(2)).toHaveValue('70043')
  await issue(page, 'receipt')
  expect(await readNow(page, invoice)).toMatchObject({ status: 'closed', totals: { openAgorot: 0 } })
  await page.goto(`/invoice/preview/${invoice}?tab=payments`)
  await expect(page.getByRole('tabpanel').getByRole('link')).toHaveCount(3)
  // The first cheque goes to the bank; the other two wait for their days.
  await page.goto('/invoice/newdeposit')
  await page.getByRole('gridcell', { name: '70041', exact: true }).click()
  await page.getByRole('button', { name: t('deposits.form.submit') }).click()
  // The same number is on both pages: the row that is meant is the slip's.
  await arrive(page, /\/invoice\/deposits\/[0-9a-f]/)
  await page.getByText('70041').first().click()

  // And comes back: so much of the invoice is owed again, and the two others stay.
  await page.getByRole('button', { name: t('payments.actions.bounce') }).click()
  const bounce = page.getByRole('dialog')
  await bounce.locator('input[name="feeAgorot"]').fill('25')
  await bounce.locator('input[name="reason"]').fill('אין כיסוי')
  await bounce.getByRole('button', { name: t('payments.actions.bounce') }).click()
  await expect(page.getByText('אין כיסוי')).toBeVisible()
  expect(await readNow(page, invoice)).toMatchObject({
    status: 'partlyClosed',
    totals: { totalAgorot: 354_000, creditedAgorot: 59_000, openAgorot: 59_000 },
  })
  expect(await ask(page, 'GET', `/api4/invoice/customers/${customer.id}`)).toMatchObject({
    balanceAgorot: 59_000,
  })
  await page.goto(`/invoice/preview/${invoice}`)
  await expect(page.getByText('590.00').first()).toBeVisible()
})
