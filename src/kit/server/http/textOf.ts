import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '#kit/describe/errors.ts'
import { afterTurn, rememberReplies, timed } from './largeBodies.ts'

/*
 * Text arrives as bytes. What is not valid in its charset is refused: a replaced character would be stored, and nobody
 * could tell what had been sent.
 */

/** The charset that a Content-Type names; UTF-8 when it names none. */
const charsetOf = (type: string | undefined): string =>
  /;\s*charset\s*=\s*"?([\w.:-]+)"?/i.exec(type ?? '')?.[1] ?? 'utf-8'

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true })
  } catch {
    throw fail('http.wrongType')
  }
}

/**
 * The text of a body.
 * @param type its Content-Type: a charset that it names is honoured
 * @throws {Failure} http.badText where the bytes are not valid in it, http.wrongType where it is unknown
 */
export function textOf(bytes: Uint8Array, type: string | undefined): string {
  const decoder = decoderOf(charsetOf(type))
  try {
    return decoder.decode(bytes)
  } catch {
    throw fail('http.badText', { charset: charsetOf(type) })
  }
}

/** Refuses an address whose query is not valid UTF-8. */
function checkQuery(url: string): void {
  const start = url.indexOf('?')
  if (start < 0) return
  const query = url.slice(start + 1)
  // A lone percent sign is read as it is.
  for (const [coded] of query.matchAll(/(?:%[\da-f]{2})+/gi))
    try {
      decodeURIComponent(coded)
    } catch {
      throw fail('http.badText', { charset: 'utf-8' })
    }
}

/**
 * Reads JSON as RFC 8259 wants it, with the charset that is named, and refuses queries that are no text. `keyOf` says who
 * sends it: large bodies of one sender are read one after another.
 */
export function readText(fastify: FastifyInstance, keyOf: (request: FastifyRequest) => string): void {
  const parseJson = fastify.getDefaultJsonParser('error', 'error')
  fastify.removeContentTypeParser(['application/json', 'text/plain'])
  rememberReplies(fastify)
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const read = () => {
      let found: [Error | null, unknown?] = [null]
      timed(request, () => {
        const text = textOf(body, request.headers['content-type'])
        void parseJson(request, text, (e, value) => void (found = [e, value]))
      })
      done(...found)
    }
    try {
      const turn = afterTurn(request, body, keyOf(request))
      if (turn) turn.then(read).catch((e: Error) => done(e))
      else read()
    } catch (e) {
      done(e as Error)
    }
  })
  fastify.addHook('onRequest', async ({ url }) => checkQuery(url))
}
