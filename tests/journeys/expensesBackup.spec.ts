import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { unzipSync } from 'fflate'
import { openPage, type Tour } from '../../tools/tour.ts'
import { sharedDemo, together as test, wordsIn, savedBy } from './support.ts'
import { slowed } from './slowed.ts'

/**
 * The pictures of the year are gathered into a file; the line is cut while it comes, and the next press goes
 * on from there.
 */
const t = wordsIn('he')

test('the pictures of a period come as one file, and go on where they were cut off', async ({
  context,
  baseURL,
}) => {
  test.slow()
  const tour: Tour = { base: baseURL!, session: await sharedDemo() }
  const { page } = await openPage(context, tour, '/invoice/reportexpensesbackup')
  await expect(page.locator('main tbody tr').first()).toBeVisible()
  await page.getByRole('button', { name: t('expensesBackup.make'), exact: true }).click()
  const download = page.getByRole('button', { name: t('expensesBackup.download'), exact: true })
  await expect(download).toBeVisible({ timeout: 30_000 * slowed })
  // The calls repeat themselves; this line stays dead for all of a press.
  let dead = true
  await page.route('**/api4/invoiceexport/expensesbackup/**', (route) =>
    dead ? route.abort() : route.continue(),
  )
  await download.click()
  const goOn = page.getByRole('button', { name: t('expensesBackup.goOn'), exact: true })
  await expect(goOn).toBeVisible({ timeout: 30_000 * slowed })
  dead = false
  const files = Object.keys(unzipSync(readFileSync(await (await savedBy(page, goOn)).path())))
  expect(files).toContain('expenses.xlsx')
  expect(files.filter((name) => /^\d{4}-\d{2}\/\d{4}-\d{2}-\d{2} .+\.pdf$/.test(name)).length).toBe(
    files.length - 1,
  )
  expect(files.length).toBeGreaterThan(5)
  await expect(page.getByRole('progressbar')).toHaveCount(1)
})
