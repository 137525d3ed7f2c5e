import { setTimeout as wait } from 'node:timers/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cardcomStand } from '../cardcom/simulator.ts'
import { growStand } from '../grow/simulator.ts'
import { hypStand } from '../hyp/simulator.ts'
import { icreditStand } from '../icredit/simulator.ts'
import { nedarimStand } from '../nedarim/simulator.ts'
import { payplusStand } from '../payplus/simulator.ts'
import { paypalStand } from '../paypal/simulator.ts'
import { pelecardStand } from '../pelecard/simulator.ts'
import { tranzilaStand } from '../tranzila/simulator.ts'
import { Bank, type SimulatedDeal, type SimulatedForm, type StandNotice } from './bank.ts'
import { formPage, notTestCard } from './form.ts'
import type { Call, Said, Stand } from './simulator.ts'

const stands: readonly Stand[] = [
  cardcomStand,
  tranzilaStand,
  payplusStand,
  growStand,
  hypStand,
  pelecardStand,
  icreditStand,
  nedarimStand,
  paypalStand,
]
const byName = new Map<string, Stand>(stands.map((one) => [one.name, one]))

/** The stand-in of a gateway; undefined where it needs none. */
export const standOf = (gateway: string): Stand | undefined => byName.get(gateway)

export interface StandServer {
  /** Each acquirer answers below its name. */
  url: string
  bank: Bank
  close: () => Promise<void>
}

/** Sends a notice on its way; the person who does not answer is left alone. */
const post = async ({ to, body, headers }: StandNotice): Promise<void> => {
  await fetch(to, {
    method: 'POST',
    body,
    headers,
    redirect: 'error',
    signal: AbortSignal.timeout(5000),
  }).catch(() => undefined)
}

/** Stand-ins of all acquirers on this machine, over one memory. */
export async function startStands({
  port = 0,
  now,
  deliver = post,
}: {
  port?: number
  now?: () => Date
  deliver?: (notice: StandNotice) => Promise<void>
} = {}): Promise<StandServer> {
  const bank = new Bank(now)
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', done)
  })
  server.unref()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = new URL(request.url ?? '/', url)
    const [, name = '', ...rest] = asked.pathname.split('/')
    const stand = byName.get(name)
    if (!stand) return void response.writeHead(404).end()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks).toString('utf8')
    const path = rest.join('/')
    if (path.startsWith('form/'))
      return serveForm(stand, bank.form(stand.name, path.slice(5)), request.method ?? 'GET', raw, response)
    const { faults } = bank
    if (faults.slowMs) await wait(faults.slowMs)
    if (faults.isDown)
      return void response.writeHead(503, { 'content-type': 'text/html' }).end('<html>down</html>')
    const where = `${path} ${asked.search} ${raw}`
    await faults.pause?.(`${name} ${where}`, 'before')
    const isDropped = faults.drop?.at.test(where)
    if (isDropped && faults.drop?.when === 'before') return void response.destroy()
    const call: Call = {
      method: request.method ?? 'GET',
      path: path.replace(/^\/|\/$/g, ''),
      query: Object.fromEntries(asked.searchParams),
      fields: fieldsOf(raw, String(request.headers['content-type'] ?? '')),
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([header, value]) => [header, String(value)]),
      ),
      home: `${url}/${name}`,
    }
    if (!stand.isPayers?.(call)) {
      const { method, path: at, query, fields } = call
      bank.record({ gateway: stand.name, method, path: at, query, fields })
    }
    const said = stand.answer(bank, call)
    await faults.pause?.(`${name} ${where}`, 'after')
    if (isDropped && faults.drop?.when === 'after') return void response.destroy()
    give(response, said)
  }

  async function serveForm(
    stand: Stand,
    form: SimulatedForm | undefined,
    method: string,
    raw: string,
    response: ServerResponse,
  ): Promise<void> {
    const html = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
    if (!form) return void response.writeHead(404, html).end('<!doctype html><p>No such form</p>')
    if (method !== 'POST') return void response.writeHead(200, html).end(formPage(form))
    const given = new URLSearchParams(raw)
    if (given.has('cancel')) return void redirect(response, backTo(stand, form))
    const expiry = `20${(given.get('year') ?? '').slice(-2).padStart(2, '0')}-${(given.get('month') ?? '').padStart(2, '0')}`
    const deal = /^20\d\d-(0[1-9]|1[0-2])$/.test(expiry)
      ? bank.pay(
          form,
          (given.get('number') ?? '').replace(/\D/g, ''),
          expiry,
          Number(given.get('instalments')) || 1,
        )
      : undefined
    if (!deal) return void response.writeHead(422, html).end(formPage(form, notTestCard))
    if (bank.faults.isEarly && !bank.faults.isMute) await tellEarly(stand, form, deal)
    else await notify(stand, form)
    if (deal.state === 'declined')
      return void response.writeHead(200, html).end(formPage(form, `Declined: ${deal.code}`))
    // Paid, and the line broke: the payer sees nothing.
    if (testLine(deal.last4) === 'lost') return void response.destroy()
    redirect(response, backTo(stand, form))
  }

  /** Tells of a form, as often and in whatever order the faults say. */
  async function notify(stand: Stand, form: SimulatedForm): Promise<void> {
    const { deal, noticeTo } = form
    if (!deal || !noticeTo || !stand.notice || bank.faults.isMute || testLine(deal.last4) === 'lost') return
    const { body, headers } = stand.notice(bank, form, deal)
    const times = bank.faults.isDoubled || testLine(deal.last4) === 'twice' ? 2 : 1
    // Notices are not awaited, but they are sent in order.
    const sent = Array.from({ length: times }, () => deliver({ to: noticeTo, body, headers }))
    await Promise.race([Promise.all(sent), wait(1500, undefined, { ref: false })])
  }

  /** The notice is there before the acquirer itself knows what it tells of. */
  async function tellEarly(stand: Stand, form: SimulatedForm, deal: SimulatedDeal): Promise<void> {
    const { body, headers } = stand.notice?.(bank, form, deal) ?? {}
    const at = bank.deals.indexOf(deal)
    bank.deals.splice(at, 1)
    delete form.deal
    if (body && headers && form.noticeTo) await deliver({ to: form.noticeTo, body, headers })
    bank.deals.splice(at, 0, deal)
    form.deal = deal
  }

  return {
    url,
    bank,
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }

  function backTo(stand: Stand, form: SimulatedForm): string {
    const { returnTo } = form
    if (!returnTo) return `${url}/${stand.name}/form/${form.reference}`
    const to = new URL(returnTo)
    const { deal } = form
    for (const [name, value] of Object.entries(stand.back?.(bank, form, deal) ?? {}))
      to.searchParams.append(name, value)
    return to.href
  }
}

/** What the test card with these last digits does to the line. */
const testLine = (last4: string): 'lost' | 'twice' | undefined =>
  last4 === '0259' ? 'lost' : last4 === '3220' ? 'twice' : undefined

function redirect(response: ServerResponse, to: string): void {
  response.writeHead(303, { location: to }).end()
}

function give(response: ServerResponse, said: Said | undefined): void {
  if (!said)
    return void response
      .writeHead(404, { 'content-type': 'application/json' })
      .end('{"error":"no such call"}')
  if ('json' in said)
    return void response
      .writeHead(said.status ?? 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(said.json))
  if (said.text.startsWith('redirect:')) return redirect(response, said.text.slice(9))
  response.writeHead(said.status ?? 200, { 'content-type': 'text/html; charset=utf-8' }).end(said.text)
}

function fieldsOf(raw: string, type: string): Record<string, unknown> {
  if (!type.includes('json')) return Object.fromEntries(new URLSearchParams(raw))
  try {
    return (JSON.parse(raw || '{}') ?? {}) as Record<string, unknown>
  } catch {
    return {}
  }
}
