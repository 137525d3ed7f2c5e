import { expect, test } from '@playwright/test'
import { addDays, addMonths, dayInJerusalem, startOfMonth } from '../../src/domain/day.ts'
import { formatDay } from '../../src/domain/format.ts'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { over, saying, wordsIn } from './support.ts'

/**
 * A year is planned, typed and from a file, and held against what was; then the cash of the days to come, and
 * what if.
 */
const t = wordsIn('he')

test('a budget is typed as in a sheet, brought in from a file, and real figures stand beside it', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const today = dayInJerusalem(new Date())
  const year = today.slice(0, 4)
  await post(
    tour.base,
    '/api5/invoicecpa/entries',
    {
      date: `${year}-01-01`,
      lines: [
        { accountNumber: '6010', debitAgorot: 123_400 },
        { accountNumber: '1010', creditAgorot: 123_400 },
      ],
    },
    tour.session.UserKey,
  )
  const { page, failures } = await openPage(context, tour, '/invoice/budget')
  await page.getByRole('button', { name: t('budget.empty.type') }).click()
  const rent = page.getByRole('row', { name: /6010/ })

  // A year's sum falls into its months; one of them is changed, and the arrow goes to the account below.
  await rent.getByRole('textbox').last().fill('12000')
  await rent.getByRole('textbox').last().press('Enter')
  await expect(rent.getByRole('textbox').first()).toHaveValue('1,000')
  await rent.getByRole('textbox').first().fill('800+400')
  await rent.getByRole('textbox').first().press('ArrowDown')
  await expect(page.getByRole('row', { name: /6020/ }).getByRole('textbox').first()).toBeFocused()
  await expect(rent.getByRole('textbox').last()).toHaveValue('12,200')

  // All months of an account over the page: a year's sum alone is enough.
  await page.getByRole('button', { name: /6030/ }).click()
  await over(page)
    .getByLabel(saying(t('budget.row.year'), year))
    .fill('2400')
  await over(page)
    .getByRole('button', { name: t('kit.forms.save') })
    .click()
  await expect(page.getByRole('row', { name: /6030/ }).getByRole('textbox').nth(5)).toHaveValue('200')

  // What is no sum stays, marked.
  await page.getByRole('row', { name: /6020/ }).getByRole('textbox').first().fill('הרבה')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('row', { name: /6020/ }).getByRole('textbox').first()).toHaveAttribute(
    'aria-invalid',
    'true',
  )
  await expect(page.getByText(t('kit.forms.saved'), { exact: true })).toBeVisible()

  // A file: what it would set, and the line that was not read.
  await page.locator('input[type="file"]').setInputFiles({
    name: 'budget.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`מספר,שם,01/${year},02/${year}\n4000,הכנסות,9000,9500\n9876,אין כזה,1,1\n`),
  })
  await expect(over(page)).toContainText('9876 אין כזה')
  await over(page)
    .getByRole('button', { name: t('budget.import.take') })
    .click()
  await expect(page.getByRole('row', { name: /4000/ }).getByRole('textbox').first()).toHaveValue('9,000')

  // Beside what was, of January; the real figure opens its lines, and back is the same place.
  await page.getByRole('tab', { name: t('budget.views.actual') }).click()
  await page.goto(`${tour.base}/invoice/budget?view=actual&month=1`)
  const line = page.getByRole('row', { name: /6010/ })
  await expect(line).toContainText('1,200')
  await expect(line).toContainText('+34')
  await line.getByRole('link').first().click()
  await expect(page).toHaveURL(new RegExp(`from=${year}-01-01&to=${year}-01-31`))
  await page.goBack()
  await expect(page).toHaveURL(/view=actual&month=1/)
  expect(failures).toEqual([])
})

test('cash of the days to come: a sum typed in takes it below nothing, a day opens what it is made of, stress stands in the address', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const make = (path: string, body: unknown) => post(tour.base, path, body, tour.session.UserKey)
  const today = dayInJerusalem(new Date())
  const { id } = await make('/api4/invoice/customers', { name: 'מאפייה' })
  await make('/api4/invoice/documents', {
    type: 8,
    customerId: id,
    dueDate: addDays(today, 20),
    lines: [{ description: 'עבודה', quantity: '1', unitPrice: '1000' }],
  })
  const { page, failures } = await openPage(context, tour, '/invoice/cashforecast')
  await page
    .getByRole('button', { name: t('forecast.sums.add') })
    .first()
    .click()
  await over(page).getByLabel(t('forecast.sums.name')).fill('שכר')
  await over(page).getByLabel(t('forecast.sums.sum')).fill('700')
  await over(page)
    .getByRole('button', { name: t('kit.forms.save') })
    .click()
  const first = addMonths(startOfMonth(today), 1)
  const belowZero = first < addDays(today, 20) ? first : addMonths(first, 1)
  await expect(page.getByText(formatDay(belowZero)).first()).toBeVisible()

  // The day of the debt names its paper.
  await page.getByRole('row', { name: new RegExp(formatDay(addDays(today, 20))) }).click()
  await expect(over(page)).toContainText('מאפייה')
  await expect(over(page).getByRole('link')).toHaveAttribute('href', /\/invoice\/preview\//)
  await page.keyboard.press('Escape')

  // The biggest debtor pays a month later.
  await page.getByRole('radio', { name: '1', exact: true }).click()
  await expect(page).toHaveURL(/late=1/)
  await expect(page.getByRole('row', { name: new RegExp(formatDay(addDays(today, 50))) })).toBeVisible()
  await page.reload()
  await expect(page.getByText(saying(t('forecast.stress.who'), 'מאפייה'))).toBeVisible()
  expect(failures).toEqual([])
})
