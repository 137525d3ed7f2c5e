import { expect, test, type Page } from '@playwright/test'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { arrive, newTaxId, wordsIn } from './support.ts'

/** What people do with the register of customers. */
const t = wordsIn('he')

const get = async <T>(tour: Tour, path: string): Promise<T> =>
  (await (
    await fetch(tour.base + path, { headers: { 'x-access-token': tour.session.UserKey! } })
  ).json()) as T
const make = (tour: Tour, path: string, body: unknown) => post(tour.base, path, body, tour.session.UserKey)
const begin = async (base: string): Promise<Tour> => ({ base, session: await openEmpty(base) })
const field = (page: Page, name: string) => page.locator(`[data-field="${name}"] input`).first()
const button = (page: Page, key: string) => page.getByRole('button', { name: t(key), exact: true })

test('a new customer: the double is told while one types, the number refuses, the phone may be overruled', async ({
  context,
  baseURL,
}) => {
  const tour = await begin(baseURL!)
  const taxId = newTaxId()
  await make(tour, '/api4/invoice/customers', { name: 'מוסך הציר', taxId, mobile: '052-7654321' })
  const { page, failures } = await openPage(context, tour, '/invoice/InvoiceEditCustomers')
  await field(page, 'name').fill('מוסך הציר הירוק')
  await field(page, 'mobile').fill('+972 52 765 4321')
  const told = page.locator('[data-field="mobile"]').getByRole('status')
  await expect(told).toContainText('מוסך הציר')
  await expect(told.getByRole('link')).toHaveAttribute(
    'href',
    /\/invoice\/invoiceCustomer\/[0-9a-f-]+\/details/,
  )
  await field(page, 'taxId').fill(taxId)
  await expect(page.locator('[data-field="taxId"]').getByRole('status').first()).toContainText('מוסך הציר')
  await page.getByRole('button', { name: t('kit.forms.save') }).click()
  await expect(page.locator('[data-field="taxId"] [aria-invalid="true"]')).toHaveCount(1)
  await field(page, 'taxId').fill(newTaxId())
  await field(page, 'tags').fill('VIP,')
  await page.getByRole('button', { name: t('kit.forms.save') }).click()
  await arrive(page, '**/details')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('מוסך הציר הירוק')
  await expect(page.getByRole('button', { name: 'VIP' })).toBeVisible()
  expect(failures).toEqual([])
})

test('two records are merged, every tab of the one who stays opens, and he gets his statement', async ({
  context,
  baseURL,
}) => {
  const tour = await begin(baseURL!)
  const keep = await make(tour, '/api4/invoice/customers', { name: 'כהן', email: 'cohen@example.com' })
  const gone = await make(tour, '/api4/invoice/customers', { name: 'כהן משה', phone: '04-8111111' })
  for (const { id } of [keep, gone])
    await make(tour, '/api4/invoice/documents', {
      type: 8,
      customerId: id,
      lines: [{ description: 'עבודה', quantity: '1', unitPrice: '100' }],
    })
  const { page, failures } = await openPage(context, tour, '/invoice/InvoiceCustomers')
  // The head's tick is there before the rows are.
  await page.getByRole('checkbox').nth(2).waitFor()
  await page.getByRole('checkbox').nth(1).click()
  await page.getByRole('checkbox').nth(2).click()
  await button(page, 'customers.merge.do').click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('radio').first().waitFor()
  await sheet.locator('thead input').first().check()
  await sheet.getByRole('button', { name: t('customers.merge.verb'), exact: true }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('customers.merge.verb'), exact: true })
    .click()
  await arrive(page, '**/details')
  await expect(page.getByText('236').first()).toBeVisible()
  const id = new URL(page.url()).pathname.split('/').at(-2)!
  expect(
    (await get<{ balanceAgorot: number; phone: string }>(tour, `/api4/invoice/customers/${id}`))
      .balanceAgorot,
  ).toBe(23_600)

  const tabs = page.getByRole('tab')
  const names = await tabs.allTextContents()
  expect(names.length).toBeLessThanOrEqual(6)
  for (const name of names) {
    await page.getByRole('tab', { name, exact: true }).click()
    await expect(page.getByRole('tab', { name, exact: true })).toHaveAttribute('aria-selected', 'true')
    await expect(page.locator('#card-panel .k-skel')).toHaveCount(0)
  }
  // Both documents are in the customer's list.
  await page.getByRole('tab', { name: t('documents.title'), exact: true }).click()
  await expect(page.locator('#card-panel tbody tr')).toHaveCount(2)

  await page
    .getByRole('button', { name: t('kit.actions.more') })
    .first()
    .click()
  await page.getByRole('menuitem', { name: t('correspondence.statement'), exact: true }).click()
  const paper = page.getByRole('dialog')
  await expect(paper.locator('img').first()).toBeVisible()
  await paper.getByRole('button', { name: t('correspondence.send'), exact: true }).click()
  await paper.waitFor({ state: 'hidden' })
  await expect
    .poll(async () =>
      (await get<{ rows: { recipient: string; state: string }[] }>(tour, '/api4/invoice/messages')).rows.map(
        (row) => row.state,
      ),
    )
    .toEqual(['kept'])
  expect(failures).toEqual([])
})

test('a customer writes himself down by the link; of one who is known the business decides', async ({
  context,
  browser,
  baseURL,
}) => {
  const tour = await begin(baseURL!)
  await make(tour, '/api4/invoice/customers', { name: 'דגן', mobile: '058-7654321' })
  const { page } = await openPage(context, tour, '/invoice/InvoiceCustomers')
  await page
    .locator('.k-ph')
    .getByRole('button', { name: t('kit.actions.more') })
    .click()
  await page.getByRole('menuitem', { name: t('customers.link.do') }).click()
  await button(page, 'customers.link.make').click()
  const link = await page.getByRole('dialog').getByRole('textbox').inputValue()
  expect(link.split('/').at(-1)!.length).toBeGreaterThanOrEqual(22)

  const visitor = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'he' })
  const writes = async (name: string, mobile: string) => {
    const form = await visitor.newPage()
    await form.goto(new URL(link).pathname)
    await expect(form.getByRole('heading', { level: 1 })).toContainText('זרם טוב')
    await form.locator('input[name="taxId"]').fill('123456789')
    await form
      .locator('form')
      .getByRole('button', { name: t('customers.register.send') })
      .click()
    await expect(form.locator('[aria-invalid="true"]')).toHaveCount(2)
    // The cursor goes to what is wrong first; a hand faster than that would type elsewhere.
    await expect(form.locator('input[name="name"]')).toBeFocused()
    await form.locator('input[name="taxId"]').fill('')
    await form.locator('input[name="name"]').fill(name)
    await form.locator('input[name="mobile"]').fill(mobile)
    await form.locator('input[name="city"]').fill('עכו')
    await form.getByRole('checkbox').click()
    await form
      .locator('form')
      .getByRole('button', { name: t('customers.register.send') })
      .click()
    await expect(form.getByText(t('customers.register.done'))).toBeVisible()
    await form.close()
  }
  await writes('רות דגן', '058-7654321')
  await writes('חדש לגמרי', '054-1111111')
  await visitor.close()

  await page.reload()
  await expect(page.getByText('חדש לגמרי').first()).toBeVisible()
  await page.getByRole('button', { name: t('customers.proposals.do') }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: t('customers.proposals.take'), exact: true }).click()
  await expect(sheet.getByText(t('customers.proposals.none'))).toBeVisible()
  const { rows } = await get<{ rows: Record<string, unknown>[] }>(tour, '/api4/invoice/customers?sort=name')
  // The missing value was accepted; the existing name was left.
  expect(rows.map((row) => [row.name, row.city, row.source, row.consentHow])).toEqual([
    ['דגן', 'עכו', 'entered', 'registered'],
    ['חדש לגמרי', 'עכו', 'registered', 'registered'],
  ])
})

test('a status of one’s own: made, put in order by keyboard, given to many at once', async ({
  context,
  baseURL,
}) => {
  const tour = await begin(baseURL!)
  for (const name of ['א', 'ב']) await make(tour, '/api4/invoice/customers', { name })
  await make(tour, '/api4/invoice/customerStatuses', { name: 'רדום' })
  const { page } = await openPage(context, tour, '/invoice/customerstatuses')
  await button(page, 'customerStatuses.new').click()
  const sheet = page.getByRole('dialog')
  await sheet.locator('[data-field="name"] input').fill('פעיל')
  await sheet.getByRole('button', { name: t('kit.forms.save') }).click()
  await sheet.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: `${t('kit.ordered.up')}: פעיל` }).press('Enter')
  await expect(page.locator('.k-order li').first()).toContainText('פעיל')
  await page.goto('/invoice/InvoiceCustomers')
  await page.getByRole('checkbox').nth(2).waitFor()
  await page.getByRole('checkbox').first().click()
  await button(page, 'customers.many.do').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').first().fill('פע')
  await page.getByRole('option', { name: 'פעיל' }).click()
  await dialog.getByRole('button', { name: t('kit.forms.save'), exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  await expect(page.locator('tbody .pa-dot')).toHaveCount(2)
  // Nobody is in: the screen opens all the same and offers the way in.
  const guest = await page.context().browser()!.newContext({ locale: 'he' })
  const shut = await guest.newPage()
  await shut.goto('/invoice/customersolo')
  await expect(shut.getByText(t('kit.ordered.title'))).toBeVisible()
  await guest.close()
})
