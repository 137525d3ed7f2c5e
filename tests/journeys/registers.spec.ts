import { expect, test } from '@playwright/test'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { newTaxId, wordsIn } from './support.ts'

const t = wordsIn('he')

/**
 * Two records of one supplier become one: the account is chosen as a whole, debts are counted once, the other record
 * leads to the remaining one.
 */
test('suppliers are merged, and the one who stays has the account that was chosen', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey
  const keep = await post(
    baseURL!,
    '/api4/invoice/suppliers',
    { name: 'חומרי בניין', bankCode: 12, bankBranch: '600', bankAccount: '123456' },
    token,
  )
  const gone = await post(
    baseURL!,
    '/api4/invoice/suppliers',
    { name: 'חומרי בנין בע״מ', bankCode: 10, bankBranch: '800', bankAccount: '654321' },
    token,
  )

  const { page, failures } = await openPage(context, tour, '/invoice/suppliers')
  for (const name of ['חומרי בניין', 'חומרי בנין בע״מ'])
    await page
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('checkbox')
      .check({ force: true })
  await page.getByRole('button', { name: t('suppliers.merge.do') }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('radio', { name: 'חומרי בניין', exact: true }).check()
  await sheet.getByRole('radio', { name: `${t('suppliers.merge.bank')}: חומרי בנין בע״מ` }).check()
  await sheet.getByRole('button', { name: t('suppliers.merge.verb') }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('suppliers.merge.verb') })
    .click()

  await expect(page).toHaveURL(new RegExp(`/invoice/suppliers/${keep.id}`))
  await page.goto(`${tour.base}/invoice/editsupplier/${keep.id}/bank`)
  await expect(page.getByText('654321').first()).toBeVisible()
  await expect(page.getByText(t('suppliers.bank.callHim'))).toBeVisible()
  await page.goto(`${tour.base}/invoice/suppliers/${gone.id}`)
  await expect(page.getByText(/חומרי בניין/).first()).toBeVisible()
  await page.getByRole('link', { name: t('suppliers.twins.open') }).click()
  await expect(page).toHaveURL(new RegExp(String(keep.id)))
  expect(failures).toEqual([])
})

test('all prices of a list are changed and given back', async ({ context, baseURL }) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey
  const item = await post(baseURL!, '/api4/invoice/items', { name: 'צבע', price: '100' }, token)
  const list = await post(baseURL!, '/api4/invoice/priceLists', { name: 'סיטונאי', base: 'none' }, token)
  await post(
    baseURL!,
    '/api4/invoice/priceListLines',
    { listId: list.id, itemId: item.id, price: '80' },
    token,
  )

  const { page, failures } = await openPage(context, tour, `/invoice/pricelist/${list.id}`)
  await page.getByRole('button', { name: t('items.changePrices') }).click()
  const sheet = page.getByRole('dialog')
  await sheet.locator('[name=points]').fill('10')
  await sheet.getByRole('button', { name: 'שינוי מחיר אחד' }).click()
  await expect(page.getByText('88.00').first()).toBeVisible()
  await page.getByRole('button', { name: t('items.changePrices') }).click()
  await sheet.getByRole('button', { name: t('items.priceChange.undo') }).click()
  await expect(sheet.getByText(t('items.priceChange.wasUndone'))).toBeVisible()
  expect(failures).toEqual([])
})

test('the columns of an answer of System 1000 are told by keys, and each field keeps the cursor while it is read again', async ({
  context,
  baseURL,
}) => {
  const session = await openEmpty(baseURL!)
  const taxId = newTaxId()
  await post(baseURL!, '/api4/invoice/suppliers', { name: 'חשמל הגליל', taxId }, session.UserKey)
  const { page, failures } = await openPage(context, { base: baseURL!, session }, '/invoice/report1000')
  const drop = page.locator('.k-drop')
  await drop.focus()
  const table = `aa,bb,cc\n${taxId},5,31/12/2027`
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'answer.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
  const columns = page.locator('#content').getByRole('combobox')
  await expect(columns.first()).toBeVisible()
  for (const [name, column] of [
    ['taxId', 'aa'],
    ['rate', 'bb'],
    ['toDay', 'cc'],
  ] as const) {
    const field = page
      .locator('#content')
      .getByRole('combobox', { name: t(`suppliers.s1000.column.${name}`) })
    await field.focus()
    const read = page.waitForResponse((answer) => answer.url().includes('/system1000/read'))
    await page.keyboard.type(column)
    await page.keyboard.press('Enter')
    await read
    await expect(field).toBeFocused()
  }
  await expect(page.getByText('5%').first()).toBeVisible()
  const apply = page.locator('.su-acts').getByRole('button').last()
  await apply.focus()
  await page.keyboard.press('Enter')
  await expect(drop).toBeVisible()
  await expect(apply).toHaveCount(0)
  // The button disappeared with its action; its card has the cursor.
  await expect(page.locator('.k-card-body:focus')).toContainText(t('suppliers.s1000.drop').slice(0, 10))
  expect(failures).toEqual([])
})
