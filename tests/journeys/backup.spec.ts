import { execFileSync } from 'node:child_process'
import { expect } from '@playwright/test'
import { root } from '#kit/server/settings.ts'
import { openPage, post } from '../../tools/tour.ts'
import { alone as test, arrive, linkTo, newEmail, newTaxId, wordsIn, savedBy } from './support.ts'

const t = wordsIn('he')
/** The installation that all journeys share; the business is restored on a copy of another one. */
const first = `http://127.0.0.1:${process.env.JOURNEY_PORT}`

test(
  'a business downloads its backup, is restored on another installation, and its owner logs in there',
  { tag: '@spine' },
  async ({ browser, copy }) => {
    const email = newEmail()
    const session = await post(first, '/api/user/signup', {
      email,
      password: 'a long enough password',
      fullName: 'נועה ורדי',
      business: { name: 'נגריית הגליל', kind: 'licensedDealer', taxId: newTaxId() },
      language: 'he',
    })
    const token = session.UserKey!
    const customer = await post(first, '/api4/invoice/customers', { name: 'דנה לוי' }, token)
    await post(
      first,
      '/api4/invoice/documents',
      {
        type: 8,
        customerId: customer.id,
        lines: [{ description: 'ארון', quantity: '1', unitPrice: '4321' }],
      },
      token,
    )
    const here = await openPage(await browser.newContext(), { base: first, session }, '/invoice/backup')
    const file = await (
      await savedBy(here.page, here.page.getByRole('button', { name: t('backup.download'), exact: true }))
    ).path()

    execFileSync(process.execPath, ['--import', 'tsx', 'tools/restore.ts', file], {
      cwd: root,
      env: { ...process.env, DATABASE_URL: copy.databaseUrl, DATA_DIR: copy.data },
    })

    // Passwords are not part of a backup: the owner chooses a new one by email.
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${copy.base}/reset-password`)
    await page.locator('input[name="email"]').fill(email)
    await page.getByRole('button', { name: t('session.reset.do'), exact: true }).click()
    await page.goto(await linkTo(email, /http\S+\/reset-password#[\w-]{43}/))
    await page.locator('input[name="password"]').fill('another long password')
    await page.getByRole('button', { name: t('session.reset.save'), exact: true }).click()
    await arrive(page, '**/login')
    await page.locator('input[name="email"]').fill(email)
    await page.locator('input[name="password"]').fill('another long password')
    await page.getByRole('button', { name: t('session.logIn.do'), exact: true }).click()
    await arrive(page, '**/invoice/main')
    await page.goto(`${copy.base}/invoice/documents`)
    await expect(page.getByText('דנה לוי').first()).toBeVisible()
    await expect(page.getByText('5,098.78').first()).toBeVisible()
  },
)
