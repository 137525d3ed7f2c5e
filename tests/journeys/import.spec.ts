import { expect, test } from '@playwright/test'
import iconv from 'iconv-lite'
import { completeCheckDigit } from '#domain/taxId.ts'
import { openEmpty, openPage, type Tour } from '../../tools/tour.ts'
import { arrive, wordsIn } from './support.ts'

/** A list from an old program: in its code page, with a column under an unknown name and two mistakes. */
const t = wordsIn('he')

test(
  'a list of customers comes in from a file, is mended, and is taken back',
  { tag: '@spine' },
  async ({ context, baseURL }) => {
    const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
    const lines = [
      'כינוי,ח.פ,טלפון,עיר',
      `כהן ובניו שיפוצים,${completeCheckDigit('51000001')},04-8123456,חיפה`,
      'לוי אינסטלציה,123456789,03-5551234,תל אביב',
      `מזרחי חשמל,${completeCheckDigit('51000003')},12,באר שבע`,
      `פרץ נגרות,${completeCheckDigit('51000004')},050-7654321,ירושלים`,
    ]
    const { page, failures } = await openPage(context, tour, '/invoice/InvoiceCustomers')
    // A list without a record shows its first step alone; the import is in the menu beside the title.
    await page
      .getByRole('main')
      .getByRole('button', { name: t('kit.actions.more'), exact: true })
      .click()
    await page.getByRole('menuitem', { name: t('imports.offer'), exact: true }).click()
    await arrive(page, '**/invoice/tools/import/customers')
    await page.locator('input[type="file"]').setInputFiles({
      name: 'לקוחות.csv',
      mimeType: 'text/csv',
      buffer: iconv.encode(lines.join('\r\n'), 'windows-1255'),
    })
    await arrive(page, '**/invoice/tools/import/customers?id=*')

    // Read in the right code page; one head is not known and is chosen by hand.
    await expect(page.getByText('כהן ובניו שיפוצים')).toBeVisible()
    const name = page.locator('.im-columns li').filter({ hasText: 'כינוי' }).getByRole('combobox')
    await name.click()
    await name.fill(t('customers.fields.name'))
    await page.getByRole('option', { name: t('customers.fields.name'), exact: true }).click()
    await page.getByRole('button', { name: t('imports.check'), exact: true }).click()

    const figure = (outcome: string) =>
      page.locator('.k-fig').filter({ hasText: t(`imports.outcome.${outcome}`) })
    await expect(figure('create')).toContainText('2')
    await expect(figure('faulty')).toContainText('2')
    await expect(page.getByText(t('errors.fields.taxId'))).toBeVisible()
    await expect(page.getByText(t('errors.fields.phone'))).toBeVisible()
    await page.locator('.im-acts').getByRole('button').first().click()

    const undo = page.getByRole('button', { name: t('imports.undo'), exact: true })
    await expect(undo).toBeVisible()
    const customers = async () =>
      (
        (await (
          await fetch(`${tour.base}/api4/invoice/customers?sort=name`, {
            headers: { 'x-access-token': tour.session.UserKey! },
          })
        ).json()) as { rows: { name: string }[] }
      ).rows.map((row) => row.name)
    expect(await customers()).toEqual(['כהן ובניו שיפוצים', 'פרץ נגרות'])
    await undo.click()
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: t('imports.undo'), exact: true })
      .click()
    await expect(undo).toHaveCount(0)
    await expect.poll(customers).toEqual([])
    expect(failures).toEqual([])
  },
)
