import { expect, test } from '@playwright/test'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { arrive, choose, reloadUntil, wordsIn } from './support.ts'
import { slowed } from './slowed.ts'

const t = wordsIn('he')

test(
  'an order is set up, waits for a card, the customer gives one on a page, and is charged',
  { tag: '@spine' },
  async ({ context, baseURL, browser }) => {
    const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
    const token = tour.session.UserKey!
    await post(tour.base, '/api4/invoice/terminals', { gateway: 'test' }, token)
    await post(tour.base, '/api4/invoice/customers', { name: 'נעמה ברק', email: 'naama@example.com' }, token)

    // Set up: the next charges stand beside the form before anything is kept.
    const { page, failures } = await openPage(context, tour, '/invoice/retainers/new')
    await choose(page, 'customerId', 'נעמה ברק')
    await page
      .getByRole('textbox', { name: t('standingOrders.fields.description') })
      .fill('מנוי פילאטיס {חודש} {שנה}')
    await page.getByRole('textbox', { name: t('standingOrders.fields.unitPrice') }).fill('350')
    await page.getByRole('radio', { name: t('standingOrders.means.card') }).click()
    await expect(page.locator('.so-sticky').getByRole('listitem')).toHaveCount(12)
    await page.getByRole('button', { name: t('kit.forms.save') }).click()
    await arrive(page, /\/invoice\/retainers\/[0-9a-f-]{36}$/)

    // There is no card yet: it waits for one, and nothing has failed. The link is offered, and nothing is sent by it.
    const chargeNow = async () => {
      await page.getByRole('button', { name: t('kit.actions.more') }).click()
      await page.getByRole('menuitem', { name: t('standingOrders.deeds.chargeNow') }).click()
    }
    await expect(page.getByText(t('standingOrders.state.needsCard')).first()).toBeVisible()
    await chargeNow()
    await expect(page.getByText(t('errors.standingOrders.noCard')).first()).toBeVisible()
    await expect(page.getByText(t('standingOrders.step.failed'))).toHaveCount(0)
    await page.getByRole('button', { name: t('standingOrders.deeds.ask') }).click()
    await expect(page.getByRole('dialog')).toContainText('/retainer/')
    await page.keyboard.press('Escape')
    await expect(page.getByText(t('standingOrders.step.told'))).toHaveCount(0)

    // The customer, on the customer's page.
    const id = page.url().split('/').at(-1)!
    const { pageUrl } = (await (
      await fetch(`${tour.base}/api4/invoice/standingorders/${id}`, { headers: { 'x-access-token': token } })
    ).json()) as { pageUrl: string }
    const guest = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'he-IL' })
    const payer = await guest.newPage()
    await payer.goto(new URL(new URL(pageUrl).pathname, baseURL).href)
    await expect(payer.getByRole('heading', { name: 'מנוי פילאטיס' })).toBeVisible()
    await payer.getByRole('button', { name: t('standingOrders.page.addCard') }).click()
    await arrive(payer, '**/testcard/**')
    await payer.getByRole('button', { name: '4242 4242 4242 4242' }).click()
    await payer.getByRole('button', { name: t('paymentLinks.test.pay'), exact: true }).click()
    await arrive(payer, '**/retainer/**')
    await expect(payer.getByText('4242')).toBeVisible()
    await guest.close()

    // With its card it is active, and is charged.
    await reloadUntil(page, page.getByText(t('standingOrders.state.active')).first())
    if (!(await page.getByText(t('standingOrders.period.done')).count())) await chargeNow()
    await reloadUntil(page, page.getByText(t('standingOrders.period.done')).first())
    expect(failures).toEqual([])
  },
)

test('a saved card fails on the day of its charge; its owner opens the link of his letter, renews it and is charged once', async ({
  baseURL,
  browser,
}) => {
  const token = (await openEmpty(baseURL!)).UserKey!
  const ask = async (path: string, body?: object, method = body ? 'POST' : 'GET') => {
    const answer = await fetch(`${baseURL}/api4/invoice/${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-access-token': token },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const said = await answer.json()
    if (!answer.ok) throw new Error(JSON.stringify(said))
    return said
  }
  await ask('terminals', { gateway: 'test' })
  // The day begins at six unless it is said otherwise; this one begins whenever somebody tests.
  await ask('standingorders/settings', { mostMissed: 2, hour: 0, ratePerMinute: 60 }, 'PUT')
  const customer = await ask('customers', { name: 'נעמה ברק', email: 'naama@example.com' })
  const guest = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'he-IL' })
  const payer = await guest.newPage()
  const type = async (number: string) => {
    await arrive(payer, '**/testcard/**')
    await payer.getByRole('button', { name: number }).click()
    await payer.getByRole('button', { name: t('paymentLinks.test.pay'), exact: true }).click()
  }

  // The card is saved by its owner; that it will be refused shows only when it is charged.
  const { url } = await ask('cardRequests', { customerId: customer.id })
  await payer.goto(new URL(new URL(url).pathname, baseURL).href)
  await payer.getByRole('checkbox').press('Space')
  await payer.getByRole('button', { name: t('savedCards.page.go') }).click()
  // The page is read before the outcome is known and arrives after it: what it says is of before.
  const checked = payer.waitForResponse('**/savecard/*/check')
  await payer.route(
    (url) => /\/api2\/invoice\/savecard\/[^/]+$/.test(url.pathname),
    async (route) => {
      const before = await route.fetch()
      await checked
      await route.fulfill({ response: before }).catch(() => undefined)
    },
    { times: 1 },
  )
  await type('4000 0000 0000 0002')
  await arrive(payer, '**/savecard/**')
  await expect(payer.getByText(t('savedCards.page.done'))).toBeVisible()
  await expect(payer.getByText('0002')).toBeVisible()

  // Nobody presses anything: the charge of the day is made, refused, and told to the customer.
  let card: { id: string } | undefined
  await expect.poll(async () => (card = (await ask('savedCards')).rows[0])?.id).toBeTruthy()
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jerusalem' }).format(new Date())
  const { id } = await ask('standingorders', {
    title: 'מנוי פילאטיס',
    customerId: customer.id,
    means: 'card',
    cardId: card!.id,
    startDay: today,
    documentType: 9,
    partyKind: 'business',
    lines: [{ description: 'מנוי', unitPrice: '350', vatKind: 2 }],
  })
  const order = () => ask(`standingorders/${id}`)
  await expect.poll(async () => (await order()).state, { timeout: 45_000 * slowed }).toBe('failing')
  const letter = async () =>
    (await ask('messages')).rows.find((row: { body: string }) => row.body.includes('/retainer/'))
  await expect.poll(letter).toBeDefined()
  const { recipient, body } = await letter()
  expect(recipient).toBe('naama@example.com')

  await payer.goto(new URL(new URL(/https?:\S+\/retainer\/[\w-]+/.exec(body)![0]).pathname, baseURL).href)
  await expect(payer.getByText(t('standingOrders.page.failed'))).toBeVisible()
  await payer.getByRole('button', { name: t('standingOrders.page.renew') }).click()
  await type('4242 4242 4242 4242')
  await arrive(payer, '**/retainer/**')
  await expect(payer.getByText('4242')).toBeVisible()

  await expect.poll(async () => (await order()).state, { timeout: 45_000 * slowed }).toBe('active')
  // Pressed again and looked at again, it is charged no second time.
  await payer.reload()
  await expect(payer.getByText(t('standingOrders.page.failed'))).toHaveCount(0)
  expect(await order()).toMatchObject({
    broughtAgorot: 35_000,
    turns: 1,
    card: { last4: '4242' },
    periods: [{ state: 'done' }],
  })
  expect(
    (await ask('cardCharges')).rows.filter(
      (row: { state: string; sumAgorot: number }) => row.state === 'paid',
    ),
  ).toHaveLength(1)
  expect(
    (await ask('savedCards')).rows.filter((row: { state: string }) => row.state === 'active'),
  ).toMatchObject([{ last4: '4242' }])
  await guest.close()
})
