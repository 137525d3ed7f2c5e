import { expect, test, type Page } from '@playwright/test'
import { openDemo, openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { newEmail, newTaxId, wordsIn, type Lang } from './support.ts'

/** What a phone has to tell of the books, inside its width. */
test.use({ viewport: { width: 390, height: 844 } })

const isInside = async (page: Page, what: string, box: string): Promise<boolean> =>
  page
    .locator(what)
    .first()
    .evaluate((element, around) => {
      const [inner, outer] = [element.getBoundingClientRect(), element.closest(around)!.getBoundingClientRect()]
      return inner.left >= outer.left && inner.right <= outer.right
    }, box)

for (const lang of ['he', 'en'] satisfies Lang[]) {
  const t = wordsIn(lang)

  test(`a comparison that was asked for stands on the cards of a report (${lang})`, async ({ context, baseURL }) => {
    const tour: Tour = { base: baseURL!, session: await openDemo(baseURL!) }
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
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    expect(failures).toEqual([])
  })

  test(`the secret of the second factor and the field of its code stay inside their card (${lang})`, async ({ context, baseURL }) => {
    const password = 'a long enough password'
    const business = { name: 'זרם טוב', kind: 'licensedDealer', taxId: newTaxId() }
    const session = await post(baseURL!, '/api/user/signup', {
      email: newEmail(),
      password,
      fullName: 'נועה ורדי',
      business,
      language: lang,
    })
    const { page, failures } = await openPage(context, { base: baseURL!, session }, '/invoice/account', { lang })
    const start = t('session.me.factorStart')
    await page.getByRole('button', { name: start, exact: true }).click()
    const proof = page.locator('form', { has: page.locator('button[type="submit"]', { hasText: start }) })
    await proof.locator('input').fill(password)
    await page.keyboard.press('Enter')
    await expect(page.locator('input[name="code"]')).toBeVisible()
    for (const what of ['.a-factor bdi', 'input[name="code"]']) expect(await isInside(page, what, '.a-factor'), what).toBe(true)
    expect(failures).toEqual([])
  })

  test(`why a report of VAT was opened again is told on its card (${lang})`, async ({ context, baseURL }) => {
    const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
    const { page, failures } = await openPage(context, tour, '/invoice/reportpcn', { lang })
    await page.getByRole('button', { name: t('vat.file'), exact: true }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('vat.file'), exact: true })
      .click()
    await expect(page.getByText(t('vat.filedNow'))).toBeVisible()
    await page.goto(`${tour.base}/invoice/vatreportlog`)
    const card = page.locator('.k-cards > li').first()
    await card.getByRole('button').last().click()
    await page.getByRole('menuitem', { name: t('vat.log.reopen') }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('a bill came late')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('vat.log.reopen'), exact: true })
      .click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(card).toContainText('a bill came late')
    expect(failures).toEqual([])
  })

  test(`a warning in a question stands clear of the words before it (${lang})`, async ({ context, baseURL }) => {
    const tour: Tour = { base: baseURL!, session: await openDemo(baseURL!) }
    await fetch(`${tour.base}/api4/invoice/masav/settings`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-access-token': tour.session.UserKey! },
      body: JSON.stringify({ institution: '12345678', sender: '12345', code: 'B' }),
    })
    const { page } = await openPage(context, tour, '/invoice/masavrun', { lang })
    await page
      .getByRole('region')
      .getByRole('button', { name: t('masav.make') })
      .click()
    const note = page.getByRole('alertdialog').locator('.k-note')
    await expect(note).toBeVisible()
    const gap = await note.evaluate((one) => one.getBoundingClientRect().top - one.previousElementSibling!.getBoundingClientRect().bottom)
    expect(gap).toBeGreaterThanOrEqual(8)
  })
}
