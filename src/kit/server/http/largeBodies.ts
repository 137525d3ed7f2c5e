import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { usualBody } from '#kit/describe/endpoint.ts'
import { failField } from '#kit/describe/errors.ts'
import { Turns } from '../data/turns.ts'

/*
 * Bodies of megabytes of JSON. To read one takes the thread that answers everybody a few hundred milliseconds, so what is
 * made to cost more is refused by a look at its bytes, and the others come one after another with rests between them.
 */

/** Deeper than anything a call takes; what is nested deeper is made to harm the person who walks it. */
export const mostDepth = 32
/** Names in one object: copying more costs a second and more before anybody has looked at them. */
export const mostNames = 2000
/** Values in a body: two hundred documents of 155 lines have 125,000. */
export const mostValues = 200_000

/** Bodies up to this size are read at once. */
const smallBytes = usualBody.open
/** Of the thread's time, what large bodies of one business may take: one part in so many. */
const restTimes = 20
/** To receive megabytes takes its time too, also where they are refused at once. */
const rest = { leastMs: 250, mostMs: 8000 }

const [quote, backslash, comma, openObject, openList, closeObject, closeList] = Buffer.from(
  '"\\,{[}]',
) as unknown as [number, number, number, number, number, number, number]

/**
 * Refuses JSON that nests too deep or holds too many names or values, before it is parsed, with the first name that leads
 * there. Whether it is JSON at all is for the parser to say.
 */
export function checkShape(bytes: Uint8Array): void {
  const isObject = new Uint8Array(mostDepth + 2)
  const commas = new Uint32Array(mostDepth + 2)
  let depth = 0
  let values = 0
  /** Where the name lies in the outermost object under which the look is now. */
  let name: readonly [number, number] = [0, 0]
  let isNameNext = false
  const refuse = (code: string) => {
    const path = Buffer.from(bytes.subarray(...name)).toString()
    return failField(path.slice(0, 60), code)
  }
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) {
      const from = at + 1
      // To the end of the text, over what is escaped.
      for (at++; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++
      if (isNameNext) name = [from, at]
      isNameNext = false
    } else if (byte === comma) {
      if (++values > mostValues) throw refuse('fields.tooMany')
      if (++commas[depth]! >= mostNames && isObject[depth]) throw refuse('fields.tooMany')
      isNameNext = depth === 1 && isObject[1] === 1
    } else if (byte === openObject || byte === openList) {
      if (++values > mostValues) throw refuse('fields.tooMany')
      if (++depth > mostDepth) throw refuse('fields.tooDeep')
      isObject[depth] = byte === openObject ? 1 : 0
      commas[depth] = 0
      isNameNext = depth === 1 && byte === openObject
    } else if ((byte === closeObject || byte === closeList) && depth > 0) depth--
  }
}

/**
 * One large body of a business at a time, a few in all: from when it is read to when it was answered, and the rest after
 * that.
 */
const turns = new Turns({ most: 1, mostInAll: 3, mostWaiting: 40, mostWaitingForOne: 8, longestMs: 60_000 })

const replies = new WeakMap<FastifyRequest, FastifyReply>()
/** Milliseconds of the thread that a large body took. */
const spent = new WeakMap<FastifyRequest, number>()

/** Counts the time that reading an input takes, where it is large. */
export function timed<T>(request: FastifyRequest, work: () => T): T {
  if (!spent.has(request)) return work()
  const from = performance.now()
  try {
    return work()
  } finally {
    spent.set(request, spent.get(request)! + performance.now() - from)
  }
}

/** Lets `afterTurn` know the answer that ends a request. */
export const rememberReplies = (fastify: FastifyInstance): void =>
  void fastify.addHook('onRequest', async (request, reply) => void replies.set(request, reply))

/**
 * Goes on when a body may be read: at once where it is small, otherwise when the bodies before it were answered and the
 * thread has rested. `key` has one turn at a time, such as a business.
 * @throws {Failure} kit.unavailable: too many wait
 */
export function afterTurn(
  request: FastifyRequest,
  bytes: Uint8Array,
  key: string,
): Promise<void> | undefined {
  if (bytes.length <= smallBytes) return undefined
  spent.set(request, 0)
  const check = () => timed(request, () => checkShape(bytes))
  if (bytes.length <= usualBody.other) return void check()
  const answer = replies.get(request)!.raw
  const gone = new AbortController()
  const closed = new Promise<void>((resolve) => {
    answer.once('finish', resolve).once('close', () => {
      gone.abort()
      resolve()
    })
  })
  return new Promise((begin, refuse) => {
    const work = async () => {
      try {
        check()
        begin()
      } catch (e) {
        refuse(e as Error)
      }
      await closed
      const ms = Math.min(rest.mostMs, Math.max(rest.leastMs, spent.get(request)! * restTimes))
      await pause(ms, undefined, { ref: false })
    }
    turns.take(key, work, gone.signal).catch(refuse)
  })
}
