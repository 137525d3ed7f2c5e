import type { Endpoint } from '#kit/describe/endpoint.ts'
import { exampleFor } from '#kit/server/openapi/examples.ts'
import type { Business } from './world.ts'

/** How the ids begin that examples of the API document name (`sampleId`). */
const sample = '0199f2a4-7c1e-7'

/** Ids of what there is, by the name of a field or the tag of a call. */
export type Ids = Record<string, string>

/** Makes one of each common record in a business, so that examples name what is there. */
export async function smallWorld(business: Business): Promise<Ids> {
  const ids: Ids = {}
  const made = async (list: string, values: Record<string, unknown>): Promise<string> =>
    (await business.send('POST', `/api4/invoice/${list}`, values)).id
  ids.customers = ids.customerId = (await business.customer('לקוח')).id
  ids.suppliers = ids.supplierId = await made('suppliers', { name: 'ספק' })
  ids.items = ids.itemId = await made('items', { name: 'פריט', price: '100' })
  ids.documents = ids.documentId = (await business.invoice(ids.customers, '100')).id
  ids.projects = ids.projectId = await made('projects', { name: 'פרויקט' })
  ids.classTrainers = ids.trainerId = await made('classTrainers', {
    name: 'מדריך',
    payBy: 'class',
    payAgorot: 1,
  })
  ids.expensetypes = ids.typeId = (await business.get('/api4/invoice/expensetypes?size=10')).rows[0].id
  ids.accounts = ids.accountId = (await business.get('/api5/invoicecpa/accounts?size=10')).rows[0].id
  return ids
}

const filled = (value: unknown, name: string, tag: string, ids: Ids): unknown => {
  if (typeof value === 'string' && value.startsWith(sample))
    return ids[name] ?? (name === 'id' || name === 'ids' ? ids[tag] : undefined) ?? value
  if (Array.isArray(value)) return value.map((one) => filled(one, name, tag, ids))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, filled(inner, key, tag, ids)]),
    )
  return value
}

/** The example of a call, with the ids of what there is. */
export const exampleWith = (endpoint: Endpoint<any, any>, ids: Ids): Record<string, unknown> =>
  filled(exampleFor(endpoint), '', endpoint.name.split('.')[0]!, ids) as Record<string, unknown>
