import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { arrive } from './support.ts'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { root } from '#kit/server/settings.ts'

/** Money in and out: a cheque is deposited and bounces, a supplier is paid. */
const words = ['sales/payments', 'purchases/supplierPayments']
  .map(
    (feature) =>
      JSON.parse(readFileSync(join(root, `src/features/${feature}/text/he.json`), 'utf8')) as Record<
        string,
        string
      >,
  )
  .reduce((all, one) => ({ ...all, ...one }), {})
/** The words without their placeholders: an inserted number is between direction marks. */
const t = (key: string) => words[key]!.replace(/\{\w+\}/g, '').trim()

test('a cheque is deposited and bounces: the slip tells it, and the debt is open again', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey!
  const { id: customerId } = await post(tour.base, '/api4/invoice/customers', { name: 'רותם גבע' }, token)
  const payments = [
    { means: 2, amountAgorot: 118_000, number: '5001', bank: '12', branch: '600', account: '123456' },
  ]
  await post(tour.base, '/api4/invoice/documents', { type: 6, customerId, payments }, token)
  const { page, failures } = await openPage(context, tour, '/invoice/newdeposit')
  await page.getByRole('gridcell', { name: 'רותם גבע' }).or(page.getByText('רותם גבע')).first().click()
  await page.getByRole('button', { name: t('deposits.form.submit') }).click()
  // The same name is on both pages: the row that is meant is the slip's.
  await arrive(page, /\/invoice\/deposits\/[0-9a-f]/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(t('deposits.named'))
  await page.getByText('רותם גבע').first().click()
  await page.getByRole('button', { name: t('payments.actions.bounce') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[name="feeAgorot"]').fill('25')
  await dialog.locator('input[name="reason"]').fill('אין כיסוי')
  await dialog.getByRole('button', { name: t('payments.actions.bounce') }).click()
  await expect(page.getByText('אין כיסוי')).toBeVisible()
  await expect(page.getByRole('button', { name: t('payments.fee.charge') })).toBeVisible()
  expect(failures).toEqual([])
})

test('a supplier is paid for one of his bills', async ({ context, baseURL }) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey!
  const kinds = (await (
    await fetch(`${tour.base}/api4/invoice/expensetypes?size=10`, { headers: { 'x-access-token': token } })
  ).json()) as { rows: { id: string }[] }
  const bill = (supplierNumber: string) => ({
    supplier: { name: 'חומרי בניין הגליל' },
    supplierNumber,
    means: 'onCredit',
    lines: [{ typeId: kinds.rows[0]!.id, netAgorot: 50_000 }],
  })
  const { supplierId } = await post(tour.base, '/api4/invoice/expenses', bill('901'), token)
  await post(tour.base, '/api4/invoice/expenses', bill('902'), token)
  const { page, failures } = await openPage(context, tour, `/invoice/supplierpayments/${supplierId}`)
  for (const number of ['901', '902']) {
    const tick = page.getByRole('checkbox', { name: new RegExp(number) })
    await tick.setChecked(number === '902')
  }
  await page.getByRole('button', { name: t('supplierpayments.pay.submit') }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(t('supplierpayments.named'))
  await expect(page.getByText('902')).toBeVisible()
  await expect(page.getByText('901')).toHaveCount(0)
  expect(failures).toEqual([])
})
