import { expect, test, type Locator } from '@playwright/test'
import { addMonths, endOfMonth } from '#domain/day.ts'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { sheetOf, workbook } from '../workbook.ts'
import { arrive, choose, saying, tabTo, wordsIn, type Lang } from './support.ts'

/**
 * What a customer owed before is imported from a file, is on the customer's page like any debt, and is gone once a
 * receipt closes it.
 */
const t = wordsIn('he')

test('a debt from before the books is entered, seen by the customer, and paid', async ({
  context,
  baseURL,
}) => {
  test.slow()
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey!
  const { id } = await post(tour.base, '/api4/invoice/customers', { name: 'כהן ובניו שיפוצים' }, token)
  const year = new Date().getFullYear()
  const csv = `לקוח,מספר מסמך,תאריך המסמך,לתשלום עד,יתרה לתשלום\nכהן ובניו שיפוצים,501,01/12/${year - 1},31/12/${year - 1},"1,180.00"\n`

  const { page, failures } = await openPage(context, tour, '/invoice/tools/import/openingCustomers')
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'יתרות.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await arrive(page, '**/invoice/tools/import/openingCustomers?id=*')
  await page.getByRole('button', { name: t('imports.check'), exact: true }).click()
  await page.locator('.im-acts').getByRole('button').first().click()
  await expect(page.getByRole('button', { name: t('imports.undo'), exact: true })).toBeVisible()

  await page.goto(`${tour.base}/invoice/openingbalances?tab=customers`)
  await expect(page.getByRole('row').filter({ hasText: 'כהן ובניו שיפוצים' })).toContainText('501')
  const doPost = t('journal.opening.post')
  await page.getByRole('button', { name: doPost, exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: doPost, exact: true }).click()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)

  const name = saying(t('documents.openingItem'), '501')
  await page.goto(`${tour.base}/invoice/reportgiol`)
  await expect(page.getByRole('row').filter({ hasText: 'כהן ובניו שיפוצים' })).toContainText('1,180.00')
  await page.goto(`${tour.base}/invoice/reportcustomercard?party=${id}&from=${year}-01-01&to=${year}-12-31`)
  await expect(page.getByRole('row').filter({ hasText: '501' })).toContainText('1,180.00')
  const { url } = await post(tour.base, `/api4/invoice/customers/${id}/page`, {}, token)
  const own = new URL(url!).pathname
  await page.goto(tour.base + own)
  await expect(page.getByText(t('customerPages.owes')).first()).toBeVisible()
  await page.getByRole('link', { name }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
  await expect(page.getByText(t('documents.pay.opening'))).toBeVisible()
  await expect(page.getByRole('button', { name: t('documents.pay.download') })).toHaveCount(0)

  await page.goto(`${tour.base}/invoice/InvoiceDocument?type=6&customer=${id}`)
  await page.getByRole('checkbox', { name }).check({ force: true })
  await page.getByRole('button', { name: t('documents.means.transfer') }).click()
  await expect(page.locator('.doc-payment input[name="amountAgorot"]')).toHaveValue('1,180.00')
  await page.keyboard.press('Control+Enter')
  await arrive(page, '**/invoice/preview/*')
  await page.goto(`${page.url()}?tab=payments`)
  await expect(page.getByRole('tabpanel').getByRole('link', { name })).toBeVisible()

  await page.goto(tour.base + own)
  await expect(page.getByText(t('customerPages.even'))).toBeVisible()
  await page.goto(`${tour.base}/invoice/reportgiol`)
  await expect(page.getByText(t('kit.reports.empty'))).toBeVisible()
  expect(failures).toEqual([])
})

test('the trial balance of another program is pasted in, what is not ours is told, and it is posted', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const { page, failures } = await openPage(context, tour, '/invoice/openingbalances?tab=accounts')
  const row = (number: string) => page.getByRole('row').filter({ hasText: number }).first()
  const side = (number: string, key: string) => row(number).getByRole('textbox', { name: t(key) })
  await side('1010', 'ledger.side.debit').evaluate((element) => {
    const data = new DataTransfer()
    data.setData('text/plain', '1010\tבנק\t12,345,678.90\t\n1000\tקופה\t\t250.40\n9999\tזר\t5\t\n')
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  })
  await expect(side('1010', 'ledger.side.debit')).toHaveValue('12,345,678.90')
  await expect(side('1000', 'ledger.side.credit')).toHaveValue('250.40')
  await expect(page.getByText(/9999/)).toBeVisible()
  // All of a long sum is seen in its cell.
  expect(
    await side('1010', 'ledger.side.debit').evaluate((input) => input.scrollWidth <= input.clientWidth),
  ).toBe(true)
  // A file of an old program says the same, in its own code page.
  const old = Buffer.concat([
    Buffer.from('1000,'),
    Buffer.from([0xf7, 0xe5, 0xf4, 0xe4]),
    Buffer.from(',,300.40\n'),
  ])
  await page.locator('input[type="file"]').setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer: old })
  await expect(side('1000', 'ledger.side.credit')).toHaveValue('300.40')
  // So does a workbook, on whichever of its sheets; what is none says so and changes nothing.
  const book = workbook({
    שער: sheetOf([['מאזן בוחן', 'זרם טוב']]),
    מאזן: sheetOf([
      ['זרם טוב'],
      [],
      ['מספר', 'שם חשבון', 'חובה', 'זכות'],
      [1000, 'קופה', '', 400.4],
      ['8888', 'זר', 5],
    ]),
  })
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'מאזן.xlsx', mimeType: '', buffer: Buffer.from(book) })
  await expect(side('1000', 'ledger.side.credit')).toHaveValue('400.40')
  await expect(page.getByText(/8888/)).toContainText('5')
  await expect(side('1010', 'ledger.side.debit')).toHaveValue('12,345,678.90')
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'מאזן.xls', mimeType: '', buffer: Buffer.from('d0cf11e0a1b11ae1000000', 'hex') })
  await expect(page.getByRole('alert').getByText(t('errors.imports.oldExcel'))).toBeVisible()
  await expect(side('1000', 'ledger.side.credit')).toHaveValue('400.40')
  const doPost = t('journal.opening.post')
  await page.getByRole('button', { name: doPost, exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: doPost, exact: true }).click()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await page.goto(`${tour.base}/invoice/cardskarteset?q=1010`)
  await expect(row('1010')).toContainText('12,345,678.90')
  expect(failures).toEqual([])
})

test('on cash basis an unpaid invoice comes with its VAT, which is reported once it is paid', async ({
  context,
  baseURL,
}) => {
  test.slow()
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey!
  const { id } = await post(tour.base, '/api4/invoice/customers', { name: 'כהן ובניו שיפוצים' }, token)
  const { page, failures } = await openPage(context, tour, '/invoice/openingbalances?tab=customers')
  const vat = page.locator('input[name="vatAgorot"]')
  const open = page.getByRole('button', { name: t('openingCustomers.new') }).first()
  await open.click()
  await expect(page.locator('input[name="amountAgorot"]')).toBeVisible()
  // Who reports by invoices has reported it.
  await expect(vat).toHaveCount(0)
  const ask = (method: string, path: string, body?: unknown) =>
    page.request.fetch(`${tour.base}${path}`, {
      method,
      headers: { 'x-access-token': token },
      ...(body ? { data: body } : {}),
    })
  const { changeFrom } = (await (await ask('GET', '/api4/invoice/vat/basis')).json()) as {
    changeFrom: string
  }
  expect((await ask('PUT', '/api4/invoice/vat/basis', { basis: 'cash', from: changeFrom })).ok()).toBe(true)
  const year = new Date().getFullYear()
  await page.goto(`${tour.base}/invoice/openingbalances?tab=customers`)
  // The page knows the new basis: what it said before it was asked again had no note above the button.
  await expect(page.getByText(t('journal.opening.vatWaits'))).toBeVisible()
  await open.click()
  await choose(page, 'partyId', 'כהן ובניו שיפוצים')
  await page.locator('input[name="number"]').fill('2087')
  await page
    .locator('[data-field="day"] input')
    .first()
    .fill(`01/12/${year - 1}`)
  await page.locator('input[name="amountAgorot"]').fill('1180')
  await vat.fill('1800')
  await page.keyboard.press('Control+s')
  // Refused at its field, and all that was typed is there.
  await expect(page.locator('[data-field="vatAgorot"]')).toContainText('180.00')
  await expect(page.locator('input[name="number"]')).toHaveValue('2087')
  await vat.fill('180')
  await page.keyboard.press('Tab')
  await page.locator('input[name="allocationNumber"]').fill('123456789')
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('row').filter({ hasText: '2087' })).toContainText('180.00')
  const doPost = t('journal.opening.post')
  await page.getByRole('button', { name: doPost, exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: doPost, exact: true }).click()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)

  await page.goto(`${tour.base}/invoice/InvoiceDocument?type=6&customer=${id}`)
  await page.getByRole('checkbox', { name: /2087/ }).check({ force: true })
  await page.getByRole('button', { name: t('documents.means.transfer') }).click()
  await expect(page.locator('.doc-payment input[name="amountAgorot"]')).toHaveValue('1,180.00')
  await page.keyboard.press('Control+Enter')
  await arrive(page, '**/invoice/preview/*')
  await page.goto(
    `${tour.base}/invoice/reportvat?from=${changeFrom}&to=${endOfMonth(addMonths(changeFrom, 1))}`,
  )
  await expect(
    page
      .getByRole('row')
      .filter({ hasText: t('vat.reports.vat.line.outputVat') })
      .first(),
  ).toContainText('180.00')
  expect(failures).toEqual([])
})

const lang: Lang = 'he'

test('opening balances are typed down their column and posted without a mouse', async ({
  context,
  baseURL,
}) => {
  const words = wordsIn(lang)
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const { page, failures } = await openPage(context, tour, '/invoice/openingbalances', { lang })
  const keys = page.keyboard
  const rows = page.locator('main tbody tr[data-row]')
  const debit = (row: Locator) => row.getByRole('textbox').nth(0)
  const credit = (row: Locator) => row.getByRole('textbox').nth(1)
  await expect(rows.first()).toBeVisible()
  await keys.press('ArrowDown')
  await expect(debit(rows.first())).toBeFocused()
  await keys.type('1200')
  await keys.press('Enter')
  await expect(debit(rows.nth(1))).toBeFocused()
  await keys.press('ArrowDown')
  await keys.press('Tab')
  await expect(credit(rows.nth(2))).toBeFocused()
  await keys.type('200+50.5')
  await keys.press('Shift+Enter')
  await expect(credit(rows.nth(1))).toBeFocused()
  await expect(credit(rows.nth(2))).toHaveValue('250.50')
  await keys.press('ArrowUp')
  await keys.press('ArrowUp')
  await expect(credit(rows.first())).toBeFocused()
  // An account is found by its number or name, and the search leads into it.
  const search = page.getByRole('searchbox', { name: words('accounts.search') })
  await keys.press('Escape')
  await tabTo(page, search, 60, 'Shift+Tab')
  await keys.type('6200')
  await expect(rows).toHaveCount(1)
  await keys.press('ArrowDown')
  await expect(debit(rows.first())).toBeFocused()
  await keys.type('949.5')
  await keys.press('Control+s')
  await expect(page.getByText(words('journal.opening.kept'))).toBeVisible()
  await keys.press('Control+Enter')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await tabTo(
    page,
    page.getByRole('alertdialog').getByRole('button', { name: words('journal.opening.post'), exact: true }),
  )
  await keys.press('Enter')
  await page.waitForURL('**/invoice/manotlist/*')
  await expect(rows.first()).toBeVisible()
  await keys.press('ArrowDown')
  await keys.press('Enter')
  for (const sum of ['1,200.00', '250.50', '949.50']) await expect(page.getByText(sum).first()).toBeVisible()
  expect(failures).toEqual([])
})
