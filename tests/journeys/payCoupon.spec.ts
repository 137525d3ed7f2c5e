import { expect, test } from '@playwright/test'
import { openEmpty, openPage, type Tour } from '../../tools/tour.ts'
import { arrive, readPdf, wordsIn } from './support.ts'

const t = wordsIn('he')
const word = (key: string) => t(`payPages.public.${key}`)

test('a payer types a coupon on a payment page, pays the lower price and gets a tax invoice/receipt of it', async ({
  context,
  browser,
  baseURL,
}) => {
  test.slow()
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const send = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${tour.base}/api4/invoice/${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-access-token': tour.session.UserKey! },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const said = await answer.json()
    if (!answer.ok) throw new Error(JSON.stringify(said))
    return said
  }
  await send('POST', 'terminals', { gateway: 'test' })
  const { id: coupon } = await send('POST', 'couponcodes', {
    code: 'WOOD10',
    kind: 'percent',
    valueBp: 1_000,
    usesMax: 5,
  })

  // The business builds the page and opens it.
  const { page, failures } = await openPage(context, tour, '/invoice/paypages/new')
  await page.locator('input[name="title"]').fill('סדנת נגרות')
  const price = page.getByLabel(t('payPages.itemPrice'))
  await page.getByText(t('payPages.itemMore'), { exact: true }).click()
  await page.locator('.pe-item').getByLabel(t('payPages.itemName')).first().fill('מקום בסדנה')
  await price.fill('450')
  await price.blur()
  await page.getByRole('button', { name: t('kit.forms.save') }).click()
  await page.getByRole('button', { name: t('payPages.open') }).click()
  await expect(page.getByText(t('payPages.state.open'), { exact: true }).first()).toBeVisible()
  const short = await page.getByLabel(t('payPages.shortAddress')).inputValue()

  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: 'he-IL',
    baseURL: baseURL!,
  })
  const payer = await phone.newPage()
  let presses = 0
  await payer.goto(new URL(short).pathname)
  await payer.getByText(word('haveCoupon')).click()
  // As people write it: small letters and a space.
  await payer.locator('input[name="coupon"]').fill('wood 10')
  await payer.getByRole('button', { name: word('apply') }).click()
  presses += 2
  await expect(payer.locator('.pp-sum')).toContainText('405.00')
  await payer.locator('input[name="payer.name"]').fill('רות כהן')
  await payer.locator('input[name="payer.email"]').fill('rut@example.com')
  await payer.keyboard.press('Enter')
  presses++
  await arrive(payer, '**/testcard/**')
  expect(presses).toBeLessThanOrEqual(3)
  await payer.getByRole('button', { name: '4242 4242 4242 4242' }).click()
  await payer.getByRole('button', { name: t('paymentLinks.test.pay'), exact: true }).click()
  await arrive(payer, '**/paymentpage/**')
  await expect(payer.getByRole('heading', { name: word('paid') })).toBeVisible()
  const link = payer.getByRole('link', { name: new RegExp(t('documents.types.taxInvoiceReceipt')) })
  const pdf = await phone.request.get((await link.getAttribute('href'))!)
  const { text, clean } = readPdf(await pdf.body())
  expect(clean).toBe(true)
  for (const piece of ['405.00', '61.78', '343.22']) expect(text).toContain(piece)
  await phone.close()

  const { rows } = await send('GET', 'documents?type=9&size=10')
  expect(rows.map((row: { totalAgorot: number }) => row.totalAgorot)).toEqual([40_500])
  expect(await send('GET', `couponcodes/${coupon}`)).toMatchObject({ code: 'WOOD10', used: 1 })
  expect(failures).toEqual([])
})
