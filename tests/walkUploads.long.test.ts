import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allImplementations } from '#kit/server/contract/implement.ts'
import {
  addSignFile,
  getRequest,
  prepareOutside,
  saveTemplate,
  sendTemplate,
  uploadTemplate,
} from '#features/sales/signing/endpoints.ts'
import { saveBrand } from '#features/partners/affiliates/endpoints.ts'
import { chooseAreas } from '#features/base/modules/endpoints.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { hostileFiles } from './hostile/files.ts'
import { longestSilence } from './hostile/mainThread.ts'
import { callAs, newBusiness, raw, startWorld, type Business, type World } from './world.ts'

/**
 * Every call that takes a file gets malicious files. While each is processed nobody else waits: the measure is the
 * longest piece of work of the thread that answers calls, in processor time. In the end there is an answer or a
 * refusal with words.
 */
const longestMs = 200
/**
 * What all threads together may spend on one file of half a megabyte: a step that grows with the square of a
 * file takes minutes.
 */
const mostMs = 12_000

let world: World
let me: Business
/** What a door asks for besides the file. A new door says here how it is called. */
let doors: Record<string, Record<string, unknown>>

beforeAll(async () => {
  world = await startWorld()
  me = await newBusiness(world)
  const account = await me.send('POST', '/api4/invoice/bankaccounts', {
    name: 'עו״ש',
    bankCode: 12,
    branch: '600',
    number: '12345',
  })
  const feed = await me.send('POST', '/api4/invoice/bankfeeds', { name: 'x', bankAccountId: account.id })
  ;(world.app.settings.support as { operators: string[] }).operators = [me.email]
  const ticket = await me.send('POST', '/api4/invoice/support', { kind: 'fault', subject: 'x', text: 'x' })
  // Only who runs the installation has brands.
  world.app.settings.billingCompany = (await me.call(mySession, {})).companyId
  await me.call(chooseAreas, { areas: { affiliates: true } })
  await me.call(saveBrand, { domain: 'brand.example', name: 'x' } as never)
  const request = await me.send('POST', '/api4/invoice/clientrequests', { kind: 'paper', text: 'x' })
  const link = await me.send('POST', '/api4/invoice/clientrequests/link', {})
  const pdf = readFileSync(new URL('./papers/samples/classic-2.pdf', import.meta.url))
  const paper = await me.call(uploadTemplate, { name: 'x.pdf', bytes: pdf })
  const at = { role: 'r1', page: 1, x: 10, w: 100, h: 40 } as const
  await me.call(saveTemplate, {
    id: paper.id,
    version: 1,
    roles: [{ id: 'r1', name: 'x', order: 1 }],
    fields: [
      { ...at, id: 's', kind: 'signature', y: 10 },
      { ...at, id: 'f', kind: 'file', y: 60 },
    ],
  })
  const keyOf = async (mode: 'once' | 'each') => {
    const sent = await me.call(sendTemplate, {
      id: paper.id,
      mode,
      signers: [{ role: 'r1', name: 'x', channel: 'person' }],
    })
    return (await me.call(getRequest, { id: sent.id })).signers[0]!.url!.split('/').at(-1)!
  }
  const signer = await keyOf('once')
  // A paper that its signer took away to sign outside.
  const away = await keyOf('each')
  const file = await callAs(world, addSignFile, { key: away, field: 'f', name: 'x.pdf', bytes: pdf })
  await callAs(world, prepareOutside, {
    key: away,
    values: { s: { typed: 'x' }, f: file.id },
    shown: 'he',
    seconds: 1,
  })
  world.app.settings.testAcquirer = true
  const terminal = await me.send('POST', '/api4/invoice/terminals', { gateway: 'test' })
  const payPage = await me.send('POST', '/api4/invoice/paypages', {
    kind: 'charge',
    texts: { he: { title: 'x' } },
    items: [{ id: crypto.randomUUID(), names: { he: 'x' }, priceAgorot: 100 }],
    fields: [{ key: 'f', kind: 'file', labels: { he: 'x' } }],
  })
  const { url: payUrl } = await me.send('POST', `/api4/invoice/paypages/${payPage.id}/open`, {})
  const trainer = await me.send('POST', '/api4/invoice/classTrainers', {
    name: 'x',
    payBy: 'class',
    payAgorot: 1,
  })
  doors = {
    'bankFeeds.put': { key: feed.address.split('/').at(-1) },
    'bankstatements.upload': { id: account.id },
    'budget.readFile': { year: 2026 },
    'codes6111.import': { year: 2026 },
    'files.upload': { name: 'x.csv' },
    'imports.upload': { resource: 'customers', name: 'x.csv', check: 'true' },
    'journal.readBalanceFile': { name: 'x.csv' },
    'masav.readReturns': { name: 'x.txt' },
    'outsideCalendars.addFile': { trainerId: trainer.id, name: 'x.ics' },
    'outsideDocuments.upload': { name: 'x.pdf' },
    'papers.add': { name: 'x.xml' },
    'rates.import': { currency: 'USD' },
    'requests.pagePaper': { key: link.url.split('/').at(-1), id: request.id, name: 'x.pdf' },
    'signTemplates.upload': { name: 'x.pdf' },
    'signing.addFile': { key: signer, field: 'f', name: 'x.pdf' },
    'signing.handBack': { key: away },
    'signing.verify': {},
    'affiliates.setBrandLogo': { domain: 'brand.example' },
    'settlements.file': { terminalId: terminal.id },
    'support.picture': { id: ticket.id },
    'support.addFile': { id: ticket.id, name: 'x.pdf' },
    'payPages.addFile': {
      key: payUrl.split('/').at(-1),
      field: 'f',
      visit: crypto.randomUUID(),
      name: 'x.pdf',
    },
    'priceIndices.import': {},
    'system1000.apply': { name: 'x.csv' },
    'system1000.read': { name: 'x.csv' },
    'uniform.upload': { name: 'x.zip' },
  }
  // Threads and modules are started by the first of each.
  for (const { endpoint } of uploads())
    await raw(
      world,
      endpoint,
      { ...doors[endpoint.name], bytes: Buffer.from('name\nx') },
      { token: me.token },
    )
  await world.worker.drain()
}, 120_000)
afterAll(() => world.close())

const uploads = () => allImplementations().filter(({ endpoint }) => endpoint.upload)

test('every door that takes a file is known here', () => {
  expect(
    uploads()
      .map(({ endpoint }) => endpoint.name)
      .sort(),
  ).toEqual(Object.keys(doors).sort())
})

test.each(Object.keys(hostileFiles))(
  '%s: nobody waits for it, and it ends in words',
  async (what) => {
    const bytes = hostileFiles[what]!()
    const wrong: string[] = []
    for (const { endpoint } of uploads()) {
      const before = process.cpuUsage()
      const { answer, silenceMs } = await longestSilence(async () => {
        const given = await raw(world, endpoint, { ...doors[endpoint.name], bytes }, { token: me.token })
        // What is read after the answer keeps nobody waiting either.
        await world.worker.drain()
        return given
      })
      const spent = process.cpuUsage(before)
      const spentMs = (spent.user + spent.system) / 1000
      const said = `${endpoint.name}: ${answer.statusCode} ${answer.body.slice(0, 200)}`
      if (silenceMs > longestMs) wrong.push(`${Math.round(silenceMs)} ms of silence at ${said}`)
      if (spentMs > mostMs) wrong.push(`${Math.round(spentMs)} ms of the processor at ${said}`)
      if (answer.statusCode >= 500) wrong.push(said)
      else if (
        answer.statusCode >= 400 &&
        !String(answer.headers['content-type']).startsWith('application/problem+json')
      )
        wrong.push(said)
      if (process.env.SHOW) console.log(what, Math.round(silenceMs), Math.round(spentMs), said.slice(0, 120))
    }
    expect(wrong).toEqual([])
  },
  240_000,
)
