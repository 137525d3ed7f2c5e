import { expect } from '@playwright/test'
import { openPage, post, type Tour } from '../../tools/tour.ts'
import { alone, over, tabTo, wordsIn } from './support.ts'

const t = wordsIn('he')

alone('a bookkeeper closes a month for three clients by keys alone', async ({ context, baseURL, copy }) => {
  const tour: Tour = { base: baseURL!, session: copy.office }
  const { page, failures } = await openPage(context, tour, '/cpa/main')
  const keys = page.keyboard
  const row = (name: string) => page.locator('main tbody tr[data-row]', { hasText: name })
  await expect(row('דפוס קו נקי')).toBeVisible()
  await page.keyboard.press('Tab')
  await tabTo(page, page.locator('main tbody tr[tabindex="0"]'), 60)
  for (const name of ['דפוס קו נקי', 'חוות הסוסים עמק הדס', 'מאפיית שיפון הגליל']) {
    await keys.press('Home')
    for (let n = 0; n < 20 && !(await row(name).evaluate((one) => one === document.activeElement)); n++)
      await keys.press('ArrowDown')
    await keys.press('Space')
  }
  const bar = page.locator('[data-of-list]')
  await tabTo(page, bar.getByRole('button', { name: t('practice.deed.close'), exact: true }))
  await keys.press('Enter')
  await expect(over(page).getByRole('listitem')).toHaveCount(3)
  await tabTo(page, over(page).getByRole('checkbox'))
  await keys.press('Space')
  await tabTo(page, over(page).getByRole('button', { name: /3/ }))
  await keys.press('Enter')
  await expect(over(page).getByText(t('practice.did.close'), { exact: true })).toHaveCount(3)
  // The focus goes on to what is left to do.
  await expect(
    over(page)
      .getByRole('button', { name: t('kit.actions.close'), exact: true })
      .last(),
  ).toBeFocused()
  await keys.press('Enter')
  await expect(over(page)).toHaveCount(0)
  expect(failures).toEqual([])
})

alone(
  'an office enters a client and comes back, and the client answers its request by phone without a log-in',
  { tag: '@spine' },
  async ({ context, browser, baseURL, copy }) => {
    const tour: Tour = { base: baseURL!, session: copy.office }
    // The page of a client is another business's: the browser keeps whose it is, as it does for people.
    await context.addInitScript((held) => {
      if (!localStorage.getItem('user')) localStorage.setItem('user', held)
    }, JSON.stringify(tour.session))
    const page = await context.newPage()
    await page.goto(`${baseURL}/cpa/main?q=זרם`)
    await page.locator('main tbody tr[data-row]').first().getByRole('link').click()
    await expect(page).toHaveURL(/\/cpa\/client\//)
    const clientId = /client\/([\w-]+)/.exec(page.url())![1]!
    await page.getByRole('button', { name: t('practice.enter') }).click()
    await page.waitForURL('**/invoice/main')
    await page.goto(`${baseURL}/cpa/main`)
    await expect(page.locator('main tbody tr[data-row]', { hasText: 'דפוס קו נקי' })).toBeVisible()

    // As the letter would bring it.
    const { UserKey: token } = tour.session
    await post(baseURL!, `/api/user/companies/${clientId}/switch`, {}, token)
    const { url } = await post(baseURL!, '/api4/invoice/clientrequests/link', {}, token)
    const phone = await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    const there = await phone.newPage()
    await there.goto(url!)
    const asked = there
      .getByRole('listitem')
      .filter({ has: there.locator('input[type=file]') })
      .first()
    await asked.locator('input[type=file]').setInputFiles({
      name: 'IMG_1.png',
      mimeType: 'image/png',
      buffer: Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP8z4APMOGVHbHSAEEsAROxCnMTAAAAAElFTkSuQmCC',
        'base64',
      ),
    })
    await expect(there.getByText(t('requests.got')).first()).toBeVisible()
    await phone.close()
  },
)

alone(
  'a worker clocks on a phone without a network, and each press counts once when it is back',
  async ({ browser, baseURL, copy }) => {
    const tour: Tour = { base: baseURL!, session: copy.demo }
    const token = tour.session.UserKey!
    await fetch(`${baseURL}/api4/invoice/areas`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'x-access-token': token },
      body: JSON.stringify({ areas: { time: true } }),
    })
    tour.session = { ...tour.session, areasOff: [] as unknown as string }
    const phone = await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    const { page } = await openPage(phone, tour, '/time/main')
    const begin = page.getByRole('button', { name: t('time.in'), exact: true })
    const end = page.getByRole('button', { name: t('time.out'), exact: true })
    await expect(begin).toBeVisible()
    await phone.setOffline(true)
    await begin.tap()
    await expect(end).toBeVisible()
    await end.tap()
    await expect(page.getByText(t('time.waiting').replace('{count}', '2'))).toBeVisible()
    await phone.setOffline(false)
    await expect(page.getByText(t('time.waiting').replace('{count}', '2'))).toHaveCount(0)
    // Whatever was sent how often: one clocking.
    const month = new Date().toLocaleDateString('en-CA', { timeZone: 'Asia/Jerusalem' }).slice(0, 7)
    const count = async () =>
      (
        (await (
          await fetch(`${baseURL}/api4/invoice/time/sheet?month=${month}`, {
            headers: { 'x-access-token': token },
          })
        ).json()) as {
          clockings: unknown[]
        }
      ).clockings.length
    await expect.poll(count).toBe(1)
    await phone.close()
  },
)
