import { expect } from '@playwright/test'
import { encode } from '#domain/filings/uniform/charset.ts'
import { writeRecord, type Values } from '#domain/filings/uniform/record.ts'
import type { DataCode } from '#domain/filings/uniform/layout.ts'
import { openEmpty, openPage, type Tour } from '../../tools/tour.ts'
import { arrive, sharedDemo, together as test, wordsIn, savedBy } from './support.ts'
import { slowed } from './slowed.ts'

const t = wordsIn('he')

test('the open format is one step from the menu, and its control reports agree', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await sharedDemo() }
  const { page, failures } = await openPage(context, tour, '/invoice/reportexporttypes')
  await expect(page.getByRole('heading', { level: 1, name: t('screens.openFormat') })).toBeVisible()
  await page.getByRole('button', { name: t('uniform.export.make'), exact: true }).click()
  await expect(page.getByText(/OPENFRMT/)).toBeVisible({ timeout: 60_000 * slowed })
  const download = await savedBy(
    page,
    page.getByRole('button', { name: t('uniform.export.download'), exact: true }),
  )
  expect(download.suggestedFilename()).toMatch(/^OPENFRMT.*\.zip$/)

  // An empty range is reported as such.
  const day = (key: string) =>
    page.getByRole('textbox', { name: t(`uniform.reports.uniformBalances.filters.${key}`) })
  const held = [await day('from').inputValue(), await day('to').inputValue()] as const
  await day('from').fill('01/01/1995')
  await day('to').fill('31/12/1995')
  await page.getByRole('button', { name: t('uniform.export.make'), exact: true }).click()
  const [before, after] = t('uniform.export.bare').split(/\{from\}.*\{to\}/)
  await expect(page.getByRole('note').filter({ hasText: before!.trim() })).toContainText(after!.trim(), {
    timeout: 60_000 * slowed,
  })
  await day('from').fill(held[0])
  await day('to').fill(held[1])
  await page.keyboard.press('Tab')
  // The row of views over the page has a link of that name alone.
  await page.getByRole('link', { name: new RegExp(`${t('screens.uniformDocuments')}.`) }).click()
  await expect(page.getByText(t('uniform.codes.305'), { exact: true }).first()).toBeVisible()
  expect(failures).toEqual([])
})

/** Two entries and an invoice of a made-up program, its turnover of one card wrong by an agora. */
function oldFile(): Buffer {
  const frame = { dealerNumber: '514756428', primaryId: '555555555555555', systemConstant: '&OF1.31&' }
  const invoice = { documentType: 305, documentNumber: '901', documentDate: '2025-02-03' }
  const line = (n: number, account: string, debitCredit: 1 | 2, sum: number): [DataCode, Values] => [
    'B100',
    {
      transaction: 1,
      line: n,
      date: '2025-02-03',
      valueDate: '2025-02-03',
      entryDate: '2025-02-03',
      account,
      debitCredit,
      amount: sum,
    },
  ]
  const records: [DataCode, Values][] = [
    ['A100', {}],
    [
      'C100',
      {
        ...invoice,
        issueDate: '2025-02-03',
        customerName: 'מאפיית הצפון',
        customerKey: '30001',
        beforeDiscount: 100_000,
        netAmount: 100_000,
        vat: 18_000,
        total: 118_000,
      },
    ],
    [
      'D110',
      {
        ...invoice,
        line: 1,
        description: 'לחם',
        quantity: 100_000,
        unitPrice: 10_000,
        total: 100_000,
        vatRate: 1800,
      },
    ],
    line(1, '30001', 1, 118_000),
    line(2, '70001', 2, 100_000),
    line(3, '55001', 2, 18_000),
    [
      'B110',
      {
        accountKey: '30001',
        accountName: 'מאפיית הצפון',
        sortCode: '30',
        sortCodeName: 'לקוחות',
        totalDebit: 118_001,
      },
    ],
    [
      'B110',
      {
        accountKey: '70001',
        accountName: 'הכנסות',
        sortCode: '70',
        sortCodeName: 'הכנסות',
        totalCredit: 100_000,
      },
    ],
    [
      'B110',
      {
        accountKey: '55001',
        accountName: 'מע"מ עסקאות',
        sortCode: '55',
        sortCodeName: 'מוסדות',
        totalCredit: 18_000,
      },
    ],
    ['Z900', { records: 10 }],
  ]
  return Buffer.from(
    encode(
      records
        .map(([code, values], i) => `${writeRecord(code, { ...frame, recordNumber: i + 1, ...values })}\r\n`)
        .join(''),
      'iso-8859-8',
    ),
  )
}

test('a file of another program is reported on and then stands in the books', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const { page, failures } = await openPage(context, tour, '/invoice/tools/uniform')
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'BKMVDATA.TXT', mimeType: 'text/plain', buffer: oldFile() })
  await arrive(page, '**/invoice/tools/uniform?id=*')
  await expect(page.getByText(t('uniform.import.faults'))).toBeVisible({ timeout: 60_000 * slowed })
  await expect(page.getByText(t('uniform.faults.turnoverDebit').split('}')[1]!)).toBeVisible()
  await page.getByText(t('uniform.import.otherAnyway')).click()
  await page.getByRole('button', { name: t('uniform.import.run'), exact: true }).click()
  await expect(page.getByText(t('uniform.import.done'))).toBeVisible({ timeout: 60_000 * slowed })
  await page.getByRole('link', { name: t('uniform.import.toCustomers'), exact: true }).click()
  await expect(page.getByText('מאפיית הצפון').first()).toBeVisible()
  expect(failures).toEqual([])
})
