import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { root } from '#kit/server/settings.ts'
import { signUp } from './support.ts'
import { slowed } from './slowed.ts'

test(
  'a bill is dropped, read, corrected, filed, and stands among the expenses',
  { tag: '@spine' },
  async ({ page }) => {
    await signUp(page, 'he')
    await page.goto('/invoice/expensesspage')
    await page
      .locator('input[type=file][multiple]')
      .last()
      .setInputFiles(join(root, 'tests/papers/samples/classic-2.pdf'))
    const row = page.getByRole('link', { name: /14,333\.01/ })
    await row.click({ timeout: 30_000 * slowed })

    // The form is filled in; pointing at the amount shows its place on the picture.
    const total = page.locator('input[name=total]')
    await expect(total).toHaveValue('14,333.01')
    await total.focus()
    await expect(page.locator('.cp-sheet .lit')).toBeVisible()

    // A word of the paper goes into the field one is in, and a typed correction stays.
    const number = page.locator('input[name=number]')
    await number.focus()
    await page.locator('.cp-sheet .word[title="70-7619"]').click()
    await expect(number).toHaveValue('70-7619')
    await number.fill('70-7619A')

    const kind = page.locator('input[name=typeId]')
    await kind.click()
    await page.getByRole('option').first().click()
    await page.keyboard.press('Control+Enter')
    await expect(page).toHaveURL(/expensesspage$/)

    const expense = await page.evaluate(async () => {
      const { UserKey } = JSON.parse(localStorage.getItem('user') ?? '{}') as { UserKey: string }
      const headers = { 'x-access-token': UserKey }
      const { rows } = (await (await fetch('/api4/invoice/expenses', { headers })).json()) as {
        rows: { id: string }[]
      }
      return (await fetch(`/api4/invoice/expenses/${rows[0]!.id}`, { headers })).json() as Promise<
        Record<string, unknown>
      >
    })
    expect(expense).toMatchObject({ supplierNumber: '70-7619A', paperTotalAgorot: 1_433_301 })
    expect(expense.files).toHaveLength(1)
  },
)
