import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { quantile, type Figure } from './figures.ts'
import { ask, json, newCompany, pause, type Running } from './server.ts'

interface Receiver {
  url: string
  /** When each event came, by its id. */
  first: Map<string, number>
  came: number
  wrong: number
  secret: string
}

const servers: Server[] = []

/** A receiver that checks each signature with the library of the standard. */
async function receiver(answer: (response: ServerResponse, came: number) => void): Promise<Receiver> {
  const own: Receiver = { url: '', first: new Map(), came: 0, wrong: 0, secret: '' }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      own.came++
      const id = String(request.headers['webhook-id'])
      if (!own.first.has(id)) own.first.set(id, performance.now())
      try {
        if (own.secret)
          new Webhook(own.secret).verify(
            Buffer.concat(parts).toString(),
            request.headers as Record<string, string>,
          )
      } catch {
        own.wrong++
      }
      answer(response, own.came)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  own.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return own
}

export interface WebhookOptions {
  restart: (env?: Record<string, string>) => Promise<Running>
  databaseUrl: string
  events: number
}

/**
 * Events told to five receivers at once (a good one, a shaky one, a silent one, one that sends on elsewhere,
 * one whose address leads home), while the server is killed in the middle: what arrives, how often, how fast.
 */
export async function measureWebhooks({ restart, databaseUrl, events }: WebhookOptions): Promise<Figure[]> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  pool.on('error', () => {})
  try {
    const server = await restart({ PINKAS_DEV: '1' })
    const { url, token, customerId } = await newCompany(server.url)
    const companyId = (
      await pool.query<{ company_id: string }>('select company_id from parties where id = $1', [customerId])
    ).rows[0]!.company_id
    const good = await receiver((response) => response.end())
    const shaky = await receiver((response, came) => void response.writeHead(came % 10 ? 200 : 500).end())
    const silent = await receiver(() => undefined)
    const trap = await receiver((response) => response.end())
    const turning = await receiver((response) => void response.writeHead(302, { location: trap.url }).end())
    for (const one of [good, shaky, silent, turning])
      one.secret = json<{ secret: string }>(
        await ask(url, 'POST', '/api4/invoice/webhooks', {
          token,
          body: { url: one.url, events: ['customer.*'] },
        }),
      ).secret
    // An address that was good when it was written down and leads into the house now.
    const home = await receiver((response) => response.end())
    await ask(url, 'POST', '/api4/invoice/webhooks', {
      token,
      body: { url: home.url, events: ['customer.*'] },
    })
    await pool.query('update webhook_endpoints set url = $1 where url = $2', [
      home.url.replace('127.0.0.1', '0.0.0.0'),
      home.url,
    ])

    // A commit for each hundred: published as a command publishes them, and some rolled back.
    const told = { name: 'customer.changed', entity: 'customers', entityId: customerId, payload: {} }
    const hundred = JSON.stringify(Array.from({ length: 100 }, () => told))
    const started = performance.now()
    for (let n = 0; n < events; n += 100) {
      await pool.query('select tell_events($1, $2::jsonb)', [companyId, hundred])
      if (n % 1000 === 0)
        await pool.query(`begin; select tell_events('${companyId}', '${hundred}'::jsonb); rollback`)
    }
    const written = performance.now()
    while (good.first.size < events * 0.3) await pause(50)
    const before = good.came
    process.kill(server.pid, 'SIGKILL')
    const killed = performance.now()
    const again = await restart({ PINKAS_DEV: '1' })
    while (good.first.size < events) await pause(50)
    const done = performance.now()
    while (shaky.first.size < events && performance.now() - done < 60_000) await pause(100)
    // Last, what happens now beside a receiver that is silent: how soon the good one hears of it.
    const delays: number[] = []
    for (let n = 0; n < 20; n++) {
      const seen = good.first.size
      const at = performance.now()
      await ask(again.url, 'POST', '/api4/invoice/customers', { token, body: { name: `later ${n}` } })
      while (good.first.size === seen) await pause(2)
      delays.push(performance.now() - at)
      await pause(100)
    }
    const pause_ = [...good.first.values()].find((at) => at > killed)! - killed
    const perSecond = Math.round((events / (done - started - pause_)) * 1000)
    const part = `Webhooks: ${events.toLocaleString('en')} events to five receivers, killed in the middle`
    const missing = events + 20 - good.first.size
    return [
      {
        part,
        name: 'written with the deed',
        value: `${Math.round((events / (written - started)) * 1000)} events/s to five addresses`,
      },
      {
        part,
        name: 'to the good receiver',
        value: `${perSecond} events/s`,
        goal: '>= 500 events/s',
        ok: perSecond >= 500,
      },
      {
        part,
        name: 'did not arrive',
        value: `${missing} of ${events + 20}, ${good.wrong} with a wrong signature`,
        goal: '0',
        ok: missing === 0 && good.wrong === 0,
      },
      {
        part,
        name: 'came twice',
        value: `${good.came - good.first.size} (${before} before the kill, ${Math.round(pause_)} ms of silence after)`,
      },
      { part, name: 'to the shaky one', value: `${shaky.first.size} of ${events}, ${shaky.came} tries` },
      {
        part,
        name: 'silent, sending on, leading home',
        value: `${silent.came}, ${turning.came} and ${home.came} tries; ${trap.came} followed`,
        goal: 'none home, none followed',
        ok: home.came + trap.came === 0,
      },
      {
        part,
        name: 'a new event beside the silent one',
        value: `p50 ${Math.round(quantile(delays, 0.5))} ms, most ${Math.round(Math.max(...delays))} ms`,
        goal: '<= 2 s',
        ok: Math.max(...delays) <= 2000,
      },
    ]
  } finally {
    for (const one of servers.splice(0)) one.close().closeAllConnections()
    await pool.end().catch(() => undefined)
  }
}
