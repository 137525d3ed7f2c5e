import { expect, test } from '@playwright/test'
import { openDemo, openPage, type Tour } from '../../tools/tour.ts'
import { over, wordsIn } from './support.ts'

const t = wordsIn('he')

/** A photograph as a telephone gives it. */
const photograph = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP8z4APMOGVHbHSAEEsAROxCnMTAAAAAElFTkSuQmCC',
  'base64',
)

test('the accountant asks for papers of the bank, and the client answers from his phone without a log-in', async ({
  context,
  browser,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openDemo(baseURL!) }
  const { page, failures } = await openPage(context, tour, '/invoice/cpaonline')
  await expect(page.getByRole('listitem').first()).toBeVisible()
  await page
    .getByRole('button', { name: t('requests.new') })
    .first()
    .click()
  await over(page).getByText(t('requests.kind.paper'), { exact: true }).click()
  await over(page).getByLabel(t('requests.fields.text')).fill('חשבונית הדלק של יום שלישי')
  await over(page)
    .getByRole('button', { name: t('requests.ask'), exact: true })
    .click()
  await expect(page.getByText('חשבונית הדלק של יום שלישי')).toBeVisible()
  if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}-requests.png` })

  await page.getByRole('button', { name: t('requests.link'), exact: true }).click()
  await over(page)
    .getByRole('button', { name: t('requests.showLink') })
    .click()
  const url = (await over(page)
    .getByText(/\/clientrequests\//)
    .textContent())!.trim()

  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const there = await phone.newPage()
  await there.goto(url)
  const one = there.getByRole('listitem').filter({ hasText: 'חשבונית הדלק של יום שלישי' })
  await expect(one).toBeVisible()
  if (process.env.LOOK) await there.screenshot({ path: `${process.env.LOOK}-phone.png` })
  await one.locator('input[type=file]').setInputFiles({ name: 'IMG_2041.png', mimeType: 'image/png', buffer: photograph })
  await expect(one.getByText(t('requests.got'))).toBeVisible()
  await phone.close()

  await page.goto(`${baseURL}/invoice/cpaonline?view=answered`)
  const answered = page.getByRole('listitem').filter({ hasText: 'חשבונית הדלק של יום שלישי' })
  await answered.getByRole('link', { name: t('requests.thePaper') }).click()
  await expect(page).toHaveURL(/expensesspage\/[0-9a-f-]{36}/)
  await page.goBack()
  await answered.getByRole('button', { name: t('requests.accept') }).click()
  await expect(answered).toHaveCount(0)
  expect(failures).toEqual([])
})
