import { expect, type Page } from '@playwright/test'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import {
  alone,
  arrive,
  linkTo,
  newEmail,
  saying,
  sharedDemo,
  tabTo,
  together as test,
  wordsIn,
} from './support.ts'

/** What is hidden from whom: areas a business does not use, in the menu, the search, and the editor. */
const t = wordsIn('he')
const menu = (page: Page) => page.getByRole('navigation', { name: t('kit.shell.menu'), exact: true })

test('a new business says once what it does; what it does not use is in no menu, is found and is turned on by one press', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const { page, failures } = await openPage(context, tour, '/invoice/main')
  await page.getByRole('button', { name: t('modules.trades.studio') }).click()
  await page.getByRole('button', { name: t('home.trades.keep'), exact: true }).click()
  await expect(page.getByRole('heading', { name: t('home.trades.title') })).toHaveCount(0)

  await page.keyboard.press('g')
  await arrive(page, '**/invoice/allscreens')
  await expect(page.getByRole('link', { name: t('screens.classKinds') }).first()).toBeVisible()
  await expect(page.locator('#content').getByRole('link', { name: t('screens.projects') })).toHaveCount(0)
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('combobox', { name: t('kit.palette.label') })
  await expect(palette).toBeFocused()
  await page.keyboard.type(t('screens.projects'))
  await expect(palette).toHaveValue(t('screens.projects'))
  const offers = page.getByRole('group', { name: t('modules.offer.title') })
  await expect(offers.getByRole('option', { name: t('screens.projects') }).first()).toBeVisible()
  await page.keyboard.press('Escape')

  await page.goto('/invoice/projectItems')
  await expect(page.getByRole('heading', { level: 1, name: t('kit.shut.area.title') })).toBeVisible()
  await expect(page.locator('#content')).toContainText(t('screens.projects'))
  await page.getByRole('button', { name: t('kit.shut.area.open') }).click()
  await expect(page.getByRole('heading', { level: 1, name: t('screens.projects') })).toBeVisible()
  await expect(menu(page)).toBeVisible()

  // Hidden and not off: it opens where it is, and says how it joins the menu.
  await page.goto('/invoice/maazanbohan')
  await expect(page.getByRole('heading', { level: 1, name: t('screens.trialBalance') })).toBeVisible()
  const offer = page.getByText(saying(t('modules.offer.notInMenu'), t('areas.books')))
  await expect(offer).toBeVisible()
  await page
    .locator('.s-not-in-menu')
    .getByRole('button', { name: t('modules.offer.turnOn') })
    .click()
  await expect(offer).toHaveCount(0)
  await expect(menu(page).getByRole('link', { name: t('screens.trialBalance') })).toHaveAttribute(
    'aria-current',
    'page',
  )
  expect(failures).toEqual([])
})

test('the search knows what is meant, and the menu is seven groups of six lines at most', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await sharedDemo() }
  const { page } = await openPage(context, tour, '/invoice/maazanbohan')
  await page.goto('/invoice/documents')
  const group = menu(page).locator('.s-group[data-open]')
  await expect(group.getByRole('link', { name: t('screens.documents') })).toHaveAttribute(
    'aria-current',
    'page',
  )
  expect(await group.getByRole('link').count()).toBeLessThanOrEqual(6)
  expect(await menu(page).locator('.s-group').count()).toBeLessThanOrEqual(7)
  await page.keyboard.press('g')
  await arrive(page, '**/invoice/allscreens')
  const field = page.getByRole('searchbox')
  await expect(field).toBeFocused()
  await field.fill('מאזן בוחם')
  await expect(page.locator('.as-list > li').first()).toContainText(t('screens.trialBalance'))
  await expect(page.locator('.as-list > li').first()).toContainText(t('screensFor.trialBalance'))
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('combobox', { name: t('kit.palette.label') })
  await expect(palette).toBeFocused()
  await page.keyboard.type('מעמ')
  await expect(palette).toHaveValue('מעמ')
  await expect(page.getByRole('option').first()).toContainText(t('screens.vat'))
  await page.keyboard.press('Enter')
  await arrive(page, '**/invoice/reportvat')
})

test('a phone’s editor offers a line first and four additions; an empty invoice says at its line what is missing', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await sharedDemo() }
  const { rows } = (await (
    await fetch(`${tour.base}/api4/invoice/customers?size=10`, {
      headers: { 'x-access-token': tour.session.UserKey! },
    })
  ).json()) as { rows: { id: string }[] }
  const { page } = await openPage(context, tour, `/invoice/InvoiceDocument?type=8&customer=${rows[0]!.id}`)
  const first = page
    .locator('input')
    .and(page.getByLabel(t('documents.editor.itemOf').replace('{place}', '1'), { exact: true }))
  await expect(first).toBeVisible()
  await tabTo(page, first)
  await page.keyboard.press('Control+Enter')
  await expect(first).toBeFocused()
  await expect(first).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText(t('errors.documents.noLines')).first()).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  const chips = page.getByRole('group', { name: t('documents.editor.extras') }).getByRole('button')
  // Four, and one that opens the rest.
  await expect(chips).toHaveCount(5)
  await chips.last().click()
  await expect(page.getByRole('menuitem').nth(3)).toBeVisible()
})

alone(
  'after the log-out a page leads to the log-in of the kind of user who was here last',
  async ({ context, baseURL, copy }) => {
    const owner: Tour = { base: baseURL!, session: copy.demo }
    const email = newEmail()
    await post(
      owner.base,
      '/api4/invoice/workers',
      { email, fullName: 'דנה לוי', rules: [10, 30] },
      owner.session.UserKey,
    )
    const link = await linkTo(email, /\/invitation\?lang=\w\w#[\w-]{43}/)
    const token = link.slice(link.indexOf('#') + 1)
    const session = await post(owner.base, '/api/user/invitation/accept', {
      token,
      password: 'a long enough password',
    })
    for (const [who, path] of [
      [owner.session, '/logininvoice'],
      [session, '/login'],
    ] as const) {
      const page = await context.newPage()
      await page.goto('/login')
      await page.evaluate((user) => localStorage.setItem('user', user), JSON.stringify(who))
      await page.goto('/invoice/InvoiceCustomers')
      await page.waitForFunction(() => document.documentElement.dataset.route === 'customers')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: saying(t('kit.shell.personOf'), String(who.FullName)) }).click()
      await page.getByRole('menuitem', { name: t('kit.shell.logOut') }).click()
      await arrive(page, `**${path}`)
      // Another visit, of a page that knows nothing of the one before.
      await page.goto('/invoice/InvoiceCustomers')
      await arrive(page, `**${path}`)
      await page.close()
    }
  },
)
