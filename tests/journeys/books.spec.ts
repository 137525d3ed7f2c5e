import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Locator, type Page } from '@playwright/test'
import { root } from '#kit/server/settings.ts'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import {
  alone,
  arrive,
  bytesOf,
  giveMasavNumbers,
  ofMenu,
  over,
  sharedDemo,
  tabTo,
  together as test,
  wordsIn,
  type Lang,
  savedBy,
} from './support.ts'
import { slowed } from './slowed.ts'

/**
 * The work of bookkeeping by keyboard alone: codes, rules, assets, the bank, matching, payment files, withholding
 * and the end of a year. After each action the cursor is where the work goes on.
 */
const lang: Lang = 'he'
const t = wordsIn(lang)
const [toBooks, toBank] = ['ArrowLeft', 'ArrowRight']
const rowsOf = (page: Page): Locator => page.locator('main tbody tr[data-row]')
const row = (page: Page, text: string | RegExp) => page.locator('main tbody tr[data-row]', { hasText: text })
const focused = (page: Page): Locator => page.locator(':focus')
const isLost = (page: Page) =>
  page.evaluate(() => document.activeElement === null || document.activeElement === document.body)

/** An action of the row's menu that asks before it runs. */
async function askedOf(page: Page, name: string): Promise<void> {
  await ofMenu(page, name)
  await expect(over(page)).toBeVisible()
}

/** What lies over the page has the focus, and axe finds nothing in it. */
async function looksRight(page: Page): Promise<void> {
  await expect.poll(() => over(page).evaluate((one) => one.contains(document.activeElement))).toBe(true)
  // Half faded in, nothing has its colour yet.
  await page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== 'running'))
  const { violations } = await new AxeBuilder({ page })
    .include('[role="dialog"], [role="alertdialog"]')
    .analyze()
  expect(violations.map((one) => `${one.id}: ${one.nodes[0]?.html}`)).toEqual([])
}

async function account(tour: Tour, number: string): Promise<string> {
  const answer = await fetch(`${tour.base}/api5/invoicecpa/journal/facts`, {
    headers: { 'x-access-token': tour.session.UserKey! },
  })
  const { accounts } = (await answer.json()) as { accounts: { id: string; number: string }[] }
  return accounts.find((one) => one.number === number)!.id
}

/** Presses what opens the browser's choice of a file, and chooses there. */
async function chooseFile(page: Page, key: string, name: string, content: string | Buffer): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press(key)])
  await chooser.setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })
}

async function get<T>({ base, session }: Tour, path: string): Promise<T> {
  return (await (await fetch(base + path, { headers: { 'x-access-token': session.UserKey! } })).json()) as T
}

/** What the page shows as a PDF in a separate window. */
async function pdfOf(page: Page, press: () => Promise<void>): Promise<string> {
  const [answer] = await Promise.all([
    page.waitForResponse(
      (one) => one.headers()['content-type'] === 'application/pdf' && one.status() === 200,
    ),
    press(),
  ])
  const file = test.info().outputPath('paper.pdf')
  writeFileSync(file, await bytesOf(page, answer.url()))
  return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).replace(
    /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    '',
  )
}

test('the rate of a VAT code changes on a day, by keys', async ({ context, baseURL }) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const { page, failures } = await openPage(context, tour, '/invoice/codevat', { lang })
  const keys = page.keyboard
  const rows = rowsOf(page)
  const inputs = rows.nth(3)
  await expect(inputs).toContainText('18%')
  await keys.press('ArrowDown')
  await expect(rows.first()).toBeFocused()
  const toTerms = page.getByRole('link', { name: t('screens.vatCodeTerms') })
  await tabTo(page, toTerms, 60)
  await keys.press('Enter')
  await arrive(page, '**/codevat/terms')
  await expect(page.locator('#content')).toBeFocused()

  const code = page.locator('input[name="vatCodeId"]')
  const day = page.locator('input[name="fromDay"]')
  const rate = page.locator('input[name="rateBp"]')
  const add = async (from: string, percent: string) => {
    await keys.press('n')
    await expect(code).toBeFocused()
    await keys.type('תשומות')
    await expect(page.getByRole('option').first()).toContainText('תשומות')
    await keys.press('Enter')
    await tabTo(page, day)
    await keys.type(from)
    await tabTo(page, rate)
    await keys.type(percent)
    await keys.press('Control+Enter')
  }
  // The fault is shown at its field, and the typed text stays there.
  await add('31/02/2026', '19')
  await expect(day).toBeFocused()
  await expect(day).toHaveValue('31/02/2026')
  await expect(day).toHaveAccessibleDescription(/./)
  await keys.press('Control+a')
  await keys.type('01/10/2026')
  await tabTo(page, rate)
  await keys.press('Control+a')
  for (const [wrong, bound, key] of [
    ['150', '100%', 'most'],
    ['-3', '0%', 'least'],
  ] as const) {
    await keys.press('Control+a')
    await keys.type(wrong)
    await keys.press('Control+Enter')
    await expect(rate).toHaveAttribute('aria-invalid', 'true')
    await expect(rate).toBeFocused()
    await expect(rate).toHaveValue(wrong)
    const said = t(`errors.fields.${key}`).split('{')[0]!.trim()
    await expect(rate).toHaveAccessibleDescription(new RegExp(`${said}.*${bound}`))
  }
  await keys.press('Control+a')
  await keys.type('19')
  await keys.press('Control+Enter')
  await expect(over(page)).toHaveCount(0)
  await expect(focused(page)).toContainText('01/10/2026')
  await add('01/10/2026', '20')
  await expect(day).toHaveAccessibleDescription(new RegExp(t('errors.ledger.termTwice')))
  await expect(day).toBeFocused()
  await keys.press('Control+a')
  await keys.type('01/01/2199')
  await keys.press('Control+Enter')
  await expect(over(page)).toHaveCount(0)
  await expect(focused(page)).toContainText('01/01/2199')
  // The form is named by its day as people write it.
  await keys.press('ArrowDown')
  await expect(focused(page)).toContainText('01/10/2026')
  await keys.press('Enter')
  await expect(over(page).getByRole('heading')).toHaveText('תשומות 01/10/2026')
  await keys.press('Escape')
  await expect(focused(page)).toContainText('01/10/2026')
  const nowIs = async (percent: string) => {
    const { rows: all } = await get<{ rows: { code: string; nowBp: number }[] }>(
      tour,
      '/api5/invoicecpa/vatCodes?size=20',
    )
    await expect.poll(() => `${all.find((one) => one.code === '4')!.nowBp / 100}%`).toBe(percent)
  }
  await nowIs('19%')
  await ofMenu(page, t('kit.lists.archive'))
  await expect(rows).toHaveCount(1)
  await expect(rows.first()).toBeFocused()
  await expect(rows.first()).toContainText('01/01/2199')
  await expect(page.locator('.k-toast')).toBeVisible()
  await nowIs('18%')
  await keys.press('Control+z')
  await expect(rows).toHaveCount(2)
  await expect(focused(page)).toContainText('01/01/2199')
  await page.goto(`${tour.base}/invoice/codevat`)
  await expect(inputs).toContainText('19%')
  expect(failures).toEqual([])
})

test('rules are made, put away and brought back by keys, and the cursor never leaves the page', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey!
  const { types } = await get<{ types: { id: string }[] }>(tour, '/api4/invoice/expenses/facts')
  for (const name of ['בזק', 'חברת החשמל']) {
    await post(tour.base, '/api4/invoice/codingrules', { name, contains: name, typeId: types[0]!.id }, token)
    await post(tour.base, '/api4/invoice/bankrules', { contains: name, direction: 'out', deed: 'fee' }, token)
  }
  const { page, failures, quiet } = await openPage(context, tour, '/invoice/codingrules', { lang })
  const keys = page.keyboard
  const rows = rowsOf(page)
  for (const path of ['/invoice/codingrules', '/invoice/bankrules']) {
    if (!page.url().endsWith(path)) await page.goto(tour.base + path)
    await expect(rows).toHaveCount(2)
    await keys.press('n')
    await expect(over(page).locator('input').first()).toBeFocused()
    await looksRight(page)
    await keys.press('Escape')
    await expect(over(page)).toHaveCount(0)
    await keys.press('ArrowDown')
    await keys.press('End')
    await expect(focused(page)).toContainText('חברת החשמל')
    await ofMenu(page, t('kit.lists.archive'))
    await expect(rows).toHaveCount(1)
    await expect(rows.first()).toBeFocused()
    // The last of them: the list says that it is empty, and the cursor waits there for no rows.
    await ofMenu(page, t('kit.lists.archive'))
    await expect(page.locator('[data-kept]:focus')).toHaveCount(1)
    await keys.press('Control+z')
    await expect(rows).toHaveCount(1)
    await expect(rows.first()).toBeFocused()
    // By its button, which disappears with its action.
    await page.reload()
    await expect(rows).toHaveCount(1)
    await keys.press('ArrowDown')
    await ofMenu(page, t('kit.lists.archive'))
    await expect(page.locator('[data-kept]:focus')).toHaveCount(1)
    await tabTo(page, page.locator('.k-toast').getByRole('button').first(), 80)
    await keys.press('Enter')
    await expect(rows.first()).toBeFocused()
    await ofMenu(page, t('kit.lists.archive'))
    await expect(page.locator('[data-kept]:focus')).toHaveCount(1)

    // A list without a record shows its first step alone; its archive is in the menu beside the title.
    await tabTo(
      page,
      page.getByRole('main').getByRole('button', { name: t('kit.actions.more'), exact: true }),
      20,
      'Shift+Tab',
    )
    await keys.press('Enter')
    const archive = page.getByRole('menuitem', { name: t('kit.lists.inArchive'), exact: true })
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    while (!(await archive.evaluate((one) => one === document.activeElement))) await keys.press('ArrowDown')
    await keys.press('Enter')
    await expect(rows).toHaveCount(2)
    await tabTo(page, rows.first())
    await ofMenu(page, t('kit.lists.restore'))
    await expect(rows).toHaveCount(1)
    await expect(rows.first()).toBeFocused()
    await ofMenu(page, t('kit.lists.restore'))
    await expect(page.getByText(t('kit.lists.archiveEmpty'))).toBeVisible()
    await expect(page.locator('[data-kept]:focus')).toHaveCount(1)
    // The list shows the action before the server has answered.
    await quiet(500)
    await page.goto(tour.base + path)
    await expect(rows).toHaveCount(2)
  }
  expect(failures).toEqual([])
})

alone(
  'the end of a period by keys: closing, an asset and its depreciation, form yod-alef, revaluation, a payment file and what came back',
  async ({ context, baseURL, copy }) => {
    test.slow()
    const tour: Tour = { base: baseURL!, session: copy.demo }
    const { page, failures } = await openPage(context, tour, '/invoice/periods', { lang })
    const keys = page.keyboard
    const first = page.locator('main tbody tr[data-row]').first()
    await expect(first).toBeVisible()
    await keys.press('ArrowDown')
    await askedOf(page, t('periods.close'))
    await expect(over(page).getByRole('button', { name: t('periods.close') })).toBeEnabled()
    await looksRight(page)
    await tabTo(page, over(page).getByRole('button', { name: t('periods.close') }))
    await keys.press('Enter')
    await expect(over(page)).toHaveCount(0)
    await expect(first).toContainText(t('periods.state.closed'))
    await expect(first).toBeFocused()
    // A long text takes Enter as a new line; Ctrl+Enter submits from inside it. Refused, the cursor is at its field.
    await askedOf(page, t('periods.reopen'))
    const reason = over(page).getByRole('textbox')
    await expect(reason).toBeFocused()
    await keys.press('Control+Enter')
    await expect(reason).toHaveAttribute('aria-invalid', 'true')
    await expect(reason).toBeFocused()
    await looksRight(page)
    await keys.type('one more bill')
    await keys.press('Control+Enter')
    await expect(over(page)).toHaveCount(0)
    await expect(first).toContainText(t('periods.state.open'))
    await expect(first).toBeFocused()
    // Another year is chosen by the arrows, and the choice keeps the focus.
    const years = page.getByRole('radio')
    if ((await years.count()) > 1) {
      await years.first().focus()
      await keys.press(toBooks)
      await expect(years.nth(1)).toBeFocused()
      await expect(years.nth(1)).toBeChecked()
    }

    await page.goto(`${tour.base}/invoice/fixedassets`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const field = (name: string) => page.locator(`[role="dialog"] input[name="${name}"]`)
    await keys.press('n')
    await expect(field('name')).toBeFocused()
    await keys.type('מחרטה')
    await keys.press('Control+Enter')
    await expect(field('startDay')).toHaveAttribute('aria-invalid', 'true')
    await expect(field('startDay')).toBeFocused()
    await keys.type('15/03/2026')
    await tabTo(page, field('costAgorot'))
    await keys.type('12000')
    await keys.press('Control+Enter')
    await expect(over(page)).toHaveCount(0)
    await expect(focused(page)).toContainText('מחרטה')
    await keys.press('Enter')
    await arrive(page, '**/fixedassets/*')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('מחרטה')
    await expect(page.locator('#content')).toBeFocused()

    await page.goto(`${tour.base}/invoice/depreciation`)
    const posted = page.getByRole('button', { name: t('assets.run.post') })
    await tabTo(page, posted, 60)
    const until = page.getByRole('textbox', { name: t('assets.run.until') })
    const day = await until.inputValue()
    await keys.press('Enter')
    await expect(page.getByText(t('assets.run.done'))).toBeVisible()
    // The run is gone and the next one takes its place: the Tab key goes on into it.
    await expect(until).not.toHaveValue(day)
    await expect(page.locator('[data-kept]:focus', { has: until })).toHaveCount(1)
    await keys.press('Tab')
    await expect(until).toBeFocused()
    const run = page
      .getByRole('grid', { name: t('assets.run.posted') })
      .locator('tbody tr')
      .first()
    await run.focus()
    await askedOf(page, t('assets.run.reverse'))
    await looksRight(page)
    await keys.press('Escape')
    await expect(run).toBeFocused()

    await page.goto(`${tour.base}/invoice/reportfixedassets?from=2026-01-01&to=2026-12-31`)
    const line = rowsOf(page).filter({ hasText: 'מחרטה' })
    // A tenth a year from the 15th of March: 292 days.
    await expect(line).toContainText('960.00')
    await tabTo(page, page.getByRole('button', { name: t('kit.lists.export') }), 60)
    await keys.press('Enter')
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    const text = await pdfOf(page, () => keys.press('Enter'))
    expect(text).toContain('מחרטה')
    expect(text).toMatch(/12,000\.00/)
    expect(text).toMatch(/11,040\.00/)
    if (lang === 'he') expect(text).toContain('טופס י״א')
    await page.bringToFront()
    await expect(page.getByRole('button', { name: t('kit.lists.export') })).toBeFocused()

    await page.goto(`${tour.base}/invoice/revaluation`)
    await tabTo(page, page.getByRole('textbox', { name: t('revaluation.bankBalance') }), 60)
    await keys.press('Control+a')
    await keys.type('3000')
    await keys.press('Tab')
    const deed = page.getByRole('button', { name: t('revaluation.post') })
    await tabTo(page, deed)
    await keys.press('Enter')
    await expect(page.getByText(t('revaluation.done'))).toBeVisible()
    await expect(deed).toBeFocused()
    await page
      .getByRole('grid', { name: t('revaluation.posted') })
      .locator('tbody tr')
      .first()
      .focus()
    await askedOf(page, t('revaluation.undo'))
    await looksRight(page)
    await keys.press('Tab')
    await keys.press('Enter')
    await expect(page.getByText(t('revaluation.undone'))).toBeVisible()
    await expect(page.locator('tr:focus')).toContainText(t('revaluation.isUndone'))

    await giveMasavNumbers(tour)
    await page.goto(`${tour.base}/invoice/masavrun`)
    await expect(first).toBeVisible()
    await keys.press('ArrowDown')
    await askedOf(page, t('masav.chooseBills'))
    await looksRight(page)
    await keys.press('Escape')
    await expect(first).toBeFocused()
    await tabTo(page, page.getByRole('region').getByRole('button', { name: t('masav.make') }))
    await keys.press('Enter')
    await looksRight(page)
    await keys.press('Tab')
    await keys.press('Enter')
    await arrive(page, '**/invoice/masavfile/*')
    await expect(first).toBeVisible()
    await keys.press('ArrowDown')
    await expect(first).toBeFocused()
    await askedOf(page, t('masav.return'))
    await expect(over(page).getByRole('textbox')).toBeFocused()
    await looksRight(page)
    await keys.type('closed account')
    await keys.press('Enter')
    await expect(over(page)).toHaveCount(0)
    await expect(first).toContainText('closed account')
    await expect(first).toBeFocused()
    expect(failures).toEqual([])
  },
)

/** An amount paid out that occurs once in each of these lists: the demo's open lines differ from day to day. */
async function onceOnBothSides(...sides: Locator[]): Promise<string> {
  const counted: string[][] = await Promise.all(
    sides.map(async (rows) => {
      await rows.first().waitFor()
      const texts = (await rows.allInnerTexts()).map((text) => text.replace(/[^\d.,()-]+/g, ' '))
      const amounts = texts.flatMap((text) => text.match(/\([\d,]+\.\d\d ?-\)/g) ?? [])
      return amounts.map((amount) => amount.replace(' ', ''))
    }),
  )
  const found = counted[0]!.find((amount) =>
    counted.every((of) => of.filter((one) => one === amount).length === 1),
  )
  if (!found) throw new Error('No amount occurs exactly once in each list')
  return found
}

alone(
  'lines of the bank are matched, booked and opened again by keys',
  async ({ context, baseURL, copy }) => {
    test.slow()
    const tour: Tour = { base: baseURL!, session: copy.demo }
    const { page, failures } = await openPage(context, tour, '/invoice/atamotbank', { lang })
    const keys = page.keyboard
    const side = (which: string) =>
      page.getByRole('grid', { name: t(`matching.${which}Side`), exact: true }).locator('tbody tr[data-row]')
    const said = page.locator('[data-of-list] [role="status"]')

    await page.keyboard.press('Tab')
    await keys.press('Enter')
    await tabTo(page, page.getByRole('tab').first())
    await keys.press(toBooks)
    await expect(side('bank').first()).toBeVisible()
    await expect(said).toBeEmpty()
    // A line, what brings it to zero on the other side, and the action: five keys, and the next line has the cursor.
    const [paidOut, feeAmount] = await Promise.all([
      onceOnBothSides(side('bank'), side('book')),
      onceOnBothSides(side('bank').filter({ hasText: 'עמלת' }), side('bank')),
    ])
    const line = side('bank').filter({ hasText: paidOut })
    const next = await side('bank')
      .nth(1 + Number(await line.getAttribute('data-row')))
      .innerText()
    await tabTo(page, side('bank').first())
    while (!(await line.evaluate((one) => one === document.activeElement))) await keys.press('ArrowDown')
    await keys.press('Space')
    await expect(said).toContainText(paidOut)
    await keys.press(toBooks)
    await expect(side('book').and(page.locator(':focus'))).toContainText(paidOut)
    await keys.press(toBank)
    await expect(line).toBeFocused()
    await keys.press(toBooks)
    await keys.press('Space')
    await expect(said).toContainText(t('matching.difference'))
    await expect(said).toContainText('0.00')
    await keys.press('Control+Enter')
    await expect(line).toHaveCount(0)
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLElement).innerText)).toBe(next)

    // What cannot be matched says why and stays ticked; Escape takes all ticks back.
    await keys.press('Space')
    await keys.press('Control+Enter')
    await expect(page.getByText(t('matching.tickMore'), { exact: true }).first()).toBeVisible()
    await expect(page.locator('tr:focus')).toHaveAttribute('aria-selected', 'true')
    await keys.press('Escape')
    await expect(said).toBeEmpty()

    // The action is near by the Tab key too, however many lines lead somewhere.
    await keys.press('Space')
    await tabTo(page, page.locator('[data-of-list] button[data-hi]'), 12)
    await keys.press('Shift+Tab')
    await expect(page.locator(':focus')).toHaveText(t('matching.book.verb'))
    await keys.press('Enter')
    await looksRight(page)
    await keys.press('Escape')
    await expect(over(page)).toHaveCount(0)
    await expect(page.locator(':focus')).toHaveText(t('matching.book.verb'))

    // A fee: the menu of its row, and Enter. A dialog that a menu opened gives the focus back each time,
    // and the next row has it at the end.
    const fee = side('bank').filter({ hasText: feeAmount })
    const at = await fee.getAttribute('data-row')
    await fee.focus()
    for (const way of ['Escape', 'Enter']) {
      await askedOf(page, t('matching.book.verb'))
      await looksRight(page)
      if (way === 'Enter') await tabTo(page, over(page).getByRole('button', { name: t('kit.actions.back') }))
      await keys.press(way)
      await expect(over(page)).toHaveCount(0)
      await expect(fee).toBeFocused()
    }
    await askedOf(page, t('matching.book.verb'))
    await expect(over(page).getByRole('combobox').first()).toBeFocused()
    await keys.press('Enter')
    await expect(fee).toHaveCount(0)
    await expect(side('bank').and(page.locator(':focus'))).toHaveAttribute('data-row', at!)

    // Undone, and on to the next one; what is certain at once.
    await tabTo(page, page.getByRole('tab').nth(1), 80)
    await keys.press(toBooks)
    const undo = page.getByRole('button', { name: t('matching.undo'), exact: true })
    await tabTo(page, undo.first())
    await keys.press('Enter')
    await expect(page.getByText(t('matching.undone.reversed'))).toBeVisible()
    await expect(undo.and(page.locator(':focus'))).toHaveCount(1)
    await tabTo(page, page.getByRole('tab').nth(2), 80)
    await keys.press('Home')
    const certain = page.locator('header .k-btn[data-kind="primary"], .k-btn[data-kind="primary"]').first()
    await expect(certain).toBeVisible()
    await tabTo(page, certain, 80)
    await keys.press('Enter')
    await expect(page.getByRole('tab', { selected: true })).toBeFocused()
    await keys.press('?')
    await expect(page.getByRole('complementary', { name: t('kit.shell.help') })).toBeVisible()
    await keys.press('?')
    await expect(over(page)).toContainText(t('kit.keys.title'))
    await keys.press('Escape')
    expect(failures).toEqual([])
  },
)

test('a rule is made out of a line of the bank', async ({ context, baseURL }) => {
  const tour: Tour = { base: baseURL!, session: await sharedDemo() }
  const { page, failures } = await openPage(context, tour, '/invoice/atamotbank', { lang })
  const keys = page.keyboard
  await page.getByRole('tab').nth(1).click()
  const rows = page
    .getByRole('grid', { name: t('matching.bankSide'), exact: true })
    .locator('tbody tr[data-row]')
  const line = rows.filter({ hasText: '410037' })
  const before = await rows.count()
  await tabTo(page, rows.first())
  while (!(await line.evaluate((one) => one === document.activeElement))) await keys.press('ArrowDown')
  await askedOf(page, t('matching.rule.of'))
  const words = over(page).getByLabel(t('bankrules.fields.contains'))
  await expect(words).toBeFocused()
  // Without the number of this one payment.
  await expect(words).toHaveValue(/^[^\d]{8,}$/)
  await looksRight(page)
  await keys.press('Escape')
  await expect(over(page)).toHaveCount(0)
  await expect(line).toBeFocused()
  await expect(rows).toHaveCount(before)
  expect(failures).toEqual([])
})

test('a statement is chosen by keys, and a transfer between two banks on one card of the books is matched', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey!
  const { id } = await post(tour.base, '/api4/invoice/bankaccounts', { name: 'Current' }, token)
  const { id: other } = await post(tour.base, '/api4/invoice/bankaccounts', { name: 'Savings' }, token)
  const today = new Date().toLocaleDateString('en-CA', { timeZone: 'Asia/Jerusalem' })
  const head = 'תאריך,תיאור,אסמכתא,חובה,זכות,יתרה'
  const { page, failures } = await openPage(context, tour, `/invoice/banklist/${id}`, { lang })
  page.on('filechooser', () => undefined)
  const keys = page.keyboard
  const drop = page.getByRole('button', { name: t('bank.upload.choose') })
  await tabTo(page, drop)
  // A file that is refused gives the cursor back to the place for the next.
  await chooseFile(page, 'Space', 'empty.csv', '')
  await expect(page.locator('main [role="alert"]')).toBeVisible()
  await expect(drop).toBeFocused()
  await expect(drop).toHaveAccessibleDescription(/./)
  for (const [account, rows] of [
    [id, `${today},to savings,5,250.00,,\n${today},bank fee,6,12.90,,`],
    [other, `${today},from current,5,,250.00,\n${today},a payer,6,,640.00,`],
  ] as const) {
    if (account === other) {
      await page.goto(`${tour.base}/invoice/banklist/${other}`)
      await tabTo(page, drop)
    }
    await chooseFile(page, 'Enter', 'bank.csv', `${head}\n${rows}`)
    await expect(page.locator('#content')).toBeFocused()
    await tabTo(page, page.locator('.bk-acts button').first())
    await keys.press('Enter')
    await arrive(page, `**/invoice/banklist/${account}`)
    await expect(drop).toBeVisible()
  }
  await page.goto(`${tour.base}/invoice/atamotbank?account=${id}`)
  const tabs = page.getByRole('tab')
  await tabTo(page, tabs.first(), 80)
  await keys.press('Home')
  await keys.press(toBooks)
  const lines = page
    .getByRole('grid', { name: t('matching.bankSide'), exact: true })
    .locator('tbody tr[data-row]')
  await lines.filter({ hasText: 'to savings' }).focus()
  await askedOf(page, t('matching.book.verb'))
  await keys.press('Control+a')
  await keys.type(t('matching.deeds.transfer'))
  await keys.press('Enter')
  await keys.press('Control+Enter')
  const bank = over(page).getByRole('combobox', { name: t('matching.book.bank') })
  await expect(bank).toBeFocused()
  await keys.type('Savings')
  await expect(page.getByRole('option')).toHaveCount(1)
  await keys.press('Enter')
  // Nothing moves in the books: the line has to be chosen, and the reason is shown. Only equal amounts are offered.
  await expect(over(page).getByText(t('matching.book.otherLineSameCard'))).toBeVisible()
  await looksRight(page)
  await tabTo(page, over(page).getByRole('combobox', { name: t('matching.book.otherLine') }))
  await keys.press('ArrowDown')
  await expect(page.getByRole('option')).toHaveCount(1)
  await keys.press('ArrowDown')
  await keys.press('Enter')
  await keys.press('Control+Enter')
  await expect(over(page)).toHaveCount(0)
  await expect(lines).toHaveCount(2)
  await expect(page.locator('tr:focus')).toHaveCount(1)
  expect(failures).toEqual([])
})

test('interest, a transfer between own accounts and an unknown payer are booked and taken back by keys', async ({
  context,
  baseURL,
}) => {
  test.slow()
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey!
  const card = { number: '1812', name: 'Savings card', kind: 'asset' }
  const { id: accountId } = await post(tour.base, '/api5/invoicecpa/accounts', card, token)
  const { id } = await post(tour.base, '/api4/invoice/bankaccounts', { name: 'Current' }, token)
  await post(tour.base, '/api4/invoice/bankaccounts', { name: 'Savings', accountId }, token)
  await post(tour.base, '/api4/invoice/customers', { name: 'משלם חדש' }, token)
  const { page, failures } = await openPage(context, tour, `/invoice/banklist/${id}`, { lang })
  const keys = page.keyboard
  const today = new Date().toLocaleDateString('en-CA', { timeZone: 'Asia/Jerusalem' })
  const lines = ['ריבית זכות,11,,3.21,', 'העברה,12,250.00,,', 'זיכוי,13,,640.00,'].map(
    (line) => `${today},${line}`,
  )
  const csv = `תאריך,תיאור,אסמכתא,חובה,זכות,יתרה\n${lines.join('\n')}`
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'bank.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.locator('.bk-acts button').first().press('Enter')
  await expect(page.locator('.bk-acts')).toHaveCount(0)

  await page.goto(`${tour.base}/invoice/atamotbank?account=${id}`)
  await tabTo(page, page.getByRole('tab').first(), 80)
  await keys.press(toBooks)
  const side = page
    .getByRole('grid', { name: t('matching.bankSide'), exact: true })
    .locator('tbody tr[data-row]')
  const what = over(page).getByRole('combobox').first()
  const begin = async (sum: string) => {
    const line = side.filter({ hasText: sum })
    await tabTo(page, side.first(), 80)
    while (!(await line.evaluate((one) => one === document.activeElement)))
      await keys.press((await side.first().and(page.locator(':focus')).count()) ? 'End' : 'ArrowUp')
    await keys.press('Shift+F10')
    await expect(page.getByRole('menuitem', { name: t('matching.book.verb'), exact: true })).toBeFocused()
    await keys.press('Enter')
    await expect(what).toBeFocused()
  }
  const choose = async (text: string) => {
    await keys.press('Control+a')
    await keys.type(text)
    await expect(page.getByRole('option').first()).toContainText(text)
    await keys.press('Enter')
    await expect(page.getByRole('option')).toHaveCount(0)
  }
  const isBooked = async (left: number, said: string) => {
    await expect(over(page)).toHaveCount(0)
    await expect(page.getByText(said).first()).toBeVisible()
    await expect(side).toHaveCount(left)
    // The next line, or after the last one what takes their place.
    if (left > 0) await expect(side.and(page.locator(':focus'))).toHaveCount(1)
    await expect.poll(() => isLost(page)).toBe(false)
  }

  await begin('3.21')
  await choose(t('matching.deeds.interest'))
  await keys.press('Control+Enter')
  await isBooked(2, t('matching.book.done'))

  // Which account it went to has to be said: the refusal takes the cursor there, and goes with the choice.
  await begin('250.00')
  await choose(t('matching.deeds.transfer'))
  await keys.press('Control+Enter')
  const bank = over(page).getByRole('combobox', { name: t('matching.book.bank') })
  await expect(bank).toHaveAttribute('aria-invalid', 'true')
  await expect(bank).toBeFocused()
  await choose('Savings')
  await expect(bank).not.toHaveAttribute('aria-invalid', 'true')
  await expect(over(page).getByRole('combobox', { name: t('matching.book.otherLine') })).toBeVisible()
  await keys.press('Control+Enter')
  await isBooked(1, t('matching.book.done'))

  await begin('640.00')
  await keys.press('Control+Enter')
  const payer = over(page).getByRole('combobox', { name: t('matching.book.customer') })
  await expect(payer).toHaveAttribute('aria-invalid', 'true')
  await expect(payer).toBeFocused()
  await choose('משלם חדש')
  await expect(payer).not.toHaveAttribute('aria-invalid', 'true')
  await expect(over(page).getByText(t('matching.book.onAccount'))).toBeVisible()
  await keys.press('Control+Enter')
  await isBooked(0, t('matching.allMatched'))

  // Each is undone, the newest first, by one key each: what was posted and its reversal are matched above, and are
  // skipped.
  await tabTo(page, page.getByRole('tab').nth(1), 80)
  await keys.press(toBooks)
  const row = page.locator('.ma-proposals > li')
  const undo = (of: string) =>
    row.filter({ has: page.locator('footer', { hasText: t(`matching.deeds.${of}`) }) }).getByRole('button')
  await expect(row).toHaveCount(3)
  await tabTo(page, undo('receipt'), 40)
  for (const [deed, next, said] of [
    ['receipt', 'transfer', 'matching.undone.stands'],
    ['transfer', 'interest', 'matching.undone.reversed'],
    ['interest', undefined, 'matching.undone.reversed'],
  ] as const) {
    await keys.press('Enter')
    await expect(undo(deed)).toHaveCount(0)
    await expect(page.getByText(t(said)).first()).toBeVisible()
    if (next) await expect(undo(next)).toBeFocused()
    await expect.poll(() => isLost(page)).toBe(false)
  }
  await tabTo(page, page.getByRole('tab').nth(2), 80)
  await keys.press(toBank)
  await expect(side).toHaveCount(3)
  expect(failures).toEqual([])
})

alone(
  'lines of a card are matched whole and in part, opened again by keys, and proposed inside a phone',
  async ({ browser, context, baseURL, copy }) => {
    test.slow()
    const tour: Tour = { base: baseURL!, session: copy.demo }
    const token = tour.session.UserKey!
    const [owed, wages] = [await account(tour, '2400'), await account(tour, '6130')]
    const line = (agorot: number, day: string) => ({
      day,
      reference: '1',
      debitAccountId: agorot > 0 ? owed : wages,
      creditAccountId: agorot > 0 ? wages : owed,
      amountAgorot: Math.abs(agorot),
    })
    const sums = [30_100, -30_100, 71_300, -90_000, -71_300, 12_345, 44_400, -44_400, 55_500, -55_500]
    const lines = sums.map((sum, i) => line(sum, `2026-10-${String(i + 1).padStart(2, '0')}`))
    const batch = await post(tour.base, '/api5/invoicecpa/batches', { lines }, token)
    for (const deed of ['check', 'post'])
      await post(tour.base, `/api5/invoicecpa/batches/${batch.id}/${deed}`, {}, token)

    const { page, failures } = await openPage(context, tour, '/invoice/atamot', { lang })
    const keys = page.keyboard
    await tabTo(page, page.getByRole('combobox').first(), 60)
    await keys.type('2400')
    await expect(page.getByRole('option').first()).toContainText('2400')
    await keys.press('Enter')
    // The card was chosen: its first line has the cursor.
    await expect(row(page, '301.00').first()).toBeFocused()
    await keys.press('Space')
    await keys.press('ArrowDown')
    await keys.press('Space')
    await expect(page.locator('[data-of-list] [role="status"]')).toContainText('0.00')
    await keys.press('Control+Enter')
    await expect(row(page, '301.00')).toHaveCount(0)
    await expect(row(page, '713.00').first()).toBeFocused()
    // In part: of the larger line a rest stays open.
    await keys.press('Space')
    await keys.press('ArrowDown')
    await keys.press('Space')
    await keys.press('Control+Enter')
    await expect(row(page, '(187.00-)')).toBeFocused()
    // A proposal is shown in its lines and matched there; another one at its button, which the next one's
    // takes the place of.
    const proposals = page.locator('.ma-proposals > li')
    const count = await proposals.count()
    expect(count).toBeGreaterThan(1)
    const show = proposals.last().getByRole('button').first()
    for (let i = 0; i < 12 && !(await show.evaluate((one) => one === document.activeElement)); i++)
      await keys.press('Shift+Tab')
    await expect(show).toBeFocused()
    await keys.press('Enter')
    await expect(page.locator('tr:focus')).toHaveAttribute('aria-selected', 'true')
    await keys.press('Control+Enter')
    await expect(proposals).toHaveCount(count - 1)
    await expect(page.locator('tr:focus')).toHaveCount(1)
    // What is matched is shown without losing the place, and opened again from its row.
    const all = page.getByRole('checkbox', { name: t('matching.card.all') })
    await all.focus()
    await keys.press('Space')
    await expect(row(page, '301.00').first()).toBeVisible()
    await expect(all).toBeFocused()
    await keys.press('Tab')
    await row(page, '301.00').first().focus()
    await keys.press('Shift+F10')
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await keys.press('Enter')
    await expect(page.getByText(t('matching.undone.open'))).toBeVisible()
    await expect(row(page, '301.00').first()).toBeFocused()
    expect(failures).toEqual([])

    // The actions of a proposal are beside each other and inside a phone.
    const more = [owed, wages].map((debitAccountId, i) => ({
      day: `2026-10-0${i + 1}`,
      reference: '1',
      debitAccountId,
      creditAccountId: debitAccountId === owed ? wages : owed,
      amountAgorot: 30_100,
    }))
    const another = await post(tour.base, '/api5/invoicecpa/batches', { lines: more }, token)
    for (const deed of ['check', 'post'])
      await post(tour.base, `/api5/invoicecpa/batches/${another.id}/${deed}`, {}, token)
    // In French the two actions are the longest.
    for (const [width, language] of [
      [390, lang],
      [390, 'fr'],
      [1280, lang],
    ] as const) {
      const phone = await browser.newContext({ viewport: { width, height: 844 } })
      const { page: desk } = await openPage(phone, tour, `/invoice/atamot?account=${owed}`, {
        lang: language,
      })
      // The card is in its field, too.
      await expect(
        desk.getByRole('combobox', { name: wordsIn(language)('matching.card.which.accounts') }),
      ).toHaveValue(/\S/)
      const deeds = desk.locator('.ma-proposals > li').first().getByRole('button')
      await expect(deeds).toHaveCount(2)
      const middles = await deeds.evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect()).map(({ top, height }) => top + height / 2),
      )
      expect(Math.abs(middles[0]! - middles[1]!)).toBeLessThan(0.6)
      expect(
        await desk.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0)
      await phone.close()
    }
  },
)

alone(
  'a payment file that was taken back leads to the next one, whose returns are chosen and read by keys',
  async ({ context, baseURL, copy }) => {
    test.slow()
    const tour: Tour = { base: baseURL!, session: copy.demo }
    await giveMasavNumbers(tour)
    const { page, failures } = await openPage(context, tour, '/invoice/masavrun', { lang })
    page.on('filechooser', () => undefined)
    const keys = page.keyboard
    const makeFile = async (): Promise<Buffer> => {
      await tabTo(page, page.getByRole('region').getByRole('button', { name: t('masav.make') }), 80)
      await keys.press('Enter')
      await expect(over(page)).toBeVisible()
      await tabTo(page, over(page).getByRole('button', { name: t('masav.make') }))
      await keys.press('Enter')
      await arrive(page, '**/invoice/masavfile/*')
      const download = page.getByRole('button', { name: t('masav.download') })
      await tabTo(page, download)
      const file = await savedBy(page, download, () => keys.press('Enter'))
      return readFileSync((await file.path())!)
    }
    const takenBack = await makeFile()
    // The whole file goes back: from the place of its buttons one key leads to a new one.
    await tabTo(page, page.getByRole('button', { name: t('kit.actions.more') }).first())
    await keys.press('Enter')
    await expect(page.getByRole('menuitem', { name: t('masav.undo') })).toBeFocused()
    await keys.press('Enter')
    await expect(over(page).locator('input[name="reason"]')).toBeFocused()
    // The server's refusal goes with the first letter.
    await keys.press('Enter')
    await expect(over(page).locator('input[name="reason"]')).toHaveAttribute('aria-invalid', 'true')
    await expect(over(page).locator('input[name="reason"]')).toBeFocused()
    await keys.type('w')
    await expect(over(page).locator('input[name="reason"]')).not.toHaveAttribute('aria-invalid', 'true')
    await keys.type('rong day')
    await keys.press('Enter')
    await expect(over(page)).toHaveCount(0)
    await expect(page.getByText('wrong day')).toBeVisible()
    const another = page.getByRole('link', { name: t('masav.newFile'), exact: true })
    await expect(page.locator('[data-kept]:focus', { has: another })).toHaveCount(1)
    await keys.press('Tab')
    await expect(another).toBeFocused()
    await keys.press('Enter')
    await arrive(page, '**/invoice/masavrun')

    // The result replaces the file, with the cursor.
    await page.goto(`${tour.base}/invoice/reportmasavpayment`)
    await tabTo(page, page.getByRole('button', { name: t('masav.readReturns') }), 60)
    await keys.press('Enter')
    await expect(over(page).locator('button.k-drop')).toBeFocused()
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), keys.press('Enter')])
    await chooser.setFiles({ name: 'returns.001', mimeType: 'text/plain', buffer: takenBack })
    await tabTo(page, over(page).getByRole('button', { name: t('masav.read'), exact: true }))
    await keys.press('Enter')
    const result = over(page).getByRole('group', { name: 'returns.001' })
    await expect(result).toBeFocused()
    await expect(result).not.toBeEmpty()
    await tabTo(page, over(page).locator('footer button'), 12)
    await keys.press('Enter')
    await expect(over(page)).toHaveCount(0)
    await expect(page.getByRole('button', { name: t('masav.readReturns') })).toBeFocused()

    await page.goto(`${tour.base}/invoice/masavrun`)
    const bytes = await makeFile()
    await page.goto(`${tour.base}/invoice/reportmasavpayment`)
    const read = page.getByRole('button', { name: t('masav.readReturns') })
    await tabTo(page, read, 60)
    await keys.press('Enter')
    const drop = over(page).locator('button.k-drop')
    await expect(drop).toBeFocused()
    // The file replaces its chooser, and has the cursor: not the button that closes the dialog, nor the one that
    // removes it.
    await chooseFile(page, 'Enter', 'other.txt', 'nonsense')
    const chosen = over(page).getByRole('group', { name: 'other.txt' })
    await expect(chosen).toBeFocused()
    await looksRight(page)
    await tabTo(page, over(page).getByRole('button', { name: t('masav.read'), exact: true }))
    await keys.press('Enter')
    await expect(chosen).toBeFocused()
    await expect(chosen).toHaveAccessibleDescription(/./)
    await keys.press('Tab')
    await keys.press('Enter')
    await expect(drop).toBeFocused()
    await chooseFile(page, 'Space', 'returns.001', bytes)
    await tabTo(page, over(page).getByRole('button', { name: t('masav.read'), exact: true }))
    await keys.press('Enter')
    await expect(over(page).getByRole('alert')).toBeVisible()
    await looksRight(page)
    await tabTo(page, over(page).locator('footer button'))
    await keys.press('Enter')
    await expect(over(page)).toHaveCount(0)
    await expect(read).toBeFocused()
    expect(failures).toEqual([])
  },
)

test('System 1000 is asked and its answer taken over by keys', async ({ context, baseURL }) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey!
  const payees = {
    ירקון: { taxId: '514567890' },
    גליל: { taxId: '557654324', withholdingKind: '02' },
    לוי: { taxId: '301234563' },
  }
  for (const [name, more] of Object.entries(payees))
    await post(tour.base, '/api4/invoice/suppliers', { name, ...more }, token)
  const { page, failures } = await openPage(context, tour, '/invoice/report1000', { lang })
  page.on('filechooser', () => undefined)
  const keys = page.keyboard
  // Without a file of withholding, the way to its field is one key away.
  await tabTo(page, page.locator('.k-note a'), 60)
  await keys.press('Enter')
  await arrive(page, '**/InvoiceEditCompany**')
  const number = page.locator('input[name="withholdingFile"]')
  await tabTo(page, number, 60)
  await keys.type('123')
  await keys.press('Control+s')
  await expect(number).toHaveAttribute('aria-invalid', 'true')
  await expect(number).toBeFocused()
  await keys.press('Control+a')
  await keys.type('912345678')
  await keys.press('Control+s')
  await expect(page.getByText(t('companies.saved'))).toBeVisible()

  await page.goto(`${tour.base}/invoice/report1000`)
  const save = page.getByRole('button', { name: t('suppliers.s1000.save') })
  await tabTo(page, save, 60)
  const question = await savedBy(page, save, () => keys.press('Enter'))
  expect(question.suggestedFilename()).toMatch(/^D_912345678\.\d{8}\.dat$/)
  expect(readFileSync((await question.path())!, 'latin1').split('\r\n')).toHaveLength(6)
  await expect(save).toBeFocused()

  const drop = page.locator('button.k-drop')
  const give = async (name: string, buffer: Buffer) => {
    await tabTo(page, drop, 60)
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), keys.press('Enter')])
    await chooser.setFiles({ name, mimeType: 'text/plain', buffer })
  }
  const answer = readFileSync(join(root, 'src/domain/filings/system1000/samples/answers.dat'))
  // What is no answer is said at the place where it was chosen, which keeps the cursor.
  await give('broken.dat', Buffer.from('hello\n'))
  await expect(drop).toHaveAccessibleDescription(t('errors.suppliers.answerUnreadable'))
  await expect(drop).toBeFocused()
  await give('question.dat', readFileSync((await question.path())!))
  await expect(page.getByText(t('suppliers.s1000.isQuery'))).toBeVisible()
  await give('answers.dat', answer)
  const changes = page.getByRole('grid', { name: t('suppliers.s1000.answer') }).locator('tbody tr')
  await expect(changes).toHaveCount(3)
  await expect(changes.nth(1)).toContainText('250,000.00')
  await expect(drop).toBeFocused()
  // One is left out by Space.
  await tabTo(page, changes.first())
  await keys.press('ArrowDown')
  await keys.press('ArrowDown')
  await keys.press('Space')
  await expect(changes.nth(2)).toHaveAttribute('aria-selected', 'false')
  await tabTo(page, page.locator('.su-acts button[data-kind="primary"]'))
  await keys.press('Enter')
  await expect(changes).toHaveCount(0)
  await expect(page.locator('[data-kept]:focus')).toHaveCount(1)
  await page.goto(`${tour.base}/invoice/suppliers2`)
  await expect(page.getByText('31/12/2026')).toBeVisible()
  expect(failures).toEqual([])
})

test('certificates 857 of several suppliers are opened by keys, and say what was paid', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await sharedDemo() }
  const { page, failures } = await openPage(context, tour, '/invoice/report856', { lang })
  const keys = page.keyboard
  const year = new URL(page.url()).searchParams.get('year') ?? String(new Date().getFullYear())
  type Payee = { name: string; taxId: string; grossAgorot: number; withheldAgorot: number }
  const { rows: payees } = await get<{ rows: Payee[] }>(tour, `/api4/invoice/form856?year=${year}`)
  expect(payees.length).toBeGreaterThan(2)
  const sum = (agorot: number) => (agorot / 100).toLocaleString('en', { minimumFractionDigits: 2 })
  await keys.press('ArrowDown')
  const certain = new Set([0, 1, payees.findIndex((one) => one.withheldAgorot > 0)])
  for (const [i, payee] of payees.entries()) {
    const row = rowsOf(page).nth(i)
    await expect(row).toBeFocused()
    if (certain.has(i)) {
      const text = await pdfOf(page, () => ofMenu(page, t('filings.form857.one')))
      for (const said of [year, payee.taxId, sum(payee.grossAgorot), sum(payee.withheldAgorot)])
        expect(text).toContain(said)
      for (const word of payee.name.split(/[ ,]+/)) expect(text).toContain(word)
      await page.bringToFront()
      await expect(row).toBeFocused()
    }
    if (i < payees.length - 1) await keys.press('ArrowDown')
  }
  expect(failures).toEqual([])
})

test('the uniform file goes out and comes into another business by keys, in Hebrew', async ({
  browser,
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey!
  const customer = await post(tour.base, '/api4/invoice/customers', { name: 'מאפיית הצפון' }, token)
  const lines = [{ description: 'לחם', quantity: '1', unitPrice: '100' }]
  await post(tour.base, '/api4/invoice/documents', { type: 8, customerId: customer.id, lines }, token)
  const { page, failures } = await openPage(context, tour, '/invoice/reportexporttypes')
  const keys = page.keyboard
  const today = new Date().toLocaleDateString('en-GB', { timeZone: 'Asia/Jerusalem' })
  for (const [edge, day] of [
    ['from', `01/01/${today.slice(-4)}`],
    ['to', today],
  ] as const) {
    await tabTo(
      page,
      page.getByRole('textbox', { name: t(`uniform.reports.uniformBalances.filters.${edge}`) }),
      60,
    )
    await keys.press('Control+a')
    await keys.type(day)
  }
  const make = page.getByRole('button', { name: t('uniform.export.make'), exact: true })
  await tabTo(page, make, 60)
  await keys.press('Enter')
  const download = page.getByRole('button', { name: t('uniform.export.download'), exact: true })
  await expect(download).toBeVisible({ timeout: 60_000 * slowed })
  await expect(page.locator('#content :focus')).toHaveCount(1)
  await tabTo(page, download, 60)
  const file = await savedBy(page, download, () => keys.press('Enter'))
  await expect(download).toBeFocused()
  const bytes = readFileSync((await file.path())!)

  const other: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const elsewhere = await browser.newContext()
  const { page: second } = await openPage(elsewhere, other, '/invoice/tools/uniform')
  second.on('filechooser', () => undefined)
  const drop = second.locator('button.k-drop')
  await tabTo(second, drop, 60)
  const give = async (name: string, buffer: Buffer) => {
    const [chooser] = await Promise.all([second.waitForEvent('filechooser'), second.keyboard.press('Enter')])
    await chooser.setFiles({ name, mimeType: 'text/plain', buffer })
  }
  await give('nothing.txt', Buffer.from('hello'))
  await expect(drop).toHaveAccessibleDescription(/./)
  await expect(drop).toBeFocused()
  await give(file.suggestedFilename(), bytes)
  await arrive(second, '**/invoice/tools/uniform?id=*')
  const run = second.getByRole('button', { name: t('uniform.import.run'), exact: true })
  await expect(run).toBeVisible({ timeout: 60_000 * slowed })
  await expect(second.locator('#content:focus, #content :focus')).toHaveCount(1)
  await tabTo(second, run, 60)
  await second.keyboard.press('Enter')
  const onward = second.getByRole('link', { name: t('uniform.import.toCustomers'), exact: true })
  await expect(onward).toBeVisible({ timeout: 60_000 * slowed })
  await expect(second.locator('#content:focus, #content :focus')).toHaveCount(1)
  await tabTo(second, onward, 60)
  await second.keyboard.press('Enter')
  await expect(second.getByText('מאפיית הצפון').first()).toBeVisible()
  expect(failures).toEqual([])
  await elsewhere.close()
})

test('a coding rule shows by keys what it would have made of the bills there are, in Hebrew', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await sharedDemo() }
  const { page, failures } = await openPage(context, tour, '/invoice/codingrules')
  const keys = page.keyboard
  const field = (name: string) => over(page).locator(`input[name="${name}"]`)
  await keys.press('n')
  await expect(field('name')).toBeFocused()
  await keys.type('דלק')
  await tabTo(page, field('supplierId'))
  await keys.type('דלקי')
  await expect(page.getByRole('option').first()).toContainText('דלקי')
  await keys.press('Enter')
  const preview = over(page).getByRole('table', { name: t('codingrules.preview.title') })
  await expect(preview.locator('tbody tr').first()).toContainText('דלקי הסהר')
  await expect(field('supplierId')).toBeFocused()
  // What is left out is said at its field.
  await keys.press('Control+Enter')
  await expect(field('typeId')).toHaveAttribute('aria-invalid', 'true')
  await expect(field('typeId')).toBeFocused()
  await keys.type('ציוד')
  await keys.press('Enter')
  await keys.press('Control+Enter')
  await expect(over(page)).toHaveCount(0)
  await expect(focused(page)).toContainText('דלק')
  expect(failures).toEqual([])
})

test('a year is closed, its balances open the next, and it is opened again by keys, in Hebrew', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey!
  const { accounts } = await get<{ accounts: { id: string; number: string }[] }>(
    tour,
    '/api5/invoicecpa/journal/facts',
  )
  const id = (number: string) => accounts.find((one) => one.number === number)!.id
  const year = new Date().getFullYear() - 1
  const line = {
    day: `${year}-06-01`,
    reference: '1',
    debitAccountId: id('1010'),
    creditAccountId: id('2400'),
    amountAgorot: 123_400,
  }
  const batch = await post(tour.base, '/api5/invoicecpa/batches', { lines: [line] }, token)
  for (const deed of ['check', 'post'])
    await post(tour.base, `/api5/invoicecpa/batches/${batch.id}/${deed}`, {}, token)

  const { page, failures } = await openPage(context, tour, `/invoice/periods?year=${year}`)
  const keys = page.keyboard
  const whole = rowsOf(page).last()
  await expect(whole).toContainText(String(year))
  await keys.press('ArrowDown')
  await keys.press('End')
  await expect(whole).toBeFocused()
  await ofMenu(page, t('periods.close'))
  const close = over(page).getByRole('button', { name: t('periods.close') })
  const despite = over(page).getByRole('checkbox')
  await expect(over(page).locator('.pe-list')).toBeVisible()
  if (await despite.count()) {
    await tabTo(page, despite)
    await keys.press('Space')
  }
  await tabTo(page, close)
  await keys.press('Enter')
  await expect(over(page)).toHaveCount(0)
  await expect(whole).toContainText(t('periods.state.closed'))
  await expect(whole).toBeFocused()

  // The next year's card begins with what the closed one left.
  await page.goto(
    `${tour.base}/invoice/cardskarteset/${id('1010')}?from=${year + 1}-01-01&to=${year + 1}-12-31`,
  )
  await expect(page.getByRole('row').filter({ hasText: t('ledger.card.opening') })).toContainText('1,234.00')

  await page.goto(`${tour.base}/invoice/periods?year=${year}`)
  await expect(whole).toContainText(t('periods.state.closed'))
  await keys.press('ArrowDown')
  await keys.press('End')
  await ofMenu(page, t('periods.reopen'))
  await expect(over(page).getByRole('textbox')).toBeFocused()
  await keys.type('חשבון שהגיע מאוחר')
  await keys.press('Control+Enter')
  await expect(over(page)).toHaveCount(0)
  await expect(whole).toContainText(t('periods.state.open'))
  await expect(whole).toBeFocused()
  await expect(page.getByText('חשבון שהגיע מאוחר')).toBeVisible()
  expect(failures).toEqual([])
})
