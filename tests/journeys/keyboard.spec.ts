import { expect, type BrowserContext, type Page } from '@playwright/test'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { alone, arrive, newEmail, newTaxId, sharedDemo, tabTo, together as test, wordsIn } from './support.ts'

/**
 * A bookkeeper who never touches the mouse: no key is lost, and the focus never falls to the top of the page.
 */
const t = wordsIn('he')
const row = (page: Page) => page.locator('main tbody tr[data-row]')

/** What the address names comes only when the answer of this is called. */
async function holdBack(context: BrowserContext, address: RegExp): Promise<() => void> {
  let come = () => {}
  const held = new Promise<void>((done) => (come = done))
  await context.route(address, async (route) => {
    await held
    await route.continue()
  })
  return () => come()
}

test('keys that come faster than the screen all arrive, and a line that was removed comes back', async ({
  context,
  baseURL,
}) => {
  test.slow()
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const { page, failures } = await openPage(context, tour, '/invoice/moveaccounting')
  const keys = page.keyboard
  await expect(page.locator('.jr-form input[name="kindId"]')).toBeFocused()
  const fetched: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'GET' && /\/api5\/invoicecpa\/batches\/[^/?]+$/.test(request.url()))
      fetched.push(request.url())
  })
  const lines = 25
  for (let i = 1; i <= lines; i++) {
    // A purchase with its VAT; nothing is waited for.
    if (i === 1) await keys.press('2')
    await keys.press('Enter')
    await keys.press('Enter')
    for (const digit of String(500 + i)) await keys.press(digit)
    await keys.press('Enter')
    if (i === 1) await keys.type('rent')
    await keys.press(i === 1 ? 'Enter' : 'Control+d')
    await keys.press('Enter')
    await keys.press('Enter')
    for (const digit of '118') await keys.press(digit)
    await keys.press('Control+Enter')
  }
  await expect(row(page)).toHaveCount(lines)
  await expect(page.getByText('2,950.00').first()).toBeVisible()
  await expect(page.getByText(t('journal.saved'))).toBeVisible()
  // A line that is kept does not bring the whole batch back.
  expect(fetched).toEqual([])

  await row(page).first().focus()
  await keys.press('ArrowDown')
  await keys.press('Shift+F10')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await keys.press('End')
  await keys.press('Enter')
  await expect(row(page)).toHaveCount(lines - 1)
  await expect(row(page).nth(1)).toBeFocused()
  await expect(row(page).nth(1)).toContainText(String(500 + lines - 2))
  await keys.press('Control+z')
  await expect(row(page)).toHaveCount(lines)
  await expect(row(page).nth(1)).toContainText(String(500 + lines - 1))
  await expect(page.getByText(t('journal.saved'))).toBeVisible()
  await page.reload()
  await expect(row(page).nth(1)).toContainText(String(500 + lines - 1))
  expect(failures).toEqual([])
})

test('a long card is gone through, left and come back to by keys, and printed whole', async ({
  context,
  baseURL,
}) => {
  test.slow()
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey!
  const answer = await fetch(`${tour.base}/api5/invoicecpa/journal/facts`, {
    headers: { 'x-access-token': token },
  })
  const { accounts } = (await answer.json()) as { accounts: { id: string; number: string }[] }
  const id = (number: string) => accounts.find((one) => one.number === number)!.id
  const line = (_: unknown, i: number) => ({
    day: '2026-02-01',
    reference: String(1001 + i),
    debitAccountId: id('6200'),
    creditAccountId: id('1010'),
    amountAgorot: 100,
  })
  const batch = await post(
    tour.base,
    '/api5/invoicecpa/batches',
    { lines: Array.from({ length: 320 }, line) },
    token,
  )
  for (const deed of ['check', 'post'])
    await post(tour.base, `/api5/invoicecpa/batches/${batch.id}/${deed}`, {}, token)

  const { page, failures } = await openPage(
    context,
    tour,
    `/invoice/cardskarteset/${id('1010')}?from=2026-01-01&to=2026-12-31`,
  )
  const keys = page.keyboard
  const button = (key: string) => page.getByRole('button', { name: t(`ledger.card.${key}`), exact: true })
  // What a press made impossible keeps the focus, so that the next press does nothing else.
  await button('last').focus()
  await keys.press('Enter')
  await expect(row(page).last()).toContainText('1320')
  await expect(button('last')).toBeFocused()
  await button('previous').focus()
  await keys.press('Enter')
  await expect(row(page).last()).toContainText('1220')
  await row(page).nth(7).focus()
  const left = await row(page).nth(7).innerText()
  await keys.press('Enter')
  await arrive(page, '**/invoice/entries/*')
  await page.goBack()
  await arrive(page, '**/cardskarteset/*')
  await expect(row(page).nth(7)).toBeFocused()
  expect(await row(page).nth(7).innerText()).toBe(left)

  // All of it on one page; the paper holds what the window does not draw.
  await page.getByRole('link', { name: t('ledger.card.all') }).focus()
  await keys.press('Enter')
  await arrive(page, '**/reportmanualcard*')
  await expect(page.getByText('1001').first()).toBeVisible()
  // Two hundred lines stand at once; with the others behind them only those in sight are drawn.
  await expect.poll(() => row(page).count()).toBeLessThan(200)
  const drawn = await row(page).count()
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  expect(await row(page).count()).toBe(321)
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  expect(await row(page).count()).toBe(drawn)
  expect(failures).toEqual([])
})

test('the focus stays where the work is: a page just opened, the last rows, a report that changes, two rows that lead to one place', async ({
  context,
  baseURL,
}) => {
  test.slow()
  const tour: Tour = { base: baseURL!, session: await sharedDemo() }
  const { page, failures } = await openPage(context, tour, '/invoice/manotlist')
  const keys = page.keyboard
  const isOnRow = () => page.evaluate(() => document.activeElement?.matches('tr[data-row]') === true)
  await keys.press('Control+k')
  await expect(page.getByRole('combobox', { expanded: true })).toBeFocused()
  await keys.type(t('screens.accounts'))
  await expect(page.getByRole('option').first()).toContainText(t('screens.accounts'))
  await keys.press('Enter')
  await arrive(page, '**/cardskarteset')
  await expect(row(page).first()).toBeVisible()
  await keys.press('ArrowDown')
  await expect(row(page).first()).toBeFocused()

  const more = page.getByRole('button', { name: t('kit.pager.more') })
  const shown = await row(page).count()
  await more.focus()
  await keys.press('Enter')
  await expect(more).toHaveCount(0)
  await expect(row(page).nth(shown)).toBeFocused()

  await page.goto(`${tour.base}/invoice/reportprofitloss`)
  await expect(row(page).nth(2)).toBeVisible()
  for (let i = 0; i < 3; i++) await keys.press('ArrowDown')
  await keys.press('Enter')
  await page.waitForURL('**level=account**')
  await expect.poll(isOnRow).toBe(true)

  await page.goto(`${tour.base}/invoice/reportvat`)
  const rows = row(page).filter({ has: page.locator('a') })
  await expect(rows.first()).toBeVisible()
  const paths = await rows.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  const second = paths.findIndex((path, i) => paths.indexOf(path) < i)
  expect(second).toBeGreaterThan(0)
  await rows.nth(second).focus()
  const text = await rows.nth(second).innerText()
  await keys.press('Enter')
  await expect(page).not.toHaveURL(/\/reportvat(?![a-z])/)
  await page.goBack()
  await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLElement).innerText)).toBe(text)
  expect(failures).toEqual([])
})

test('what is typed after Ctrl+K before its code has come stands in its field, and Enter does the first that fits', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  let come = await holdBack(context, /\/assets\/Palette-[^/]+\.js/)
  const { page } = await openPage(context, tour, '/invoice/moveaccounting')
  const keys = page.keyboard
  const cell = page.locator('.jr-form input[name="kindId"]')
  await expect(cell).toBeFocused()
  const label = t('screens.cardKinds')
  // As a keyboard of that language sends them.
  const press = async (on: Page, letters: string) => {
    const wire = await context.newCDPSession(on)
    for (const letter of letters) {
      await wire.send('Input.dispatchKeyEvent', { type: 'keyDown', key: letter, text: letter })
      await wire.send('Input.dispatchKeyEvent', { type: 'keyUp', key: letter })
    }
  }
  await keys.press('Control+k')
  await press(page, `${label.slice(0, 5)}x`)
  await keys.press('Backspace')
  await expect(cell).toHaveValue('')
  come()
  const field = page.getByRole('dialog').getByRole('combobox')
  await expect(field).toHaveValue(label.slice(0, 5))
  await expect(field).toBeFocused()
  await keys.type(label.slice(5))
  await expect(field).toHaveValue(label)
  await keys.press('Escape')
  await expect(cell).toBeFocused()
  await keys.type('4')
  await expect(cell).toHaveValue('4')

  // Escape before it came leaves everything as it was; Enter is not lost either.
  await context.unroute(/\/assets\/Palette-[^/]+\.js/)
  come = await holdBack(context, /\/assets\/Palette-[^/]+\.js/)
  const { page: other } = await openPage(context, tour, '/invoice/moveaccounting')
  await expect(other.locator('.jr-form input[name="kindId"]')).toBeFocused()
  await other.keyboard.press('Control+k')
  await other.keyboard.press('x')
  await other.keyboard.press('Escape')
  await other.keyboard.press('2')
  await expect(other.locator('.jr-form input[name="kindId"]')).toHaveValue('2')
  await other.keyboard.press('Control+k')
  await press(other, label)
  await other.keyboard.press('Enter')
  come()
  await arrive(other, '**/invoice/cardtypes')
})

alone(
  'a form that opens over a page begins in its first field, and a refusal takes the cursor to its own',
  async ({ context, baseURL, copy }) => {
    const tour: Tour = { base: baseURL!, session: copy.demo }
    const { page } = await openPage(context, tour, '/invoice/cardtypes')
    const keys = page.keyboard
    await row(page).first().focus()
    await keys.press('ArrowDown')
    await keys.press('Shift+F10')
    await page.getByRole('menuitem', { name: t('kit.lists.edit') }).press('Enter')
    await expect(page.getByRole('dialog').locator('input[name="name"]')).toBeFocused()
    await keys.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(row(page).nth(1)).toBeFocused()

    await page.goto(`${tour.base}/invoice/fixedassets`)
    await row(page).first().locator('a').first().click()
    await arrive(page, '**/fixedassets/*')
    await page.getByRole('button', { name: t('assets.dispose.verb') }).press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('radio').first()).toBeFocused()
    await keys.press('Tab')
    await expect(dialog.getByRole('textbox').first()).toBeFocused()
    await keys.type('1/1/1999')
    await keys.press('Enter')
    await expect(dialog.locator('[aria-invalid="true"]')).toBeFocused()

    // A form on the page itself: the refusal goes when what was refused is typed over.
    await page.goto(`${tour.base}/invoice/masavsettings`)
    const institution = page.getByRole('textbox', { name: t('masav.institution') })
    const sender = page.getByRole('textbox', { name: t('masav.sender') })
    await institution.fill('')
    await sender.fill('x')
    await keys.press('Enter')
    await expect(institution).toHaveAttribute('aria-invalid', 'true')
    await expect(institution).toBeFocused()
    await expect(sender).toHaveAttribute('aria-invalid', 'true')
    await keys.type('1234567')
    await expect(institution).not.toHaveAttribute('aria-invalid', 'true')
    await expect(sender).toHaveAttribute('aria-invalid', 'true')
    await keys.press('Tab')
    await keys.press('Control+a')
    await keys.type('12345')
    await expect(sender).not.toHaveAttribute('aria-invalid', 'true')
    await keys.press('Enter')
    await expect(page.getByText(t('masav.saved'))).toBeVisible()

    // Half a line is asked for, not left out.
    await page.goto(`${tour.base}/invoice/report6111`)
    await page.getByRole('button', { name: t('filings.form6111.head') }).press('Enter')
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: t('filings.form6111.addLine') }).press('Enter')
    const sum = sheet.getByRole('textbox', { name: t('filings.columns.amount') }).last()
    await sum.fill('100')
    await sheet.getByRole('button', { name: t('kit.forms.save') }).press('Enter')
    await expect(sheet.locator('[aria-invalid="true"]')).toHaveCount(1)
    await expect(sheet.locator('[aria-invalid="true"]')).toBeFocused()
  },
)

test('a list that is left asks for nothing more, and has its filters and its row when one comes back', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await sharedDemo() }
  const { page, quiet, failures } = await openPage(
    context,
    tour,
    '/invoice/documents/8?status=issued&sort=-number',
  )
  const asked: string[] = []
  page.on('request', (request) => {
    if (/\/invoice\/documents\?/.test(request.url())) asked.push(request.url())
  })
  await row(page).nth(2).focus()
  await page.keyboard.press('Enter')
  await arrive(page, '**/preview/*')
  await quiet()
  expect(asked).toEqual([])
  await page.goBack()
  await arrive(page, '**/documents/8?status=issued&sort=-number')
  await expect(row(page).nth(2)).toBeFocused()
  expect(failures).toEqual([])
})

test('the step to another VAT period and the link into a form keep the cursor on the page', async ({
  context,
  baseURL,
}) => {
  const words = wordsIn('en')
  const tour: Tour = { base: baseURL!, session: await sharedDemo() }
  for (const path of ['/invoice/reportpcn', '/invoice/vatgate']) {
    const { page } = await openPage(context, tour, path, { lang: 'en' })
    const before = page.getByRole('button', { name: words('vat.before') })
    const period = page.getByRole('group', { name: words('vat.period') })
    await before.focus()
    const first = await period.innerText()
    for (let i = 0; i < 2; i++) {
      const was = await period.innerText()
      await page.keyboard.press('Enter')
      await expect(period).not.toHaveText(was)
      await expect(before).toBeFocused()
    }
    // A second press while the figures of the first are under way counts from there.
    await period.getByRole('button', { name: words('vat.after') }).focus()
    let come = () => {}
    const held = new Promise<void>((done) => (come = done))
    await page.route(/\/api[45]\//, async (route) => {
      await held
      await route.continue()
    })
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect(period).toHaveText(first)
    come()
    await expect(page.locator('.vt-page .k-sk')).toHaveCount(0)
    await expect(period).toHaveText(first)
    await page.close()
  }
  const { page } = await openPage(context, tour, '/invoice/report1000', { lang: 'en' })
  await page.locator('summary').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await arrive(page, '**/editsupplier/**')
  await expect(page.locator('#content')).toBeFocused()
  await page.close()

  const { page: years } = await openPage(context, tour, '/invoice/periods', { lang: 'en' })
  const year = years.getByRole('radio').nth(1)
  await year.focus()
  await years.keyboard.press('Enter')
  await expect(years).toHaveURL(/year=/)
  await expect(row(years).first()).toContainText((await year.innerText()).trim())
  await expect(year).toBeFocused()

  // Enter on a row does what its button does, and a press beside the button nothing.
  const open = row(years).filter({ has: years.getByRole('button', { name: words('periods.close') }) })
  await open.first().locator('td').first().click()
  await expect(years.getByRole('dialog')).toHaveCount(0)
  await open.first().focus()
  await years.keyboard.press('Enter')
  await expect(years.getByRole('dialog')).toBeVisible()
})

test('what is typed right after N stands in the fields of the form, both keys save it, and the cursor is on its row', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const come = await holdBack(context, /\/assets\/ResourceSheet-[^/]+\.js/)
  const { page, failures } = await openPage(context, tour, '/invoice/typesaccounting')
  const keys = page.keyboard
  const dialog = page.getByRole('dialog')
  const field = (name: string) => dialog.locator(`input[name="${name}"]`)
  await expect(row(page).first()).toBeVisible()
  await keys.press('n')
  await keys.type('698')
  await keys.press('Backspace')
  await keys.type('9')
  await keys.press('Tab')
  await keys.type('Typed ahead')
  come()
  await expect(field('code')).toHaveValue('699')
  await expect(field('name')).toHaveValue('Typed ahead')
  await expect(field('name')).toBeFocused()
  await keys.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  const made = row(page).filter({ hasText: 'Typed ahead' })
  await expect(made).toBeFocused()

  // What came once comes at once; Ctrl+S saves from a button as well, and nothing reaches the browser.
  await page.evaluate(() =>
    addEventListener(
      'keydown',
      (event) =>
        event.ctrlKey &&
        event.code === 'KeyS' &&
        !event.defaultPrevented &&
        (document.title = 'saved by the browser'),
    ),
  )
  await keys.press('n')
  await keys.type('698')
  await keys.press('Tab')
  await keys.type('Second')
  await dialog.getByRole('button', { name: t('kit.forms.cancel') }).focus()
  await keys.press('Control+s')
  await expect(dialog).toHaveCount(0)
  await expect(row(page).filter({ hasText: 'Second' })).toBeFocused()

  // Leaving what was typed is asked about, and the question has no key that answers it by mistake.
  await keys.press('n')
  await keys.type('697')
  await expect(field('code')).toHaveValue('697')
  await keys.press('Escape')
  const question = page.getByRole('alertdialog')
  await expect(question).toBeVisible()
  await keys.press('Control+s')
  await expect(question).toBeVisible()
  expect(await page.title()).not.toContain('browser')
  await keys.press('Escape')
  await expect(field('code')).toBeFocused()

  // A record beyond the rows of the page is reached from the message about it.
  const { page: accounts } = await openPage(context, tour, '/invoice/cardskarteset')
  await expect(row(accounts)).toHaveCount(50)
  await accounts.keyboard.press('n')
  const account = accounts.getByRole('dialog')
  await expect(account.locator('input[name="number"]')).toBeFocused()
  await accounts.keyboard.type('9998')
  await accounts.keyboard.press('Tab')
  await accounts.keyboard.type('Beyond the page')
  await accounts.keyboard.press('Tab')
  await accounts.keyboard.press('ArrowDown')
  await accounts.keyboard.press('Enter')
  await accounts.keyboard.press('Control+Enter')
  await expect(account).toHaveCount(0)
  await expect(row(accounts).filter({ hasText: 'Beyond the page' })).toHaveCount(0)
  await accounts
    .getByRole('status')
    .getByRole('link', { name: /Beyond the page/ })
    .press('Enter')
  await accounts.waitForURL('**/invoice/cardskarteset/*')
  await expect(accounts.getByRole('heading', { level: 1 })).toContainText('Beyond the page')

  // A short dialog submits by Ctrl+S too.
  const { page: periods } = await openPage(context, tour, '/invoice/periods?year=2025')
  await expect(row(periods).first()).toBeVisible()
  await row(periods).first().focus()
  await periods.keyboard.press('Enter')
  const closing = periods.getByRole('dialog')
  await expect(closing.getByRole('button', { name: t('periods.close') })).toBeEnabled()
  await periods.keyboard.press('Control+s')
  await expect(closing).toHaveCount(0)
  await expect(row(periods).first()).toContainText(t('periods.state.closed'))
  await expect(row(periods).first()).toBeFocused()
  expect(failures).toEqual([])
})

test('the keys of a page are dead under what lies over it, and those of the frame and of a field are not', async ({
  context,
  baseURL,
}) => {
  for (const lang of ['he', 'en'] as const) {
    const words = wordsIn(lang)
    const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
    const { page } = await openPage(
      context,
      tour,
      `/invoice/editcompany/${tour.session.CompanyKey}/details`,
      { lang },
    )
    const keys = page.keyboard
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url())
    })
    const name = page.locator('main input[name="name"]')
    await name.focus()
    await keys.press('End')
    await keys.type(' 2')
    await expect(page.getByRole('button', { name: words('companies.save') })).toBeVisible()
    await page.locator('#content').focus()
    const dialog = page.getByRole('dialog')
    await keys.press('?')
    await expect(page.getByRole('complementary', { name: words('kit.shell.help') })).toBeVisible()
    await keys.press('?')
    await expect(dialog).toContainText(words('kit.keys.title'))
    for (const key of ['Control+s', 'Control+Enter']) await keys.press(key)
    // Keys of the frame that are listed there can be tried at once.
    await keys.press('Control+k')
    const field = dialog.getByRole('combobox')
    await expect(field).toBeFocused()
    await keys.type('ab')
    await keys.press('Control+z')
    await expect(field).toHaveValue(/^a?$/)
    await keys.press('Control+s')
    await page.waitForTimeout(300)
    expect(sent).toEqual([])
    await keys.press('Escape')
    await expect(dialog).toHaveCount(0)
    await keys.press('Control+s')
    await expect.poll(() => sent.length).toBeGreaterThan(0)
    await expect(page.getByRole('button', { name: words('companies.save') })).toHaveCount(0)
    await page.close()
  }
})

test('a refusal of the server goes with the value it was about, and the others stay', async ({
  context,
  baseURL,
}) => {
  for (const lang of ['he', 'en'] as const) {
    const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
    const { page } = await openPage(context, tour, '/invoice/InvoiceCompanies?add=1', { lang })
    const keys = page.keyboard
    const dialog = page.getByRole('dialog')
    const wrong = dialog.locator('[aria-invalid="true"]')
    const name = dialog.getByRole('textbox').first()
    await expect(name).toBeFocused()
    await keys.press('Enter')
    await expect(wrong).toHaveCount(3)
    await expect(name).toBeFocused()
    await keys.type('a')
    await expect(name).not.toHaveAttribute('aria-invalid', 'true')
    await expect(wrong).toHaveCount(2)
    await keys.press('Tab')
    await keys.press('Space')
    await expect(wrong).toHaveCount(1)
    const taxId = dialog.getByRole('textbox').last()
    await tabTo(page, taxId)
    await keys.type('1')
    await expect(wrong).toHaveCount(0)
    await keys.press('Enter')
    await expect(taxId).toHaveAttribute('aria-invalid', 'true')
    await expect(taxId).toBeFocused()
    await page.close()
  }
})

test('somebody logs in by keys: what is refused is tried again at its field, and the page begins with its content', async ({
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
    language: 'he',
  })
  const { page, failures } = await openPage(context, { base: baseURL!, session: {} }, '/login', {
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

test('the row with the cursor is never under the head of its list nor under what stands below it', async ({
  browser,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await sharedDemo() }
  const context = await browser.newContext({ viewport: { width: 1280, height: 560 } })
  const { page } = await openPage(context, tour, '/invoice/atamotbank')
  await page.getByRole('tab').nth(1).press('Enter')
  const grid = page.getByRole('grid', { name: t('matching.bookSide') })
  await grid.locator('tbody tr').first().focus()
  await page.keyboard.press('Space')
  // The element in the middle of another, if it is that element itself.
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

test('an answer that comes after its field was left is taken there, and the cursor stays where it is', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const address = /\/api5\/invoicecpa\/vatCodes/
  for (const [text, ...pressed] of [
    ['תשומות', 'Enter', 'Tab'],
    ['תשומות', 'Tab'],
    ['אין כזה', 'Enter', 'Tab'],
  ] as const) {
    const { page, failures } = await openPage(context, tour, '/invoice/codevat/terms')
    const keys = page.keyboard
    const code = page.locator('input[name="vatCodeId"]')
    const day = page.locator('input[name="fromDay"]')
    await keys.press('n')
    await expect(code).toBeFocused()
    const answers = await holdBack(context, address)
    await keys.type(text)
    for (const key of pressed) await keys.press(key)
    await tabTo(page, day)
    await keys.type('31/02/2026')
    await expect(code).toHaveAttribute('aria-busy', 'true')
    answers()
    await expect(code).not.toHaveAttribute('aria-busy')
    await expect(day).toBeFocused()
    if (text === 'תשומות') {
      await expect(code).toHaveValue(text)
      // It is the field's value: what is refused is the day alone.
      await keys.press('Control+Enter')
      await expect(day).toHaveAttribute('aria-invalid', 'true')
      await expect(day).toBeFocused()
      await expect(code).not.toHaveAttribute('aria-invalid')
    } else await expect(code).toHaveAccessibleDescription(new RegExp(text))
    expect(failures).toEqual([])
    await page.close()
    await context.unroute(address)
  }
})
