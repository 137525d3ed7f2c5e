import { tokens } from './api.ts'
import { tokenOf } from './asked.ts'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { z } from 'zod'
import { fail } from '#kit/describe/errors.ts'
import { allEvents } from '#kit/describe/event.ts'
import { can } from '#kit/describe/session.ts'
import type { FindCaller } from './api.ts'
import { newId, type App, type Caller } from '../context.ts'
import { allImplementations } from '../contract/implement.ts'

/**
 * A message to a page: what happened to which thing. The page reads the thing by its call, with the rights of its
 * person.
 */
export interface LiveNews {
  id: string
  name: string
  entity: string
  entityId: string | null
  by: string | null
}

interface Listener {
  caller: Caller
  token: string
  address: string
  out: ServerResponse
}

export const livePath = '/api4/invoice/live'

const pollMs = 1000
const heartbeatMs = 20_000
/**
 * A change that is committed so long after its event was written is still told; who wrote longer is seen at
 * the next look at the page.
 */
const lateMs = 15_000
/** Beyond so much a page had better ask for everything again. */
const mostMissed = 500
/** Tabs of one browser share one line; more lines than this are of programs that forgot to hang up. */
const mostLines = 8

/**
 * The smallest id an event of this moment can have: ids are of version 7 and begin with their millisecond.
 */
const idAt = (ms: number): string => {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}
const msOf = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16)

/**
 * Notifies open pages of events, as server-sent events: one query a second for all listeners of this process, none
 * without listeners. Ids of events grow with time but are committed in any order, so each read reaches back some
 * seconds and skips what was sent.
 */
export function serveLive(fastify: FastifyInstance, app: App, findCaller: FindCaller): void {
  const listeners = new Set<Listener>()
  const told = new Map<string, number>()
  let timer: ReturnType<typeof setInterval> | undefined
  let beat: ReturnType<typeof setInterval> | undefined
  let asking = false
  const rules = new Map<string, string | undefined>()

  /** The rule by which a thing of this event is seen. */
  const ruleOf = (name: string): string | undefined => {
    if (!rules.has(name)) {
      const see = allEvents().get(name)?.see
      const access = see
        ? allImplementations().find(({ endpoint }) => endpoint.name === see)?.endpoint.access
        : undefined
      rules.set(name, typeof access === 'object' ? access.rule : undefined)
    }
    return rules.get(name)
  }
  const tell = ({ caller, out }: Listener, news: LiveNews): void => {
    const rule = ruleOf(news.name)
    if (rule !== undefined && !can(caller, rule)) return
    // For records that may be hidden a listener only learns that something happened, and reads what is visible. The
    // customer or the type of the record would have to be looked up for each listener, so people with limits get no id
    // and reload what they see.
    const shown =
      caller.ownCustomersOnly || caller.docsAllow.length ? { ...news, entityId: null, by: null } : news
    out.write(`id: ${news.id}\ndata: ${JSON.stringify(shown)}\n\n`)
  }
  const since = async (companies: readonly string[], id: string, most: number) => {
    const { rows } = await sql<
      LiveNews & { companyId: string }
    >`select company_id as "companyId", id, name, entity, entity_id as "entityId", by_user as by
      from events where company_id = any(${[...companies]}::uuid[]) and id > ${id}::uuid order by id
      limit ${most}`.execute(app.db.kysely)
    return rows
  }

  const look = async (): Promise<void> => {
    if (asking || listeners.size === 0) return
    asking = true
    try {
      const now = Date.now()
      const companies = [...new Set([...listeners].map(({ caller }) => caller.companyId))]
      for (const { companyId, ...news } of await since(companies, idAt(now - lateMs), 5000)) {
        if (told.has(news.id)) continue
        told.set(news.id, now)
        for (const one of listeners) if (one.caller.companyId === companyId) tell(one, news)
      }
      for (const [id, at] of told) if (now - at > 2 * lateMs) told.delete(id)
    } catch (e) {
      app.log.warn({ err: (e as Error).message }, 'live')
    } finally {
      asking = false
    }
  }
  /** Keeps the line open through proxies, and ends it for the person who is no longer in. */
  const pulse = async (): Promise<void> => {
    for (const one of listeners) {
      const caller = await findCaller(app, one.token, one.address).catch(() => one.caller)
      if (!caller || caller.mustSetFactor || caller.companyId !== one.caller.companyId) one.out.end()
      else {
        one.caller = caller
        one.out.write(': \n\n')
      }
    }
  }
  const start = () => {
    timer ??= setInterval(() => void look(), pollMs).unref()
    beat ??= setInterval(() => void pulse(), heartbeatMs).unref()
  }
  const stop = () => {
    clearInterval(timer)
    clearInterval(beat)
    timer = beat = undefined
  }

  fastify.get<{ Querystring: { after?: string } }>(livePath, async (request, reply) => {
    const token = tokenOf(request.headers)
    const caller = token === undefined ? undefined : await findCaller(app, token, request.ip)
    if (!caller || token === undefined)
      throw fail(token === undefined ? 'session.needed' : await tokens.refusalOf(app, token))
    if (caller.mustSetFactor) throw fail('session.factorNeeded')
    const after = z.uuid().safeParse(request.query.after)
    reply.hijack()
    const out = reply.raw
    out.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    const mine: Listener = { caller, token, address: request.ip, out }
    const lines = [...listeners].filter(
      (one) => one.caller.userId === caller.userId && one.caller.companyId === caller.companyId,
    )
    if (lines.length >= mostLines) lines[0]!.out.end()
    // Where a page begins: it names this the next time, however little happened meanwhile.
    out.write(`id: ${newId()}\ndata: {"name":"live.open"}\n\n`)
    // Events during the interruption; other tabs read them themselves.
    if (after.success) {
      const missed = await since([caller.companyId], idAt(msOf(after.data) - lateMs), mostMissed + 1)
      if (missed.length > mostMissed || Date.now() - msOf(after.data) > 86_400_000)
        out.write('data: {"name":"live.reset"}\n\n')
      else for (const { companyId: _, ...news } of missed) tell(mine, news)
    }
    listeners.add(mine)
    start()
    request.raw.on('close', () => {
      listeners.delete(mine)
      if (listeners.size === 0) stop()
    })
  })
  fastify.addHook('preClose', async () => {
    stop()
    for (const { out } of listeners) out.end()
    listeners.clear()
  })
}
