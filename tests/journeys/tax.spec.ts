import { expect, test } from '@playwright/test'
import { addDays, dayInJerusalem, endOfMonth, startOfMonth, vatPeriod } from '#domain/day.ts'
import { formatDay, formatPeriod } from '#domain/format.ts'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { wordsIn } from './support.ts'

/**
 * How often VAT is reported is set from a day on: what is wrong is said at the day, and what came before
 * stays as it was. And of the year's form.
 */
const t = wordsIn('he')

test('reporting VAT every month begins on a day that is asked for', async ({ context, baseURL }) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const today = dayInJerusalem(new Date())
  const first = startOfMonth(today)
  const before = addDays(first, -70)
  const customer = await post(baseURL!, '/api4/invoice/customers', { name: 'דנה לוי' }, tour.session.UserKey)
  const invoice = {
    type: 8,
    customerId: customer.id,
    date: before,
    lines: [{ description: 'עבודה', quantity: '1', unitPrice: '100' }],
  }
  await post(baseURL!, '/api4/invoice/documents', invoice, tour.session.UserKey)

  const { page, failures } = await openPage(context, tour, '/invoice/InvoiceEditCompany?tab=tax')
  const day = page.getByLabel(t('companies.fields.vatPeriodFrom'), { exact: true })
  await expect(day).toBeHidden()
  await page.getByText(t('companies.vatPeriodMonths.1'), { exact: true }).click()
  await expect(day).toBeVisible()
  const save = page
    .getByRole('region', { name: t('companies.saveBar') })
    .getByRole('button', { name: t('companies.save') })
  const typed = async (wanted: string) => {
    await day.fill(formatDay(wanted))
    await day.blur()
    await save.click()
  }
  await typed(addDays(first, 9))
  await expect(page.getByText(t('errors.companies.notMonthStart'))).toBeVisible()
  await expect(day).toBeFocused()
  await expect(day).toHaveAttribute('aria-invalid', 'true')
  await expect(day).toHaveValue(formatDay(addDays(first, 9)))
  await typed(addDays(endOfMonth(today), 1))
  await expect(page.getByText(t('errors.companies.vatFromFuture'))).toBeVisible()
  await typed(first)
  await expect(page.getByText(t('companies.saved'))).toBeVisible()
  // At once, without a reload: since when it has been so, and no day is asked any more.
  await expect(day).toBeHidden()
  await expect(page.getByText(formatDay(first))).toBeVisible()
  // A month is a period now; the time before it keeps its two.
  const periodOf = async (month: string) => {
    await page.goto(`${baseURL}/invoice/reportpcn?period=${month}`)
    return page.locator('.k-ph')
  }
  await expect(await periodOf(first.slice(0, 7))).toContainText(
    formatPeriod({ from: first, to: endOfMonth(today) }),
  )
  await expect(await periodOf(before.slice(0, 7))).toContainText(formatPeriod(vatPeriod(before, 2)))
  expect(failures).toEqual([])
})

test('a difference of form 6111 opens the card of its account', async ({ context, baseURL }) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey!
  const customer = await post(baseURL!, '/api4/invoice/customers', { name: 'דנה לוי' }, token)
  const lines = [{ description: 'עבודה', quantity: '1', unitPrice: '100' }]
  await post(baseURL!, '/api4/invoice/documents', { type: 8, customerId: customer.id, lines }, token)
  const answer = await fetch(`${baseURL}/api5/invoicecpa/accounts?size=200`, {
    headers: { 'x-access-token': token },
  })
  const { rows } = (await answer.json()) as { rows: { id: string; number: string; name: string }[] }
  const sales = rows.find(({ number }) => number === '4000')!
  const { page, failures } = await openPage(context, tour, '/')
  // Totals that differ from the entries arise only by direct changes: here they are reported, not made.
  await page.route(/6111\?/, async (route) => {
    const response = await route.fetch()
    const form = (await response.json()) as { differences?: object[] }
    const difference = {
      accountId: sales.id,
      account: `${sales.number} ${sales.name}`,
      entriesAgorot: -10_000,
      sumsAgorot: -9_900,
    }
    await route.fulfill({ response, json: form.differences ? { ...form, differences: [difference] } : form })
  })
  await page.goto(`${baseURL}/invoice/report6111`)
  await expect(page.getByText(sales.name).first()).toBeVisible()
  const open = page.getByRole('link', { name: t('filings.form6111.openCard') })
  await open.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(sales.id))
  await expect(page.getByRole('row').filter({ hasText: '100.00' }).first()).toBeVisible()
  expect(failures).toEqual([])
})
