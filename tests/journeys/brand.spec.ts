import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, expect, test } from '@playwright/test'
import pg from 'pg'
import { arrive, chosen, newEmail, newTaxId, saying, wordsIn } from './support.ts'
import { found } from '../../tools/programs.ts'

/** A white label: the same product under the name, the mark and the colours of a partner's domain. */
const t = wordsIn('he')

/** As the operator of the server configures a partner: files in a folder, the domain in a table. */
async function enterBrand(domain: string): Promise<void> {
  const data = process.env.JOURNEY_DATA!
  mkdirSync(join(data, 'brands/buzz'), { recursive: true })
  writeFileSync(
    join(data, 'brands/buzz/logo.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="32"><rect width="96" height="32" rx="6" fill="#7a1fa2"/></svg>',
  )
  writeFileSync(join(data, 'brands/buzz/style.css'), ':root { --accent: #7a1fa2; --accent-strong: #5e1680; }')
  const password = readFileSync(join(data, 'pg.password'), 'utf8').trim()
  const socket = join(
    tmpdir(),
    `pinkas-${createHash('sha256').update(join(data, 'pg')).digest('hex').slice(0, 16)}`,
  )
  const client = new pg.Client({ host: socket, user: 'pinkas', password, database: 'pinkas' })
  await client.connect()
  try {
    await client.query(
      `insert into brands (domain, name, logo, icon_logo, style_url, is_dealer)
        values ($1, 'באזז כספים', '/brands/buzz/logo.svg', '/brands/buzz/logo.svg', '/brands/buzz/style.css', true) on conflict do nothing`,
      [domain],
    )
  } finally {
    await client.end()
  }
}

test('a partner’s domain shows his name, mark and colours; another domain shows ours', async ({
  baseURL,
}) => {
  const domain = 'books.buzz.example'
  await enterBrand(domain)
  const { port } = new URL(baseURL!)
  const browser = await chromium.launch({
    executablePath: found(),
    args: ['--no-sandbox', '--disable-gpu', `--host-resolver-rules=MAP *.example 127.0.0.1`],
  })
  try {
    const page = await browser.newPage({ locale: 'he-IL', viewport: { width: 1280, height: 900 } })
    await chosen(page, 'he')
    const colour = () =>
      page.evaluate(() => getComputedStyle(document.querySelector('button[type="submit"]')!).backgroundColor)
    const failures: string[] = []
    // Without TLS the browser passes over a header that is for TLS, and says so.
    page.on(
      'console',
      (message) =>
        message.type() === 'error' &&
        !/origin was untrustworthy/.test(message.text()) &&
        failures.push(message.text()),
    )

    await page.goto(`http://plain.example:${port}/login`)
    await expect(page.getByRole('heading', { name: t('session.logIn.title') })).toBeVisible()
    await expect(page).toHaveTitle(`${t('screens.login')} · ${t('kit.product')}`)
    const ours = await colour()

    await page.goto(`http://${domain}:${port}/login`)
    await expect(page.getByText(saying(t('session.logIn.sub.loginBuzz'), 'באזז כספים'))).toBeVisible()
    await expect(page).toHaveTitle(`${t('screens.login')} · באזז כספים`)
    await expect(page.locator('.a-top .s-brand')).toContainText('באזז כספים')
    const logo = page.locator('.a-top img.s-logo')
    await expect(logo).toHaveAttribute('src', '/brands/buzz/logo.svg')
    await expect.poll(() => logo.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(96)
    await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', '/brands/buzz/logo.svg')
    await expect.poll(colour).not.toBe(ours)
    // Nothing of the page speaks of the other name.
    await expect(page.locator('body')).not.toContainText(t('kit.product'))
    expect(failures).toEqual([])

    // Inside, the partner's name is in the frame and on the tab.
    const email = newEmail()
    await fetch(`${baseURL}/api/user/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.77.1.2' },
      body: JSON.stringify({
        email,
        password: 'a long enough password',
        fullName: 'נועה ורדי',
        business: { name: 'זרם טוב', kind: 'licensedDealer', taxId: newTaxId() },
        language: 'he',
      }),
    })
    await page.locator('input[name="email"]').fill(email)
    await page.locator('input[name="password"]').fill('a long enough password')
    await page.getByRole('button', { name: t('session.logIn.do'), exact: true }).click()
    await arrive(page, '**/invoice/main')
    await expect(page).toHaveTitle(/באזז כספים$/)
    await expect(page.locator('header .s-brand')).toContainText('באזז כספים')
    expect(failures).toEqual([])
  } finally {
    await browser.close()
  }
})
