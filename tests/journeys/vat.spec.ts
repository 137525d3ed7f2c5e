import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { addDays, dayInJerusalem, startOfMonth } from '#domain/day.ts'
import { parsePcn874 } from '#domain/vat/pcn874/parse.ts'
import { openEmpty, openPage, post, refused, type Tour } from '../../tools/tour.ts'
import { newTaxId, wordsIn, savedBy } from './support.ts'

/**
 * The month's end: a bill that would lose its VAT is found and corrected, the file is created and read, the month
 * reported, locked and reopened.
 */
const t = wordsIn('he')

test(
  'a month is checked, mended, reported and opened again',
  { tag: '@spine' },
  async ({ context, baseURL }) => {
    const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
    const token = tour.session.UserKey!
    const patch = (path: string, body: unknown) =>
      fetch(baseURL + path, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', 'x-access-token': token },
        body: JSON.stringify(body),
      })
    const day = addDays(startOfMonth(dayInJerusalem(new Date())), -5)
    const month = day.slice(0, 7)
    await patch('/api4/invoice/company', { vatPeriodMonths: 1, backDating: true })
    const customer = await post(
      baseURL!,
      '/api4/invoice/customers',
      { name: 'כהן בע״מ', taxId: newTaxId(), isDealer: true },
      token,
    )
    const invoice = {
      type: 8,
      customerId: customer.id,
      date: day,
      lines: [{ description: 'עבודה', quantity: '1', unitPrice: '2000' }],
    }
    await post(baseURL!, '/api4/invoice/documents', invoice, token)
    const supplier = await post(baseURL!, '/api4/invoice/suppliers', { name: 'ספק בלי מספר' }, token)
    const { types } = (await (
      await fetch(`${baseURL}/api4/invoice/expenses/facts`, { headers: { 'x-access-token': token } })
    ).json()) as {
      types: { id: string; vatShare: string; isFixedAsset: boolean }[]
    }
    const wholly = types.find((type) => type.vatShare === 'full' && !type.isFixedAsset)!
    await post(
      baseURL!,
      '/api4/invoice/expenses',
      {
        supplierId: supplier.id,
        supplierNumber: '4411',
        date: day,
        lines: [{ typeId: wholly.id, netAgorot: 100_000, vatAgorot: 18_000 }],
      },
      token,
    )

    const { page, failures } = await openPage(context, tour, `/invoice/vatgate?period=${month}`)
    await expect(page.getByRole('row').filter({ hasText: '4411' })).toContainText(t('vat.reason.noTaxId'))
    await page.goto(`${baseURL}/invoice/reportpcn?period=${month}`)
    await expect(page.getByText(t('vat.fault.201'))).toBeVisible()
    // The error leads to its paper.
    await expect(page.getByRole('link', { name: 'ספק בלי מספר 4411' })).toHaveAttribute(
      'href',
      /\/invoice\/Expenses\/all\//,
    )

    await patch(`/api4/invoice/suppliers/${supplier.id}`, { taxId: newTaxId() })
    await page.reload()
    await expect(page.getByText(t('vat.pcn.sound'))).toBeVisible()
    await expect(page.getByText(t('vat.bothWays'))).toBeVisible()
    const download = await savedBy(
      page,
      page.getByRole('button', { name: t('vat.pcn.download'), exact: true }),
    )
    const read = parsePcn874(readFileSync((await download.path())!, 'latin1'))
    expect(read.headers[0]!.record).toMatchObject({
      period: month,
      salesVat: 360,
      otherInputVat: 180,
      total: 180,
    })
    expect(read.entries.map((e) => [e.record.type, e.record.sum, e.record.vat])).toEqual([
      ['S', 2000, 360],
      ['T', 1000, 180],
    ])

    // By keyboard alone: the button disappears with its action, and the cursor stays where it was.
    await page.getByRole('button', { name: t('vat.file'), exact: true }).focus()
    await page.keyboard.press('Enter')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('vat.file'), exact: true })
      .focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText(t('vat.filedNow'))).toBeVisible()
    await expect(page.locator('.k-ph .acts')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: t('vat.pcn.download'), exact: true })).toBeFocused()
    expect(await refused(baseURL!, '/api4/invoice/documents', invoice, token)).toBe('ledger.periodClosed')

    await page.goto(`${baseURL}/invoice/vatreportlog`)
    const row = page.getByRole('row').filter({ hasText: t('vat.state.filed') })
    await row.getByRole('button').last().click()
    await page.getByRole('menuitem', { name: t('vat.log.reopen') }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('חשבונית ששכחנו')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('vat.log.reopen'), exact: true })
      .click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByText('חשבונית ששכחנו')).toBeVisible()
    expect((await post(baseURL!, '/api4/invoice/documents', invoice, token)).id).toBeTruthy()
    expect(failures).toEqual([])
  },
)

test('the steps of the VAT screen are pressed to the end, and a late bill is listed under the filed return', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey!
  const day = addDays(startOfMonth(dayInJerusalem(new Date())), -5)
  const month = day.slice(0, 7)
  await fetch(`${baseURL}/api4/invoice/company`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', 'x-access-token': token },
    body: JSON.stringify({ vatPeriodMonths: 1, backDating: true }),
  })
  const customer = await post(
    baseURL!,
    '/api4/invoice/customers',
    { name: 'כהן בע״מ', taxId: newTaxId(), isDealer: true },
    token,
  )
  await post(
    baseURL!,
    '/api4/invoice/documents',
    {
      type: 8,
      customerId: customer.id,
      date: day,
      lines: [{ description: 'עבודה', quantity: '1', unitPrice: '2000' }],
    },
    token,
  )
  const { page, failures } = await openPage(context, tour, `/invoice/reportvat?period=${month}`)
  const now = page.locator('.vt-steps [aria-current="step"]')
  const dialog = page.getByRole('dialog')
  await expect(now).toContainText(t('vat.steps.report'))
  await now.getByRole('button', { name: t('vat.file'), exact: true }).click()
  await dialog.getByRole('button', { name: t('vat.file'), exact: true }).click()
  await expect(now).toContainText(t('vat.steps.pay'))
  await now.getByRole('button', { name: t('vat.pay.do'), exact: true }).click()
  await dialog.getByRole('button', { name: t('vat.save'), exact: true }).click()
  await expect(now).toContainText(t('vat.steps.mark'))
  await now.getByRole('button', { name: t('vat.log.markSent'), exact: true }).click()
  await dialog.getByRole('textbox', { name: t('vat.log.confirmation') }).fill('471100')
  await dialog.getByRole('button', { name: t('vat.save'), exact: true }).click()
  await expect(page.locator('.vt-steps')).toContainText('471100')
  await expect(now).toHaveCount(0)

  // A bill of the reported month that comes now counts later and is listed here.
  const { types } = (await (
    await fetch(`${baseURL}/api4/invoice/expenses/facts`, { headers: { 'x-access-token': token } })
  ).json()) as { types: { id: string; vatShare: string; isFixedAsset: boolean }[] }
  await post(
    baseURL!,
    '/api4/invoice/expenses',
    {
      supplier: { name: 'ספק שאיחר', taxId: newTaxId() },
      supplierNumber: '7788',
      date: day,
      lines: [
        {
          typeId: types.find((type) => type.vatShare === 'full' && !type.isFixedAsset)!.id,
          netAgorot: 100_000,
          vatAgorot: 18_000,
        },
      ],
    },
    token,
  )
  await page.reload()
  const changes = page.getByRole('region', { name: t('screens.vatChanges') })
  const late = changes.getByRole('row').filter({ hasText: '7788' })
  await expect(late).toContainText('180.00')
  await late.getByRole('link').first().click()
  await expect(page).toHaveURL(/\/invoice\/Expenses\/all\//)
  expect(failures).toEqual([])
})
