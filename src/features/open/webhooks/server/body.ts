import { can, isOff, isUnlimited, seesWhole } from '#kit/describe/session.ts'
import { areaOf } from '#kit/describe/area.ts'
import { allEvents } from '#kit/describe/event.ts'
import { Failure } from '#kit/describe/errors.ts'
import type { MarkedEntity } from '#kit/fields/marks.ts'
import { withoutFigures } from '#kit/server/http/api.ts'
import { asCaller, type App, type Caller } from '#kit/server/context.ts'
import { allImplementations } from '#kit/server/contract/implement.ts'
import type { Filter } from '../endpoints.ts'
import { apiVersion } from './version.ts'

/** An event with what its row holds. */
export interface HappenedEvent {
  id: string
  name: string
  entityId: string | null
  version: number
  payload: Record<string, unknown>
  at: string
}

export interface Wish {
  payload: 'thin' | 'full'
  filter: Filter
}

export const testEvent = 'webhook.test'

/** What is sent, or why nothing is: it was not asked for, or whose eyes it is seen with may not see it. */
export async function bodyFor(
  app: App,
  caller: Caller,
  wish: Wish,
  event: HappenedEvent,
): Promise<{ body: string } | { skipped: 'filter' | 'right' | 'unseen' }> {
  if (event.name === testEvent) return { body: bodyOf(event, `${app.publicUrl()}/invoice/webhooks`) }
  const see = allImplementations().find(({ endpoint }) => endpoint.name === allEvents().get(event.name)?.see)
  if (!see?.inside || !event.entityId) return { skipped: 'unseen' }
  const { access, area, path } = see.endpoint
  const rule = typeof access === 'object' ? access.rule : undefined
  if (isOff(caller, area ?? areaOf(rule)) || !can(caller, rule)) return { skipped: 'right' }
  const asksForMore =
    wish.payload === 'full' || wish.filter.sumAgorot !== null || Object.keys(wish.filter.fields).length > 0
  const seesAll = isUnlimited(caller.rules) && seesWhole(caller)
  let thing: Record<string, unknown> | undefined
  if (asksForMore || !seesAll) {
    const found = await lookAt(app, caller, see.inside, event.entityId)
    // What is gone for good is still told to who saw everything.
    if (
      found === undefined &&
      !(seesAll && wish.filter.sumAgorot === null && !Object.keys(wish.filter.fields).length)
    )
      return { skipped: 'unseen' }
    thing = found
    if (thing && !passes(thing, wish.filter)) return { skipped: 'filter' }
  }
  const link = `${app.publicUrl()}${path.replace('{id}', event.entityId)}`
  const { marks } = see.endpoint
  const externalId = marks && (await externalIdOf(app, caller.companyId, marks, event.entityId))
  return {
    body: bodyOf(event, link, {
      ...(externalId === undefined ? {} : { externalId }),
      ...(wish.payload === 'full' ? { thing: thing ?? null } : {}),
    }),
  }
}

/** By what the program knows a thing that can have such an id; null where it has none. */
async function externalIdOf(
  app: App,
  companyId: string,
  entity: MarkedEntity,
  id: string,
): Promise<string | null> {
  const { rows } = await app.db.pool.query<{ externalId: string | null }>({
    name: 'external-id-of',
    text: 'select external_id as "externalId" from record_marks where company_id = $1 and entity = $2 and record_id = $3',
    values: [companyId, entity, id],
  })
  return rows[0]?.externalId ?? null
}

/**
 * The thing as its own call would answer it to this person now; undefined where they do not see it, or it is
 * gone.
 */
async function lookAt(
  app: App,
  caller: Caller,
  inside: (ctx: never, input: never) => Promise<unknown>,
  id: string,
): Promise<Record<string, unknown> | undefined> {
  try {
    const found = await asCaller(app, caller, '', (ctx) => inside(ctx as never, { id } as never), {
      ofOneMoment: true,
    })
    return JSON.parse(JSON.stringify(caller.hideTotalPrices ? withoutFigures(found) : found)) as Record<
      string,
      unknown
    >
  } catch (e) {
    if (e instanceof Failure && (e.status === 404 || e.status === 403)) return undefined
    throw e
  }
}

const sums = ['totalAgorot', 'amountAgorot', 'grossAgorot', 'ilsAgorot']

/** Whether a thing is one that was asked for. */
export function passes(thing: Record<string, unknown>, { sumAgorot, fields }: Filter): boolean {
  if (sumAgorot !== null) {
    const totals = (thing.totals ?? {}) as Record<string, unknown>
    const sum = sums.map((name) => thing[name] ?? totals[name]).find((value) => typeof value === 'number')
    if (sum === undefined || Math.abs(sum as number) < sumAgorot) return false
  }
  return Object.entries(fields).every(([path, values]) => {
    const [name, inner] = path.split(/\.(.*)/) as [string, string?]
    const at = thing[name]
    const value = inner === undefined ? at : (at as Record<string, unknown> | null | undefined)?.[inner]
    return (Array.isArray(value) ? value : [value]).some(
      (one) => one !== undefined && one !== null && values.includes(String(one)),
    )
  })
}

/** What a notice says of a thing as it was when it happened, under the names of its record. */
const told = ['number', 'type', 'status', 'state'] as const

interface More {
  /** The id that programs gave the thing; absent where its kind has none. */
  externalId?: string | null
  /** The thing itself, null when it is gone; absent in a thin notice. */
  thing?: Record<string, unknown> | null
}

/** The body as it travels. */
export const bodyOf = (event: HappenedEvent, link: string, { externalId, thing }: More = {}): string =>
  JSON.stringify({
    type: event.name,
    apiVersion,
    timestamp: event.at,
    data: {
      id: event.entityId,
      ...Object.fromEntries(
        told.flatMap((name) => (event.payload[name] === undefined ? [] : [[name, event.payload[name]]])),
      ),
      ...(externalId === undefined ? {} : { externalId }),
      version: event.version,
      link,
      ...(thing === undefined ? {} : { object: thing }),
    },
  })
