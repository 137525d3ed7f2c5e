import { strFromU8, unzipSync } from 'fflate'
import { sql } from 'kysely'
import { dayInJerusalem } from '#domain/day.ts'
import { implementations, reports } from '../src/features.ts'
import { createExpense } from '#features/purchases/expenses/endpoints.ts'
import { uploadFile } from '#features/base/files/endpoints.ts'
import { checkImport, uploadImport } from '#features/registers/imports/endpoints.ts'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { can } from '#kit/describe/session.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { newBusiness, raw, startWorld, type Business, type World } from './world.ts'

/**
 * The walk of the roles: every call, report, export and screen as people with less than everything. The
 * business has figures, names and papers that nobody could meet by chance, so that one of them in an answer
 * is a leak.
 */
export let world: World
export let shop: Business
export let companyId: string
/** Ids of what there is, by the name of its calls. */
export const ids: Record<string, string[]> = {}

// Before VAT and with it; in agorot, in shekels, with and without commas. The person's own customer's, a stranger's, of
// a hidden type, of a bill. Neither they nor their VAT repeat a digit over and over: so does the fraction of a day by
// which a sheet says a minute (.95972222222).
export const sums = {
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
export const markers = (...shekels: number[]): string[] =>
  shekels.flatMap((one) => [
    ...spelled(one),
    ...spelled(Math.round(one * 118) / 100),
    ...spelled(Math.round(one * 18) / 100),
  ])
export const strangeName = 'זרלגמרי'
export const strangeLine = 'עבודהשלזר'

/** The caller, and the caller's rules. */
interface Person {
  token: string
  id: string
  rules: number[]
  docsAllow: number[]
}

/** A worker with exactly these rights. */
export async function worker(rights: {
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

export const scan = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')
const today = dayInJerusalem(new Date())
export const year = { from: `${today.slice(0, 4)}-01-01`, to: `${today.slice(0, 4)}-12-31` }

/** Makes the business and what there is in it; before all tests of a file, and `world.close()` after them. */
export async function openShop(): Promise<void> {
  asOwner = undefined
  for (const name of Object.keys(ids)) delete ids[name]
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
}

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
export async function everythingAs(
  { token }: Pick<Person, 'token'>,
  asks: (rule: string) => boolean = () => true,
): Promise<Heard[]> {
  const heard: Heard[] = []
  const ask = async (path: string) => {
    const answer = await world.http.inject({ method: 'GET', url: path, headers: { 'x-access-token': token } })
    const opened = answer.statusCode < 300
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

export const me = 'me-myself@example.com'

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
 * Every call that writes nothing, and every one that sends something away, with every id there is. What the caller's
 * rules do not open is refused before a record is read, which is checked for every call below; here it would be most
 * of the walk.
 */
export async function askedAndSentAs(person: Person): Promise<Heard[]> {
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
    // A call that reads no list is tried with what most things have.
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
          said: answer.statusCode < 300 ? text(answer) : '',
          isFile: answer.statusCode < 300 && isFile(answer.headers['content-type']),
        })
      }
  }
  return heard
}

/**
 * What a person sent to their own address, by its kind and the type of its document; and nothing of it is left for
 * the next one.
 */
export async function sentToHimself(): Promise<
  { kind: string; type: number | null; customer: string | null }[]
> {
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

export const isPaper = ({ path }: Endpoint) => /\/(pdf|pictures|statement|statement\/pages)$/.test(path)

/** The addresses of papers that open for somebody. */
export async function papersOpenTo(token: string): Promise<string[]> {
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

export function filled({ name, path }: Endpoint): string[] {
  const query = /statement|withholding|expenses\.figures|card/.test(name)
    ? `?from=${year.from}&to=${year.to}`
    : '?size=100'
  if (!path.includes('{')) return [path + query]
  const known = path.includes('{customerId}') ? ids.customers! : (ids[name.split('.')[0]!] ?? [])
  if (path.includes('{list}')) return [path.replace('{list}', 'customers') + query]
  return known.map((id) => path.replace(/\{\w+\}/, id) + query)
}

export const leaks = (heard: Heard[], words: readonly string[]): string[] =>
  heard.flatMap(({ path, said }) =>
    words.filter((word) => said.includes(word)).map((word) => `${word} in ${path}: …${around(said, word)}…`),
  )
const around = (said: string, word: string) =>
  said.slice(Math.max(0, said.indexOf(word) - 60), said.indexOf(word) + 40)

/** What the owner was answered, asked once. */
let asOwner: Promise<Heard[]> | undefined
export const ownerHeard = (): Promise<Heard[]> => (asOwner ??= everythingAs(shop))
