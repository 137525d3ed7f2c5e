import {
  createServer as createReceiver,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  buildServer,
  business,
  call,
  endAll,
  forgetFolder,
  freePort,
  killDatabase,
  killGroup,
  newFolder,
  prepareFolder,
  start,
} from './machine.ts'

const invoice = (customerId: string) => ({
  type: 8,
  customerId,
  lines: [{ description: 'עבודה', unitPrice: '100' }],
})

async function allNumbers(url: string, token: string): Promise<number[]> {
  const numbers: number[] = []
  let cursor: string | null = ''
  do {
    const { body }: { body: { rows: { number: number }[]; nextCursor: string | null } } = await call(
      url,
      'GET',
      `/api4/invoice/documents?size=200&type=8${cursor ? `&cursor=${cursor}` : ''}`,
      token,
    )
    numbers.push(...body.rows.map((r) => r.number))
    cursor = body.nextCursor
  } while (cursor)
  return numbers.sort((x, y) => x - y)
}

beforeAll(async () => {
  buildServer('crash')
  await prepareFolder()
}, 180_000)
afterEach(endAll)
afterAll(forgetFolder)

describe('two server processes', () => {
  test('200 invoices by 16 clients: no gap, no double, the books balance', async () => {
    const { url } = await start(newFolder(), await freePort())
    const { token, customerId } = await business(url)
    const statuses: number[] = []
    let left = 200
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        while (left-- > 0)
          statuses.push(
            (await call(url, 'POST', '/api4/invoice/documents', token, invoice(customerId))).status,
          )
      }),
    )
    expect(statuses.filter((s) => s !== 201)).toEqual([])
    expect(await allNumbers(url, token)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1))
    const { body } = await call(
      url,
      'GET',
      '/api4/invoice/reports/trialBalance?from=2020-01-01&to=2035-12-31',
      token,
    )
    expect(body.totals).toMatchObject({
      debitAgorot: 200 * 11_800,
      creditAgorot: 200 * 11_800,
      balanceAgorot: 0,
    })
    // A key asked of one process is known to the other.
    const twins = await Promise.all(
      Array.from({ length: 20 }, () =>
        call(url, 'POST', '/api4/invoice/documents', token, invoice(customerId), 'one-key'),
      ),
    )
    expect(new Set(twins.filter((t) => t.status === 201).map((t) => t.body.id)).size).toBe(1)
    expect(twins.filter((t) => ![201, 409].includes(t.status))).toEqual([])
  }, 120_000)
})

/** A board as one page holds it: read once, then updated only by what the page receives. */
async function page(url: string, token: string, boardId: string) {
  const cards = new Map<string, { id: string; columnId: string; rank: string; version: number }>()
  const take = (rows: { id: string; columnId: string; rank: string; version: number }[]) => {
    for (const row of rows) if ((cards.get(row.id)?.version ?? 0) <= row.version) cards.set(row.id, row)
  }
  const fetchCards = async (ids?: string[]) =>
    take(
      (
        await call(
          url,
          'GET',
          `/api4/invoice/boards/${boardId}/cards${ids ? `?ids=${ids.join(',')}` : ''}`,
          token,
        )
      ).body.rows,
    )
  const stop = new AbortController()
  const stream = await fetch(`${url}/api4/invoice/live`, {
    headers: { 'x-access-token': token },
    signal: stop.signal,
  })
  await fetchCards()
  const reading = (async () => {
    let rest = ''
    for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
      rest += chunk
      const events = rest.split('\n\n')
      rest = events.pop()!
      const ids = events.flatMap(
        (one) => /"entity":"tasks","entityId":"([0-9a-f-]{36})"/.exec(one)?.[1] ?? [],
      )
      if (ids.length) await fetchCards([...new Set(ids)])
    }
  })().catch(() => undefined)
  return { cards, take, end: () => (stop.abort(), reading) }
}

describe('a board over two server processes', () => {
  test('four hands moving cards end with equal boards and no lost card', async () => {
    const { url } = await start(newFolder(), await freePort())
    const { token } = await business(url)
    const board = (await call(url, 'GET', '/api4/invoice/boards', token)).body.rows[0]
    const columns = board.columns.map(({ id }: { id: string }) => id) as string[]
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        call(url, 'POST', '/api4/invoice/tasks/quick', token, {
          text: `כרטיס ${n}`,
          columnId: columns[n % 4],
        }),
      ),
    )
    expect(made.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200))
    const pages = await Promise.all(Array.from({ length: 4 }, () => page(url, token, board.id)))
    // BOARD_SECONDS=60 for the whole minute.
    const until = Date.now() + Number(process.env.BOARD_SECONDS ?? 5) * 1000
    const counts: Record<number, number> = {}
    await Promise.all(
      pages.map(async ({ cards, take }, hand) => {
        let seed = hand + 1
        const dice = (sides: number) => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) % sides
        while (Date.now() < until) {
          const all = [...cards.values()]
          // All reach for the same few cards.
          const card = all[dice(12)]!
          const after = all[dice(all.length)]!
          const columnId = columns[dice(4)]
          const { status, body } = await call(url, 'POST', `/api4/invoice/tasks/${card.id}/move`, token, {
            version: card.version,
            columnId,
            afterId: after.id === card.id ? null : after.id,
          })
          counts[status] = (counts[status] ?? 0) + 1
          take(status === 200 ? [body] : body.code === 'tasks.moved' ? [JSON.parse(body.params.card)] : [])
        }
      }),
    )
    // What was committed last is reported one read later.
    await new Promise((r) => setTimeout(r, 3500))
    const shown = (cards: Iterable<{ id: string; columnId: string; rank: string }>) =>
      [...cards].map(({ id, columnId, rank }) => `${columnId} ${rank} ${id}`).toSorted()
    const { body } = await call(url, 'GET', `/api4/invoice/boards/${board.id}/cards`, token)
    expect(body.rows).toHaveLength(40)
    for (const { cards } of pages) expect(shown(cards.values())).toEqual(shown(body.rows))
    expect(Object.keys(counts).filter((status) => !['200', '409'].includes(status))).toEqual([])
    expect(counts[200]).toBeGreaterThan(20)
    await Promise.all(pages.map(({ end }) => end()))
  }, 180_000)
})

describe('the database alone is killed', () => {
  test('calls are told to come back until it stands again, without a person', async () => {
    const dataDir = newFolder()
    const { url } = await start(dataDir, await freePort())
    const { token, customerId } = await business(url)
    const before = (await call(url, 'POST', '/api4/invoice/documents', token, invoice(customerId))).body
      .number
    killDatabase(dataDir)
    const began = Date.now()
    const statuses = new Set<number>()
    let after: number | undefined
    while (after === undefined && Date.now() - began < 15_000) {
      const answer = await call(url, 'POST', '/api4/invoice/documents', token, invoice(customerId))
      statuses.add(answer.status)
      if (answer.status === 201) after = answer.body.number
      else await new Promise((r) => setTimeout(r, 100))
    }
    expect(after).toBe(before + 1)
    expect([...statuses].filter((s) => ![201, 503].includes(s))).toEqual([])
  }, 60_000)
})

describe('kill -9 in the middle of writing', () => {
  test.each([
    ['the server', false],
    ['the server and the database', true],
  ])(
    '%s: nothing acknowledged is lost, doubled or renumbered',
    async (_name, databaseToo) => {
      const dataDir = newFolder()
      const port = await freePort()
      let server = await start(dataDir, port)
      const { token, customerId } = await business(server.url)
      const acknowledged = new Map<string, number>()
      for (let round = 0; round < 3; round++) {
        let stop = false
        const writers = Array.from({ length: 8 }, async () => {
          while (!stop) {
            const answer = await call(
              server.url,
              'POST',
              '/api4/invoice/documents',
              token,
              invoice(customerId),
            ).catch(() => undefined)
            if (answer?.status === 201) acknowledged.set(answer.body.id, answer.body.number)
          }
        })
        // Killed while they write, however slow the machine is.
        const enough = acknowledged.size + 15
        for (const until = Date.now() + 30_000; acknowledged.size < enough && Date.now() < until;)
          await new Promise((r) => setTimeout(r, 20))
        killGroup(server.child)
        if (databaseToo) killDatabase(dataDir)
        stop = true
        await Promise.all(writers)
        server = await start(dataDir, port)
      }
      expect(acknowledged.size).toBeGreaterThan(20)
      const numbers = await allNumbers(server.url, token)
      expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => i + 1))
      for (const [id, number] of acknowledged) {
        expect((await call(server.url, 'GET', `/api4/invoice/documents/${id}`, token)).body.number).toBe(
          number,
        )
      }
      const { body } = await call(
        server.url,
        'GET',
        '/api4/invoice/reports/trialBalance?from=2020-01-01&to=2035-12-31',
        token,
      )
      expect(body.totals.debitAgorot).toBe(numbers.length * 11_800)
      expect(body.totals.balanceAgorot).toBe(0)
    },
    180_000,
  )
})

const receivers: Server[] = []
afterEach(() => {
  for (const one of receivers.splice(0)) one.close().closeAllConnections()
})

/** A program that listens on this machine. */
async function receiver(answer: (response: ServerResponse, nth: number) => void) {
  const got: { headers: IncomingHttpHeaders; body: string }[] = []
  const server = createReceiver((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      got.push({ headers: request.headers, body })
      answer(response, got.length)
    })
  })
  receivers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, got }
}

describe('a server that is killed while it tells programs what happened', () => {
  test('everything that was committed arrives, under one id, and nothing else does', async () => {
    const [folder, port] = [newFolder(), await freePort()]
    const { url, child } = await start(folder, port, 2, { PINKAS_DEV: '1' })
    const { token, customerId } = await business(url)
    const trap = await receiver((response) => response.end())
    const good = await receiver((response) => void setTimeout(() => response.end(), 3))
    // Every third try is refused.
    const shaky = await receiver((response, nth) => void response.writeHead(nth % 3 ? 200 : 500).end())
    const silent = await receiver(() => undefined)
    const turning = await receiver((response) => void response.writeHead(302, { location: trap.url }).end())
    const add = async (to: string): Promise<string> =>
      (await call(url, 'POST', '/api4/invoice/webhooks', token, { url: to, events: ['document.issued'] }))
        .body.secret
    const secret = await add(good.url)
    for (const one of [shaky, silent, turning]) await add(one.url)

    let isDead = false
    let writing = 0
    const committed = new Set<string>()
    const write = async () => {
      while (!isDead && writing++ < 600) {
        const answer = await call(url, 'POST', '/api4/invoice/documents', token, invoice(customerId)).catch(
          () => undefined,
        )
        if (answer?.status === 201) committed.add(answer.body.id)
      }
    }
    const writers = Promise.all([write(), write(), write()])
    await expect.poll(() => good.got.length, { timeout: 20_000 }).toBeGreaterThan(40)
    killGroup(child)
    isDead = true
    await writers
    await start(folder, port, 2, { PINKAS_DEV: '1' })
    // What was committed without an answer counts too.
    const numbers = await allNumbers(url, token)
    expect(numbers.length).toBeGreaterThanOrEqual(committed.size)
    const told = ({ got }: typeof good) => new Set(got.map(({ body }) => JSON.parse(body).data.id as string))
    for (const one of [good, shaky]) {
      await expect.poll(() => told(one).size, { timeout: 60_000, interval: 200 }).toBe(numbers.length)
      for (const id of committed) expect(told(one).has(id)).toBe(true)
      expect(new Set(one.got.map(({ headers }) => headers['webhook-id'])).size).toBe(numbers.length)
      expect(
        one.got
          .map(({ body }) => JSON.parse(body).data.number as number)
          .toSorted((a, b) => a - b)
          .filter((n, i, all) => n !== all[i - 1]),
      ).toEqual(numbers)
    }
    for (const { headers, body } of good.got)
      new Webhook(secret).verify(body, headers as Record<string, string>)
    // What was in the air when it died comes twice, and hardly more.
    expect(good.got.length - numbers.length).toBeLessThan(40)
    expect(silent.got.length).toBeGreaterThan(0)
    expect(trap.got).toEqual([])
  }, 180_000)
})
