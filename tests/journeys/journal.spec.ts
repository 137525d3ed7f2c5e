import { expect } from '@playwright/test'
import { openEmpty, openPage, type Tour } from '../../tools/tour.ts'
import { arrive, saying, sharedDemo, tabTo, together as test, wordsIn } from './support.ts'

const t = wordsIn('he')

// What a service worker lets through is not stopped by the routes of a page.
test.use({ serviceWorkers: 'block' })

test('ten lines by keyboard alone are checked, posted, seen on the card and undone', async ({
  context,
  baseURL,
}) => {
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

test('keys do what a bookkeeper expects: nothing half typed is lost or guessed, and nothing typed is lost with the net or the tab', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const { page } = await openPage(context, tour, '/invoice/moveaccounting')
  let keys = page.keyboard
  const cellOf = (on: typeof page) => (name: string) => on.locator(`.jr-form input[name="${name}"]`)
  let cell = cellOf(page)
  const rows = (on: typeof page) => on.locator('main tbody tr')
  await expect(cell('kindId')).toBeFocused()

  // Two digits are a day of the present month; Enter after them goes on.
  await keys.press('Enter')
  await keys.type('1/3/2026')
  await keys.press('Enter')
  await keys.press('Shift+Tab')
  await keys.press('Shift+Tab')
  await expect(cell('day')).toBeFocused()
  await keys.type('20')
  await keys.press('Enter')
  await expect(cell('day')).toHaveValue('20/03/2026')

  // Tab takes the hit and goes one cell on; an emptied cell stays empty.
  await keys.press('Enter')
  await keys.press('Enter')
  await keys.type('6200')
  await keys.press('Tab')
  await expect(cell('creditAccountId')).toBeFocused()
  await keys.type('1010')
  await keys.press('Enter')
  await keys.press('Shift+Tab')
  await expect(cell('creditAccountId')).toBeFocused()
  await keys.press('Delete')
  await keys.press('Enter')
  await expect(cell('amountAgorot')).toBeFocused()
  await expect(cell('creditAccountId')).toHaveValue('')
  await keys.press('Shift+Tab')
  await keys.type('9999')
  await keys.press('Tab')
  await expect(page.getByText(saying(t('kit.combo.none'), '9999'))).toBeVisible()
  await keys.press('Shift+Tab')
  await keys.type('1010')
  await keys.press('Enter')

  // What is half typed counts when the line is put in.
  await keys.type('118')
  await keys.press('Enter')
  await keys.type('2')
  await keys.press('Control+Enter')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page).getByText('18.00')).toBeVisible()

  // No line is made of a day that is none, and Escape does not throw a line away at once.
  await keys.press('Enter')
  await keys.type('31/02/26')
  for (let i = 0; i < 3; i++) await keys.press('Enter')
  await keys.type('6200')
  await keys.press('Enter')
  await keys.type('1010')
  await keys.press('Enter')
  await keys.type('77')
  await keys.press('Control+Enter')
  await expect(cell('day')).toBeFocused()
  await expect(page.getByText(t('kit.errors.day'))).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await keys.press('Control+a')
  await keys.type('21')
  await keys.press('Escape')
  await expect(cell('kindId')).toBeFocused()
  await expect(cell('amountAgorot')).toHaveValue('77.00')
  await expect(page.getByText(t('journal.saved'))).toBeVisible()

  // Without a network the line stays, is said to be here only, and comes to the server from the next page.
  const lines = '**/api5/invoicecpa/batches/**'
  await context.route(lines, (route) =>
    route.request().method() === 'PUT' ? route.abort('internetdisconnected') : route.fallback(),
  )
  await keys.press('Control+Enter')
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByText(/עוד לא הגיעה לשרת/)).toBeVisible()
  await keys.press('Enter')
  await keys.press('Enter')
  await keys.type('half')
  const at = page.url()
  await page.close({ runBeforeUnload: false })
  const next = await openPage(context, tour, new URL(at).pathname + new URL(at).search)
  keys = next.page.keyboard
  cell = cellOf(next.page)
  await expect(rows(next.page)).toHaveCount(2)
  await expect(cell('reference')).toHaveValue('half')
  await expect(next.page.getByText(/עוד לא הגיעה לשרת/)).toBeVisible()
  await context.unroute(lines)
  await expect(next.page.getByText(t('journal.saved'))).toBeVisible()
  await next.page.reload()
  await expect(rows(next.page)).toHaveCount(2)
  await expect(rows(next.page).getByText('77.00')).toBeVisible()

  // Rows copied from a spreadsheet are added together; what could not be read is reported.
  await expect(cell('kindId')).toBeFocused()
  await cell('reference').evaluate((element) => {
    const data = new DataTransfer()
    data.setData(
      'text/plain',
      '1/4/2026\tS1\tגיליון\t6200\t1010\t1,000.00\n2/4/2026\tS2\tגיליון\t9999\t1010\t5\n',
    )
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  })
  await expect(rows(next.page)).toHaveCount(4)
  await expect(rows(next.page).getByText('1,000.00')).toBeVisible()
  await expect(next.page.getByText(/9999/)).toBeVisible()
  await expect(cell('reference')).toHaveValue('half')

  // The newest is first; PageUp opens it, PageDown comes back to the line that was begun. Checked and posted without
  // going elsewhere.
  await expect(rows(next.page).first()).toContainText('S2')
  await cell('reference').focus()
  await keys.press('PageUp')
  await expect(cell('reference')).toHaveValue('S2')
  for (let i = 0; i < 4; i++) await keys.press('Enter')
  await expect(cell('debitAccountId')).toBeFocused()
  await keys.type('6200')
  await keys.press('Control+Enter')
  await expect(cell('reference')).toHaveValue('half')
  await expect(next.page.getByText(t('journal.saved'))).toBeVisible()
  await tabTo(next.page, next.page.getByRole('button', { name: t('journal.batch.check') }), 60)
  await keys.press('Enter')
  await expect(next.page.getByRole('button', { name: t('journal.batch.post') })).toBeFocused()
  await keys.press('Enter')
  const question = next.page.getByRole('alertdialog')
  await expect(question.getByRole('button', { name: t('kit.actions.back') })).toBeFocused()
  await expect(question).toContainText(t('journal.batch.typingStays'))
  await keys.press('Tab')
  await keys.press('Enter')
  await expect(next.page.getByText(t('journal.state.posted'), { exact: true })).toBeVisible()

  // The line that was being typed waits in the next batch.
  await next.page.goto(`${tour.base}/invoice/moveaccounting`)
  await expect(cell('reference')).toHaveValue('half')
})

test('from a report down to the paper and back: the cursor stands at the row one left by', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await sharedDemo() }
  const { page } = await openPage(context, tour, '/invoice/maazanbohan')
  const row = page.locator('main tbody tr', { hasText: '1010' }).first()
  await row.locator('a').first().focus()
  await page.keyboard.press('Enter')
  await arrive(page, '**/cardskarteset/**')
  const line = page.locator('main tbody tr').filter({ has: page.locator('a') })
  await line.first().locator('a').first().focus()
  const name = await line.first().innerText()
  await page.keyboard.press('Enter')
  await expect(page).not.toHaveURL(/cardskarteset/)
  await page.goBack()
  await arrive(page, '**/cardskarteset/**')
  await expect
    .poll(() => page.evaluate(() => (document.activeElement?.closest('tr') as HTMLElement | null)?.innerText))
    .toBe(name)
  await page.goBack()
  await arrive(page, '**/maazanbohan')
  await expect(row).toBeFocused()
})
