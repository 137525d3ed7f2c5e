import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import { Webhook } from 'standardwebhooks'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { over, wordsIn } from './support.ts'

/**
 * A program hears what happens: its address is added by hand, its secret kept, and what arrives there is what
 * the log shows.
 */
const t = wordsIn('he')

test('an address is added, hears of a customer, fails, and gets it when it is sent again', async ({
  context,
  baseURL,
}) => {
  const got: { headers: IncomingHttpHeaders; body: string }[] = []
  let takes = true
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      got.push({ headers: request.headers, body })
      response.writeHead(takes ? 200 : 500).end(takes ? 'thanks' : 'no')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pinkas`
  try {
    const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
    const make = (name: string) => post(tour.base, '/api4/invoice/customers', { name }, tour.session.UserKey)
    const { page, failures } = await openPage(context, tour, '/invoice/webhooks')
    await expect(page.getByText(t('webhooks.empty.title'))).toBeVisible()
    await page.getByRole('button', { name: t('webhooks.add') }).click()

    // What is missing is said at its field.
    await over(page)
      .getByRole('button', { name: t('webhooks.create') })
      .click()
    await expect(over(page).getByText(t('errors.fields.need')).first()).toBeVisible()
    await over(page).getByLabel(t('webhooks.fields.url'), { exact: true }).fill('https://10.0.0.1/x')
    await over(page).getByText(t('webhooks.events.customer.created'), { exact: true }).click()
    await over(page)
      .getByRole('button', { name: t('webhooks.create') })
      .click()
    await expect(over(page).getByText(t('errors.webhooks.privateAddress'))).toBeVisible()
    await over(page)
      .getByRole('button', { name: `${t('webhooks.example')}: customer.created` })
      .click()
    await expect(over(page).getByLabel('customer.created', { exact: true })).toContainText(
      '"type": "customer.created"',
    )
    if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}-sheet.png` })
    await over(page).getByLabel(t('webhooks.fields.url'), { exact: true }).fill(url)
    await over(page)
      .getByRole('button', { name: t('webhooks.create') })
      .click()
    const secret = (await over(page).locator('[data-secret]').textContent())!.trim()
    if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}-secret.png` })
    await over(page)
      .getByRole('button', { name: t('webhooks.kept') })
      .click()

    await page.getByRole('row', { name: '127.0.0.1' }).getByRole('link').click()
    await expect(page.getByText(t('webhooks.logEmpty.title'))).toBeVisible()
    const { id } = await make('מאפייה')
    const row = page.getByRole('row', { name: 'customer.created' })
    await expect(row).toContainText(t('webhooks.delivery.sent'))
    expect(new Webhook(secret).verify(got[0]!.body, got[0]!.headers as Record<string, string>)).toMatchObject(
      {
        type: 'customer.created',
        data: { id },
      },
    )
    await row.click()
    await expect(over(page).getByText('thanks')).toBeVisible()
    await expect(over(page).getByText(String(got[0]!.headers['webhook-id']))).toBeVisible()
    if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}-delivery.png` })
    await page.keyboard.press('Escape')

    // It fails for a while; then all that did not arrive is sent again.
    takes = false
    await make('ירקן')
    await expect(page.getByRole('row', { name: 'customer.created' }).first()).toContainText(
      t('webhooks.delivery.again'),
    )
    await expect(page.getByText(t('webhooks.state.failing'), { exact: true })).toBeVisible()
    takes = true
    await page.getByRole('button', { name: t('kit.actions.more'), exact: true }).click()
    await page.getByRole('menu').getByText(t('webhooks.resend'), { exact: true }).click()
    await over(page)
      .getByRole('button', { name: t('webhooks.resendVerb'), exact: true })
      .click()
    await expect(page.getByRole('row', { name: 'customer.created' }).first()).toContainText(
      t('webhooks.delivery.sent'),
    )
    await expect(page.getByText(t('webhooks.state.on'), { exact: true })).toBeVisible()

    await page.getByRole('button', { name: t('webhooks.test') }).click()
    await expect(page.getByRole('row', { name: 'webhook.test' })).toContainText(t('webhooks.delivery.sent'))

    await page.getByRole('button', { name: t('kit.actions.more'), exact: true }).click()
    await page.getByRole('menu').getByText(t('webhooks.rotate'), { exact: true }).click()
    await over(page)
      .getByRole('button', { name: t('webhooks.rotateVerb'), exact: true })
      .click()
    const next = (await over(page).locator('[data-secret]').textContent())!.trim()
    expect(next).not.toBe(secret)
    await over(page)
      .getByRole('button', { name: t('webhooks.kept') })
      .click()

    await page.getByRole('button', { name: t('kit.actions.more'), exact: true }).click()
    await page.getByRole('menu').getByText(t('webhooks.turnOff'), { exact: true }).click()
    await expect(page.getByRole('button', { name: t('webhooks.turnOn') })).toBeVisible()
    await page.getByRole('button', { name: t('webhooks.turnOn') }).click()
    await expect(page.getByText(t('webhooks.state.on'), { exact: true })).toBeVisible()
    await page.getByRole('button', { name: t('kit.actions.more'), exact: true }).click()
    await page.getByRole('menu').getByText(t('webhooks.drop'), { exact: true }).click()
    await over(page)
      .getByRole('button', { name: t('webhooks.drop'), exact: true })
      .click()
    await expect(page.getByText(t('webhooks.empty.title'))).toBeVisible()
    expect(failures).toEqual([])
  } finally {
    server.close().closeAllConnections()
  }
})
