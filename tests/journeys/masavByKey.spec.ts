import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { openPage, type Tour } from '../../tools/tour.ts'
import { alone, arrive, giveMasavNumbers, tabTo, wordsIn, type Lang } from './support.ts'

/** After a file for the clearing centre was read or taken back, the cursor stands at what came of it. */
for (const lang of ['he', 'en'] satisfies Lang[])
  alone(
    `what the bank returned is read on from, and a file that was taken back leads to the next one (${lang})`,
    async ({ context, baseURL, copy }) => {
      test.slow()
      const t = wordsIn(lang)
      const tour: Tour = { base: baseURL!, session: copy.demo }
      await giveMasavNumbers(tour)
      const { page, failures } = await openPage(context, tour, '/invoice/masavrun', { lang })
      page.on('filechooser', () => undefined)
      const keys = page.keyboard
      const over = page.locator('[role="dialog"], [role="alertdialog"]')
      await tabTo(page, page.getByRole('region').getByRole('button', { name: t('masav.make') }), 80)
      await keys.press('Enter')
      await tabTo(page, over.getByRole('button', { name: t('masav.make') }))
      await keys.press('Enter')
      await arrive(page, '**/invoice/masavfile/*')
      await tabTo(page, page.getByRole('button', { name: t('masav.download') }))
      const [file] = await Promise.all([page.waitForEvent('download'), keys.press('Enter')])
      const bytes = readFileSync((await file.path())!)

      // The whole file goes back: from the place of its buttons one key leads to a new one.
      await tabTo(page, page.getByRole('button', { name: t('kit.actions.more') }).first())
      await keys.press('Enter')
      await expect(page.getByRole('menuitem', { name: t('masav.undo') })).toBeFocused()
      await keys.press('Enter')
      await expect(over.locator('input[name="reason"]')).toBeFocused()
      // The server's refusal goes with the first letter.
      await keys.press('Enter')
      await expect(over.locator('input[name="reason"]')).toHaveAttribute('aria-invalid', 'true')
      await expect(over.locator('input[name="reason"]')).toBeFocused()
      await keys.type('w')
      await expect(over.locator('input[name="reason"]')).not.toHaveAttribute('aria-invalid', 'true')
      await keys.type('rong day')
      await keys.press('Enter')
      await expect(over).toHaveCount(0)
      await expect(page.getByText('wrong day')).toBeVisible()
      const another = page.getByRole('link', { name: t('masav.newFile'), exact: true })
      await expect(page.locator('[data-kept]:focus', { has: another })).toHaveCount(1)
      await keys.press('Tab')
      await expect(another).toBeFocused()
      await keys.press('Enter')
      await arrive(page, '**/invoice/masavrun')

      // What was read stands in the place of the file, with the cursor.
      await page.goto(`${tour.base}/invoice/reportmasavpayment`)
      await tabTo(page, page.getByRole('button', { name: t('masav.readReturns') }), 60)
      await keys.press('Enter')
      await expect(over.locator('button.k-drop')).toBeFocused()
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), keys.press('Enter')])
      await chooser.setFiles({ name: 'returns.001', mimeType: 'text/plain', buffer: bytes })
      await tabTo(page, over.getByRole('button', { name: t('masav.read'), exact: true }))
      await keys.press('Enter')
      const result = over.getByRole('group', { name: 'returns.001' })
      await expect(result).toBeFocused()
      await expect(result).not.toBeEmpty()
      await tabTo(page, over.locator('footer button'), 12)
      await keys.press('Enter')
      await expect(over).toHaveCount(0)
      await expect(page.getByRole('button', { name: t('masav.readReturns') })).toBeFocused()
      expect(failures).toEqual([])
    },
  )
