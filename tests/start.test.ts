import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSettings, type Settings } from '#kit/server/settings.ts'
import { openStore } from '#kit/server/start.ts'
import { databaseUrl, startWorld, type World } from './world.ts'

let world: World
let settings: (url: string) => Settings
beforeAll(async () => {
  world = await startWorld()
  settings = (url) => ({ ...readSettings(), databaseUrl: url })
})
afterAll(() => world.close())

/** The address of the database by TCP, at a port where nobody listens yet, and what makes it answer there. */
async function later(): Promise<{ url: string; answer: () => Promise<Server> }> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  const { searchParams, username, password, pathname } = new URL(databaseUrl)
  const socket = `${searchParams.get('host')}/.s.PGSQL.5432`
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`,
    answer: () =>
      new Promise((resolve) => {
        const server = createServer((client) => {
          const to = connect(socket)
          client.on('error', () => {}).pipe(to)
          to.on('error', () => {}).pipe(client)
        }).listen(port, '127.0.0.1', () => resolve(server))
      }),
  }
}

test('a database that does not answer yet is waited for, longer each time', async () => {
  const { url, answer } = await later()
  const waits: number[] = []
  let server: Server | undefined
  const opened = openStore(settings(url), (error, ms) => {
    expect(error.message).toMatch(/ECONNREFUSED/)
    waits.push(ms)
    if (waits.length === 2) void answer().then((made) => (server = made))
  })
  // The database of the tests may write to no disk, which is refused once it answers.
  const { isPooled } = await opened.catch((e: Error) => {
    if (!e.message.startsWith('fsync is off')) throw e
    return { isPooled: false }
  })
  expect(isPooled).toBe(false)
  expect(waits).toEqual([500, 1000])
  server!.close()
})

test('without anybody to tell, and for any other reason, the start fails at once', async () => {
  const { url } = await later()
  await expect(openStore(settings(url))).rejects.toThrow('ECONNREFUSED')
  const waited: number[] = []
  const wrong = new URL(databaseUrl)
  wrong.pathname = '/no_such_database'
  await expect(openStore(settings(wrong.href), (_error, ms) => void waited.push(ms))).rejects.toThrow(
    'does not exist',
  )
  expect(waited).toEqual([])
})
