import { expect, type Page } from '@playwright/test'
import { openPage, type Tour } from '../../tools/tour.ts'
import { arrive, sharedDemo, together as test, type Lang } from './support.ts'

/**
 * From a figure of a report down to the document behind it and back, by keyboard alone: each step back is at the row
 * one left by, at its earlier position.
 */
const rows = (page: Page) => page.locator('main tbody tr[data-row]')

/** The row with the cursor, and its position in the window. */
const here = (page: Page) =>
  page.evaluate(() => {
    const one = document.activeElement as HTMLElement
    return { tag: one.tagName, text: one.innerText, top: Math.round(one.getBoundingClientRect().top) }
  })

const reports = [
  { path: '/invoice/maazanbohan', from: 8, steps: 2 },
  { path: '/invoice/maazanbohan?level=top', from: 3, steps: 3 },
  { path: '/invoice/maazan', from: 4, steps: 3 },
  { path: '/invoice/reportprofitloss', from: 3, steps: 3 },
  { path: '/invoice/accountingledger', from: 60, steps: 1 },
  { path: '/invoice/reportprofitsales', from: 2, steps: 2 },
  { path: '/invoice/openordersproduct', from: 1, steps: 2 },
  { path: '/invoice/reportowesummary', from: 2, steps: 2 },
  { path: '/invoice/reportproducts', from: 3, steps: 2 },
]

const lang: Lang = 'he'

test('the reports of the books are gone down to the paper and come back from by keys', async ({
  context,
  baseURL,
}) => {
  test.slow()
  const tour: Tour = { base: baseURL!, session: await sharedDemo() }
  for (const { path, from, steps } of reports) {
    const { page, failures } = await openPage(context, tour, path, { lang })
    const keys = page.keyboard
    const left: { url: string; at: Awaited<ReturnType<typeof here>> }[] = []
    await expect(rows(page).first()).toBeVisible()
    for (let step = 0; step < steps; step++) {
      await keys.press('ArrowDown')
      await expect(page.locator('tr:focus')).toHaveCount(1)
      for (let i = 0; i < (step === 0 ? from : 1); i++) await keys.press('ArrowDown')
      // A sum leads nowhere.
      while (!(await page.locator('tr:focus a').count())) await keys.press('ArrowDown')
      const url = page.url()
      left.push({ url, at: await here(page) })
      await keys.press('Enter')
      await arrive(page, (now) => now.href !== url)
      await expect.poll(async () => (await here(page)).text).not.toBe(left.at(-1)!.at.text)
      await expect(page.locator('main .k-sk')).toHaveCount(0)
      await expect.poll(async () => (await here(page)).tag).toMatch(/^(TR|MAIN)$/)
    }
    for (const { url, at } of left.toReversed()) {
      await page.goBack()
      await expect(page).toHaveURL(url)
      await expect.poll(async () => (await here(page)).text, `${path} ${url}`).toBe(at.text)
      await expect
        .poll(async () => Math.abs((await here(page)).top - at.top), `${path} ${url}`)
        .toBeLessThan(3)
    }
    expect(failures).toEqual([])
    await page.close()
  }
})
