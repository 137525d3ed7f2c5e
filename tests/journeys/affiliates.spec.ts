import { expect } from '@playwright/test'
import { post } from '../../tools/tour.ts'
import {
  arrive,
  chosen,
  newEmail,
  newTaxId,
  over,
  sharedDemo,
  together as test,
  tokenOf,
  verifyAccount,
  wordsIn,
} from './support.ts'

const t = wordsIn('he')

test('somebody joins as an affiliate, makes a link, and who signs up by it stands on his page without a name', async ({
  page,
  baseURL,
}) => {
  // On a developer's machine the first demo sells the product.
  await sharedDemo()
  const failures: string[] = []
  page.on('console', (message) => message.type() === 'error' && failures.push(message.text()))
  await chosen(page, 'he')
  await page.goto('/signupaff')
  await page.locator('input[name="business.name"]').fill('דגן שיווק')
  await page.locator('input[name="business.taxId"]').fill(newTaxId())
  await page.locator('input[name="fullName"]').fill('רון דגן')
  await page.locator('input[name="email"]').fill(newEmail())
  await page.locator('input[name="password"]').fill('a long enough password')
  for (const word of ['affiliates.signUp.selfBilling', 'session.signUp.read'])
    await page.getByRole('checkbox', { name: t(word) }).check()
  await page.getByRole('button', { name: t('affiliates.signUp.do'), exact: true }).click()
  await arrive(page, '**/invoice/main')
  await expect(page.getByRole('heading', { name: t('affiliates.home.title'), level: 1 })).toBeVisible()
  await expect(page.getByText(t('affiliates.home.asked'))).toBeVisible()

  await verifyAccount(baseURL!, await tokenOf(page))
  await page.getByRole('button', { name: t('affiliates.home.newLink'), exact: true }).click()
  await over(page).getByRole('textbox').fill('כרטיס ביקור')
  await page.keyboard.press('Enter')
  const row = page.locator('main tr[data-row]', { hasText: 'כרטיס ביקור' })
  await expect(row).toContainText('aff=')
  const code = /aff=(\w+)/.exec(await row.innerText())![1]!
  await post(baseURL!, '/api/user/signup', {
    email: newEmail(),
    password: 'a long enough password',
    fullName: 'נועה ורדי',
    business: { name: 'מתפרת הלבנון', kind: 'licensedDealer', taxId: newTaxId() },
    language: 'he',
    aff: code,
  })
  await page.reload()
  await expect(page.getByText(t('affiliates.signUps.notYet'))).toBeVisible()
  await expect(page.locator('main')).not.toContainText('מתפרת הלבנון')
  expect(failures).toEqual([])
})
