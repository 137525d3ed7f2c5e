import { allEvents } from '#kit/describe/event.ts'
import type { Ctx } from '#kit/server/context.ts'
import { exampleOf } from '#kit/server/openapi/examples.ts'
import { allImplementations } from '#kit/server/contract/implement.ts'
import type { EventRow } from '../endpoints.ts'
import { bodyOf } from './body.ts'

const made = new Map<string, EventRow[]>()

/** Every event with what is sent of it, made from the schema of the call that shows the thing. */
export function eventRows({ app }: Pick<Ctx, 'app'>): EventRow[] {
  const known = made.get(app.publicUrl())
  if (known) return known
  const calls = new Map(allImplementations().map(({ endpoint }) => [endpoint.name, endpoint]))
  const rows = [...allEvents().values()].map(({ name, see }): EventRow => {
    const endpoint = calls.get(see)!
    const object = exampleOf(endpoint.output) as Record<string, unknown>
    const id = String(object.id ?? '0199f2a4-7c1e-7b3a-9d52-4f6a8c0e1b27')
    const event = {
      id,
      name,
      entityId: id,
      version: 1_795_512_600_000_000,
      at: '2026-11-24T09:30:00.000Z',
      payload: Object.fromEntries(
        (endpoint.marks === 'documents' ? ['number', 'type', 'status'] : ['number']).flatMap((field) =>
          object[field] === undefined || object[field] === null ? [] : [[field, object[field]]],
        ),
      ),
    }
    const marked = endpoint.marks ? { externalId: 'order-1001' } : {}
    const link = `${app.publicUrl()}${endpoint.path.replace('{id}', id)}`
    return {
      name,
      thing: name.split('.')[0]!,
      see,
      thin: JSON.parse(bodyOf(event, link, marked)),
      full: JSON.parse(bodyOf(event, link, { ...marked, thing: object })),
    }
  })
  made.set(app.publicUrl(), rows)
  return rows
}
