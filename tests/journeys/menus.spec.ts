import { expect } from '@playwright/test'
import { allRules } from '#kit/describe/session.ts'
import '../../src/features.ts'
import { goOn, openPage, post, type Tour } from '../../tools/tour.ts'
import { linkTo, newEmail, newTaxId, sharedDemo, sharedOffice, together as test, wordsIn } from './support.ts'

/**
 * Every kind of person opens every line of the menu: nothing in it is closed, broken or refused behind the page.
 */
const t = wordsIn('he')
const rule = (...names: string[]) => names.map((name) => allRules().get(name)!)

async function accepted(base: string, email: string): Promise<Tour> {
  const link = await linkTo(email, /\/invitation\?lang=\w\w#[\w-]{43}/)
  const token = link.slice(link.indexOf('#') + 1)
  return {
    base,
    session: await post(base, '/api/user/invitation/accept', { token, password: 'a long enough password' }),
  }
}
async function worker(base: string, rights: Record<string, unknown>): Promise<Tour> {
  const { UserKey } = await sharedDemo()
  const email = newEmail()
  await post(base, '/api4/invoice/workers', { email, fullName: 'דנה לוי', ...rights }, UserKey)
  return accepted(base, email)
}
async function clocker(base: string): Promise<Tour> {
  const { UserKey } = await sharedDemo()
  const email = newEmail()
  await post(base, '/api4/invoice/time/people', { email, fullName: 'דנה לוי' }, UserKey)
  return accepted(base, email)
}
async function affiliate(base: string, isDealer = false): Promise<Tour> {
  const operator = await sharedDemo()
  const session = await post(base, '/api/user/signupaff', {
    email: newEmail(),
    password: 'a long enough password',
    fullName: 'רון דגן',
    business: { name: 'דגן שיווק', kind: 'licensedDealer', taxId: newTaxId() },
    termsAccepted: true,
    selfBilling: true,
  })
  if (isDealer) {
    const answer = await fetch(`${base}/api4/invoice/affiliates/brands`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-access-token': operator.UserKey! },
      body: JSON.stringify({ domain: 'books.dagan.example', name: 'דגן', dealerId: session.CompanyKey }),
    })
    // The first business here runs the installation and provides domains: where it is another, this walk has none.
    expect([200, 403, 404]).toContain(answer.status)
  }
  return { base, session }
}

/** A menu of more than a hundred lines is gone through in shares, which run side by side. */
const people: [string, (base: string) => Promise<Tour>, shares?: number][] = [
  ['an affiliate', (base) => affiliate(base)],
  ['a dealer', (base) => affiliate(base, true)],
  ['the manager of an office', async (base) => ({ base, session: await sharedOffice() }), 3],
  ['who clocks hours', clocker],
  ['a worker with sales', (base) => worker(base, { starter: 'sales' })],
  ['a worker with one right', (base) => worker(base, { rules: rule('tasks.see', 'tasks.change') })],
  ['the lobby', (base) => worker(base, { starter: 'reception' })],
  ['a trainer', (base) => worker(base, { rules: rule('calendar.own'), subTypeId: 2 })],
]

const walks = people.flatMap(([who, enter, shares = 1]) =>
  Array.from({ length: shares }, (_, share) => ({
    name: `${who} opens each line of the menu${shares > 1 ? `, share ${share + 1} of ${shares}` : ''}`,
    enter,
    isOfShare: (at: number) => at % shares === share,
  })),
)
for (const { name, enter, isOfShare } of walks)
  test(name, async ({ context, baseURL }) => {
    test.setTimeout(600_000)
    const tour = await enter(baseURL!)
    const { page, failures, quiet } = await openPage(context, tour, '/invoice/allscreens')
    const refused: string[] = []
    page.on('response', (answer) => {
      const { pathname } = new URL(answer.url())
      // A person who is no trainer sees a notice in place of the classes.
      if (pathname.endsWith('/trainerarea/history')) return
      if (answer.status() >= 400 && pathname.startsWith('/api'))
        refused.push(`${new URL(page.url()).pathname}: ${pathname} ${answer.status()}`)
    })
    const lines = await page
      .locator('main a[href^="/"]')
      .evaluateAll((all) => [...new Set(all.map((one) => one.getAttribute('href')!))])
    if ((tour.session.TypeID as unknown) === 2) {
      for (const not of ['/invoice/Settings', '/api/doc', '/invoice/InvoiceCompanies'])
        expect(lines).not.toContain(not)
    }
    expect(lines.length).toBeGreaterThan(2)
    const shut: string[] = []
    for (const line of lines.filter((_, at) => isOfShare(at))) {
      await goOn(page, line, quiet)
      for (const why of ['rule', 'area', 'users', 'module'])
        if (await page.getByRole('heading', { level: 1, name: t(`kit.shut.${why}.title`) }).count())
          shut.push(`${line}: ${why}`)
    }
    expect({ shut, refused, failures }).toEqual({ shut: [], refused: [], failures: [] })
  })
