import { afterAll, beforeAll, expect, test } from 'vitest'
import { mySession } from '#features/base/session/endpoints.ts'
import { makeLetter } from '#features/people/letters/endpoints.ts'
import { signDocument } from '#features/sales/signing/endpoints.ts'
import { implementations, reports } from '../src/features.ts'
import { callAs, newMate, startDemo, type World } from './world.ts'

/**
 * What a person learns who may see some types of documents and everything else. The demo business has documents of
 * every type, and orders, debits, tasks, copies and notices about them. Each document of another type is looked for in
 * every answer, by its id and by its number, which no other figure resembles.
 */
let world: World
let ownerToken: string
let companyId: string
let documents: { id: string; type: number; number: string }[]
/** What was made about a document, and names it in words. */
const about: { id: string; type: number }[] = []

/** No amount, day, phone or count of the demo business looks like a number that begins so. */
const firstNumber = 770_123_000_000
const someNumber = /[0-9a-f]{8}-[0-9a-f-]{27}|770123\d{6}/g

beforeAll(async () => {
  ;({ world, token: ownerToken } = await startDemo())
  const options = { token: ownerToken }
  companyId = (await callAs(world, mySession, {}, options)).CompanyKey!
  const query = async <T>(text: string) => (await world.app.db.pool.query(text, [companyId])).rows as T[]
  const [quote] = await query<{ id: string; customer: string }>(
    `select id, customer_id as customer from documents where company_id = $1 and type = 1 and status = 'issued'
      and customer_id is not null order by id limit 1`,
  )
  const [letter, request] = [
    await callAs(
      world,
      makeLetter,
      {
        title: 'About a quote',
        body: '{document.number}',
        customerIds: [quote!.customer],
        documentId: quote!.id,
      },
      options,
    ),
    await callAs(
      world,
      signDocument,
      { documentId: quote!.id, signer: { name: 'x', channel: 'person' } },
      options,
    ),
  ]
  about.push({ id: letter.id, type: 1 }, { id: request.id, type: 1 })
  about.push(
    ...(await query<{ id: string; type: number }>(
      `select t.id, d.type from tasks t join documents d on d.company_id = t.company_id and d.id = t.document_id
        where t.company_id = $1 and t.made_kind is not null`,
    )),
  )
  // An issued document is never changed; without triggers a test can.
  await world.app.db.pool.query(`begin; set local session_replication_role = replica;
    update documents d set number = ${firstNumber} + n.place from (
      select id, row_number() over (order by id) as place from documents
      where company_id = '${companyId}' and number is not null) n
    where d.company_id = '${companyId}' and d.id = n.id; commit`)
  documents = await query(
    `select id, type, number::text from documents where company_id = $1 and number is not null`,
  )
}, 600_000)
afterAll(() => world.close())

const ask = (token: string, path: string) =>
  world.http.inject({ method: 'GET', url: path, headers: { 'x-access-token': token } })

const gets = implementations
  .filter(({ inside, endpoint }) => inside && endpoint.method === 'GET')
  .map(({ endpoint }) => endpoint)

/** Pictures and printed documents: nobody can search them for a number. */
const isFile = (type: unknown) => !/json|^text\/(csv|plain|calendar)/.test(String(type))

const lists = new Map<string, Promise<string[]>>()
/** Ids that a list answers its owner, for the calls about one thing of it. */
function idsAt(path: string): Promise<string[]> {
  let known = lists.get(path)
  if (!known) {
    known = ask(ownerToken, path).then(({ statusCode, body }) =>
      statusCode === 200
        ? [
            ...new Set(
              [...body.matchAll(/"(?:id|entityId|eventId|userId|key)":"([^"]{1,100})"/g)].map((m) => m[1]!),
            ),
          ].slice(0, 6)
        : [],
    )
    lists.set(path, known)
  }
  return known
}
/** Where the ids of a call come from when the path before them is no list. */
const sources = [
  '/api4/invoice/documents',
  '/api4/invoice/customers',
  '/api4/invoice/items',
  '/api4/invoice/expenses',
]

async function filled(path: string): Promise<string[]> {
  const at = path.indexOf('{')
  if (at < 0) return [path]
  const before = path.slice(0, at)
  const own = await idsAt(before.replace(/\/$/, ''))
  const ids = own.length ? own : (await Promise.all(sources.map(idsAt))).flatMap((all) => all.slice(0, 3))
  const rest = path.slice(at).replace(/\{\w+\}/, '')
  const whole = await Promise.all(ids.map((id) => filled(`${before}${encodeURIComponent(id)}${rest}`)))
  return whole.flat().slice(0, 24)
}

test.each([[[8]], [[1]], [[6, 9]]])(
  'a person who may see documents of the types %j learns of no other',
  async (docsAllow) => {
    const mate = await newMate(world, companyId, { docsAllow, typeId: 4 })
    const hidden = documents.filter(({ type }) => !docsAllow.includes(type))
    const types = new Map<string, number>()
    for (const { id, type, number } of hidden) types.set(id, type).set(number, type)
    for (const { id, type } of about) if (!docsAllow.includes(type)) types.set(id, type)
    // The activity of a colleague names these records only by their id.
    const mayTell = (path: string, word: string) =>
      path.includes('/activity') && about.some(({ id }) => id === word)
    const leaks: string[] = []
    let answered = 0
    const look = async (path: string) => {
      const answer = await ask(mate.token, path)
      if (answer.statusCode >= 500) leaks.push(`${path} ${answer.statusCode}`)
      if (answer.statusCode !== 200 || isFile(answer.headers['content-type'])) return
      answered++
      const told = [...answer.body.matchAll(someNumber)].find(
        ([word]) => types.has(word) && !mayTell(path, word),
      )
      if (!told) return
      const near = answer.body.slice(Math.max(0, told.index - 120), told.index + 40)
      leaks.push(`${path} tells of a document of type ${types.get(told[0])}: ${near}`)
    }
    const year = 'from=2026-01-01&to=2026-12-31'
    const some = hidden.filter((_, i) => i % Math.ceil(hidden.length / 20) === 0)
    for (const { path, input } of gets) {
      const paths = await filled(path)
      for (const one of paths)
        await look(`${one}?size=100${/statement|report|card|figures|period/.test(one) ? `&${year}` : ''}`)
      // By the number of a document nothing is found by those who may not see it.
      const shape = (input as { shape?: object }).shape ?? {}
      for (const name of ['q', 'search', 'query'].filter((word) => word in shape))
        for (const { id, number } of [1, 6, 8, 9].flatMap(
          (type) => hidden.find((one) => one.type === type) ?? [],
        ))
          for (const one of paths) {
            const { statusCode, body } = await ask(mate.token, `${one}?${name}=${number}`)
            if (statusCode === 200 && body.includes(id)) leaks.push(`${one} finds ${number}`)
          }
      if (/document/i.test(path) && path.includes('{'))
        for (const { id } of some) await look(path.replaceAll(/\{\w+\}/g, id))
    }
    for (const { id } of about)
      for (const at of ['letters', 'signing/requests', 'tasks']) await look(`/api4/invoice/${at}/${id}`)
    for (const { name, filters } of reports) {
      const need = Object.entries(filters).find(([, field]) => field.need && field.kind === 'ref')
      const list = need?.[1].to === 'accounts' ? '/api5/invoicecpa/accounts' : `/api4/invoice/${need?.[1].to}`
      for (const id of need ? await idsAt(list) : ['']) {
        const query = need ? `${year}&${need[0]}=${id}` : year
        await look(`/api4/invoice/reports/${name}?${query}`)
        await look(`/api4/invoiceexport/reports/${name}.csv?${query}`)
      }
    }
    expect(answered).toBeGreaterThan(300)
    expect(leaks).toEqual([])
  },
  600_000,
)
