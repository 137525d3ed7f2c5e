import type { z } from 'zod'
import type { Endpoint, Method } from '#kit/describe/endpoint.ts'
import type { ListAnswer, Resource } from '#kit/describe/resource.ts'
import type { Fields } from '#kit/fields/field.ts'
import { call, putAnswer, queryClient } from '../calls/call.ts'
import type { Option } from '../fields/Combo.tsx'

export type AnyResource = Resource<any>

/** One record as the server gives it; which fields it has is the description's business. */
export interface AnyRow {
  id: string
  archivedAt: string | null
  createdAt: string
  updatedAt: string
  [field: string]: unknown
}

export type Values = Record<string, unknown>

export const fieldsOf = (resource: AnyResource): Fields => resource.fields as Fields

type Call<I, O> = Endpoint<z.ZodType<I, I>, z.ZodType<O, O>>

/** The calls every described resource has, by the same paths on which the server puts them. */
export interface ResourceCalls {
  list: Call<Record<string, string | number | undefined>, ListAnswer<AnyRow>>
  get: Call<{ id: string }, AnyRow>
  create: Call<Values, AnyRow>
  change: Call<Values & { id: string }, AnyRow>
  archive: Call<{ id: string }, AnyRow>
  restore: Call<{ id: string }, AnyRow>
  export: Call<Record<string, string | number | undefined>, Blob>
}

const made = new Map<string, ResourceCalls>()

/** Schemas are the server's; a call from here needs its name, method and path only. */
export function callsOf(resource: AnyResource): ResourceCalls {
  const known = made.get(resource.name)
  if (known) return known
  const base = `${resource.prefix ?? '/api4/invoice'}/${resource.name}`
  const one = <E>(verb: string, method: Method, path: string, file = false): E =>
    ({
      name: `${resource.name}.${verb}`,
      method,
      path,
      access: 'member',
      summary: '',
      ...(file ? { file } : {}),
    }) as unknown as E
  const calls: ResourceCalls = {
    list: one('list', 'GET', base),
    get: one('get', 'GET', `${base}/{id}`),
    create: one('create', 'POST', base),
    change: one('change', 'PATCH', `${base}/{id}`),
    archive: one('archive', 'DELETE', `${base}/{id}`),
    restore: one('restore', 'POST', `${base}/{id}/restore`),
    export: one('export', 'GET', `/api4/invoiceexport/${resource.name}`, true),
  }
  made.set(resource.name, calls)
  return calls
}

const announced = new Map<string, AnyResource>()

/**
 * Makes resources known by name, so that a `ref` field of another feature can search and open them. Called in
 * a feature's web/screens.ts.
 */
export function announce(...resources: AnyResource[]): void {
  for (const resource of resources) announced.set(resource.name, resource)
}

export const resourceNamed = (name: string | undefined): AnyResource | undefined => announced.get(name ?? '')

/** What a record is called: its title, or the number it has instead. */
export const titleOf = (resource: AnyResource, row: AnyRow): string => String(row[resource.title] ?? '')

/** The address of a record's card, when it has one. */
export const cardPath = (resource: AnyResource, id: string): string | undefined =>
  resource.screens.card?.replace('$id', id)

/** Finds records for a field that refers to them: title, and the hint under it. */
export const searchIn =
  (resource: AnyResource) =>
  async (query: string, signal: AbortSignal): Promise<Option[]> => {
    const { rows } = await call(callsOf(resource).list, { size: 10, q: query || undefined }, { signal })
    return rows.map((row) => ({
      key: row.id,
      label: titleOf(resource, row),
      hint: resource.hint ? (row[resource.hint] as string | null) : undefined,
    }))
  }

const fresh = new Set<string>()

/** A record made a moment ago: its row is tinted when it comes into the list. */
export const isFresh = (id: string): boolean => fresh.has(id)

export function markFresh(id: string): void {
  fresh.add(id)
  setTimeout(() => fresh.delete(id), 5000)
}

/**
 * After a change: lists, cards and reports of this resource are asked again; what is shown stays until then.
 */
export async function refreshResource(resource: AnyResource, row?: AnyRow): Promise<void> {
  const { get } = callsOf(resource)
  if (row) putAnswer(get, { id: row.id }, row)
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: [callsOf(resource).list.name] }),
    queryClient.invalidateQueries({ queryKey: [get.name] }),
    queryClient.invalidateQueries({ queryKey: ['reports.run'] }),
  ])
}
