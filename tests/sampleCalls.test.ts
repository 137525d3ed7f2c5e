import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayInJerusalem } from '#domain/day.ts'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { errorsOf, isOfPrograms } from '#kit/server/openapi/document.ts'
import { exampleFor } from '#kit/server/openapi/examples.ts'
import { implementations } from '../src/features.ts'
import { openSandbox } from '#features/open/sandbox/endpoints.ts'
import { newBusiness, raw, startWorld, type World } from './world.ts'

/*
 * Every documented example, sent as it is printed to a test business that was just opened. Each one is undone before the
 * next, so that none needs what another made or lacks what another used up.
 */
const patienceMs = 300_000
/** The part of the examples that succeeds. Each of the others is refused with a code that its call declares. */
const least = 0.825

const empties = ({ name }: Endpoint): boolean => name === 'sandbox.empty'

/** The printed examples name days: they are sent on this Monday, whenever the suite runs. */
const sentOn = new Date('2026-11-30T10:00:00Z')

let world: World
let key: string
let isUndone = false

/** While it is on, what a transaction did is undone where it would be kept. */
function undoCommits(): void {
  const { pool } = world.app.db
  const connect = pool.connect.bind(pool) as (
    callback?: unknown,
  ) => Promise<{ query: (...of: unknown[]) => unknown }>
  const seen = new WeakSet<object>()
  pool.connect = ((callback?: unknown) => {
    if (callback) return connect(callback)
    return connect().then((client) => {
      if (seen.has(client)) return client
      seen.add(client)
      const query = client.query.bind(client)
      client.query = (text: unknown, ...rest: unknown[]) =>
        query(
          isUndone && typeof text === 'string' ? text.replace(/(^|; )commit$/, '$1rollback') : text,
          ...rest,
        )
      return client
    })
  }) as typeof pool.connect
}

beforeAll(async () => {
  world = await startWorld(() => sentOn)
  undoCommits()
  const owner = await newBusiness(world)
  const started = Date.now()
  const info = world.app.log.info
  if (process.env.SHOW) world.app.log.info = (of: unknown) => console.log(JSON.stringify(of, null, 1))
  key = (await owner.call(openSandbox, {})).secret
  await world.worker.drain()
  world.app.log.info = info
  if (process.env.SHOW) console.log(`opened in ${Date.now() - started} ms`)
}, patienceMs)
afterAll(() => world.close())

describe('the examples, as they are printed', () => {
  test(
    'succeed in a new test business, or are refused as their call says',
    async () => {
      const calls = implementations
        .filter(
          ({ endpoint }) =>
            isOfPrograms(endpoint) && endpoint.access !== 'open' && !endpoint.upload && !endpoint.raw,
        )
        .map(({ endpoint }) => endpoint as Endpoint<any, any>)
        // What empties the business comes last, and is not undone.
        .toSorted((a, b) => Number(empties(a)) - Number(empties(b)))
      const wrong: string[] = []
      const refused: string[] = []
      for (const endpoint of calls) {
        isUndone = false
        await world.app.db.pool.query('delete from throttles')
        isUndone = endpoint.method !== 'GET' && !empties(endpoint)
        const answer = await raw(world, endpoint, exampleFor(endpoint, dayInJerusalem(sentOn)), {
          token: key,
        })
        if (answer.statusCode < 300) continue
        const { code, errors = [] } = answer.json<{
          code: string
          errors?: { path: string; code: string }[]
        }>()
        refused.push(
          `${endpoint.name} ${answer.statusCode} ${code} ${errors.map((one) => `${one.path}:${one.code}`).join()}`,
        )
        if (answer.statusCode >= 500 || !errorsOf(endpoint).includes(code))
          wrong.push(`${endpoint.name} ${answer.statusCode} ${code}`)
      }
      isUndone = false
      if (process.env.SHOW)
        console.log(`sent ${calls.length}, refused ${refused.length}\n${refused.join('\n')}`)
      expect(wrong).toEqual([])
      expect(1 - refused.length / calls.length).toBeGreaterThanOrEqual(least)
    },
    patienceMs,
  )
})
