import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { arrive, linkTo, newEmail, over, saying, tabTo, verifyAccount, wordsIn } from './support.ts'
import { slowed } from './slowed.ts'

/** A day at the front desk by keyboard and scanner, and a trainer's week on a phone. */
const t = wordsIn('he')

interface Made {
  id: string
  row: { id: string }
  rows: { id: string; name: string; state: string; customerName: string; cameAt: string | null }[]
  people: { id: string; state: string; customerName: string; cameAt: string | null; isPaid: boolean }[]
  bookings: { id: string; code: string | null }[]
  token: string
  codeId: string
  url: string
}

const ask = async (tour: Tour, method: string, path: string, body?: unknown): Promise<Made> => {
  const answer = await fetch(`${tour.base}${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-access-token': tour.session.UserKey! },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Made
}

/** The code of six digits that was sent last to a phone. */
function smsTo(phone: string): string {
  const folder = join(process.env.JOURNEY_DATA!, 'sms')
  const texts = readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((text) => text.includes(phone))
  return /(?<!\d)\d{6}(?!\d)/.exec(texts.at(-1)!.replaceAll(phone, ''))![0]
}

/** What a customer's phone shows at the desk. */
async function codeOf(tour: Tour, phone: string): Promise<string> {
  const { url } = await ask(tour, 'PUT', '/api4/invoice/bookingpage', { isOn: true })
  const page = `/api2/invoice/yeshfit/${new URL(url).pathname.split('/').at(-1)}`
  const { codeId } = await ask(tour, 'POST', `${page}/code`, { phone })
  const { token } = await ask(tour, 'POST', `${page}/verify`, { codeId, code: smsTo(phone) })
  const { bookings } = await ask(tour, 'POST', `${page}/mine`, { token })
  return bookings[0]!.code!
}

/**
 * Types as a scanner does: each key is the one of an American board, and writes what the board of the
 * computer has there.
 */
async function scan(page: Page, text: string, board: Record<string, string>): Promise<void> {
  const client = await page.context().newCDPSession(page)
  for (const sign of text) {
    const isShifted = sign !== sign.toLowerCase() || sign === ':'
    const written = board[sign.toLowerCase()] ?? sign
    const key = isShifted ? written.toUpperCase() : written
    const code = /[a-z]/i.test(sign)
      ? `Key${sign.toUpperCase()}`
      : /\d/.test(sign)
        ? `Digit${sign}`
        : sign === ':'
          ? 'Semicolon'
          : 'Minus'
    const press = { key, code, modifiers: isShifted ? 8 : 0 }
    await client.send('Input.dispatchKeyEvent', { type: 'keyDown', text: key, ...press })
    await client.send('Input.dispatchKeyEvent', { type: 'keyUp', ...press })
  }
  await page.keyboard.press('Enter')
  await client.detach()
}

const personLine = (page: Page, name: string) => page.locator('.bk-people li', { hasText: name })

test('the front desk by keys and scanner: by name, by code, refused and let in, a walk-in with his receipt, and without a network', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const today = dayInJerusalem(new Date())
  const api = (path: string, body: unknown) => ask(tour, 'POST', `/api4/invoice/${path}`, body)
  const kind = await api('classKinds', { name: 'יוגה', minutes: 60, seats: 10, priceAgorot: 6000 })
  const strict = await api('classKinds', {
    name: 'התעמלות',
    minutes: 60,
    seats: 10,
    priceAgorot: 0,
    needsHealth: true,
  })
  const at = '22:55'
  const { row: yoga } = await api('classes', { kindId: kind.id, day: today, at })
  const { row: gym } = await api('classes', { kindId: strict.id, day: today, at })
  const people = new Map<string, string>()
  for (const [i, name] of ['דנה כהן', 'גיל לוי', 'רות מזרחי', 'נועם פרץ', 'שירה אזולאי'].entries())
    people.set(name, (await api('customers', { name, mobile: `05277712${10 + i}` })).id)
  for (const name of ['דנה כהן', 'גיל לוי', 'נועם פרץ'])
    await api('classbookings', { classId: yoga.id, customerId: people.get(name), pays: 'free' })
  await api('classbookings', {
    classId: gym.id,
    customerId: people.get('רות מזרחי'),
    override: 'נרשמה בטלפון',
  })
  const code = await codeOf(tour, '0527771211')

  const { page, failures } = await openPage(context, tour, '/classworker/mainlobby')
  const keys = page.keyboard
  const find = page.getByLabel(t('bookings.find'))
  await expect(find).toBeFocused()

  // By name: a few letters and Enter.
  await keys.type('דנה')
  await expect(page.locator('.bk-people li')).toHaveCount(1)
  await keys.press('Enter')
  await expect(personLine(page, 'דנה כהן')).toContainText(t('bookings.state.came'))
  await expect(find).toHaveValue('')
  await expect(find).toBeFocused()

  // By the code on a phone: a scanner presses the keys of an American board, and Enter. With Russian on the
  // keys they write Russian letters.
  await scan(page, code, { p: 'з', b: 'и', a: 'ф', c: 'с', d: 'в', e: 'у', f: 'а', ':': 'Ж' })
  await expect(personLine(page, 'גיל לוי')).toContainText(t('bookings.state.came'))
  await expect(page.getByText(saying(t('bookings.welcome'), 'גיל לוי'))).toBeVisible()
  await expect(find).toHaveValue('')

  // Without the form entry is refused: the reason is shown, and with a reason it can be confirmed after all.
  await keys.type('רות')
  await keys.press('Enter')
  const stands = over(page)
  await expect(stands).toContainText(t('bookings.refusal.health'))
  await expect(stands).toContainText('רות מזרחי')
  await expect(stands.getByLabel(t('bookings.overrideWhy'))).toBeFocused()
  await keys.type('ראיתי את הטופס')
  await keys.press('Control+Enter')
  await expect(over(page)).toHaveCount(0)
  await expect(personLine(page, 'רות מזרחי')).toContainText(t('bookings.state.came'))
  const letIn = async () => (await ask(tour, 'GET', `/api4/invoice/classes/${gym.id}/people`)).people[0]
  expect((await letIn())!.state).toBe('came')

  // Without a network the press is kept and seen, and sent once when it is back.
  await expect(find).toBeFocused()
  // A try that met no network is not sent.
  let sent = 0
  page.on(
    'response',
    (one) =>
      void (
        /\/(mark|scan)$/.test(new URL(one.url()).pathname) &&
        one.request().method() === 'POST' &&
        sent++
      ),
  )
  await context.setOffline(true)
  await keys.type('נועם')
  await keys.press('Enter')
  await expect(page.getByText(/ממתין לרשת/)).toBeVisible()
  await expect(personLine(page, 'נועם פרץ')).toContainText(t('bookings.state.came'))
  const onServer = async (name: string) =>
    (await ask(tour, 'GET', `/api4/invoice/classes/${yoga.id}/people`)).people.find(
      ({ customerName }) => customerName === name,
    )
  expect((await onServer('נועם פרץ'))!.state).toBe('booked')
  const pressed = Date.now()
  const before = sent
  await page.waitForTimeout(1500)
  await context.setOffline(false)
  await expect(page.getByText(/ממתין לרשת/)).toHaveCount(0, { timeout: 30_000 * slowed })
  const noam = await onServer('נועם פרץ')
  expect(noam!.state).toBe('came')
  // The hour is that of the press.
  expect(Date.parse(noam!.cameAt!)).toBeLessThanOrEqual(pressed)
  expect(sent - before).toBe(1)
  // What fails while there is no network is no fault of the page.
  failures.splice(0)

  // A visitor without a booking: entered, charged, and the receipt issued.
  await tabTo(
    page,
    page
      .getByRole('region', { name: new RegExp('יוגה') })
      .getByRole('button', { name: t('bookings.walkIn') }),
  )
  await keys.press('Enter')
  await expect(over(page).getByRole('combobox')).toBeFocused()
  await keys.type('שירה')
  await expect(page.getByRole('option')).toHaveCount(1)
  await keys.press('Enter')
  await keys.press('Control+Enter')
  await expect(over(page)).toHaveCount(0)
  const shira = personLine(page, 'שירה אזולאי')
  await expect(shira).toContainText(t('bookings.state.came'))
  await expect(shira).toContainText(t('bookings.unpaid'))
  await tabTo(page, shira.getByRole('button', { name: saying(t('bookings.moreOf'), 'שירה אזולאי') }), 60)
  await keys.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  const charge = page.getByRole('menuitem', { name: t('bookings.charge'), exact: true })
  while (!(await charge.evaluate((one) => one === document.activeElement))) await keys.press('ArrowDown')
  await keys.press('Enter')
  await arrive(page, '**/invoice/InvoiceDocument/**')
  await tabTo(page, page.getByRole('button', { name: t('documents.means.cash') }), 60)
  await keys.press('Enter')
  await expect(page.locator('.doc-payment input[name="amountAgorot"]')).toHaveValue('60.00')
  await keys.press('Control+Enter')
  await arrive(page, '**/invoice/preview/*')
  expect((await onServer('שירה אזולאי'))!.isPaid).toBe(true)
  expect(failures).toEqual([])
})

test('a week of a trainer by touch: who came by one tap, a class another takes, and hours away', async ({
  browser,
  baseURL,
}) => {
  const owner: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const api = (path: string, body: unknown) => ask(owner, 'POST', `/api4/invoice/${path}`, body)
  const today = dayInJerusalem(new Date())
  const tomorrow = addDays(today, 1)
  await verifyAccount(owner.base, owner.session.UserKey!)
  const email = newEmail()
  await post(
    owner.base,
    '/api4/invoice/workers',
    { email, fullName: 'דנה לוי', rules: [303] },
    owner.session.UserKey,
  )
  const link = await linkTo(email, /\/invitation\?lang=\w\w#[\w-]{43}/)
  const token = link.slice(link.indexOf('#') + 1)
  const dana: Tour = {
    base: owner.base,
    session: await post(owner.base, '/api/user/invitation/accept', {
      token,
      password: 'a long enough password',
    }),
  }
  const users = (await ask(owner, 'GET', '/api4/invoice/agents')).rows
  const own = await api('classTrainers', {
    name: 'דנה',
    userId: users.find(({ name }) => name === 'דנה לוי')!.id,
  })
  await api('classTrainers', { name: 'נועה', userId: users.find(({ name }) => name === 'נועה ורדי')!.id })
  const kind = await api('classKinds', { name: 'פילאטיס', minutes: 45, seats: 5, priceAgorot: 5000 })
  const { row: first } = await api('classes', { kindId: kind.id, day: today, at: '23:10', trainerId: own.id })
  const { row: second } = await api('classes', {
    kindId: kind.id,
    day: tomorrow,
    at: '09:00',
    trainerId: own.id,
  })
  const guest = await api('customers', { name: 'אורי שקד', mobile: '0527771300' })
  await api('classbookings', { classId: first.id, customerId: guest.id })

  const phone = async () =>
    browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      locale: 'he-IL',
      reducedMotion: 'reduce',
    })
  const hers = await phone()
  const { page, failures } = await openPage(hers, dana, '/classtreiner/mainclass')
  await page.getByRole('button', { name: t('bookings.came'), exact: true }).tap()
  await expect(personLine(page, 'אורי שקד')).toContainText(t('bookings.state.came'))

  // Her week; tomorrow's class is asked of another.
  await page.goto(`${owner.base}/classtreiner/mycalender`)
  await page.getByRole('button', { name: /09:00/ }).tap()
  await arrive(page, '**/classtreiner/mainclass?*')
  await page.getByRole('button', { name: t('trainers.swap'), exact: true }).tap()
  const whom = over(page).getByRole('combobox')
  await whom.tap()
  await page.getByRole('option', { name: 'נועה' }).tap()
  await over(page)
    .getByRole('button', { name: t('trainers.ask'), exact: true })
    .tap()
  await expect(over(page)).toHaveCount(0)
  await expect(page.getByRole('region', { name: t('trainers.swaps') })).toContainText(
    t('trainers.swapState.asked'),
  )

  // The person who takes it arranges the classes, too: she accepts, and approves.
  const others = await phone()
  const { page: hand, failures: faults } = await openPage(others, owner, '/classtreiner/callcalender')
  const swaps = hand.getByRole('region', { name: t('trainers.swaps') })
  await swaps.getByRole('button', { name: t('trainers.accept'), exact: true }).tap()
  await expect(swaps).toContainText(t('trainers.swapState.accepted'))
  await swaps.getByRole('button', { name: t('trainers.approve'), exact: true }).tap()
  await expect(swaps).toHaveCount(0)
  const { rows } = (await ask(
    owner,
    'GET',
    `/api4/invoice/classes?from=${tomorrow}&to=${tomorrow}`,
  )) as unknown as {
    rows: { id: string; trainerName: string }[]
  }
  expect(rows.map(({ id, trainerName }) => [id, trainerName])).toEqual([[second.id, 'נועה']])

  // It is gone from hers; and the day after she is away for some hours.
  await page.goto(`${owner.base}/classtreiner/mycalender?view=list&day=${tomorrow}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: /09:00/ })).toHaveCount(0)
  await page.getByRole('button', { name: t('trainers.away'), exact: true }).tap()
  await over(page).getByLabel(t('timetable.block.from'), { exact: true }).fill('10:00')
  await over(page).getByLabel(t('timetable.block.to'), { exact: true }).fill('13:00')
  await over(page).getByLabel(t('timetable.block.why')).fill('רופא')
  await over(page)
    .getByRole('button', { name: t('kit.forms.save'), exact: true })
    .tap()
  await expect(over(page)).toHaveCount(0)
  await expect(page.locator('.tt-notes')).toContainText('רופא')
  await expect(page.locator('.tt-notes')).toContainText('10:00')
  await expect
    .poll(() =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    )
    .toBeLessThanOrEqual(0)
  expect([...failures, ...faults]).toEqual([])
  await hers.close()
  await others.close()
})
