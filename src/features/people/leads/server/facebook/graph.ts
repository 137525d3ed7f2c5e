import type { App } from '#kit/server/context.ts'
import { getOutside } from '#kit/server/outside/getOutside.ts'
import { simulatedGraph } from './simulator.ts'

/** Reads an address of the Graph API; throws `NotGot`. */
export type Graph = (url: string) => Promise<Uint8Array>

const version = 'v21.0'
const limits = { mostBytes: 262_144, milliseconds: 15_000, accept: 'application/json' }

export interface FacebookLead {
  id: string
  fields: { name: string; values: string[] }[]
}

const textsOf = (values: unknown): string[] =>
  Array.isArray(values) ? values.filter((one): one is string => typeof one === 'string') : []

/**
 * What somebody wrote into a lead form
 * (https://developers.facebook.com/docs/marketing-api/guides/lead-ads/retrieving). A stand-in speaks the
 * same.
 */
export async function leadOfGraph(
  app: App,
  isSimulated: boolean,
  id: string,
  pageToken: string,
): Promise<FacebookLead> {
  const graph: Graph = isSimulated ? simulatedGraph : (url) => getOutside(app.settings.webhooks, url, limits)
  const asked = new URLSearchParams({ access_token: pageToken, fields: 'field_data,created_time,form_id' })
  const bytes = await graph(`https://graph.facebook.com/${version}/${encodeURIComponent(id)}?${asked}`)
  const said = JSON.parse(Buffer.from(bytes).toString('utf8')) as { id?: unknown; field_data?: unknown }
  if (said.id !== id || !Array.isArray(said.field_data)) throw new Error('an answer that is no lead')
  return {
    id,
    fields: said.field_data.flatMap((one: { name?: unknown; values?: unknown }) =>
      typeof one?.name === 'string' ? [{ name: one.name, values: textsOf(one.values) }] : [],
    ),
  }
}
