import { expect, test } from '@playwright/test'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { wordsIn } from './support.ts'

/** What waits for approval is at the top of the menu with its number, and is gone from there once it is decided. */
const t = wordsIn('he')

test('a draft of a program is approved from the menu', async ({ context, baseURL }) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey
  const customer = await post(tour.base, '/api4/invoice/customers', { name: 'דנה לוי' }, token)
  const key = await post(
    tour.base,
    '/api4/invoice/apikeys',
    {
      name: 'חנות',
      readOnly: false,
      draftsOnly: true,
      rules: [],
      docsAllow: [],
      sumLimitAgorot: null,
      expiresOn: null,
    },
    token,
  )
  const { page, failures } = await openPage(context, tour, '/invoice/main')
  await page.setViewportSize({ width: 1280, height: 800 })
  const menu = page.getByRole('navigation', { name: t('kit.shell.menu'), exact: true })
  const line = menu.getByRole('link', { name: new RegExp(`^${t('screens.approvals')}\\s*1$`) })
  await expect(menu).toBeVisible()
  await expect(line).toHaveCount(0)
  await post(
    tour.base,
    '/api4/invoice/documents',
    {
      type: 1,
      customerId: customer.id,
      draft: true,
      lines: [{ description: 'x', unitPrice: '100' }],
    },
    key.secret,
  )
  // It appears automatically: the page is notified of the draft.
  await expect(line).toBeVisible()
  await line.click()
  await page.getByRole('main').getByRole('button', { name: /118/ }).click()
  await expect(page.getByText(t('approvals.empty.title'))).toBeVisible()
  await expect(line).toHaveCount(0)
  expect(failures).toEqual([])
})
