import { expect, test } from '@playwright/test'
import { dayInJerusalem } from '#domain/day.ts'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { choose, linkTo, newEmail, newTaxId, wordsIn } from './support.ts'
import { slowed } from './slowed.ts'

const t = wordsIn('he')

/**
 * Bills whose VAT may not be allowed: seen, asked of the supplier, checked with the authority, put off; and a
 * rule that says how the next is coded.
 */
test('the VAT of bills is checked before it is claimed, and a rule shows what it would have changed', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey!
  const email = newEmail()
  const get = async (path: string) =>
    (await (await fetch(baseURL + path, { headers: { 'x-access-token': token } })).json()) as {
      rows: Record<string, string>[]
    }
  const types = (await get('/api4/invoice/expensetypes?size=200')).rows
  const typeId = types.find((one) => one.name === t('expenses.types.materials'))!.id
  const supplier = await post(
    baseURL!,
    '/api4/invoice/suppliers',
    { name: 'מתכת הצפון', taxId: newTaxId(), email },
    token,
  )
  const today = dayInJerusalem(new Date())
  const bill = (supplierNumber: string, more: object = {}) =>
    post(
      baseURL!,
      '/api4/invoice/expenses',
      {
        supplierId: supplier.id,
        supplierNumber,
        date: today,
        lines: [{ typeId, netAgorot: 2_000_000, vatAgorot: 360_000 }],
        ...more,
      },
      token,
    )
  await bill('501')
  await bill('502', { allocationNumber: '123456789' })
  // Nobody gave out this number.
  await bill('503', { allocationNumber: '123456784' })

  const { page, failures } = await openPage(context, tour, `/invoice/vatgate?period=${today.slice(0, 7)}`)
  const row = (number: string) => page.getByRole('row').filter({ hasText: number })
  const deed = async (number: string, name: string) => {
    await row(number).getByRole('button').last().click()
    await page.getByRole('menuitem', { name }).click()
  }
  await expect(row('501')).toContainText('20,000.00')
  await deed('501', t('vat.gate.ask'))
  const letter = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await expect(letter.locator('input[inputmode="email"]')).toHaveValue(email)
  await letter.getByRole('button', { name: t('vat.gate.send') }).click()
  await expect(page.getByText(t('vat.gate.sent'))).toBeVisible()
  expect(await linkTo(email, /501/)).toBe('501')
  await deed('501', t('vat.gate.postpone'))
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('vat.gate.postpone') })
    .click()
  await expect(page.getByText(t('vat.gate.postponed'))).toBeVisible()
  await expect(row('501')).toHaveCount(0)

  await page.goto(`${tour.base}/israeltax`)
  await page.getByRole('button', { name: t('allocation.link.connect') }).click()
  await expect(page.getByText(t('allocation.link.isConnected'))).toBeVisible()
  await page.goto(`${tour.base}/invoice/israeltaxverify`)
  await expect(row('502')).toContainText(t('allocation.standing.unchecked'))
  await page.getByRole('button', { name: /^אימות (הוצאה|שתי הוצאות)/ }).click()
  await expect(row('503')).toContainText(t('allocation.standing.notFound'), { timeout: 30_000 * slowed })
  await expect(row('502')).toContainText(t('allocation.standing.confirmed'))

  await page.goto(`${tour.base}/invoice/codingrules`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('n')
  await page.locator('input[name="name"]').fill('מתכת')
  await choose(page, 'supplierId', 'מתכת הצפון')
  await choose(page, 'typeId', t('expenses.types.officeSupplies'))
  const preview = page.locator('.cr-preview')
  await expect(preview).toContainText(t('expenses.types.materials'))
  await page
    .getByRole('button', { name: t('kit.forms.save') })
    .first()
    .click()
  // Leaving before it is kept would take the call back.
  await expect(page.locator('input[name="name"]')).toHaveCount(0)
  await page.goto(`${tour.base}/invoice/codingrules`)
  await expect(row('מתכת')).toContainText(t('expenses.types.officeSupplies'))
  expect(failures).toEqual([])
})
