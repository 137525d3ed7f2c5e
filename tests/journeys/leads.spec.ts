import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { wordsIn } from './support.ts'

/** From a form in a foreign page to a customer with a quote. */
const t = wordsIn('he')
const make = (tour: Tour, path: string, body: unknown) => post(tour.base, path, body, tour.session.UserKey)
const get = async <T>(tour: Tour, path: string): Promise<T> =>
  (await (
    await fetch(tour.base + path, { headers: { 'x-access-token': tour.session.UserKey! } })
  ).json()) as T

test('a form in a page of another site brings a lead; it is won with a quote and nothing is typed twice', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const source = await make(tour, '/api4/invoice/leadSources', { name: 'אתר', channel: 'form' })
  const { key } = await get<{ key: string }>(tour, `/api4/invoice/leads/sources/${source.id}/door`)
  // Another port is another site to a browser.
  const site = createServer((_request, response) =>
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(
        `<html lang="he" dir="rtl"><body><h1>חשמלאי</h1><script src="${baseURL}/api2/invoice/leadform/${key}/form.js"></script></body></html>`,
      ),
  )
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  try {
    const foreign = await context.newPage()
    await foreign.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
    await foreign.getByLabel(t('leads.form.name')).fill('יעל רון')
    await foreign.getByLabel(t('leads.form.phone')).fill('052-7654321')
    await foreign.getByLabel(t('leads.form.message')).fill('צריכה הצעה ללוח חשמל')
    await foreign.waitForTimeout(3200)
    await foreign.getByRole('button', { name: t('leads.form.send') }).click()
    await expect(foreign.getByText(t('leads.form.thanks'))).toBeVisible()
    expect(await context.cookies()).toEqual([])
    await foreign.close()
  } finally {
    site.close()
  }
  const { page, failures } = await openPage(context, tour, '/invoice/invoiceLeadsManager')
  const card = page.getByRole('row', { name: 'יעל רון' })
  await card.click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: t('leads.win.verb') }).click()
  const dialog = page.getByRole('dialog').last()
  await dialog.getByRole('button', { name: t('leads.win.quote') }).click()
  await dialog.getByLabel(t('leads.win.description')).fill('לוח חשמל')
  await dialog.getByLabel(t('leads.win.price')).fill('1500')
  await dialog.getByRole('button', { name: t('leads.win.verb') }).click()
  await page.waitForURL(/InvoiceDocument\/[0-9a-f-]{36}/)
  const { rows } = await get<{ rows: { name: string; phone: string }[] }>(tour, '/api4/invoice/customers')
  expect(rows).toMatchObject([{ name: 'יעל רון', phone: '052-7654321' }])
  expect(failures).toEqual([])
})
