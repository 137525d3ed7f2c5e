import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import PostalMime from 'postal-mime'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { over, wordsIn } from './support.ts'

/**
 * A scheduled report: set up from its page, sent at once as a trial, opened from the email, and unsubscribed by its
 * link.
 */
const t = wordsIn('he')

test('a report is set to leave by itself, sent at once, and stopped by the link of its letter', async ({
  context,
  browser,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const make = (path: string, body: unknown) => post(tour.base, path, body, tour.session.UserKey)
  const { id } = await make('/api4/invoice/customers', { name: 'מאפייה' })
  await make('/api4/invoice/documents', {
    type: 8,
    customerId: id,
    lines: [{ description: 'עבודה', quantity: '1', unitPrice: '300' }],
  })
  const { page, failures } = await openPage(context, tour, '/invoice/reportincome')
  await expect(page.locator('tbody tr').first()).toBeVisible()

  await page.getByRole('button', { name: t('kit.actions.more'), exact: true }).click()
  await page.getByRole('menu').getByText(t('reportPlans.plan'), { exact: true }).click()
  const title = `הכנסות ${Date.now()}`
  await over(page).getByLabel(t('reportPlans.fields.title'), { exact: true }).fill(title)
  await over(page)
    .getByRole('radio', { name: t('reportPlans.every.week') })
    .click()
  await over(page)
    .getByRole('radio', { name: t('reportPlans.condition.total') })
    .click()
  await expect(over(page).getByLabel(t('reportPlans.fields.value'), { exact: true })).toBeVisible()
  if (process.env.LOOK) await page.screenshot({ path: process.env.LOOK, fullPage: true })
  // Nobody to send it to is said at its field, and nothing is lost.
  const mine = over(page).locator('fieldset').first().getByRole('checkbox')
  await mine.uncheck()
  await over(page)
    .getByRole('button', { name: t('reportPlans.begin') })
    .click()
  await expect(over(page).getByText(t('errors.reportPlans.nobody'))).toBeVisible()
  await mine.check()
  await over(page)
    .getByRole('button', { name: t('reportPlans.begin') })
    .click()
  await expect(page.getByText(t('reportPlans.begun'))).toBeVisible()

  // It is in the list; sent now, whatever its condition.
  await page.goto(`${baseURL}/invoice/reportplans`)
  const row = page.getByRole('row', { name: title })
  await expect(row).toContainText(t('reportPlans.state.on'))
  await row.click({ button: 'right' })
  await page.getByRole('menu').getByText(t('reportPlans.sendNow'), { exact: true }).click()
  const letter = await letterOf(title)
  expect(letter.attachments.map(({ filename }) => filename?.split('.').at(-1))).toEqual(['pdf', 'xlsx'])
  await row.click({ button: 'right' })
  await page.getByRole('menu').getByText(t('reportPlans.log'), { exact: true }).click()
  await expect(over(page).getByText(t('reportPlans.outcome.kept'))).toBeVisible()
  expect(failures).toEqual([])

  const stop = /\/reportstop\/[\w-]+/.exec(letter.text!)![0]
  const guest = await (await browser.newContext({ locale: 'he-IL' })).newPage()
  await guest.goto(`${baseURL}${stop}`)
  await expect(guest.getByRole('heading', { name: title })).toBeVisible()
  await guest.getByRole('button', { name: t('reportPlans.stop') }).click()
  await expect(guest.getByRole('status').filter({ hasText: t('reportPlans.stopIsDone') })).toBeVisible()
  await guest.context().close()
})

/** The letter that bears a title, from the folder where letters are kept. */
async function letterOf(title: string) {
  const dir = join(process.env.JOURNEY_DATA!, 'mail')
  for (let tries = 0; tries < 300; tries++) {
    for (const file of existsSync(dir) ? readdirSync(dir).sort().reverse() : []) {
      const letter = await PostalMime.parse(readFileSync(join(dir, file)))
      if (letter.subject?.includes(title)) return letter
    }
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`no letter ${title}`)
}
