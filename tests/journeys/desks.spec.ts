import { readFileSync } from 'node:fs'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import {
  alone,
  arrive,
  giveMasavNumbers,
  newEmail,
  newTaxId,
  ofMenu,
  over,
  sharedDemo,
  tabTo,
  together as test,
  wordsIn,
  type Lang,
} from './support.ts'

/** The matching desks and what is done at the end of a period, by key alone: after each deed the focus stands where the work goes on. */
const row = (page: Page, text: string | RegExp) => page.locator('main tbody tr[data-row]', { hasText: text })

/** A deed out of the row's menu that asks before it is done. */
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

for (const lang of ['he', 'en'] satisfies Lang[]) {
  const t = wordsIn(lang)
  const [toBooks, toBank] = lang === 'he' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']

  alone(
    `lines of the bank are matched, booked and opened again by keys (${lang})`,
    async ({ context, baseURL, copy }) => {
      test.slow()
      const tour: Tour = { base: baseURL!, session: copy.demo }
      const { page, failures } = await openPage(context, tour, '/invoice/atamotbank', { lang })
      const keys = page.keyboard
      const side = (which: string) =>
        page
          .getByRole('grid', { name: t(`matching.${which}Side`), exact: true })
          .locator('tbody tr[data-row]')
      const said = page.locator('[data-of-list] [role="status"]')

      await page.keyboard.press('Tab')
      await keys.press('Enter')
      await tabTo(page, page.getByRole('tab').first())
      await keys.press(toBooks)
      await expect(side('bank').first()).toBeVisible()
      await expect(said).toBeEmpty()
      // A line, what brings it to zero on the other side, and the deed: five keys, and the next line has the cursor.
      const line = side('bank').filter({ hasText: '(767.00-)' })
      const next = await side('bank')
        .nth(1 + Number(await line.getAttribute('data-row')))
        .innerText()
      await tabTo(page, side('bank').first())
      while (!(await line.evaluate((one) => one === document.activeElement))) await keys.press('ArrowDown')
      await keys.press('Space')
      await expect(said).toContainText('(767.00-)')
      await keys.press(toBooks)
      await expect(side('book').and(page.locator(':focus'))).toContainText('(767.00-)')
      await keys.press(toBank)
      await expect(line).toBeFocused()
      await keys.press(toBooks)
      await keys.press('Space')
      await expect(said).toContainText(t('matching.difference'))
      await expect(said).toContainText('0.00')
      await keys.press('Control+Enter')
      await expect(line).toHaveCount(0)
      await expect
        .poll(() => page.evaluate(() => (document.activeElement as HTMLElement).innerText))
        .toBe(next)

      // What cannot be matched says why and stays ticked; Escape takes all ticks back.
      await keys.press('Space')
      await keys.press('Control+Enter')
      await expect(page.getByText(t('matching.tickMore'), { exact: true }).first()).toBeVisible()
      await expect(page.locator('tr:focus')).toHaveAttribute('aria-selected', 'true')
      await keys.press('Escape')
      await expect(said).toBeEmpty()

      // The deed is near by the Tab key too, however many lines lead somewhere.
      await keys.press('Space')
      await tabTo(page, page.locator('[data-of-list] button[data-hi]'), 12)
      await keys.press('Shift+Tab')
      await expect(page.locator(':focus')).toHaveText(t('matching.book.verb'))
      await keys.press('Enter')
      await looksRight(page)
      await keys.press('Escape')
      await expect(over(page)).toHaveCount(0)
      await expect(page.locator(':focus')).toHaveText(t('matching.book.verb'))

      // A fee: the menu of its row, and Enter. A dialog that a menu opened gives the focus back each time, and the next row has it at the end.
      const fee = side('bank').filter({ hasText: '(12.90-)' })
      const at = await fee.getAttribute('data-row')
      await fee.focus()
      for (const way of ['Escape', 'Enter']) {
        await askedOf(page, t('matching.book.verb'))
        await looksRight(page)
        if (way === 'Enter')
          await tabTo(page, over(page).getByRole('button', { name: t('kit.actions.back') }))
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

  alone(
    `lines of a card are matched whole and in part, and opened again by keys (${lang})`,
    async ({ context, baseURL, copy }) => {
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
      // A proposal is shown in its lines and matched there; another one at its button, which the next one's takes the place of.
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
    },
  )

  alone(
    `the end of a period by keys: closing, depreciation, revaluation, a payment file and what came back (${lang})`,
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
      // A long text takes Enter as a new line; Ctrl+Enter does the deed from inside it. Refused, the cursor is at its field.
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

      await page.goto(`${tour.base}/invoice/depreciation`)
      const posted = page.getByRole('button', { name: t('assets.run.post') })
      await tabTo(page, posted, 60)
      const until = page.getByRole('textbox', { name: t('assets.run.until') })
      const day = await until.inputValue()
      await keys.press('Enter')
      await expect(page.getByText(t('assets.run.done'))).toBeVisible()
      // The run is gone and the next one stands in its place: the Tab key goes on into it.
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

  test(`a rule is made out of a line of the bank (${lang})`, async ({ context, baseURL }) => {
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

  alone(
    `a proposal of a card keeps its deeds beside each other and inside a phone (${lang})`,
    async ({ browser, baseURL, copy }) => {
      const tour: Tour = { base: baseURL!, session: copy.demo }
      const token = tour.session.UserKey!
      const [owed, wages] = [await account(tour, '2400'), await account(tour, '6130')]
      const lines = [owed, wages].map((debitAccountId, i) => ({
        day: `2026-10-0${i + 1}`,
        reference: '1',
        debitAccountId,
        creditAccountId: debitAccountId === owed ? wages : owed,
        amountAgorot: 30_100,
      }))
      const batch = await post(tour.base, '/api5/invoicecpa/batches', { lines }, token)
      for (const deed of ['check', 'post'])
        await post(tour.base, `/api5/invoicecpa/batches/${batch.id}/${deed}`, {}, token)
      // In French the two deeds are the longest.
      for (const [width, language] of [
        [390, lang],
        [390, 'fr'],
        [1280, lang],
      ] as const) {
        const context = await browser.newContext({ viewport: { width, height: 844 } })
        const { page } = await openPage(context, tour, `/invoice/atamot?account=${owed}`, { lang: language })
        // Which card it is stands in its field, too.
        await expect(
          page.getByRole('combobox', { name: wordsIn(language)('matching.card.which.accounts') }),
        ).toHaveValue(/\S/)
        const deeds = page.locator('.ma-proposals > li').first().getByRole('button')
        await expect(deeds).toHaveCount(2)
        const middles = await deeds.evaluateAll((all) =>
          all.map((one) => one.getBoundingClientRect()).map(({ top, height }) => top + height / 2),
        )
        expect(Math.abs(middles[0]! - middles[1]!)).toBeLessThan(0.6)
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        ).toBeLessThanOrEqual(0)
        await context.close()
      }
    },
  )

  test(`somebody logs in by keys: what is refused is tried again at its field, and the page begins with its content (${lang})`, async ({
    context,
    baseURL,
  }) => {
    const email = newEmail()
    const password = 'a long enough password'
    const business = { name: 'זרם טוב', kind: 'licensedDealer', taxId: newTaxId() }
    await post(baseURL!, '/api/user/signup', {
      email,
      password,
      fullName: 'נועה ורדי',
      business,
      language: lang,
    })
    const { page, failures } = await openPage(context, { base: baseURL!, session: {} }, '/login', {
      lang,
      guest: true,
    })
    const keys = page.keyboard
    const field = (name: string) => page.locator(`input[name="${name}"]`)
    await expect(field('email')).toBeFocused()
    await keys.type(email)
    await keys.press('Enter')
    await expect(field('password')).toBeFocused()
    await keys.type('a wrong password')
    await tabTo(page, page.getByRole('button', { name: t('session.logIn.do'), exact: true }))
    await keys.press('Enter')
    await expect(page.getByRole('alert')).not.toBeEmpty()
    // What is typed next takes the place of what was wrong.
    await expect(field('password')).toBeFocused()
    await keys.type(password)
    await keys.press('Enter')
    await arrive(page, '**/invoice/main')
    await expect(page.locator('#content')).toBeFocused()
    expect(failures).toEqual([])
  })

  test(`a statement is chosen by keys, and a transfer between two banks on one card of the books is matched (${lang})`, async ({
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
    // Nothing moves in the books: which line it is has to be said, and why is told. Only what comes to the same is offered.
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

  alone(
    `the bank's file of returns is chosen and read by keys (${lang})`,
    async ({ context, baseURL, copy }) => {
      const tour: Tour = { base: baseURL!, session: copy.demo }
      await giveMasavNumbers(tour)
      const { page, failures } = await openPage(context, tour, '/invoice/masavrun', { lang })
      page.on('filechooser', () => undefined)
      const keys = page.keyboard
      await tabTo(page, page.getByRole('region').getByRole('button', { name: t('masav.make') }), 80)
      await keys.press('Enter')
      await expect(over(page)).toBeVisible()
      await tabTo(page, over(page).getByRole('button', { name: t('masav.make') }))
      await keys.press('Enter')
      await arrive(page, '**/invoice/masavfile/*')
      await tabTo(page, page.getByRole('button', { name: t('masav.download') }))
      const [file] = await Promise.all([page.waitForEvent('download'), keys.press('Enter')])
      const bytes = readFileSync((await file.path())!)

      await page.goto(`${tour.base}/invoice/reportmasavpayment`)
      const read = page.getByRole('button', { name: t('masav.readReturns') })
      await tabTo(page, read, 60)
      await keys.press('Enter')
      const drop = over(page).locator('button.k-drop')
      await expect(drop).toBeFocused()
      // The file stands in the place of its choice, and has the cursor: not the button that closes the dialog, nor the one that takes it off.
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

  test(`rules are made by keys (${lang})`, async ({ context, baseURL }) => {
    const tour: Tour = { base: baseURL!, session: await sharedDemo() }
    const { page, failures } = await openPage(context, tour, '/invoice/codingrules', { lang })
    const keys = page.keyboard
    for (const path of ['/invoice/codingrules', '/invoice/bankrules']) {
      await page.goto(`${tour.base}${path}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await keys.press('n')
      await expect(over(page).locator('input').first()).toBeFocused()
      await looksRight(page)
      await keys.press('Escape')
      await expect(over(page)).toHaveCount(0)
    }
    expect(failures).toEqual([])
  })
}

test('the row with the cursor is never under the head of its list nor under what stands below it', async ({
  browser,
  baseURL,
}) => {
  const t = wordsIn('he')
  const tour: Tour = { base: baseURL!, session: await sharedDemo() }
  const context = await browser.newContext({ viewport: { width: 1280, height: 560 } })
  const { page } = await openPage(context, tour, '/invoice/atamotbank')
  await page.getByRole('tab').nth(1).press('Enter')
  const grid = page.getByRole('grid', { name: t('matching.bookSide') })
  await grid.locator('tbody tr').first().focus()
  await page.keyboard.press('Space')
  // What stands in the middle of a thing, if that is the thing itself.
  const isSeen = (of: string) =>
    page.evaluate((selector) => {
      const one = document.querySelector(selector)!
      const { left, top, width, height } = one.getBoundingClientRect()
      return one.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    }, of)
  const rows = await grid.locator('tbody tr').count()
  for (const key of ['ArrowDown', 'ArrowUp'])
    for (let i = 1; i < rows; i++) {
      await page.keyboard.press(key)
      expect(await isSeen('tr:focus'), `${key} ${i}`).toBe(true)
    }
  await page.keyboard.press('End')
  expect(await isSeen('section:last-of-type th:nth-child(3)')).toBe(true)
  await context.close()
})
