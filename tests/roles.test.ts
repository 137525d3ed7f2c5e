import { strFromU8, unzipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayInJerusalem } from '#domain/day.ts'
import { implementations, reports } from '../src/features.ts'
import { createExpense } from '#features/purchases/expenses/endpoints.ts'
import { uploadFile } from '#features/base/files/endpoints.ts'
import { checkImport, uploadImport } from '#features/registers/imports/endpoints.ts'
import { starterNames, starters, type Starter } from '#features/base/team/starters.ts'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { areasOff } from '#kit/describe/area.ts'
import { allRules, can, type Session } from '#kit/describe/session.ts'
import { asSystem } from '#kit/server/db.ts'
import { access, mainPath, setScreens } from '#kit/web/guard.ts'
import { menuOf } from '#kit/web/shell/menu.ts'
import { allScreens } from '../tools/screens.ts'
import { newBusiness, raw, startWorld, type Business, type World } from './world.ts'

/**
 * The walk of the roles: every call, report, export and screen as people with less than everything. The
 * business has figures, names and papers that nobody could meet by chance, so that one of them in an answer
 * is a leak.
 */
let world: World
let shop: Business
let companyId: string
/** Ids of what there is, by the name of its calls. */
const ids: Record<string, string[]> = {}

// Before VAT and with it; in agorot, in shekels, with and without commas. His own customer's, a stranger's,
// of a hidden type, of a bill. Neither they nor their VAT repeat a digit over and over: so does the fraction
// of a day by which a sheet says a minute (.95972222222).
const sums = {
  own: '12346.89',
  strange: '98761.43',
  quote: '55432.17',
  bill: 7_654_321,
  price: '4321.98',
  limit: 777_700,
}
const spelled = (shekels: number): string[] => {
  const [whole, rest] = shekels.toFixed(2).split('.')
  return [`${whole}${rest}`, `${whole}.${rest}`, `${Number(whole).toLocaleString('en-US')}.${rest}`]
}
const markers = (...shekels: number[]): string[] =>
  shekels.flatMap((one) => [
    ...spelled(one),
    ...spelled(Math.round(one * 118) / 100),
    ...spelled(Math.round(one * 18) / 100),
  ])
const strangeName = 'זרלגמרי'
const strangeLine = 'עבודהשלזר'

/** Who asks, and the rules he holds. */
interface Person {
  token: string
  id: string
  rules: number[]
  docsAllow: number[]
}

/** A worker with exactly these rights. */
async function worker(rights: {
  rules?: number[]
  docsAllow?: number[]
  hides?: boolean
  own?: boolean
  typeId?: number
}): Promise<Person> {
  const mate = await newBusiness(world)
  const { rows } = await asSystem(world.app.db, async (tx) => {
    await sql`insert into memberships (company_id, user_id, type_id, rules, docs_allow, hide_total_prices, own_customers_only)
      select ${companyId}, id, ${rights.typeId ?? 9}, ${rights.rules ?? []}::int[], ${rights.docsAllow ?? []}::smallint[], ${rights.hides ?? false}, ${rights.own ?? false}
      from users where email = ${mate.email}`.execute(tx)
    return sql<{
      id: string
    }>`update sessions set company_id = ${companyId} where user_id = (select id from users where email = ${mate.email}) returning user_id as id`.execute(
      tx,
    )
  })
  return { token: mate.token, id: rows[0]!.id, rules: rights.rules ?? [], docsAllow: [] }
}

const scan = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')
const today = dayInJerusalem(new Date())
const year = { from: `${today.slice(0, 4)}-01-01`, to: `${today.slice(0, 4)}-12-31` }

beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
  companyId = (await shop.get('/api/user/session')).companyId
  const mine = await shop.customer('שלושלו', { creditLimitAgorot: sums.limit, email: 'own@example.com' })
  const strange = await shop.customer(strangeName, { email: 'strange@example.com' })
  const item = await shop.send('POST', '/api4/invoice/items', {
    name: 'פריט',
    price: sums.price,
    cost: sums.price,
  })
  const invoice = await shop.invoice(mine.id, sums.own)
  await shop.invoice(mine.id, sums.own, { draft: true })
  const other = await shop.invoice(strange.id, sums.strange, {
    lines: [{ description: strangeLine, quantity: '1', unitPrice: sums.strange }],
  })
  await shop.invoice(mine.id, '0', {
    type: 1,
    lines: [{ description: 'הצעהנסתרת', quantity: '1', unitPrice: sums.quote }],
  })
  for (const one of [invoice, other])
    await shop.send('POST', `/api4/invoice/documents/${one.id}/send`, { to: 'x@example.com' })
  await shop.send('POST', '/api4/invoice/permissions', { starter: 'sales' })
  const kind = (await shop.get('/api4/invoice/expensetypes?size=10')).rows[0].id
  const bill = await shop.call(createExpense, {
    supplier: { name: 'ספק' },
    supplierNumber: '9',
    lines: [{ typeId: kind, netAgorot: sums.bill, vatAgorot: 0 }],
  } as never)
  // Papers of which nobody can tell what they show, and a file with figures that nobody brought in yet.
  for (const [entity, entityId] of [
    ['documents', invoice.id],
    ['expenses', bill.id],
    ['customers', mine.id],
  ])
    await shop.call(uploadFile, { name: 'scan.pdf', bytes: scan, entity, entityId } as never)
  const table = Buffer.from(`שם לקוח,מסגרת אשראי\nחדש,${sums.limit / 100}\nשגוי,${sums.limit / 100}x`)
  const brought = (await shop.call(uploadImport, {
    resource: 'customers',
    name: 'a.csv',
    bytes: table,
  } as never)) as {
    id: string
    mapping: string[]
  }
  await shop.call(checkImport, { id: brought.id, mapping: brought.mapping, options: {} })
  for (const path of [`${mine.id}`, `${strange.id}`])
    await shop.send('POST', '/api4/invoice/customers/statements', { ids: [path], recipient: 'x@example.com' })
  await world.worker.drain()
  for (const { endpoint } of implementations.filter(
    ({ inside, endpoint: e }) => inside && e.method === 'GET' && e.name.endsWith('.list'),
  )) {
    const answer = await raw(world, endpoint, {}, { token: shop.token })
    if (answer.statusCode !== 200) continue
    const { rows } = answer.json<{ rows?: { id?: string }[] }>()
    ids[endpoint.name.split('.')[0]!] = (rows ?? []).flatMap(({ id }) => id ?? []).slice(0, 12)
  }
  ids.customers = [mine.id, strange.id]
  ids.statements = ids.customers
  ids.registration = []
  ids.items = [item.id]
}, 60_000)
afterAll(() => world.close())

const text = (answer: { headers: Record<string, unknown>; rawPayload: Buffer; body: string }): string => {
  const type = String(answer.headers['content-type'])
  if (type.includes('spreadsheet')) return sheetText(answer.rawPayload)
  return /json|text|csv/.test(type) ? answer.body : ''
}

/**
 * All that a workbook says, as it lies in it: to put it together cell by cell took longer than everything
 * else here.
 */
function sheetText(bytes: Buffer): string {
  const parts = unzipSync(bytes, {
    filter: ({ name }) => /^xl\/(sharedStrings|worksheets\/.*|comments.*)\.xml$/.test(name),
  })
  return Object.values(parts)
    .map((part) => strFromU8(part))
    .join('\n')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

interface Heard {
  path: string
  status: number
  said: string
  /** Bytes nobody can search: a picture, a paper, a package. */
  isFile: boolean
}

const isFile = (type: unknown): boolean => !/json|^text\/(csv|plain)|spreadsheet/.test(String(type))

/**
 * Everything that can be read: every GET with every id there is, every report in every form, every export in
 * both. `asks` leaves out what a rule opens.
 */
async function everythingAs(
  { token }: Pick<Person, 'token'>,
  asks: (rule: string) => boolean = () => true,
): Promise<Heard[]> {
  const heard: Heard[] = []
  const ask = async (path: string) => {
    const answer = await world.http.inject({ method: 'GET', url: path, headers: { 'x-access-token': token } })
    const opened = answer.statusCode === 200
    heard.push({
      path,
      status: answer.statusCode,
      said: opened ? text(answer) : '',
      isFile: opened && isFile(answer.headers['content-type']),
    })
  }
  for (const { endpoint } of implementations.filter(
    ({ inside, endpoint: e }) => inside && e.method === 'GET',
  )) {
    // Papers are pictures: what they say cannot be searched, so whether they open at all is asked apart.
    if (isPaper(endpoint) || isOfNobody(endpoint)) continue
    if (typeof endpoint.access === 'object' && !asks(endpoint.access.rule)) continue
    for (const path of filled(endpoint)) {
      if (endpoint.path.startsWith('/api4/invoiceexport/'))
        for (const format of ['csv', 'xlsx']) await ask(`${path}&format=${format}`)
      else await ask(path)
    }
  }
  for (const report of reports.filter(({ allow }) => asks(allow))) {
    const refs = Object.entries(report.filters).find(([, field]) => field.need && field.kind === 'ref')
    const to =
      refs?.[1].to === 'accounts'
        ? ids.accounts!
        : refs?.[1].to === 'customers'
          ? ids.customers!
          : (ids[refs?.[1].to ?? ''] ?? [])
    for (const one of refs ? to : [''])
      for (const form of [
        `/api4/invoice/reports/${report.name}`,
        `/api4/invoiceexport/reports/${report.name}.csv`,
        `/api4/invoiceexport/reports/${report.name}.xlsx`,
      ])
        await ask(`${form}?from=${year.from}&to=${year.to}${refs ? `&${refs[0]}=${one}` : ''}`)
  }
  return heard
}

const me = 'me-myself@example.com'

/** What a call that sends or reads would be asked with, field by field; days and addresses share a name. */
const bodiesOf = (endpoint: Endpoint<any, any>, id: string): Record<string, unknown>[] => {
  const shape = (endpoint.input as { shape?: Record<string, unknown> }).shape ?? {}
  const known: Record<string, unknown> = {
    id,
    ids: [id],
    customerIds: ids.customers!.slice(1),
    supplierIds: ids.suppliers ?? [],
    customerId: ids.customers![1],
    recipient: me,
    email: me,
    subject: 'x',
    title: 'x',
    text: 'x',
    body: 'x',
    kind: 'card',
    attach: true,
    year: Number(today.slice(0, 4)),
    month: today.slice(0, 7),
    reason: 'x',
  }
  const pick = (more: Record<string, unknown>) =>
    Object.fromEntries(
      Object.keys(shape).flatMap((name) =>
        name in { ...known, ...more } ? [[name, { ...known, ...more }[name]]] : [],
      ),
    )
  const bodies = [pick({ to: me }), pick({ from: year.from, to: year.to }), pick({ to: '0528001122' })]
  return [...new Map(bodies.map((body) => [JSON.stringify(body), body])).values()]
}

/**
 * Every call that writes nothing, and every one that sends something away, with every id there is. What
 * somebody's rules do not open refuses him before it looks at a record, which is asked of every call there is
 * below; here it would be most of the walk.
 */
async function askedAndSentAs(person: Person): Promise<Heard[]> {
  const heard: Heard[] = []
  const sends = /send|mail|sms|whatsApp|remind|\.ask$|bundle|export|preview|proposal|letter/i
  for (const { endpoint } of implementations.filter(
    ({ inside, endpoint: e }) =>
      inside &&
      e.method === 'POST' &&
      typeof e.access === 'object' &&
      can(person, e.access.rule) &&
      (e.reads || sends.test(e.name)),
  )) {
    // A call that reads no list of its own is asked with what hangs on most things.
    const there = ['customers', 'documents', 'expenses', 'suppliers', 'items', 'files', 'messages'].flatMap(
      (name) => (ids[name] ?? []).slice(0, 2),
    )
    const own = ids[endpoint.name.split('.')[0]!] ?? []
    const wanted = own.length
      ? own
      : endpoint.path.includes('{') || bodiesOf(endpoint, '').some((b) => 'ids' in b)
        ? there
        : ['']
    for (const id of wanted)
      for (const body of bodiesOf(endpoint, id)) {
        const answer = await raw(
          world,
          endpoint,
          { ...body, ...(endpoint.path.includes('{') ? { id } : {}) },
          { token: person.token },
        )
        heard.push({
          path: `${endpoint.name} ${JSON.stringify(body)}`,
          status: answer.statusCode,
          said: answer.statusCode === 200 ? text(answer) : '',
          isFile: answer.statusCode === 200 && isFile(answer.headers['content-type']),
        })
      }
  }
  return heard
}

/**
 * What somebody sent to himself, by its kind and the type of its document; and nothing of it is left for the
 * next one.
 */
async function sentToHimself(): Promise<{ kind: string; type: number | null; customer: string | null }[]> {
  const { rows } = await asSystem(world.app.db, (tx) =>
    sql<{
      kind: string
      type: number | null
      customer: string | null
    }>`select m.kind, d.type, coalesce(d.customer_id, m.party_id) as customer
      from messages m left join documents d on d.company_id = m.company_id and d.id = m.document_id
      where m.company_id = ${companyId} and m.recipient in (${me}, '0528001122', '972528001122')`.execute(tx),
  )
  await asSystem(world.app.db, (tx) =>
    sql`update messages set recipient = 'gone@example.com' where company_id = ${companyId} and recipient in (${me}, '0528001122', '972528001122')`.execute(
      tx,
    ),
  )
  return rows
}

/** Files of the installation that hold nothing of a business: its words, and the plug-in for shops. */
const isOfNobody = ({ path }: { path: string }) => /\/(translations\/export|shopplugin)\b/.test(path)

const isPaper = ({ path }: Endpoint) => /\/(pdf|pictures|statement|statement\/pages)$/.test(path)

/** The addresses of papers that open for somebody. */
async function papersOpenTo(token: string): Promise<string[]> {
  const opened: string[] = []
  for (const { endpoint } of implementations.filter(({ inside, endpoint: e }) => inside && isPaper(e)))
    for (const path of filled(endpoint).slice(0, 4)) {
      const { statusCode } = await world.http.inject({
        method: 'GET',
        url: path,
        headers: { 'x-access-token': token },
      })
      if (statusCode === 200) opened.push(path)
    }
  return opened
}

function filled({ name, path }: Endpoint): string[] {
  const query = /statement|withholding|expenses\.figures|card/.test(name)
    ? `?from=${year.from}&to=${year.to}`
    : '?size=100'
  if (!path.includes('{')) return [path + query]
  const known = path.includes('{customerId}') ? ids.customers! : (ids[name.split('.')[0]!] ?? [])
  if (path.includes('{list}')) return [path.replace('{list}', 'customers') + query]
  return known.map((id) => path.replace(/\{\w+\}/, id) + query)
}

const leaks = (heard: Heard[], words: readonly string[]): string[] =>
  heard.flatMap(({ path, said }) =>
    words.filter((word) => said.includes(word)).map((word) => `${word} in ${path}: …${around(said, word)}…`),
  )
const around = (said: string, word: string) =>
  said.slice(Math.max(0, said.indexOf(word) - 60), said.indexOf(word) + 40)

/** What the owner was answered, asked once. */
let asOwner: Promise<Heard[]> | undefined
const ownerHeard = (): Promise<Heard[]> => (asOwner ??= everythingAs(shop))

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
  // The walk of what is sent reaches the letters: an owner sends himself each kind there is.
  const sent = await askedAndSentAs({ token: shop.token, id: '', rules: [], docsAllow: [] })
  expect(sent.filter(({ status }) => status >= 500)).toEqual([])
  expect(new Set((await sentToHimself()).map(({ kind }) => kind))).toEqual(
    new Set(['document', 'letter', 'proof', 'statement']),
  )
}, 240_000)

describe.each(starterNames)('%s', (name) => {
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

/** What of a set's rights is more than a list of rules. */
const given = (name: (typeof starterNames)[number]) => {
  const set: Starter = starters[name]
  return { hides: set.hideTotalPrices ?? false, own: set.ownCustomersOnly ?? false }
}

describe.each(starterNames)('%s, by what it is answered', (name) => {
  test('every question is answered as its rules say: with what it asks for, or not at all', async () => {
    const rules = starters[name].rules.flatMap((rule) => allRules().get(rule) ?? [])
    const one = await worker({ rules, ...given(name) })
    const heard = await everythingAs(one)
    expect(heard.filter(({ status }) => status >= 500)).toEqual([])
    const told = new Map((await ownerHeard()).map(({ path, status }) => [path, status]))
    const asks = new Map(
      implementations.flatMap(({ endpoint }) =>
        endpoint.method === 'GET' && typeof endpoint.access === 'object' && !isPaper(endpoint)
          ? filled(endpoint).flatMap((path) =>
              [path, `${path}&format=csv`, `${path}&format=xlsx`].map((p) => [p, endpoint.access] as const),
            )
          : [],
      ),
    )
    const wrong = heard.flatMap(({ path, status }) => {
      const access = asks.get(path) as { rule: string; module?: unknown } | undefined
      if (!access) return []
      if (!can({ rules, docsAllow: [] }, access.rule))
        return status === 403 ? [] : [`${path} ${status}, not his`]
      // What the owner is told he is told too, unless it is figures, of a module that is not his, or
      // another's.
      const asOwner = told.get(path)
      const { hides, own } = given(name)
      const may =
        asOwner === 200
          ? [200, ...(hides || own || access.module ? [403] : []), ...(hides || own ? [404] : [])]
          : [asOwner, 403]
      return may.includes(status) ? [] : [`${path} ${status}, the owner ${asOwner}`]
    })
    expect(wrong).toEqual([])
    // He sees that he sees something, and nothing that his rules leave out.
    expect(heard.filter(({ status }) => status === 200).length).toBeGreaterThan(5)
    const sees = (rule: string) => can({ rules, docsAllow: [] }, rule)
    expect(
      leaks(heard, sees('documents.see') || sees('reports.sales') ? [] : ['הצעהנסתרת', strangeLine]),
    ).toEqual([])
    expect(
      leaks(
        heard,
        sees('customers.see') || sees('documents.see') ? [] : [strangeName, 'strange@example.com'],
      ),
    ).toEqual([])
    expect(leaks(heard, sees('items.see') || sees('prices.see') ? [] : [sums.price])).toEqual([])
  }, 240_000)

  test('with hidden prices, or with some types and his own customers alone, what is hidden is in no answer', async () => {
    const rules = starters[name].rules.flatMap((rule) => allRules().get(rule) ?? [])
    const walk = async (rights: Parameters<typeof worker>[0]) => {
      const one = await worker({ rules, ...given(name), ...rights })
      // The test above asks a person with the same rules for everything; a call whose rule is missing
      // refuses before it looks at what else narrows the person.
      const heard = [...(await everythingAs(one, (rule) => can(one, rule))), ...(await askedAndSentAs(one))]
      await sentToHimself()
      expect(heard.filter(({ status }) => status >= 500)).toEqual([])
      return heard
    }
    const hiding = await walk({ hides: true })
    const figures = [
      Number(sums.own),
      Number(sums.strange),
      Number(sums.quote),
      Number(sums.price),
      sums.bill / 100,
      sums.limit / 100,
    ]
    expect(leaks(hiding, markers(...figures))).toEqual([])
    expect(hiding.filter((each) => each.isFile).map(({ path }) => path)).toEqual([])
    const narrow = await walk({ docsAllow: [8], own: true })
    expect(
      leaks(narrow, [
        ...markers(Number(sums.quote), Number(sums.strange)),
        'הצעהנסתרת',
        strangeName,
        strangeLine,
        'strange@example.com',
      ]),
    ).toEqual([])
  }, 240_000)
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
  // The seal of a month says how many records there are, and no sum; a letter is the words he wrote himself.
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
  // A letter is the words he wrote himself.
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
  // His own customer's card is his.
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
