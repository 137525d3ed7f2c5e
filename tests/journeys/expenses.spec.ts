import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { mailText } from '../letters.ts'
import { expect, test } from '@playwright/test'
import { openEmpty, openPage, post, refused, type Tour } from '../../tools/tour.ts'
import { root } from '#kit/server/settings.ts'
import { arrive, choose, newEmail, verifyAccount } from './support.ts'

/**
 * Purchases of a business: a bill split and posted by its owner, and a worker who enters on a phone and may not
 * approve.
 */
const words = JSON.parse(
  readFileSync(join(root, 'src/features/purchases/expenses/text/he.json'), 'utf8'),
) as Record<string, string>
const t = (key: string) => words[key]!

test('a bill is split, warned of, booked, and seen in the books; its twin is refused', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const { page, failures } = await openPage(context, tour, '/invoice/Expenses/all/new')
  const field = (name: string) => page.locator(`input[name="${name}"]`)
  const enter = async () => {
    await choose(page, 'supplierId', 'תחנת הגלבוע')
    await field('supplierNumber').fill('7781')
    await choose(page, 'lines.0.typeId', t('expenses.types.fuel'))
    await field('lines.0.net').fill('100')
    await field('lines.0.vat').fill('20')
    await page.getByRole('button', { name: t('expenses.form.addLine') }).click()
    await choose(page, 'lines.1.typeId', t('expenses.types.officeSupplies'))
    await field('lines.1.total').fill('59')
    await field('lines.1.total').press('Tab')
    await page.getByRole('radio', { name: t('expenses.means.bank'), exact: true }).click()
  }
  await enter()
  // 150.00 + 29.00 is two shekels more than 18%; the difference is shown while it is typed.
  await expect(page.getByRole('status').filter({ hasText: '2.00' })).toBeVisible()
  await field('lines.0.vat').fill('18')
  await field('lines.0.vat').press('Tab')
  await expect(page.getByRole('status').filter({ hasText: '2.00' })).toHaveCount(0)
  // 18 x 2/3 and all of the 9.
  await expect(page.locator('.ex-sums')).toContainText('21.00')
  await page.getByRole('button', { name: t('expenses.actions.book') }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('7781')

  await page
    .locator('.k-views')
    .getByRole('button', { name: t('kit.shell.tabMore'), exact: true })
    .click()
  await page.getByRole('menuitem', { name: t('expenses.page.tab.entries'), exact: true }).click()
  const books = page.getByRole('tabpanel')
  for (const [account, sum] of [
    ['6060', '106.00'],
    ['6000', '50.00'],
    ['1200', '21.00'],
    ['1010', '177.00'],
  ])
    await expect(books.getByRole('row').filter({ hasText: account! }).first()).toContainText(sum!)

  await page.goto(`${tour.base}/invoice/Expenses/all/new`)
  // The supplier's last bill says how this one is split and paid.
  await choose(page, 'supplierId', 'תחנת הגלבוע')
  await expect(field('lines.1.typeId')).toHaveValue(t('expenses.types.officeSupplies'))
  await field('supplierNumber').fill('07781')
  await field('lines.0.net').fill('100')
  await field('lines.1.total').fill('59')
  await field('lines.1.total').press('Tab')
  await page.getByRole('button', { name: t('expenses.actions.book') }).click()
  const link = page.getByRole('link', { name: t('expenses.form.openTwin') })
  await link.first().click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('7781')
  // A refusal is an answer, not a fault of the page.
  expect(failures).toEqual([])
})

/** The key of the newest invitation to somebody, out of the letters the server keeps. */
async function invitationTo(email: string): Promise<string> {
  const dir = join(process.env.JOURNEY_DATA!, 'mail')
  for (let tries = 0; tries < 100; tries++) {
    const letters = existsSync(dir) ? readdirSync(dir).map((f) => readFileSync(join(dir, f), 'utf8')) : []
    const letter = letters.filter((one) => one.includes(email)).at(-1)
    if (letter) {
      const key = /#([\w-]{43})/.exec(mailText(letter))?.[1]
      if (key) return key
    }
    await new Promise((done) => setTimeout(done, 200))
  }
  throw new Error(`no letter to ${email}`)
}

test('a worker whose rights are expenses alone lands in his area, enters with a photograph, and cannot approve', async ({
  context,
  browser,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  await verifyAccount(tour.base, tour.session.UserKey!)
  const email = newEmail()
  await post(
    tour.base,
    '/api4/invoice/workers',
    { fullName: 'דנה לוי', email, rules: [41] },
    tour.session.UserKey,
  )
  const session = await post(tour.base, '/api/user/invitation/accept', {
    token: await invitationTo(email),
    password: 'a long enough password',
  })
  const hers = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: 'he-IL',
    timezoneId: 'Asia/Jerusalem',
  })
  const { page: phone } = await openPage(hers, { base: baseURL!, session }, '/logininvoice')
  await arrive(phone, '**/invoiceexp/expenses')
  await phone
    .locator('input[type="file"]')
    .last()
    .setInputFiles({
      name: 'receipt.png',
      mimeType: 'image/png',
      buffer: readFileSync(join(root, 'public/icons/app-512.png')),
    })
  await expect(phone.locator('.ex-picture')).toBeVisible()
  await phone.locator('input[name="lines.0.total"]').fill('118')
  await choose(phone, 'lines.0.typeId', t('expenses.types.fuel'))
  await phone.getByRole('button', { name: t('expenses.actions.submit') }).click()
  await expect(phone.getByText(t('expenses.state.waiting'), { exact: true })).toBeVisible()

  const { rows } = (await (
    await fetch(`${tour.base}/api4/invoice/expenses/mine`, {
      headers: { 'x-access-token': session.UserKey! },
    })
  ).json()) as { rows: { id: string }[] }
  const id = rows[0]!.id
  expect(await refused(tour.base, `/api4/invoice/expenses/${id}/approve`, {}, session.UserKey)).toBe(
    'session.forbidden',
  )
  await phone.goto(`${tour.base}/invoice/Expenses`)
  await expect(phone.locator('input[name="q"]')).toHaveCount(0)

  const { page } = await openPage(context, tour, `/invoice/Expenses/all/${id}`)
  await expect(page.locator('.ex-picture')).toBeVisible()
  await page.getByRole('button', { name: t('expenses.actions.approve') }).click()
  await expect(page.getByText(t('expenses.saved.approved'))).toBeVisible()
  await phone.goto(`${tour.base}/invoiceexp/Expenses`)
  await expect(phone.getByText(t('expenses.state.approved'), { exact: true })).toBeVisible()
  await hers.close()
})
