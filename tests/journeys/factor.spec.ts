import { expect, test, type Page } from '@playwright/test'
import { generateSync } from 'otplib'
import { openPage, post, type Tour } from '../../tools/tour.ts'
import { arrive, newEmail, newTaxId, saying, tabTo, wordsIn, type Lang } from './support.ts'

/**
 * In and out by key alone, with the second factor; what is refused is said at its field, which has the
 * cursor.
 */
const password = 'a long enough password'

/** The code of so many steps from now: one that was used opens nothing again. */
const codeOf = (secret: string, steps: number) =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })

const isLost = (page: Page) =>
  page.evaluate(() => document.activeElement === null || document.activeElement === document.body)

const lang: Lang = 'he'

test('somebody turns the second factor on, goes out and comes in by its code and by a recovery code', async ({
  context,
  baseURL,
}) => {
  const t = wordsIn(lang)
  const email = newEmail()
  const business = { name: 'זרם טוב', kind: 'licensedDealer', taxId: newTaxId() }
  const session = await post(baseURL!, '/api/user/signup', {
    email,
    password,
    fullName: 'נועה ורדי',
    business,
    language: lang,
  })
  const tour: Tour = { base: baseURL!, session }
  const { page, failures } = await openPage(context, tour, '/invoice/main', { lang })
  const keys = page.keyboard
  const field = (name: string) => page.locator(`input[name="${name}"]`)
  const button = (key: string) => page.getByRole('button', { name: t(key), exact: true })
  const ofPerson = async (key: string) => {
    await tabTo(page, page.locator('.s-person'), 120)
    await keys.press('Enter')
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    const item = page.getByRole('menuitem', { name: t(key), exact: true })
    while (!(await item.evaluate((one) => one === document.activeElement))) await keys.press('ArrowDown')
    await keys.press('Enter')
  }
  /** Said at its field, and the cursor in it. */
  const isRefused = async (name: string, key: string) => {
    await expect(field(name)).toHaveAttribute('aria-invalid', 'true')
    await expect(field(name)).toHaveAccessibleDescription(new RegExp(t(key).slice(0, 20)))
    await expect(field(name)).toBeFocused()
  }

  await ofPerson('screens.account')
  await arrive(page, '**/invoice/account')
  await expect(page.locator('#content')).toBeFocused()
  const start = button('session.me.factorStart')
  await tabTo(page, start, 60)
  await keys.press('Enter')
  // The one field of the question; the first of that name is of the change of the password.
  const proof = page.locator('form', {
    has: page.locator(`button[type="submit"]`, { hasText: t('session.me.factorStart') }),
  })
  await expect(proof.locator('input')).toBeFocused()
  await keys.type('a wrong password')
  await keys.press('Enter')
  await expect(proof.locator('input')).toHaveAttribute('aria-invalid', 'true')
  await expect(proof.locator('input')).toBeFocused()
  await keys.press('Control+a')
  await keys.type(password)
  await expect(proof.locator('input')).not.toHaveAttribute('aria-invalid', 'true')
  await keys.press('Enter')
  await expect(field('code')).toBeFocused()
  const secret = (await page.locator('.a-factor bdi.num').innerText()).replace(/\s/g, '')
  await keys.type('000000')
  await keys.press('Enter')
  await isRefused('code', 'errors.session.wrongCode')
  await keys.press('Control+a')
  await keys.type(codeOf(secret, 0))
  await keys.press('Enter')
  const codes = page.getByRole('list', { name: t('session.recovery.title') })
  await expect(codes).toBeVisible()
  const [paper] = await codes.getByRole('listitem').allInnerTexts()
  await expect.poll(() => isLost(page)).toBe(false)
  await tabTo(page, button('session.recovery.kept'), 3)
  await keys.press('Enter')
  await expect(codes).toHaveCount(0)
  await expect.poll(() => isLost(page)).toBe(false)

  // Out, and in by the code of the phone.
  const logIn = async () => {
    await arrive(page, /\/login/i)
    await expect(field('email')).toBeFocused()
    await keys.type(email)
    await keys.press('Tab')
    await keys.type(password)
    await keys.press('Enter')
    await expect(field('code')).toBeFocused()
  }
  await ofPerson('kit.shell.logOut')
  await logIn()
  await keys.type('12345')
  await keys.press('Enter')
  await isRefused('code', 'errors.fields.code')
  await keys.press('Control+a')
  await keys.type('000000')
  await keys.press('Enter')
  await isRefused('code', 'errors.session.wrongCode')
  await keys.press('Control+a')
  await keys.type(codeOf(secret, 1))
  await expect(field('code')).not.toHaveAttribute('aria-invalid', 'true')
  await keys.press('Enter')
  await arrive(page, '**/invoice/main')
  await expect(page.locator('#content')).toBeFocused()

  // The phone is lost: one of the codes on paper, once.
  for (const isUsed of [false, true]) {
    await ofPerson('kit.shell.logOut')
    await logIn()
    await tabTo(page, button('session.recovery.lost'), 4)
    await keys.press('Enter')
    await expect(field('code')).toBeFocused()
    await keys.type(paper!)
    await keys.press('Enter')
    if (isUsed) await isRefused('code', 'errors.session.wrongCode')
    else {
      await arrive(page, '**/invoice/main')
      await expect(page.locator('#content')).toBeFocused()
    }
  }
  expect(failures).toEqual([])
})

test('a business requires the second step, and leads to it a person who has none', async ({
  context,
  baseURL,
}) => {
  const t = wordsIn(lang)
  const session = await post(baseURL!, '/api/user/signup', {
    email: newEmail(),
    password,
    fullName: 'נועה ורדי',
    business: { name: 'זרם טוב', kind: 'licensedDealer', taxId: newTaxId() },
    language: lang,
  })
  const send = (method: string, path: string, body: object) =>
    fetch(`${baseURL}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-access-token': session.UserKey! },
      body: JSON.stringify(body),
    }).then((answer) => answer.json() as Promise<Record<string, string>>)
  const setUp = async () => {
    const { secret } = await send('POST', '/api/user/factor/start', { password })
    await send('POST', '/api/user/factor/confirm', { code: codeOf(secret!, 0) })
    return secret!
  }
  const secret = await setUp()
  const tour: Tour = { base: baseURL!, session }
  const { page, failures } = await openPage(context, tour, '/invoice/workers', { lang })
  await page.getByRole('button', { name: t('team.factor.title'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('team.factor.password'), { exact: true }).fill(password)
  await dialog.getByRole('button', { name: t('team.factor.require'), exact: true }).click()
  await expect(page.getByText(t('team.factor.saved'))).toBeVisible()
  await expect(dialog).toHaveCount(0)

  await send('POST', '/api/user/factor/drop', { password, code: codeOf(secret, 1) })
  await page.goto('/invoice/workers')
  await arrive(page, '**/invoice/account')
  await expect(page.getByText(saying(t('session.me.factorRequired'), 'זרם טוב'))).toBeVisible()
  await page.goto('/invoice/main')
  await arrive(page, '**/invoice/account')
  await page.getByRole('button', { name: t('session.me.factorStart'), exact: true }).click()
  await page
    .locator('form', { has: page.locator('button[type="submit"]', { hasText: t('session.me.factorStart') }) })
    .locator('input')
    .fill(password)
  await page.keyboard.press('Enter')
  const next = (await page.locator('.a-factor bdi.num').innerText()).replace(/\s/g, '')
  await page.locator('input[name="code"]').fill(codeOf(next, 0))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: t('session.recovery.kept'), exact: true }).click()
  await expect(page.getByText(saying(t('session.me.factorRequired'), 'זרם טוב'))).toHaveCount(0)
  await page.goto('/invoice/workers')
  await expect(page.getByRole('heading', { name: t('workers.title'), exact: true })).toBeVisible()
  // What the frame asks meanwhile is refused and told nobody.
  expect(failures.filter((line) => !line.includes('403'))).toEqual([])
})
