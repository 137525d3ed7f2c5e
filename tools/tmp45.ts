import { mkdirSync } from 'node:fs'
import { onServer } from './onServer.ts'
import { openEmpty, openPage, post } from './tour.ts'
await onServer(async ({ base, browser }) => {
  const session = await openEmpty(base)
  const tour = { base, session }
  const put = (path: string, body: unknown) =>
    fetch(base + path, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-access-token': session.UserKey! },
      body: JSON.stringify(body),
    }).then(async (r) => {
      if (!r.ok) console.log(path, r.status, await r.text())
    })
  const book = (date: string, account: string, agorot: number) =>
    post(
      base,
      '/api5/invoicecpa/entries',
      {
        date,
        details: 'x',
        lines: [
          {
            accountNumber: account,
            debitAgorot: agorot > 0 ? 0 : -agorot,
            creditAgorot: agorot > 0 ? agorot : 0,
          },
          {
            accountNumber: '1010',
            debitAgorot: agorot > 0 ? agorot : 0,
            creditAgorot: agorot > 0 ? 0 : -agorot,
          },
        ],
      },
      session.UserKey,
    )
  await book('2026-03-10', '4000', 4_000_000)
  await book('2026-05-10', '4000', 6_250_000)
  await book('2026-05-11', '6040', -1_800_000)
  await post(
    base,
    '/api4/invoice/smallbusiness/payments',
    { date: '2026-06-01', kind: 'reserve', amountAgorot: 342600 },
    session.UserKey,
  )
  mkdirSync('/tmp/p45', { recursive: true })
  const shot = async (name: string, lang: string, dark: boolean, width: number, click?: string) => {
    const context = await browser.newContext({
      viewport: { width, height: width < 600 ? 2600 : 1900 },
      locale: lang,
      timezoneId: 'Asia/Jerusalem',
      reducedMotion: 'reduce',
      colorScheme: dark ? 'dark' : 'light',
    })
    const { page, failures } = await openPage(context, tour, '/invoice/smallbusiness?year=2026', {
      lang,
      dark,
      guest: false,
    } as never)
    await page.waitForTimeout(800)
    if (click) {
      await page
        .getByRole('button', { name: click.startsWith('/') ? new RegExp(click.slice(1)) : click })
        .first()
        .click()
      await page.waitForTimeout(500)
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    await page.screenshot({ path: `/tmp/p45/${name}.png` })
    console.log(name, failures, wide)
    await context.close()
  }
  await shot('untaken-he', 'he', false, 1280)
  await shot('take-he', 'he', false, 1280, '/לבחור במסלול')
  await put('/api4/invoice/smallbusiness', { year: 2025, takes: true, meetsConditions: true })
  await shot('taken-he', 'he', false, 1280)
  await shot('taken-en-phone', 'en', true, 390)
  await shot('add-en-phone', 'en', true, 390, 'Add a payment')
})
