import { expect, type Page } from '@playwright/test'
import { dayInJerusalem } from '#domain/day.ts'
import { openPage, post, type Tour } from '../../tools/tour.ts'
import {
  alone,
  giveMasavNumbers,
  newEmail,
  newTaxId,
  sharedDemo,
  takeCopy,
  together as test,
  wordsIn,
  type Lang,
} from './support.ts'

/** What a phone has to tell of the books, inside its width. */
test.use({ viewport: { width: 390, height: 844 } })

const isInside = async (page: Page, what: string, box: string): Promise<boolean> =>
  page
    .locator(what)
    .first()
    .evaluate((element, around) => {
      const [inner, outer] = [
        element.getBoundingClientRect(),
        element.closest(around)!.getBoundingClientRect(),
      ]
      return inner.left >= outer.left && inner.right <= outer.right
    }, box)

const lang: Lang = 'he'

const t = wordsIn(lang)

test('a comparison that was asked for stands on the cards of a report', async ({ context, baseURL }) => {
  const tour: Tour = { base: baseURL!, session: await sharedDemo() }
  const year = new Date().getFullYear()
  const path = `/invoice/maazanbohan?from=${year}-01-01&to=${year}-12-31`
  const { page, failures } = await openPage(context, tour, path, { lang })
  const card = page.locator('.k-cards > li').first()
  const compared = t('ledger.reports.trialBalance.columns.compareAgorot')
  await expect(card).toBeVisible()
  await expect(card).not.toContainText(compared)
  await page.goto(`${tour.base}${path}&compare=previousYear`)
  await expect(card).toContainText(compared)
  await expect(card).toContainText(t('ledger.reports.trialBalance.columns.changeAgorot'))
  const isCut = (line: Element) => line.scrollWidth > line.clientWidth
  for (const line of await page.locator('.k-pc .s:has(.k-pc-name), .k-pc .s:has(.k-pc-name) > span').all())
    expect(await line.evaluate(isCut)).toBe(false)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  expect(failures).toEqual([])
})

test('the secret of the second factor and the field of its code stay inside their card', async ({
  context,
  baseURL,
}) => {
  const password = 'a long enough password'
  const business = { name: 'זרם טוב', kind: 'licensedDealer', taxId: newTaxId() }
  const session = await post(baseURL!, '/api/user/signup', {
    email: newEmail(),
    password,
    fullName: 'נועה ורדי',
    business,
    language: lang,
  })
  const { page, failures } = await openPage(context, { base: baseURL!, session }, '/invoice/account', {
    lang,
  })
  const start = t('session.me.factorStart')
  await page.getByRole('button', { name: start, exact: true }).click()
  const proof = page.locator('form', { has: page.locator('button[type="submit"]', { hasText: start }) })
  await proof.locator('input').fill(password)
  await page.keyboard.press('Enter')
  await expect(page.locator('input[name="code"]')).toBeVisible()
  for (const what of ['.a-factor bdi', 'input[name="code"]'])
    expect(await isInside(page, what, '.a-factor'), what).toBe(true)
  expect(failures).toEqual([])
})

alone(
  'what is chosen is told whole, and its deeds are read under a finger',
  async ({ browser, baseURL, copy }) => {
    const tour: Tour = { base: baseURL!, session: copy.demo }
    const token = tour.session.UserKey!
    const answer = await fetch(`${tour.base}/api5/invoicecpa/journal/facts`, {
      headers: { 'x-access-token': token },
    })
    const { accounts } = (await answer.json()) as { accounts: { id: string; number: string }[] }
    const [owed, wages] = ['2400', '6130'].map((number) => accounts.find((one) => one.number === number)!.id)
    const lines = [71_300, 90_000].map((amountAgorot, i) => ({
      day: dayInJerusalem(new Date()),
      reference: '1',
      debitAccountId: i ? wages : owed,
      creditAccountId: i ? owed : wages,
      amountAgorot,
    }))
    const batch = await post(tour.base, '/api5/invoicecpa/batches', { lines }, token)
    for (const deed of ['check', 'post'])
      await post(tour.base, `/api5/invoicecpa/batches/${batch.id}/${deed}`, {}, token)
    // In Russian the words are the longest.
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      reducedMotion: 'reduce',
    })
    const { page } = await openPage(context, tour, `/invoice/atamot?account=${owed}`, {
      lang: lang === 'he' ? 'ru' : lang,
    })
    for (const sum of ['713.00', '900.00']) {
      const card = page.locator('.k-cards > li .k-pc', { hasText: sum }).first()
      await card.scrollIntoViewIfNeeded()
      await card.click({ delay: 700, position: { x: 40, y: 20 } })
    }
    const bar = page.locator('.k-bar')
    await expect(bar).toContainText('187.00')
    expect(
      await bar.locator('.sums').evaluate((sums) => sums.scrollWidth - sums.clientWidth),
    ).toBeLessThanOrEqual(0)
    const clear = bar.getByRole('button').last()
    const ink = await clear.evaluate((one) => getComputedStyle(one).color)
    await clear.hover()
    await expect(clear).toHaveAttribute('data-hovered', 'true')
    expect(await clear.evaluate((one) => getComputedStyle(one).color)).toBe(ink)
    await context.close()
  },
)

test('a warning in a question stands clear of the words before it', async ({ context }) => {
  const { base, demo } = await takeCopy('looks')
  const tour: Tour = { base, session: demo }
  await giveMasavNumbers(tour)
  const { page } = await openPage(context, tour, '/invoice/masavrun', { lang })
  await page
    .getByRole('region')
    .getByRole('button', { name: t('masav.make') })
    .click()
  const note = page.getByRole('alertdialog').locator('.k-note')
  await expect(note).toBeVisible()
  const gap = await note.evaluate(
    (one) => one.getBoundingClientRect().top - one.previousElementSibling!.getBoundingClientRect().bottom,
  )
  expect(gap).toBeGreaterThanOrEqual(8)
})
