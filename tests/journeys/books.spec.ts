import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { root } from '#kit/server/settings.ts'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import {
  alone,
  arrive,
  bytesOf,
  ofMenu,
  over,
  sharedDemo,
  tabTo,
  together as test,
  wordsIn,
  type Lang,
} from './support.ts'
import { slowed } from './slowed.ts'

/** Codes, assets, withholding and rules by key alone, in both directions of writing: after each deed the cursor stands where the work goes on. */
const rowsOf = (page: Page): Locator => page.locator('main tbody tr[data-row]')
const focused = (page: Page): Locator => page.locator(':focus')

async function get<T>({ base, session }: Tour, path: string): Promise<T> {
  return (await (await fetch(base + path, { headers: { 'x-access-token': session.UserKey! } })).json()) as T
}

/** What the page shows as a PDF in a window of its own. */
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

for (const lang of ['he', 'en'] satisfies Lang[]) {
  const t = wordsIn(lang)

  test(`the rate of a VAT code changes on a day, by keys (${lang})`, async ({ context, baseURL }) => {
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
    // What is wrong is said at its field, and what was typed stands there.
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

  test(`rules are put away and brought back by keys, and the cursor never leaves the page (${lang})`, async ({
    context,
    baseURL,
  }) => {
    const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
    const token = tour.session.UserKey!
    const { types } = await get<{ types: { id: string }[] }>(tour, '/api4/invoice/expenses/facts')
    for (const name of ['בזק', 'חברת החשמל']) {
      await post(
        tour.base,
        '/api4/invoice/codingrules',
        { name, contains: name, typeId: types[0]!.id },
        token,
      )
      await post(
        tour.base,
        '/api4/invoice/bankrules',
        { contains: name, direction: 'out', deed: 'fee' },
        token,
      )
    }
    const { page, failures, quiet } = await openPage(context, tour, '/invoice/codingrules', { lang })
    const keys = page.keyboard
    const rows = rowsOf(page)
    for (const path of ['/invoice/codingrules', '/invoice/bankrules']) {
      if (!page.url().endsWith(path)) await page.goto(tour.base + path)
      await expect(rows).toHaveCount(2)
      await keys.press('ArrowDown')
      await keys.press('End')
      await expect(focused(page)).toContainText('חברת החשמל')
      await ofMenu(page, t('kit.lists.archive'))
      await expect(rows).toHaveCount(1)
      await expect(rows.first()).toBeFocused()
      // The last of them: the list says that it is empty, and the cursor waits there for no rows.
      await ofMenu(page, t('kit.lists.archive'))
      await expect(page.locator('[data-kept]:focus')).toHaveCount(1, { timeout: 1000 * slowed })
      await keys.press('Control+z')
      await expect(rows).toHaveCount(1)
      await expect(rows.first()).toBeFocused()
      // By the button that says it, which goes away with its deed.
      await page.reload()
      await expect(rows).toHaveCount(1)
      await keys.press('ArrowDown')
      await ofMenu(page, t('kit.lists.archive'))
      await expect(page.locator('[data-kept]:focus')).toHaveCount(1, { timeout: 1000 * slowed })
      await tabTo(page, page.locator('.k-toast').getByRole('button').first(), 80)
      await keys.press('Enter')
      await expect(rows.first()).toBeFocused()
      await ofMenu(page, t('kit.lists.archive'))
      await expect(page.locator('[data-kept]:focus')).toHaveCount(1)

      const archive = page.locator('.k-view', { hasText: t('kit.lists.inArchive') })
      for (
        let i = 0;
        i < 20 && !(await archive.evaluate((one) => one.parentElement!.contains(document.activeElement)));
        i++
      )
        await keys.press('Shift+Tab')
      await keys.press('End')
      await keys.press('Enter')
      await expect(rows).toHaveCount(2)
      await tabTo(page, rows.first())
      await ofMenu(page, t('kit.lists.restore'))
      await expect(rows).toHaveCount(1)
      await expect(rows.first()).toBeFocused()
      await ofMenu(page, t('kit.lists.restore'))
      await expect(page.getByText(t('kit.lists.archiveEmpty'))).toBeVisible()
      await expect(page.locator('[data-kept]:focus')).toHaveCount(1, { timeout: 1000 * slowed })
      // The list shows the deed before the server has heard of it.
      await quiet(500)
      await page.goto(tour.base + path)
      await expect(rows).toHaveCount(2)
    }
    expect(failures).toEqual([])
  })

  alone(
    `an asset is made, worn off and printed in form yod-alef by keys (${lang})`,
    async ({ context, baseURL, copy }) => {
      const tour: Tour = { base: baseURL!, session: copy.demo }
      const { page, failures } = await openPage(context, tour, '/invoice/fixedassets', { lang })
      const keys = page.keyboard
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
      await tabTo(page, page.getByRole('button', { name: t('assets.run.post') }), 60)
      await keys.press('Enter')
      await expect(page.getByText(t('assets.run.done'))).toBeVisible()
      await expect(page.locator('[data-kept]:focus')).toHaveCount(1)

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
      expect(failures).toEqual([])
    },
  )

  test(`System 1000 is asked and its answer taken over by keys (${lang})`, async ({ context, baseURL }) => {
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
    const [question] = await Promise.all([page.waitForEvent('download'), keys.press('Enter')])
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

  test(`certificates 857 of several suppliers are opened by keys, and say what was paid (${lang})`, async ({
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
}

test('the uniform file goes out and comes into another business by keys, in Hebrew', async ({
  browser,
  context,
  baseURL,
}) => {
  const t = wordsIn('he')
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
  const [file] = await Promise.all([page.waitForEvent('download'), keys.press('Enter')])
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
  const t = wordsIn('he')
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
  const t = wordsIn('he')
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
