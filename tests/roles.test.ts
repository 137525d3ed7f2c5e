import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { implementations, reports } from '../src/features.ts'
import { uploadFile } from '#features/base/files/endpoints.ts'
import { starterNames, starters } from '#features/base/team/starters.ts'
import { areasOff } from '#kit/describe/area.ts'
import { allRules, can, type Session } from '#kit/describe/session.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { access, mainPath, setScreens } from '#kit/web/session/guard.ts'
import { menuOf } from '#kit/web/shell/menu.ts'
import { allScreens } from '../tools/screens.ts'
import { byTurns } from './turns.ts'
import { raw } from './world.ts'
import {
  askedAndSentAs,
  companyId,
  everythingAs,
  ids,
  leaks,
  markers,
  openShop,
  ownerHeard,
  papersOpenTo,
  scan,
  sentToHimself,
  shop,
  strangeLine,
  strangeName,
  sums,
  worker,
  world,
  year,
} from './rolesWalk.ts'

beforeAll(openShop, 60_000)
afterAll(() => world.close())

test('the walk sees what is there: an owner meets every figure and name', async () => {
  const heard = await ownerHeard()
  const all = heard.map(({ said }) => said).join('\n')
  for (const word of [
    sums.own.replace('.', ''),
    sums.strange.replace('.', ''),
    sums.quote.replace('.', ''),
    String(sums.bill),
    sums.price,
    strangeName,
    strangeLine,
  ])
    expect(all, word).toContain(word)
  // In workbooks as in everything else, or a leak there would not be seen.
  const sheets = heard
    .filter(({ path }) => /xlsx/.test(path))
    .map(({ said }) => said)
    .join('\n')
  for (const word of [sums.own, sums.strange, sums.price, strangeName]) expect(sheets, word).toContain(word)
  expect(heard.filter(({ status }) => status === 200).length).toBeGreaterThan(100)
  expect(heard.filter(({ status }) => status >= 500)).toEqual([])
  // The walk of what is sent reaches the emails: an owner sends each kind there is to the owner's own address.
  const sent = await askedAndSentAs({ token: shop.token, id: '', rules: [], docsAllow: [] })
  expect(sent.filter(({ status }) => status >= 500)).toEqual([])
  expect(new Set((await sentToHimself()).map(({ kind }) => kind))).toEqual(
    new Set(['document', 'letter', 'proof', 'statement']),
  )
}, 240_000)

describe.each(byTurns(starterNames, 4))('%s', (name) => {
  const rules = () => starters[name].rules.flatMap((rule) => allRules().get(rule) ?? [])

  test('is refused by every call, report and screen that is not his', async () => {
    const one = await worker({ rules: rules() })
    const rights = { rules: rules(), docsAllow: [] }
    const wrong: string[] = []
    for (const { endpoint } of implementations) {
      if (typeof endpoint.access !== 'object') continue
      const path = Object.fromEntries(
        [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((m) => [m[1]!, ids.documents![0]!]),
      )
      const { statusCode } = await raw(world, endpoint, path, { token: one.token })
      const may = can(rights, endpoint.access.rule) && !endpoint.access.module
      if (may ? statusCode === 401 || statusCode >= 500 : statusCode !== 403)
        wrong.push(`${endpoint.name} ${statusCode}`)
    }
    for (const report of reports) {
      for (const path of [
        `/api4/invoice/reports/${report.name}`,
        `/api4/invoiceexport/reports/${report.name}.csv`,
      ]) {
        const { statusCode } = await world.http.inject({
          method: 'GET',
          url: `${path}?from=${year.from}&to=${year.to}`,
          headers: { 'x-access-token': one.token },
        })
        if (can(rights, report.allow) ? statusCode === 403 : statusCode !== 403)
          wrong.push(`${path} ${statusCode}`)
      }
    }
    expect(wrong).toEqual([])
  }, 60_000)

  test('has no screen in the menu or by its address that his rules do not open', async () => {
    const session = { rules: rules(), docsAllow: [], TypeID: 9, subTypeID: 0 } as never
    for (const screen of await allScreens()) {
      if (!screen.rule) continue
      const open = access(screen, session, (held, rule) => can(held, rule)).kind === 'open'
      expect({ path: screen.path, open: open && !screen.users?.includes(4) }).toEqual({
        path: screen.path,
        open:
          can({ rules: rules(), docsAllow: [] }, screen.rule) &&
          (!screen.users || screen.users.includes(9)) &&
          !screen.users?.includes(4),
      })
    }
  })
})

test('HideTotalPrices leaves no figure in any answer, export or report', async () => {
  const one = await worker({ hides: true })
  const heard = await everythingAs(one)
  const words = markers(
    Number(sums.own),
    Number(sums.strange),
    Number(sums.quote),
    sums.bill / 100,
    Number(sums.price),
    sums.limit / 100,
  )
  expect(leaks(heard, words)).toEqual([])
  expect(heard.filter((one) => one.isFile).map(({ path }) => path)).toEqual([])
  const asked = await askedAndSentAs(one)
  expect(leaks(asked, words)).toEqual([])
  expect(asked.filter((each) => each.isFile).map(({ path }) => path)).toEqual([])
  // The seal of a month says how many records there are, and no amount; a letter is the text its author wrote.
  expect((await sentToHimself()).filter(({ kind }) => kind !== 'proof' && kind !== 'letter')).toEqual([])
  expect(heard.filter(({ status }) => status === 200).length).toBeGreaterThan(80)
  expect(await papersOpenTo(one.token)).toEqual([])
  // What is not shown is not found out by asking either.
  for (const question of [
    'totalAgorot.gte=1456933',
    'sort=-totalAgorot',
    'sort=totalAgorot',
    'netAgorot.eq=1234689',
  ])
    expect(
      (
        await world.http.inject({
          method: 'GET',
          url: `/api4/invoice/documents?${question}`,
          headers: { 'x-access-token': one.token },
        })
      ).statusCode,
      question,
    ).toBe(403)
  const bySum = await world.http.inject({
    method: 'GET',
    url: '/api4/invoice/documents?q=14569.33',
    headers: { 'x-access-token': one.token },
  })
  expect(bySum.json()).toMatchObject({ rows: [] })
  const [invoice] = ids.documents!
  const sent = await world.http.inject({
    method: 'POST',
    url: `/api4/invoice/documents/${invoice}/send`,
    headers: { 'x-access-token': one.token },
    payload: { to: 'me@example.com' },
  })
  expect(sent.statusCode).not.toBe(200)
}, 240_000)

test('HideTotalPrices takes a report’s columns of figures with their figures: what is left describes what is shown', async () => {
  const one = await worker({ hides: true })
  const ask = async (path: string) =>
    (
      await world.http.inject({ method: 'GET', url: path, headers: { 'x-access-token': one.token } })
    ).json() as {
      rows: { name: string; filters: Record<string, unknown> }[]
      shape?: { columns: Record<string, unknown>; filters: Record<string, unknown> }
    }
  const listed = (await ask('/api4/invoice/reports')).rows
  const answered: string[] = []
  for (const { name, filters } of listed) {
    expect([name, Object.values(filters).filter((filter) => filter === null)]).toEqual([name, []])
    const { shape } = await ask(`/api4/invoice/reports/${name}?${new URLSearchParams(year)}`)
    if (!shape) continue
    answered.push(name)
    expect([
      name,
      Object.entries({ ...shape.columns, ...shape.filters }).filter(([, field]) => field === null),
    ]).toEqual([name, []])
    expect([name, Object.keys(shape.columns).filter((column) => column.endsWith('Agorot'))]).toEqual([
      name,
      [],
    ])
  }
  expect(answered.length).toBeGreaterThan(20)
}, 120_000)

test('docsAllow hides the other types everywhere: lists, exports, reports, mail, home', async () => {
  const one = await worker({ docsAllow: [8] })
  const heard = await everythingAs(one)
  expect(leaks(heard, [...markers(Number(sums.quote)), 'הצעהנסתרת'])).toEqual([])
  const sent = await askedAndSentAs(one)
  expect(leaks(sent, [...markers(Number(sums.quote)), 'הצעהנסתרת'])).toEqual([])
  // A letter is the text its author wrote.
  expect(
    (await sentToHimself()).filter(
      ({ kind, type }) => kind !== 'letter' && (kind !== 'document' || type !== 8),
    ),
  ).toEqual([])
  const { rows } = JSON.parse(heard.find(({ path }) => path.startsWith('/api4/invoice/documents?'))!.said)
  expect(new Set(rows.map((r: { type: number }) => r.type))).toEqual(new Set([8]))
  // Nothing but invoices, and no books: those hold all types together.
  for (const report of ['trialBalance', 'vat', 'accountCard', 'customerCard'])
    expect(
      heard.filter(({ path }) => new RegExp(`/reports/${report}[.?]`).test(path)).map(({ status }) => status),
    ).toSatisfy((all: number[]) => all.length > 0 && all.every((s) => s === 403))
  expect((await papersOpenTo(one.token)).filter((path) => path.includes('/customers/'))).toEqual([])
  const onlyQuotes = await worker({ docsAllow: [1] })
  const theirs = await everythingAs(onlyQuotes)
  const invoices = markers(Number(sums.own), Number(sums.strange))
  // What a customer owes in all is the customer's figure, not a document's.
  expect(
    leaks(
      theirs.filter(({ path }) => !/\/customers|\/statement/.test(path)),
      invoices,
    ),
  ).toEqual([])
}, 240_000)

test('own customers only: the others, their papers and the sums of the whole do not exist, here or in any report', async () => {
  const one = await worker({ own: true })
  await asSystem(world.app.db, (tx) =>
    sql`update parties set agent_id = ${one.id} where company_id = ${companyId} and id = ${ids.customers![0]!}`.execute(
      tx,
    ),
  )
  const heard = await everythingAs(one)
  const whole = Number(sums.own) + Number(sums.strange)
  expect(
    leaks(heard, [strangeName, strangeLine, 'strange@example.com', ...markers(Number(sums.strange), whole)]),
  ).toEqual([])
  const sent = await askedAndSentAs(one)
  expect(
    leaks(sent, [strangeName, strangeLine, 'strange@example.com', ...markers(Number(sums.strange), whole)]),
  ).toEqual([])
  expect((await sentToHimself()).filter(({ customer }) => customer !== ids.customers![0])).toEqual([])
  const home = JSON.parse(heard.find(({ path }) => path.startsWith('/api4/invoice/home'))!.said)
  expect(home).toMatchObject({
    incomeMonthAgorot: 1_234_689,
    incomeYearAgorot: 1_234_689,
    openAgorot: 1_456_933,
    vat: null,
  })
  const income = heard.find(({ path }) => path.startsWith('/api4/invoice/reports/income?'))!
  expect(JSON.parse(income.said).totals).toMatchObject({ netAgorot: 1_234_689 })
  for (const report of ['trialBalance', 'vat', 'accountCard'])
    expect(
      heard
        .filter(({ path }) => new RegExp(`/reports/${report}[.?]`).test(path))
        .every(({ status }) => status === 403),
      report,
    ).toBe(true)
  expect(
    (await papersOpenTo(one.token))
      .filter((path) => path.includes('/customers/'))
      .every((path) => path.includes(ids.customers![0]!)),
  ).toBe(true)
  // The card of the person's own customer is visible.
  expect(
    heard.find(
      ({ path }) =>
        path.startsWith('/api4/invoice/reports/customerCard?') && path.includes(ids.customers![0]!),
    )?.status,
  ).toBe(200)
  expect(
    heard.find(
      ({ path }) =>
        path.startsWith('/api4/invoice/reports/customerCard?') && path.includes(ids.customers![1]!),
    )?.status,
  ).toBe(404)
}, 240_000)

test('whoever enters expenses keeps a file that hangs on nothing yet; others do not fill the store', async () => {
  const keep = async (rules: string[]) => {
    const one = await worker({ rules: rules.map((name) => allRules().get(name)!) })
    return (await raw(world, uploadFile, { name: 'a.pdf', bytes: scan }, { token: one.token })).statusCode
  }
  expect(await keep(['documents.see', 'files.see'])).toBe(403)
  expect(await keep(['expenses.enter'])).toBe(200)
  expect(await keep(['files.change'])).toBe(200)
})

test('whoever only enters expenses lands in his own area, by the ready-made set as by the bare rules', async () => {
  const paths = (await allScreens()).map(({ path }) => path.toLowerCase())
  const rules = starters.expensesOnly.rules.map((rule) => allRules().get(rule)!)
  for (const held of [rules, [41], [40, 41]]) {
    const path = mainPath({ TypeID: 9, subTypeID: 0, rules: held })
    expect(path).toBe('/invoiceexp/expenses')
    expect(paths).toContain(path)
  }
  expect(mainPath({ TypeID: 9, subTypeID: 0, rules: [...rules, 30] })).not.toBe('/invoiceexp/expenses')
})

/** The nine kinds of people, as their sessions are at their first log-in. */
const kindsOfPeople: readonly (readonly [
  string,
  { TypeID: number; subTypeID: number; rules: number[]; on: string[] },
  string,
])[] = [
  ['an affiliate', { TypeID: 2, subTypeID: 0, rules: [320, 322], on: ['affiliates'] }, '/invoice/main'],
  ['a business', { TypeID: 4, subTypeID: 0, rules: [], on: [] }, '/invoice/main'],
  ['an accountant', { TypeID: 5, subTypeID: 0, rules: [260], on: [] }, '/cpa/main'],
  ['the manager of an office', { TypeID: 6, subTypeID: 0, rules: [], on: [] }, '/cpa/manager'],
  ['who clocks hours', { TypeID: 8, subTypeID: 0, rules: [261], on: ['time'] }, '/time/main'],
  ['a worker', { TypeID: 9, subTypeID: 0, rules: [10], on: [] }, '/worker/main'],
  ['the lobby', { TypeID: 9, subTypeID: 1, rules: [10, 304], on: ['calendar'] }, '/classworker/mainlobby'],
  ['a trainer', { TypeID: 9, subTypeID: 2, rules: [10, 303], on: ['calendar'] }, '/classtreiner/mainclass'],
  [
    'a lobby that may not use the desk',
    { TypeID: 9, subTypeID: 1, rules: [10], on: ['calendar'] },
    '/worker/main',
  ],
  ['a trainer without classes', { TypeID: 9, subTypeID: 2, rules: [10], on: ['calendar'] }, '/worker/main'],
  ['a dealer', { TypeID: 2, subTypeID: 0, rules: [320, 322], on: ['affiliates'] }, '/invoice/main'],
]

test('the desk of a business that put its calendar away stands on the page of workers', async () => {
  setScreens(await allScreens())
  const person = { TypeID: 9, subTypeID: 1, rules: [10, 304] }
  expect([mainPath(person), mainPath({ ...person, areasOff: ['calendar'] })]).toEqual([
    '/classworker/mainlobby',
    '/worker/main',
  ])
})

test.each(kindsOfPeople)(
  '%s stands on a main page that is there, and his menu holds what he may open and nothing of others',
  async (_who, given, main) => {
    const screens = await allScreens()
    const session = {
      ...given,
      docsAllow: [],
      areasOff: areasOff({
        trades: null,
        switched: Object.fromEntries(given.on.map((name) => [name, true])),
      }),
    } as never as Session
    setScreens(screens)
    const path = mainPath(session)
    expect(path).toBe(main)
    const may = (held: Session, rule: string) => can(held, rule)
    const open = (screen: (typeof screens)[number]) => access(screen, session, may).kind === 'open'
    expect(open(screens.find((screen) => screen.path.toLowerCase() === path)!)).toBe(true)
    const menu = menuOf(session, may, undefined, screens, []).flatMap(({ all }) =>
      all.map(({ screen }) => screen!),
    )
    for (const screen of menu) expect([screen.name, open(screen)]).toEqual([screen.name, true])
    // Offices are for offices, and what others’ rules open is absent.
    if (![5, 6].includes(given.TypeID))
      expect(menu.filter(({ path: at }) => at.startsWith('/cpa/'))).toEqual([])
    if (given.rules.length > 0)
      expect(
        menu
          .filter(({ rule }) => rule && !given.rules.includes(allRules().get(rule)!))
          .map(({ name }) => name),
      ).toEqual([])
  },
)
