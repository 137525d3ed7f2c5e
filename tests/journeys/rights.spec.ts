import { expect } from '@playwright/test'
import '../../src/features.ts'
import { allRules } from '#kit/describe/session.ts'
import { allScreens } from '../../tools/screens.ts'
import { fillPath, goOn, openPage, post, type Tour } from '../../tools/tour.ts'
import { linkTo, newEmail, saying, sharedDemo, together as test, wordsIn } from './support.ts'

/** Screens as people with less than everything meet them. */
const t = wordsIn('he')

/** Somebody who works in the business of the tour, with exactly these rights. */
async function worker(owner: Tour, rights: Record<string, unknown>): Promise<Tour> {
  const email = newEmail()
  await post(
    owner.base,
    '/api4/invoice/workers',
    { email, fullName: 'דנה לוי', ...rights },
    owner.session.UserKey,
  )
  const link = await linkTo(email, /\/invitation\?lang=\w\w#[\w-]{43}/)
  const token = link.slice(link.indexOf('#') + 1)
  return {
    base: owner.base,
    session: await post(owner.base, '/api/user/invitation/accept', {
      token,
      password: 'a long enough password',
    }),
  }
}

test('a screen without the right to it says which, whom to ask, and leads back', async ({
  context,
  baseURL,
}) => {
  const owner: Tour = { base: baseURL!, session: await sharedDemo() }
  const dana = await worker(owner, { rules: [10, 30] })
  const { page, failures } = await openPage(context, dana, '/invoice/workers')
  await expect(page.getByRole('heading', { level: 1, name: t('kit.shut.rule.title') })).toBeVisible()
  await expect(page.getByText(saying(t('kit.shut.rule.text'), t('screens.workers')))).toBeVisible()
  await expect(page.getByText(saying(t('kit.shut.rule.ask'), owner.session.FullName!))).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/invoice/workers')
  await page.getByRole('link', { name: t('kit.notFound.home'), exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: t('kit.shut.rule.title') })).toHaveCount(0)
  expect(failures).toEqual([])
})

test('somebody from whom sums are hidden walks the business: no sum anywhere, and nothing is broken', async ({
  context,
  baseURL,
}) => {
  test.setTimeout(600_000)
  const owner: Tour = { base: baseURL!, session: await sharedDemo() }
  const dana = await worker(owner, { rules: [...allRules().values()], hideTotalPrices: true })
  const ask = async (path: string) =>
    (await (
      await fetch(owner.base + path, { headers: { 'x-access-token': owner.session.UserKey! } })
    ).json()) as {
      rows: Record<string, unknown>[]
    }
  // Every sum the business has, as screens write them.
  const known = new Set<string>()
  for (const list of ['documents', 'customers', 'suppliers', 'expenses', 'bankaccounts', 'paymentLinks'])
    for (const row of (await ask(`/api4/invoice/${list}?size=200`)).rows)
      for (const [name, value] of Object.entries(row))
        if (name.endsWith('Agorot') && typeof value === 'number' && Math.abs(value) >= 10_000)
          known.add((Math.abs(value) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 }))
  expect(known.size).toBeGreaterThan(30)
  const isReport = (name: string, path: string) => /report|maazan|ledger/i.test(path) || /report/i.test(name)
  const wanted = new Set(
    'home documents documentView customers customerCard suppliers supplierCard expenses expense bankAccount bankMatching newDeposit fixedAsset journalBatch masavFile'.split(
      ' ',
    ),
  )
  const troubles: string[] = []
  let walked = 0
  let walk: Awaited<ReturnType<typeof openPage>> | undefined
  for (const screen of await allScreens()) {
    if (screen.open !== 'login' || !(wanted.has(screen.name) || isReport(screen.name, screen.path))) continue
    const path = await fillPath(owner, screen.path)
    if (!path) continue
    // The first by its address, the others from there, as a person goes.
    if (walk) await goOn(walk.page, path, walk.quiet)
    else walk = await openPage(context, dana, path)
    const { page, failures } = walk
    walked++
    const text = await page.locator('#content').innerText()
    for (const sum of known)
      if (new RegExp(`(?<![\\d,])${sum.replace('.', '\\.')}(?!\\d)`).test(text))
        troubles.push(`${path} shows ${sum}`)
    if (await page.locator('[data-page="failed"], [data-page="network"]').count())
      troubles.push(`${path} is broken`)
    troubles.push(...failures.splice(0).map((failure) => `${path}: ${failure.slice(0, 120)}`))
  }
  expect(walked).toBeGreaterThan(40)
  expect(troubles).toEqual([])
})
