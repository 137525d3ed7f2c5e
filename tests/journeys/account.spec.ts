import { expect, test, type Page } from '@playwright/test'
import { post } from '../../tools/tour.ts'
import { arrive, chosen, linkTo, newEmail, newTaxId, saying, wordsIn } from './support.ts'

/** The ways in besides the password one remembers: a new one by mail, and Google. */
const t = wordsIn('he')

const business = async (base: string) => {
  const email = newEmail()
  await post(base, '/api/user/signup', {
    email,
    password: 'a long enough password',
    fullName: 'נועה ורדי',
    business: { name: 'זרם טוב', kind: 'licensedDealer', taxId: newTaxId() },
    language: 'he',
  })
  return email
}

const logIn = async (page: Page, email: string, password: string) => {
  await page.locator('input[name="email"]').fill(email)
  await page.locator('input[name="password"]').fill(password)
  await page.getByRole('button', { name: t('session.logIn.do'), exact: true }).click()
}

test('a forgotten password is chosen anew by the link in the mail, once', async ({ page, baseURL }) => {
  const email = await business(baseURL!)
  await chosen(page, 'he')
  await page.goto('/login')
  await page.getByRole('link', { name: t('session.logIn.forgot') }).click()
  await arrive(page, '**/reset-password')
  const ask = page.getByRole('button', { name: t('session.reset.do'), exact: true })
  await page.locator('input[name="email"]').fill('not an address')
  await ask.click()
  await expect(page.getByText(t('errors.fields.email'))).toBeVisible()
  await page.locator('input[name="email"]').fill(email)
  await ask.click()
  await expect(page.getByRole('heading', { name: t('session.reset.sent') })).toBeVisible()

  // An address nobody has gets the same answer.
  await page.getByRole('button', { name: t('session.reset.another') }).click()
  await page.locator('input[name="email"]').fill(newEmail())
  await ask.click()
  await expect(page.getByRole('heading', { name: t('session.reset.sent') })).toBeVisible()

  const link = await linkTo(email, /http\S+\/reset-password#[\w-]{43}/)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: t('session.reset.choose') })).toBeVisible()
  expect(page.url()).not.toContain('#')
  const save = page.getByRole('button', { name: t('session.reset.save'), exact: true })
  await page.locator('input[name="password"]').fill('short')
  await save.click()
  await expect(page.getByText(t('errors.fields.password'))).toBeVisible()
  await page.locator('input[name="password"]').fill('princess1')
  await page.keyboard.press('Enter')
  await expect(page.getByText(t('errors.session.passwordCommon'))).toBeVisible()
  await page.locator('input[name="password"]').fill('another long password')
  await save.click()
  await arrive(page, '**/login')
  await expect(page.getByText(t('session.reset.done'))).toBeVisible()

  await logIn(page, email, 'a long enough password')
  await expect(page.getByText(t('errors.session.wrongPassword'))).toBeVisible()
  await logIn(page, email, 'another long password')
  await arrive(page, '**/invoice/main')

  // The link once more, in another browser: it says that it is over before a password is thought of, and
  // helps to a new one.
  const stranger = await page.context().browser()!.newContext()
  const second = await stranger.newPage()
  await chosen(second, 'he')
  await second.goto(link)
  await expect(second.getByRole('heading', { name: t('session.reset.ended') })).toBeVisible()
  await expect(second.getByText(t('session.reset.endedSub'))).toBeVisible()
  await second.locator('input[name="email"]').fill(email)
  await second.getByRole('button', { name: t('session.reset.do'), exact: true }).click()
  await expect(second.getByRole('heading', { name: t('session.reset.sent') })).toBeVisible()
  await linkTo(email, /http\S+\/reset-password#[\w-]{43}/, link)
  // Half a link is a link that is over.
  await second.goto('/login')
  await second.goto(link.slice(0, -20))
  await expect(second.getByRole('heading', { name: t('session.reset.ended') })).toBeVisible()
  await stranger.close()
})

test('an address is verified by its code; a change of the account is announced and undone by the link in the email', async ({
  page,
  baseURL,
}) => {
  const email = await business(baseURL!)
  await chosen(page, 'he')
  await page.goto('/login')
  await logIn(page, email, 'a long enough password')
  await arrive(page, '**/invoice/main')
  const strip = page.getByRole('region', { name: t('session.verify.title') })
  await strip.getByRole('button', { name: t('session.verify.do'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  const code = await linkTo(email, /\b\d{6}\b/)
  await dialog.locator('input[name="code"]').fill(code === '000000' ? '111111' : '000000')
  await dialog.getByRole('button', { name: t('session.verify.do'), exact: true }).click()
  await expect(dialog.getByText(t('errors.session.wrongCode'))).toBeVisible()
  await dialog.locator('input[name="code"]').fill(code)
  await dialog.getByRole('button', { name: t('session.verify.do'), exact: true }).click()
  await expect(page.getByText(t('session.verify.done'))).toBeVisible()
  await expect(strip).toHaveCount(0)

  await page.goto('/invoice/account')
  await expect(page.getByText(t('session.me.verified'), { exact: true })).toBeVisible()
  const details = page.locator('form').filter({ has: page.locator('input[name="phone"]') })
  await details.locator('input[name="phone"]').fill('052-7654321')
  await details.getByRole('button', { name: t('session.me.save'), exact: true }).click()
  await expect(details.getByText(t('errors.fields.need'))).toBeVisible()
  await details.locator('input[name="password"]').fill('a long enough password')
  await details.getByRole('button', { name: t('session.me.save'), exact: true }).click()
  await expect(page.getByText(t('session.me.unverifiedPhone'))).toBeVisible()

  const link = await linkTo(email, /http\S+\/undo-change#[\w-]{43}/)
  await page.goto('/privacy')
  await page.goto(link)
  await expect(page.getByText(t('session.change.phone'))).toBeVisible()
  expect(page.url()).not.toContain('#')
  await page.getByRole('button', { name: t('session.undo.do'), exact: true }).click()
  await arrive(page, '**/reset-password')
  await page.locator('input[name="password"]').fill('another long password')
  await page.getByRole('button', { name: t('session.reset.save'), exact: true }).click()
  await arrive(page, '**/login')
  await logIn(page, email, 'another long password')
  await arrive(page, '**/invoice/main')
  await page.goto('/invoice/account')
  await expect(page.locator('input[name="phone"]')).toHaveValue('')
})

test.describe('Google', () => {
  const google = (page: Page) => page.getByRole('button', { name: t('session.logIn.google'), exact: true })
  const choose = async (page: Page, email: string) => {
    await arrive(page, '**/google-stand-in?**')
    await page.locator('input[name="email"]').fill(email)
    await page.getByRole('button', { name: t('session.standIn.do'), exact: true }).click()
  }

  test('one presses Google, chooses the account and is in, where one wanted to go', async ({
    page,
    baseURL,
  }) => {
    const email = await business(baseURL!)
    await chosen(page, 'he')
    await page.goto('/invoice/documents')
    await arrive(page, '**/login**')
    await google(page).click()
    await choose(page, email)
    // The address had never been verified: it is said that what was set up before has ended.
    await expect(page.getByText(t('session.google.cleared'))).toBeVisible()
    await page.getByRole('button', { name: t('session.verify.continue'), exact: true }).click()
    await arrive(page, '**/invoice/documents')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    // Neither the address nor what came before it holds the token.
    expect(page.url()).not.toContain('id_token=')
    await page.goBack()
    expect(page.url()).not.toContain('id_token=')
  })

  test('an account that is verified is connected with Google after a confirmation', async ({
    page,
    baseURL,
  }) => {
    const email = newEmail()
    const { UserKey } = await post(baseURL!, '/api/user/signup', {
      email,
      password: 'a long enough password',
      fullName: 'נועה ורדי',
      business: { name: 'זרם טוב', kind: 'licensedDealer', taxId: newTaxId() },
      language: 'he',
    })
    await post(
      baseURL!,
      '/api/user/verify',
      { what: 'email', code: await linkTo(email, /\b\d{6}\b/) },
      UserKey!,
    )
    await chosen(page, 'he')
    await page.goto('/login')
    await google(page).click()
    await choose(page, email)
    await expect(page.getByText(saying(t('session.google.join.text'), email))).toBeVisible()
    await page.getByRole('button', { name: t('session.google.join.do'), exact: true }).click()
    await arrive(page, '**/invoice/main')
  })

  test('who changes his mind, is not known here or brings somebody else’s answer is told so, and may still log in', async ({
    page,
    baseURL,
  }) => {
    const email = await business(baseURL!)
    await chosen(page, 'he')
    await page.goto('/login?aff=friend')
    await google(page).click()
    await arrive(page, '**/google-stand-in?**')
    await page.getByRole('button', { name: t('kit.forms.cancel'), exact: true }).click()
    await expect(page.getByText(t('session.google.cancelled'))).toBeVisible()
    expect(new URL(page.url()).search).toBe('?aff=friend')

    const unknown = newEmail()
    await google(page).click()
    await choose(page, unknown)
    await expect(page.getByText(saying(t('errors.session.googleUnknown'), unknown))).toBeVisible()

    // An answer to a question this window never asked.
    const { token } = await post(baseURL!, '/api/user/login/google/standin', {
      email,
      nonce: 'of another window',
    })
    await page.goto('/privacy')
    await page.goto(`/login#id_token=${token}`)
    await expect(page.getByText(t('session.google.strange'))).toBeVisible()
    expect(page.url()).not.toContain('id_token=')
    await logIn(page, email, 'a long enough password')
    await arrive(page, '**/invoice/main')
  })

  test('whoever has no account opens a business with Google: what was written is kept, and no password is asked for', async ({
    page,
  }) => {
    await chosen(page, 'he')
    await page.goto('/signupinvoice?aff=friend')
    await page.locator('input[name="business.name"]').fill('זרם טוב')
    await page.getByRole('button', { name: t('session.signUp.google'), exact: true }).click()
    const email = newEmail()
    await choose(page, email)
    await arrive(page, '**/signupinvoice**')
    await expect(page.getByText(saying(t('session.signUp.asGoogle'), email))).toBeVisible()
    await expect(page.locator('input[name="email"]')).toHaveValue(email)
    await expect(page.locator('input[name="business.name"]')).toHaveValue('זרם טוב')
    await expect(page.locator('input[name="password"]')).toHaveCount(0)
    await page.locator('input[name="business.taxId"]').fill(newTaxId())
    await page.getByRole('checkbox', { name: t('session.signUp.read') }).check()
    await page.getByRole('button', { name: t('session.signUp.do'), exact: true }).click()
    await arrive(page, '**/invoice/main**')
  })

  test('a token in the address, as the application on a phone hands it over, lets in after two seconds', async ({
    page,
    baseURL,
  }) => {
    const email = await business(baseURL!)
    const { token } = await post(baseURL!, '/api/user/login/google/standin', { email })
    await post(baseURL!, '/api/user/login/google', { token, join: true })
    await chosen(page, 'he')
    const sent: number[] = []
    page.on('request', (request) => request.url().endsWith('/api/user/login/google') && sent.push(Date.now()))
    // The sentence stands for little more than two seconds, less than a slow page lets us look twice: the
    // page itself keeps where it stood.
    await page.addInitScript((sentence) => {
      new MutationObserver(() => {
        if (document.body?.innerText.includes(sentence)) sessionStorage.setItem('told', location.href)
      }).observe(document, { childList: true, subtree: true, characterData: true })
    }, t('kit.google.entering'))
    const began = Date.now()
    await page.goto(`/login?platform=1&googletoken=${token}`, { waitUntil: 'commit' })
    await arrive(page, '**/invoice/main**')
    const told = await page.evaluate(() => sessionStorage.getItem('told'))
    expect(told).toContain('/login')
    expect(told).not.toContain('googletoken')
    expect(page.url()).not.toContain('googletoken')
    expect(sent).toHaveLength(1)
    expect(sent[0]! - began).toBeGreaterThan(2000)

    // A logged-in person stays logged in: a link does not switch the session to another person.
    const other = await post(baseURL!, '/api/user/login/google/standin', { email: await business(baseURL!) })
    const before = await page.evaluate(() => localStorage.getItem('user'))
    await page.goto(`/invoice/documents?googletoken=${other.token}`)
    await page.waitForTimeout(3000)
    expect(sent).toHaveLength(1)
    expect(
      await page.evaluate(() => (JSON.parse(localStorage.getItem('user')!) as { UserKey: string }).UserKey),
    ).toBe((JSON.parse(before!) as { UserKey: string }).UserKey)
  })

  test('a token nobody signed is refused with a sentence, and the page stays', async ({ page }) => {
    await chosen(page, 'he')
    await page.goto('/login?googletoken=forged.token.x')
    await expect(page.getByText(t('errors.session.googleRefused'))).toBeVisible()
    await expect(page.locator('input[name="email"]')).toBeVisible()
  })
})
