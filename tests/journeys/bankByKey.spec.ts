import { expect, test, type Page } from '@playwright/test'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { tabTo, wordsIn, type Lang } from './support.ts'

/** The rarer bookings of a line of the bank, and the way back from each, by key alone: the cursor is never lost on the way. */
const over = (page: Page) => page.locator('[role="dialog"], [role="alertdialog"]')
const isLost = (page: Page) =>
  page.evaluate(() => document.activeElement === null || document.activeElement === document.body)

for (const lang of ['he', 'en'] satisfies Lang[])
  test(`interest, a transfer between own accounts and an unknown payer are booked and taken back by keys (${lang})`, async ({
    context,
    baseURL,
  }) => {
    test.slow()
    const t = wordsIn(lang)
    const [onward, back] = lang === 'he' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
    const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
    const token = tour.session.UserKey!
    const card = { number: '1812', name: 'Savings card', kind: 'asset' }
    const { id: accountId } = await post(tour.base, '/api5/invoicecpa/accounts', card, token)
    const { id } = await post(tour.base, '/api4/invoice/bankaccounts', { name: 'Current' }, token)
    await post(tour.base, '/api4/invoice/bankaccounts', { name: 'Savings', accountId }, token)
    await post(tour.base, '/api4/invoice/customers', { name: 'משלם חדש' }, token)
    const { page, failures } = await openPage(context, tour, `/invoice/banklist/${id}`, { lang })
    const keys = page.keyboard
    const today = new Date().toLocaleDateString('en-CA', { timeZone: 'Asia/Jerusalem' })
    const lines = ['ריבית זכות,11,,3.21,', 'העברה,12,250.00,,', 'זיכוי,13,,640.00,'].map(
      (line) => `${today},${line}`,
    )
    const csv = `תאריך,תיאור,אסמכתא,חובה,זכות,יתרה\n${lines.join('\n')}`
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'bank.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.locator('.bk-acts button').first().press('Enter')
    await expect(page.locator('.bk-acts')).toHaveCount(0)

    await page.goto(`${tour.base}/invoice/atamotbank?account=${id}`)
    await tabTo(page, page.getByRole('tab').first(), 80)
    await keys.press(onward)
    const side = page
      .getByRole('grid', { name: t('matching.bankSide'), exact: true })
      .locator('tbody tr[data-row]')
    const what = over(page).getByRole('combobox').first()
    const begin = async (sum: string) => {
      const line = side.filter({ hasText: sum })
      await tabTo(page, side.first(), 80)
      while (!(await line.evaluate((one) => one === document.activeElement)))
        await keys.press((await side.first().and(page.locator(':focus')).count()) ? 'End' : 'ArrowUp')
      await keys.press('Shift+F10')
      await expect(page.getByRole('menuitem', { name: t('matching.book.verb'), exact: true })).toBeFocused()
      await keys.press('Enter')
      await expect(what).toBeFocused()
    }
    const choose = async (text: string) => {
      await keys.press('Control+a')
      await keys.type(text)
      await expect(page.getByRole('option').first()).toContainText(text)
      await keys.press('Enter')
      await expect(page.getByRole('option')).toHaveCount(0)
    }
    const isBooked = async (left: number, said: string) => {
      await expect(over(page)).toHaveCount(0)
      await expect(page.getByText(said).first()).toBeVisible()
      await expect(side).toHaveCount(left)
      // The next line, or after the last one what stands in their place.
      if (left > 0) await expect(side.and(page.locator(':focus'))).toHaveCount(1)
      await expect.poll(() => isLost(page)).toBe(false)
    }

    await begin('3.21')
    await choose(t('matching.deeds.interest'))
    await keys.press('Control+Enter')
    await isBooked(2, t('matching.book.done'))

    // Which account it went to has to be said: the refusal takes the cursor there, and goes with the choice.
    await begin('250.00')
    await choose(t('matching.deeds.transfer'))
    await keys.press('Control+Enter')
    const bank = over(page).getByRole('combobox', { name: t('matching.book.bank') })
    await expect(bank).toHaveAttribute('aria-invalid', 'true')
    await expect(bank).toBeFocused()
    await choose('Savings')
    await expect(bank).not.toHaveAttribute('aria-invalid', 'true')
    await expect(over(page).getByRole('combobox', { name: t('matching.book.otherLine') })).toBeVisible()
    await keys.press('Control+Enter')
    await isBooked(1, t('matching.book.done'))

    await begin('640.00')
    await keys.press('Control+Enter')
    const payer = over(page).getByRole('combobox', { name: t('matching.book.customer') })
    await expect(payer).toHaveAttribute('aria-invalid', 'true')
    await expect(payer).toBeFocused()
    await choose('משלם חדש')
    await expect(payer).not.toHaveAttribute('aria-invalid', 'true')
    await expect(over(page).getByText(t('matching.book.onAccount'))).toBeVisible()
    await keys.press('Control+Enter')
    await isBooked(0, t('matching.allMatched'))

    // Each is taken back, the newest first, by one key each: what was booked and its reversal stand matched above, and are passed over.
    await tabTo(page, page.getByRole('tab').nth(1), 80)
    await keys.press(onward)
    const row = page.locator('.ma-proposals > li')
    const undo = (of: string) =>
      row.filter({ has: page.locator('footer', { hasText: t(`matching.deeds.${of}`) }) }).getByRole('button')
    await expect(row).toHaveCount(3)
    await tabTo(page, undo('receipt'), 40)
    for (const [deed, next, said] of [
      ['receipt', 'transfer', 'matching.undone.stands'],
      ['transfer', 'interest', 'matching.undone.reversed'],
      ['interest', undefined, 'matching.undone.reversed'],
    ] as const) {
      await keys.press('Enter')
      await expect(undo(deed)).toHaveCount(0)
      await expect(page.getByText(t(said)).first()).toBeVisible()
      if (next) await expect(undo(next)).toBeFocused()
      await expect.poll(() => isLost(page)).toBe(false)
    }
    await tabTo(page, page.getByRole('tab').nth(2), 80)
    await keys.press(back)
    await expect(side).toHaveCount(3)
    expect(failures).toEqual([])
  })
