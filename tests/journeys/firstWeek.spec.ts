import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { root } from '#kit/server/settings.ts'
import { arrive, signUp, tokenOf, wordsIn } from './support.ts'

const t = wordsIn('he')

/** The first week of a small business: what it does first, in the order it does it, by pointer and keys. */

const get = async <T>(page: Page, path: string): Promise<T> =>
  (
    await page.request.get(`/api4/invoice/${path}`, { headers: { 'x-access-token': await tokenOf(page) } })
  ).json() as Promise<T>
const idNow = (page: Page) => new URL(page.url()).pathname.split('/').at(-1)!

test('sign-up, logo, first invoice, sent, half paid by transfer, half by a cheque of a later day, one line credited', async ({
  page,
}) => {
  test.slow()
  await signUp(page, 'he')

  await page.goto('/invoice/InvoiceEditCompany')
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: readFileSync(join(root, 'public/icons/app-512.png')),
    })
  const cropper = page.getByRole('dialog')
  await cropper.waitFor()
  await cropper.getByRole('button').last().click()
  await cropper.waitFor({ state: 'hidden' })
  await expect(page.locator('.co-logo img')).toBeVisible()

  // Presses from here to each result; typing is none.
  let presses = 0
  const press = async (target: Locator) => {
    await target.click()
    presses++
  }
  const key = async (name: string) => {
    await page.keyboard.press(name)
    presses++
  }
  await page.goto('/invoice/main')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await key('n')
  await arrive(page, '**/invoice/InvoiceDocument*')
  await expect(page.getByRole('combobox').first()).toBeFocused()
  await page.keyboard.type('דנה כהן')
  await page.getByRole('option').last().waitFor()
  await key('Enter')
  const sheet = page.getByRole('dialog')
  await sheet.waitFor()
  await sheet.locator('input[name="email"]').fill('dana@example.com')
  await key('Enter')
  await sheet.waitFor({ state: 'hidden' })
  for (const [text, price] of [
    ['ארון', '4000'],
    ['הובלה', '600'],
  ] as const) {
    await page.keyboard.type(text)
    await key('Enter')
    await key('Enter')
    await page.keyboard.type(price)
    await key('Enter')
  }
  await key('Control+Enter')
  await arrive(page, '**/invoice/preview/*')
  expect(presses).toBeLessThanOrEqual(14)
  const invoice = idNow(page)

  presses = 0
  await press(page.getByRole('button', { name: t('documents.page.send'), exact: true }))
  const sending = page.getByRole('dialog')
  await expect(sending.getByLabel(t('documents.page.to'))).toHaveValue('dana@example.com')
  await press(sending.getByRole('button', { name: t('documents.page.send'), exact: true }))
  await expect(sending.getByRole('status')).toContainText(t('documents.sending.outcome.kept'))
  expect(presses).toBeLessThanOrEqual(2)

  // Half by transfer: one amount is typed over the one that was proposed.
  await page.goto(`/invoice/preview/${invoice}`)
  presses = 0
  await press(page.getByRole('button', { name: t('documents.page.receive'), exact: true }))
  await arrive(page, '**/invoice/InvoiceDocument/*')
  await press(page.getByRole('button', { name: t('documents.means.transfer') }))
  await page.locator('.doc-payment input[name="amountAgorot"]').fill('2714')
  await key('Control+Enter')
  await arrive(page, '**/invoice/preview/*')
  expect(presses).toBeLessThanOrEqual(3)
  const open = async () =>
    (await get<{ totals: { openAgorot: number } }>(page, `documents/${invoice}`)).totals.openAgorot
  expect(await open()).toBe(271_400)

  // The other half by a cheque of a later day.
  await page.goto(`/invoice/preview/${invoice}`)
  presses = 0
  await press(page.getByRole('button', { name: t('documents.page.receive'), exact: true }))
  await arrive(page, '**/invoice/InvoiceDocument/*')
  await press(page.getByRole('button', { name: t('documents.means.cheque') }))
  await expect(page.locator('.doc-payment input[name="amountAgorot"]')).toHaveValue('2,714.00')
  const details = page.locator('.doc-payment .details')
  await press(details.getByLabel(t('documents.money.bank')))
  await press(page.getByRole('option').first())
  await details.locator('input[name="branch"]').fill('600')
  await details.locator('input[name="account"]').fill('123456')
  await details.locator('input[name="number"]').fill('5001')
  const later = new Date(Date.now() + 30 * 86_400_000)
  const day = [later.getDate(), later.getMonth() + 1, later.getFullYear()].map((part) =>
    String(part).padStart(2, '0'),
  )
  await page.locator('.doc-payment input[name="dueDate"]').first().fill(day.join('/'))
  await key('Control+Enter')
  await arrive(page, '**/invoice/preview/*')
  expect(presses).toBeLessThanOrEqual(5)
  expect(await open()).toBe(0)
  const receipt = await get<{ payments: { dueDate: string; number: string }[] }>(
    page,
    `documents/${idNow(page)}`,
  )
  expect(receipt.payments).toMatchObject([{ number: '5001', dueDate: [day[2], day[1], day[0]].join('-') }])

  // One line is credited: its quantity has a heading, and one press takes all.
  await page.goto(`/invoice/preview/${invoice}`)
  presses = 0
  await press(page.getByRole('button', { name: t('kit.actions.more'), exact: true }))
  await press(page.getByRole('menuitem', { name: t('documents.credit.menu') }))
  const crediting = page.getByRole('dialog')
  await press(crediting.getByText(t('documents.credit.lines'), { exact: true }))
  await expect(crediting.getByText(t('documents.credit.quantityHead'), { exact: true })).toBeVisible()
  await press(crediting.getByRole('button', { name: t('documents.make.all'), exact: true }))
  await expect(crediting.locator('input[name="credit"]')).toHaveCount(2)
  await crediting.locator('input[name="credit"]').first().fill('')
  await crediting.locator('input[name="reason"]').fill('ההובלה בוטלה')
  await press(crediting.getByRole('button', { name: t('documents.credit.do'), exact: true }))
  await expect(page.getByRole('heading', { level: 1 })).toContainText(t('documents.types.creditInvoice'))
  expect(presses).toBeLessThanOrEqual(5)
  const credit = await get<{ totals: { totalAgorot: number } }>(page, `documents/${idNow(page)}`)
  expect(credit.totals.totalAgorot).toBe(70_800)
})
