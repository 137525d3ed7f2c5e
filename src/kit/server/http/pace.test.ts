import { connect, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepPace } from './pace.ts'

const fastify = Fastify()
let port: number

beforeAll(async () => {
  keepPace(fastify, { windowMs: 200, leastBytes: 100 })
  fastify.post('/', (request, reply) => reply.send({ length: JSON.stringify(request.body).length }))
  fastify.get('/slow', (_request, reply) => void sleep(700).then(() => reply.send('done')))
  await fastify.listen({ port: 0 })
  port = (fastify.server.address() as AddressInfo).port
})
afterAll(() => fastify.close())

/** Sends a head and then pieces of a body, and answers what came back until the connection ended. */
async function send(head: string, pieces: readonly string[], everyMs: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const heard: Buffer[] = []
  socket.on('data', (bytes) => heard.push(bytes)).on('error', () => {})
  const ended = new Promise((resolve) => socket.on('close', resolve))
  socket.write(`${head}\r\nhost: x\r\nconnection: close\r\n\r\n`)
  for (const piece of pieces) {
    if (socket.destroyed) break
    socket.write(piece)
    await sleep(everyMs)
  }
  await ended
  return Buffer.concat(heard).toString()
}

const json = 'content-type: application/json'

test('a body that trickles in is cut off; one that comes at the pace is read', async () => {
  const head = `POST / HTTP/1.1\r\n${json}\r\ncontent-length: 2002`
  const trickle = await send(head, ['"', ...Array.from({ length: 40 }, () => 'a')], 50)
  expect(trickle).toBe('')
  const whole = await send(head, ['"', ...Array.from({ length: 20 }, () => 'a'.repeat(100)), '"'], 50)
  expect(whole).toContain('{"length":2002}')
})

test('a chunked body without an end is cut off', async () => {
  const chunk = '1\r\na\r\n'
  const answer = await send(
    `POST / HTTP/1.1\r\n${json}\r\ntransfer-encoding: chunked`,
    Array(40).fill(chunk),
    50,
  )
  expect(answer).toBe('')
})

test('a slow answer to a request that was read whole is waited for', async () => {
  expect(await send('GET /slow HTTP/1.1', [], 0)).toContain('done')
  expect(await send(`POST / HTTP/1.1\r\n${json}\r\ncontent-length: 2`, ['{}'], 0)).toContain('{"length":2}')
})
