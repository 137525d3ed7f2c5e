import { expect } from '@playwright/test'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { sharedDemo, tabTo, together as test, wordsIn } from './support.ts'

/**
 * A statement comes in twice and brings nothing twice; what is certain is matched, a fee is booked, and the
 * difference is explained.
 */
test('a bank statement is matched with the books', { tag: '@spine' }, async ({ browser, baseURL }) => {
  const base = baseURL!
  const session = await openEmpty(base)
  const token = session.UserKey!
  const customer = await post(base, '/api4/invoice/customers', { name: 'כהן ובניו' }, token)
  await post(
    base,
    '/api4/invoice/documents',
    { type: 6, customerId: customer.id, payments: [{ means: 3, amountAgorot: 118_000 }] },
    token,
  )
  const { id } = await post(base, '/api4/invoice/bankaccounts', { name: 'עו״ש' }, token)
  const today = new Date().toLocaleDateString('en-CA', { timeZone: 'Asia/Jerusalem' })
  const csv = `תאריך,תיאור,אסמכתא,חובה,זכות,יתרה\n${today},זיכוי מאת כהן ובניו,1001,,1180.00,1180.00\n${today},עמלת פעולה,7,12.90,,1167.10`
  const file = { name: 'bank.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }

  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const { page, failures } = await openPage(context, { base, session }, `/invoice/banklist/${id}`)
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: 'קליטת שתי שורות' }).click()
  await expect(page.getByText('נקלטו שתי שורות.')).toBeVisible()

  await page.locator('input[type=file]').setInputFiles(file)
  await expect(page.getByRole('button', { name: 'אין מה לקלוט' })).toBeVisible()

  await page.goto(`${base}/invoice/atamotbank?account=${id}`)
  await page.getByRole('button', { name: 'התאמת הצעה ודאית אחת' }).click()
  await expect(page.getByText('התאמה אחת נעשתה.')).toBeVisible()
  await page.getByRole('button', { name: 'רישום', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'רישום', exact: true }).click()
  await expect(page.getByText('השורה נרשמה והותאמה.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'הכול מותאם' })).toBeVisible()

  await page.goto(`${base}/invoice/bankreconciliation?bankAccount=${id}`)
  await expect(page.getByText('1,167.10').first()).toBeVisible()
  expect(failures).toEqual([])
  await context.close()
})

test('proposals are matched one after another by the same key', async ({ browser, baseURL }) => {
  const base = baseURL!
  const session = await openEmpty(base)
  const token = session.UserKey!
  const customer = await post(base, '/api4/invoice/customers', { name: 'כהן ובניו' }, token)
  for (const amountAgorot of [118_000, 59_000, 23_600])
    await post(
      base,
      '/api4/invoice/documents',
      { type: 6, customerId: customer.id, payments: [{ means: 3, amountAgorot }] },
      token,
    )
  const { id } = await post(base, '/api4/invoice/bankaccounts', { name: 'עו״ש' }, token)
  const today = new Date().toLocaleDateString('en-CA', { timeZone: 'Asia/Jerusalem' })
  const lines = ['1180.00', '590.00', '236.00'].map(
    (sum, i) => `${today},זיכוי מאת כהן ובניו,${1001 + i},,${sum},`,
  )
  const file = {
    name: 'bank.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`תאריך,תיאור,אסמכתא,חובה,זכות,יתרה\n${lines.join('\n')}`),
  }

  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const { page, failures } = await openPage(context, { base, session }, `/invoice/banklist/${id}`)
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: 'קליטת 3 שורות' }).click()
  await expect(page.getByText('נקלטו 3 שורות.')).toBeVisible()
  await page.goto(`${base}/invoice/atamotbank?account=${id}`)
  const match = page.getByRole('button', { name: 'התאמה', exact: true })
  await match.first().focus()
  for (const left of [2, 1]) {
    await page.keyboard.press('Enter')
    await expect(match).toHaveCount(left)
    await expect(match.first()).toBeFocused()
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'הכול מותאם' })).toBeVisible()
  expect(failures).toEqual([])
  await context.close()
})

test('a file whose columns nobody knows is told what they are, and taken, by keys alone', async ({
  browser,
  baseURL,
}) => {
  const t = wordsIn('he')
  const base = baseURL!
  const session = await openEmpty(base)
  const { id } = await post(base, '/api4/invoice/bankaccounts', { name: 'עו״ש' }, session.UserKey)
  const today = new Date().toLocaleDateString('en-CA', { timeZone: 'Asia/Jerusalem' })
  const file = {
    name: 'bank.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`aa,bb,cc\n${today},העברה,100\n${today},עמלה,-7`),
  }
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const { page, failures } = await openPage(context, { base, session }, `/invoice/banklist/${id}`)
  await page.getByRole('button', { name: t('bank.upload.choose') }).focus()
  await page.locator('input[type=file]').setInputFiles(file)
  await expect(page.getByText(t('bank.statement.unmapped'))).toBeVisible()
  // The file drop is gone, and the page that replaces it has the cursor.
  await expect(page.locator('#content')).toBeFocused()
  const columns = page.locator('.bk-columns').getByRole('combobox')
  for (const [i, column] of ['day', 'text', 'amount'].entries()) {
    await tabTo(page, columns.nth(i))
    await page.keyboard.type(t(`bank.columns.${column}`))
    await page.keyboard.press('Enter')
  }
  await tabTo(page, page.getByRole('button', { name: t('bank.columns.save') }))
  await page.keyboard.press('Enter')
  const take = page.getByRole('button', { name: 'קליטת שתי שורות' })
  await expect(take).toBeVisible()
  // The button that was pressed is gone as well: the next one by the Tab key is the one that takes the lines
  // in.
  await expect(page.locator('.bk-page')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(take).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('נקלטו שתי שורות.')).toBeVisible()
  await expect(page.locator('#content')).toBeFocused()
  expect(failures).toEqual([])
  await context.close()
})

test('sums in dollars stand with their sign at the left, clear of the figure', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await sharedDemo() }
  const answer = await fetch(`${tour.base}/api4/invoice/bankaccounts`, {
    headers: { 'x-access-token': tour.session.UserKey! },
  })
  const { rows } = (await answer.json()) as { rows: { id: string; currency: string }[] }
  const { page } = await openPage(
    context,
    tour,
    `/invoice/banklist/${rows.find(({ currency }) => currency === 'USD')!.id}`,
  )
  const signs = page.locator('main tbody .amount .hint', { hasText: '$' })
  await expect(signs.first()).toBeVisible()
  const clear = await signs.evaluateAll((all) =>
    all.map(
      (sign) =>
        sign.getBoundingClientRect().right <=
        sign.parentElement!.querySelector('.num')!.getBoundingClientRect().left + 1,
    ),
  )
  expect(clear.every(Boolean)).toBe(true)
})
