import { expect, test } from '@playwright/test'
import { addDays, dayInJerusalem, weekday } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { arrive, wordsIn } from './support.ts'

/** The words without their placeholders: an inserted number is between direction marks. */
const words = wordsIn('he')
const t = (key: string) =>
  words(key)
    .replace(/\{\w+\}/g, '')
    .trim()

test('a file pays one bill of a supplier whole and another in part, and is taken back with a reason', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey!
  const ask = async <T>(path: string): Promise<T> =>
    (await fetch(`${tour.base}${path}`, { headers: { 'x-access-token': token } })).json() as T
  const put = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'x-access-token': token }
    const answer = await fetch(`${tour.base}${path}`, { method: 'PUT', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  }
  await put('/api4/invoice/masav/settings', { institution: '12345678', sender: '12345', code: 'B' })
  const { rows: kinds } = await ask<{ rows: { id: string }[] }>('/api4/invoice/expensetypes?size=10')
  const bill = async (supplierNumber: string) =>
    (await post(
      tour.base,
      '/api4/invoice/expenses',
      {
        supplier: { name: 'חומרי בניין הגליל' },
        supplierNumber,
        means: 'onCredit',
        lines: [{ typeId: kinds[0]!.id, netAgorot: 50_000, vatAgorot: 0 }],
      },
      token,
    )) as { id: string; supplierId: string }
  const bills = [await bill('901'), await bill('902'), await bill('903')]
  await put(`/api4/invoice/suppliers/${bills[0]!.supplierId}/bank`, {
    bankCode: 12,
    bankBranch: '600',
    bankAccount: '123456',
    bankAccountName: null,
    iban: null,
  })
  const open = () =>
    Promise.all(
      bills.map(
        async ({ id }) => (await ask<{ openAgorot: number }>(`/api4/invoice/expenses/${id}`)).openAgorot,
      ),
    )

  const { page, failures } = await openPage(context, tour, '/invoice/masavrun')
  await page.getByRole('gridcell', { name: 'חומרי בניין הגליל', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: /903/ }).setChecked(false)
  const part = dialog.getByRole('textbox', { name: new RegExp(`902`) })
  await part.fill('600')
  await page.keyboard.press('Tab')
  // More than is open is said at its field, and cannot be taken over.
  await expect(dialog.getByText(t('masav.sumRange'))).toBeVisible()
  await part.fill('200')
  await page.keyboard.press('Tab')
  await expect(dialog.locator('.k-sums .whole')).toContainText('700.00')
  await dialog.getByRole('button', { name: t('masav.choose') }).click()
  await expect(dialog).toHaveCount(0)
  const make = async () => {
    await page
      .getByRole('region')
      .getByRole('button', { name: t('masav.make') })
      .click()
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: t('masav.make') })
      .click()
  }
  // On a Saturday no bank clears: it is said at its field, and what was chosen stays.
  const payDay = page.getByRole('textbox', { name: t('masav.payDay'), exact: true })
  const goesOn = async (day: string) => {
    await payDay.fill(formatDay(day))
    await page.keyboard.press('Tab')
  }
  const today = dayInJerusalem(new Date())
  const saturday = addDays(today, 6 - weekday(today))
  await goesOn(saturday)
  await make()
  await expect(page.getByText(t('errors.masav.problem.notBankingDay'))).toBeVisible()
  await expect(payDay).toHaveAttribute('aria-invalid', 'true')
  await goesOn(addDays(saturday, 1))
  await expect(payDay).not.toHaveAttribute('aria-invalid', 'true')
  await make()
  await arrive(page, /\/invoice\/masavfile\/[0-9a-f]/)
  await expect(
    page
      .getByRole('gridcell', { name: '700.00' })
      .or(page.getByRole('cell', { name: '700.00' }))
      .first(),
  ).toBeVisible()
  expect(await open()).toEqual([0, 30_000, 50_000])

  await page
    .getByRole('button', { name: words('kit.actions.more') })
    .first()
    .click()
  await page.getByRole('menuitem', { name: t('masav.undo') }).click()
  await page.getByRole('dialog').locator('input[name="reason"]').fill('נשלח פעמיים')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('masav.undo') })
    .click()
  await expect(page.getByText('נשלח פעמיים')).toBeVisible()
  expect(await open()).toEqual([50_000, 50_000, 50_000])
  expect(failures).toEqual([])
})
