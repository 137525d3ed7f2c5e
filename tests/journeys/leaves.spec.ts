import { expect, test } from '@playwright/test'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { over, wordsIn } from './support.ts'

/** What leaves the business is listed with the person whose rights it works with, and is ended there. */
const t = wordsIn('he')

for (const [look, viewport] of Object.entries({
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 800 },
}))
  test(`an address of a program is listed and ended on the ${look}`, async ({ context, baseURL }) => {
    const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
    const { page, failures } = await openPage(context, tour, '/invoice/leaves')
    await page.setViewportSize(viewport)
    await expect(page.getByText(t('team.leaves.empty'))).toBeVisible()
    await post(
      tour.base,
      '/api4/invoice/webhooks',
      { url: 'http://127.0.0.1:9/pinkas', name: 'ERP', events: ['document.issued'] },
      tour.session.UserKey,
    )
    await page.reload()
    const row = page.getByRole('main').getByText('ERP', { exact: true })
    await expect(row.first()).toBeVisible()
    if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}-${look}.png` })
    await row.first().hover()
    await page.getByRole('main').getByRole('button', { name: /ERP/ }).first().click()
    await page.getByRole('menuitem', { name: t('team.leaves.end'), exact: true }).click()
    if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}-${look}-asks.png` })
    await over(page)
      .getByRole('button', { name: t('team.leaves.end'), exact: true })
      .click()
    await expect(page.getByText(t('team.leaves.empty'))).toBeVisible()
    expect(failures).toEqual([])
  })
