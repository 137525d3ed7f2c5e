import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { wordsIn } from './support.ts'

/** Classes: made in the calendar and moved by keys, booked on a phone with a code, checked in at the desk. */
const t = wordsIn('he')
const tomorrow = addDays(dayInJerusalem(new Date()), 1)

async function studio(base: string) {
  const session = await openEmpty(base)
  const tour: Tour = { base, session }
  const send = (method: string, path: string, body: unknown) =>
    fetch(base + path, {
      method,
      headers: { 'content-type': 'application/json', 'x-access-token': session.UserKey! },
      body: JSON.stringify(body),
    }).then((answer) => answer.json())
  const kind = await post(
    base,
    '/api4/invoice/classKinds',
    { name: 'יוגה', minutes: 60, seats: 1, priceAgorot: 6000, cancelHours: 0, noShowFeeAgorot: 3000 },
    session.UserKey,
  )
  const row = (await post(
    base,
    '/api4/invoice/classes',
    { kindId: kind.id, day: tomorrow, at: '10:00' },
    session.UserKey,
  )) as unknown as {
    row: { id: string }
  }
  const page = (await send('PUT', '/api4/invoice/bookingpage', { isOn: true })) as { url: string }
  return { tour, classId: row.row.id, path: new URL(page.url).pathname }
}

/** The code that was sent last to a phone; messages of a place without an account are kept as files. */
function codeFor(phone: string): string {
  const folder = join(process.env.JOURNEY_DATA!, 'sms')
  const texts = readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((text) => text.includes(phone))
  return /(?<!\d)\d{6}(?!\d)/.exec(texts.at(-1)!.replaceAll(phone, ''))![0]
}

test('a class is moved by keys, and what it collides with is said', async ({ context, baseURL }) => {
  const { tour } = await studio(baseURL!)
  const { page, failures } = await openPage(context, tour, `/invoice/calander?view=day&day=${tomorrow}`)
  const event = page.getByRole('button', { name: /^10:00/ })
  await event.focus()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(page.getByRole('button', { name: /^10:15/ })).toBeVisible()
  await page.getByRole('button', { name: /^10:15/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('יוגה')
  expect(failures).toEqual([])
})

test(
  'a stranger books on a phone with a code, waits and is offered the seat; the desk checks him in',
  { tag: '@spine' },
  async ({ browser, context, baseURL }) => {
    const { tour, path } = await studio(baseURL!)
    const phone = async () => {
      const strange = await browser.newContext({
        viewport: { width: 390, height: 844 },
        locale: 'he-IL',
        baseURL: baseURL!,
      })
      const page = await strange.newPage()
      await page.goto(path)
      return page
    }
    const enter = async (
      page: Awaited<ReturnType<typeof phone>>,
      number: string,
      name: string,
      verb: string,
    ) => {
      await page
        .getByRole('button', { name: new RegExp(`^${verb}`) })
        .first()
        .click()
      const dialog = page.getByRole('dialog')
      // The price is shown before it is booked.
      await expect(dialog).toContainText(t('bookingPage.rules.noShow').split('{')[0]!.trim())
      await dialog.getByRole('button', { name: verb, exact: true }).click()
      await dialog.getByLabel(t('bookingPage.phone')).fill(number)
      await dialog.getByLabel(t('bookingPage.name')).fill(name)
      await dialog.getByRole('button', { name: t('bookingPage.sendCode') }).click()
      await expect(dialog.getByLabel(t('bookingPage.code'))).toBeVisible()
      await dialog.getByLabel(t('bookingPage.code')).fill(codeFor(number))
      await dialog.getByRole('button', { name: t('bookingPage.enter') }).click()
      await expect(dialog).toHaveCount(0)
    }
    const dana = await phone()
    await enter(dana, '0521234501', 'דנה', t('bookingPage.take'))
    await dana.getByRole('tab', { name: t('bookingPage.mine') }).click()
    await expect(dana.locator('.bp-card')).toContainText(t('bookings.state.booked'))
    const gil = await phone()
    await enter(gil, '0521234502', 'גיל', t('bookingPage.wait'))
    await gil.getByRole('tab', { name: t('bookingPage.mine') }).click()
    await expect(gil.locator('.bp-card')).toContainText(t('bookings.state.waiting'))
    await dana.getByRole('button', { name: t('bookings.cancel') }).click()
    await dana
      .getByRole('dialog')
      .getByRole('button', { name: t('bookings.cancel') })
      .click()
    await expect(dana.locator('.bp-card')).toHaveCount(0)
    await gil.reload()
    await gil
      .locator('.bp-card')
      .getByRole('button', { name: t('bookingPage.take'), exact: true })
      .click()
    await expect(gil.locator('.bp-card')).toContainText(t('bookings.state.booked'))
    const { page, failures } = await openPage(context, tour, `/classworker/mainlobby?day=${tomorrow}`)
    await page.getByRole('button', { name: t('bookings.came'), exact: true }).click()
    await expect(page.locator('.bk-people li')).toContainText(t('bookings.state.came'))
    expect(failures).toEqual([])
    for (const one of [dana, gil]) await one.context().close()
  },
)
