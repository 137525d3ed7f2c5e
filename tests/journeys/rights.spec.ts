import { expect, test, type BrowserContext } from '@playwright/test'
import { fillPath, openDemo, openPage, post, type Tour } from '../../tools/tour.ts'
import { linkTo, newEmail, saying, wordsIn } from './support.ts'

/** Screens as people with less than everything meet them. */
const t = wordsIn('he')

/** Somebody who works in the business of the tour, with exactly these rights. */
async function worker(owner: Tour, rights: Record<string, unknown>): Promise<Tour> {
  const email = newEmail()
  await post(owner.base, '/api4/invoice/workers', { email, fullName: 'דנה לוי', ...rights }, owner.session.UserKey)
  const link = await linkTo(email, /\/invitation\?lang=\w\w#[\w-]{43}/)
  const token = link.slice(link.indexOf('#') + 1)
  return { base: owner.base, session: await post(owner.base, '/api/user/invitation/accept', { token, password: 'a long enough password' }) }
}

test('a screen without the right to it says which, whom to ask, and leads back', async ({ context, baseURL }) => {
  const owner: Tour = { base: baseURL!, session: await openDemo(baseURL!) }
  const dana = await worker(owner, { rules: [10, 30] })
  const { page, failures } = await openPage(context, dana, '/invoice/workers')
  await expect(page.getByRole('heading', { level: 1, name: t('kit.shut.rule.title') })).toBeVisible()
  await expect(page.getByText(saying(t('kit.shut.rule.text'), t('screens.workers')))).toBeVisible()
  await expect(page.getByText(saying(t('kit.shut.rule.ask'), owner.session.FullName!))).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/invoice/workers')
  await page.getByRole('link', { name: t('kit.notFound.home'), exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: t('kit.shut.rule.title') })).toHaveCount(0)
  expect(failures).toEqual([])
})

test('a screen of a module nobody bought leads to where it is bought, and then opens', async ({ context, baseURL }) => {
  const owner: Tour = { base: baseURL!, session: await openDemo(baseURL!) }
  const { page } = await openPage(context, owner, '/invoice/apikeys')
  await expect(page.getByRole('heading', { level: 1, name: t('kit.shut.module.title') })).toBeVisible()
  await expect(page.getByText(saying(t('kit.shut.module.text'), t('modules.api')))).toBeVisible()
  await page.getByRole('link', { name: t('kit.shut.module.open') }).click()
  await page.waitForURL('**/invoice/modules')
  const card = page.locator('.mo-one').filter({ hasText: t('modules.api') })
  await card.getByRole('button').first().click()
  await expect(page.getByText(saying(t('modules.bought'), t('modules.api')))).toBeVisible()
  await page.goto('/invoice/apikeys')
  await expect(page.getByRole('heading', { name: t('apiKeys.empty.title') })).toBeVisible()
})
