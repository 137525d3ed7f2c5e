import { expect, test } from '@playwright/test'
import { openEmpty, openPage, type Tour } from '../../tools/tour.ts'
import { wordsIn } from './support.ts'

const t = wordsIn('he')

test('ten lines by keyboard alone are checked, posted, seen on the card and undone', async ({ context, baseURL }) => {
  test.setTimeout(120_000)
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const { page, failures } = await openPage(context, tour, '/invoice/moveaccounting')
  const keys = page.keyboard
  const cell = (name: string) => page.locator(`.jr-form input[name="${name}"]`)
  await expect(cell('kindId')).toBeFocused()
  for (let i = 1; i <= 10; i++) {
    // The kind of movement, a bank fee, brings both accounts; the later lines keep it.
    if (i === 1) {
      await keys.type('4')
      await keys.press('Enter')
    } else await keys.press('Enter')
    await expect(cell('day')).toBeFocused()
    await keys.press('Enter')
    await expect(cell('reference')).toBeFocused()
    await keys.type(String(100 + i))
    await keys.press('Enter')
    await expect(cell('details')).toBeFocused()
    if (i === 1) await keys.type('עמלה')
    if (i === 1) await keys.press('Enter')
    else await keys.press('Control+d')
    await expect(cell('debitAccountId')).toBeFocused()
    await keys.press('Enter')
    await keys.press('Enter')
    await expect(cell('amountAgorot')).toBeFocused()
    await keys.type(String(i))
    await keys.press('Control+Enter')
    await expect(page.getByRole('grid').or(page.getByRole('table')).locator('tbody tr')).toHaveCount(i)
    await expect(cell('kindId')).toBeFocused()
  }
  await expect(page.getByText(t('journal.saved'))).toBeVisible()
  await expect(page).toHaveURL(/batch=/)
  // A reload loses nothing.
  await page.reload()
  await expect(page.getByText('110', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: t('journal.batch.check') }).click()
  await page.getByRole('button', { name: t('journal.batch.post') }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('journal.batch.post') })
    .click()
  await expect(page.getByText(t('journal.state.posted'), { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/manotlist/)
  const batch = page.url()

  await page.goto(`${tour.base}/invoice/cardskarteset?q=6200`)
  await page.getByRole('link', { name: t('ledger.accounts.bankFees') }).click()
  await expect(page.getByText('55.00').first()).toBeVisible()

  await page.goto(batch)
  await page.getByRole('button', { name: t('kit.actions.more') }).click()
  await page.getByRole('menuitem', { name: t('journal.reverse.batch') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('journal.reverse.verb') })
    .click()
  await expect(page.getByText(t('journal.reverse.reverses'))).toBeVisible()
  expect(failures).toEqual([])
})
