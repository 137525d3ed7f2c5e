import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test as base, type Download, type Locator, type Page } from '@playwright/test'
import { completeCheckDigit } from '#domain/taxId.ts'
import { featurePlaces } from '#kit/server/features.ts'
import { root } from '#kit/server/settings.ts'
import { post, type Tour } from '../../tools/tour.ts'
import { mailText } from '../letters.ts'
import { slowed } from './slowed.ts'
import type { Copy } from './serve.ts'

export type Lang = 'he' | 'en' | 'ar' | 'ru' | 'fr'
export const langs: readonly Lang[] = ['he', 'en', 'ar', 'ru', 'fr']
const numbers: Record<Lang, string> = { he: '359', en: '139', ru: '606', ar: '15', fr: '282' }

/** The product's own words, so that a journey finds a button by its text in any language. */
export function wordsIn(lang: Lang): (key: string) => string {
  const read = (path: string) =>
    existsSync(join(root, path))
      ? (JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, string>)
      : {}
  const all = Object.assign(
    {},
    ...featurePlaces().map(({ path }) => read(`${path}/text/${lang}.json`)),
    ...['', 'shell.', 'screens.', 'server.'].map((p) => read(`src/kit/web/text/${p}${lang}.json`)),
  ) as Record<string, string>
  return (key) => {
    const text = all[key]
    if (text === undefined) throw new Error(`no word ${key} in ${lang}`)
    return text
  }
}

const copies = `http://127.0.0.1:${Number(process.env.JOURNEY_PORT) + 1}`
/**
 * A separate server with a demo business, an office and a dealer (`serve.ts`); of one name, the same for all of a
 * run.
 */
export async function takeCopy(name = ''): Promise<Copy> {
  const answer = await fetch(`${copies}/${encodeURIComponent(name)}`, { method: 'POST' })
  if (!answer.ok) throw new Error(`no copy: ${await answer.text()}`)
  return (await answer.json()) as Copy
}
const endCopy = ({ base }: Copy) => fetch(`${copies}/${encodeURIComponent(base)}`, { method: 'DELETE' })

let data = process.env.JOURNEY_DATA!
async function inside(copy: Copy, use: (copy: Copy) => Promise<void>): Promise<void> {
  data = copy.data
  await use(copy)
  data = process.env.JOURNEY_DATA!
}
const inCopy = base.extend<{ copy: Copy }>({ baseURL: ({ copy }, use) => use(copy.base) })

/**
 * Journeys that look at the demo business and change nothing another could stumble over; the person who logs out,
 * switches or books is `alone`.
 */
export const together = inCopy.extend({
  // oxlint-disable-next-line no-empty-pattern -- the runner reads from the pattern which fixtures are wanted: none
  copy: async ({}, use) => inside(await takeCopy('together'), use),
})
export const sharedDemo = async () => (await takeCopy('together')).demo
export const sharedOffice = async () => (await takeCopy('together')).office

/**
 * Journeys that post, switch or log out in the demo business: each has a separate server, which is deleted
 * afterwards.
 */
export const alone = inCopy.extend({
  // oxlint-disable-next-line no-empty-pattern -- the runner reads from the pattern which fixtures are wanted: none
  copy: async ({}, use) => {
    const copy = await takeCopy()
    await inside(copy, use)
    await endCopy(copy)
  },
})

/**
 * A sentence of the product with its one gap filled; what is put in is isolated from the direction around it.
 */
export const saying = (text: string, filled: string): RegExp =>
  new RegExp(
    text
      .split(/\{\w+\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join(`[\u2066-\u2069]*${filled.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}[\u2066-\u2069]*`),
  )

export const chosen = (page: Page, lang: Lang) =>
  page.addInitScript((number) => localStorage.setItem('langXmlNumber', number), numbers[lang])

/**
 * Reloads a page until it shows what a job on the server changes. One load gets as long as a busy machine needs: a
 * shorter wait would give up on every load there and never see the page.
 */
export const reloadUntil = (page: Page, target: Locator): Promise<void> =>
  expect(async () => {
    await page.reload()
    await expect(target).toBeVisible({ timeout: 10_000 * slowed })
  }).toPass({ timeout: 60_000 * slowed })

/** Goes to a control with the Tab key alone, as somebody without a mouse. */
export async function tabTo(
  page: Page,
  target: Locator,
  most = 40,
  key: 'Tab' | 'Shift+Tab' = 'Tab',
): Promise<void> {
  await target.waitFor({ state: 'visible' })
  for (let i = 0; i < most; i++) {
    if (
      await target.evaluate(
        (element) => element === document.activeElement || element.contains(document.activeElement),
      )
    )
      return
    await page.keyboard.press(key)
  }
  throw new Error(`the Tab key does not reach ${target}`)
}

/** What lies over the page. */
export const over = (page: Page): Locator => page.locator('[role="dialog"], [role="alertdialog"]')

/** An action of the row that has the cursor, out of its menu. */
export async function ofMenu(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Shift+F10')
  const item = page.getByRole('menuitem', { name, exact: true })
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  while (!(await item.evaluate((one) => one === document.activeElement)))
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}

/** The numbers the clearing centre gave the business. */
export const giveMasavNumbers = ({ base, session }: Tour) =>
  fetch(`${base}/api4/invoice/masav/settings`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-access-token': session.UserKey! },
    body: JSON.stringify({ institution: '12345678', sender: '12345', code: 'B' }),
  })

export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.type(text)
}

/** Types into a list of choices and takes the first that fits. */
export async function choose(page: Page, name: string, text: string): Promise<void> {
  await page.locator(`input[name="${name}"]`).fill(text)
  await page.getByRole('option', { name: text }).first().click()
}

let count = 0
export const newTaxId = () =>
  completeCheckDigit(String(31_000_000 + ((Date.now() + count++ * 104_729) % 8_000_000)))
export const newEmail = () => `j${Date.now()}${count++}@example.com`

/**
 * Waits until the address is as given and its screen is shown. The address changes first: until the screen's code
 * has arrived, one would type into the screen before it.
 */
export async function arrive(page: Page, ...at: Parameters<Page['waitForURL']>): Promise<void> {
  await page.waitForURL(...at)
  await page.waitForFunction(() => document.documentElement.dataset.place === location.pathname)
}

/** Signs a business up with the keyboard alone and lands on its home page. */
export async function signUp(page: Page, lang: Lang): Promise<void> {
  const t = wordsIn(lang)
  await chosen(page, lang)
  await page.goto('/signupinvoice')
  const field = (name: string) => page.locator(`input[name="${name}"]`)
  await typeInto(page, field('business.name'), 'זרם טוב')
  await typeInto(page, field('business.taxId'), newTaxId())
  await typeInto(page, field('fullName'), 'נועה ורדי')
  await typeInto(page, field('email'), newEmail())
  await typeInto(page, field('password'), 'a long enough password')
  await tabTo(page, page.getByRole('checkbox'))
  await page.keyboard.press('Space')
  await tabTo(page, page.getByRole('button', { name: t('session.signUp.do'), exact: true }))
  await page.keyboard.press('Enter')
  await arrive(page, '**/invoice/main')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

/**
 * Saves PDF bytes and gives what tools say of them; the tools come with the browser's package where tests
 * run.
 */
export function readPdf(bytes: Buffer): { text: string; signature: string; clean: boolean } {
  const file = join(tmpdir(), `pinkas-journey-${process.pid}-${count++}.pdf`)
  writeFileSync(file, bytes)
  const run = (tool: string, ...args: string[]) =>
    execFileSync(tool, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return {
    text: run('pdftotext', '-layout', file, '-').replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ''),
    signature: run('pdfsig', file),
    clean: /No syntax or stream encoding errors/.test(run('qpdf', '--check', file)),
  }
}

/**
 * The file that pressing `button` saves. Its time is counted from the press: a page that comes late does not use it up.
 */
export async function savedBy(
  page: Page,
  button: Locator,
  press: (button: Locator) => Promise<unknown> = (it) => it.click(),
): Promise<Download> {
  await button.waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download', { timeout: 60_000 * slowed }),
    press(button),
  ])
  return file
}

/** The PDF that a page opens or saves. */
export async function bytesOf(page: Page, path: string): Promise<Buffer> {
  const answer = await page.evaluate(async (url) => {
    const user = JSON.parse(localStorage.getItem('user') ?? '{}') as { UserKey?: string }
    const response = await fetch(url, { headers: { 'x-access-token': user.UserKey ?? '' } })
    return { status: response.status, bytes: [...new Uint8Array(await response.arrayBuffer())] }
  }, path)
  expect(answer.status).toBe(200)
  return Buffer.from(answer.bytes)
}

/** The text that matches in the newest email to somebody that has one, out of those the server keeps; `not`: an older one. */
export async function linkTo(to: string, pattern: RegExp, not?: string): Promise<string> {
  const dir = join(data, 'mail')
  for (let tries = 0; tries < 150; tries++) {
    const letters = existsSync(dir)
      ? readdirSync(dir)
          .sort()
          .map((file) => readFileSync(join(dir, file), 'utf8'))
          .filter((letter) => letter.includes(to))
      : []
    for (const eml of letters.toReversed()) {
      const found = pattern.exec(mailText(eml))?.[0]
      if (found && found === not) break
      if (found) return found
    }
    await new Promise((done) => setTimeout(done, 200))
  }
  throw new Error(`no letter to ${to}`)
}

/** Verifies the address of an account by the code that was sent to it. */
export async function verifyAccount(base: string, token: string): Promise<void> {
  const me = await fetch(`${base}/api/user/session`, { headers: { 'x-access-token': token } })
  const { email } = (await me.json()) as { email: string }
  await post(
    base,
    '/api/user/verify',
    { what: 'email', code: await linkTo(email, /(?<!\d)\d{6}(?!\d)/) },
    token,
  )
}

/** The token of the person who is logged in on this page. */
export const tokenOf = (page: Page): Promise<string> =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('user')!) as { UserKey: string }).UserKey)
