import { formatMoney } from '#domain/format.ts'
import { phoneAsked } from '#domain/phone.ts'
import { fold } from '#domain/fold.ts'
import { call } from '../calls/call.ts'
import type { Found } from '../shell/registry.ts'
import { callsOf, cardPath, titleOf, type AnyResource, type AnyRow } from './resources.ts'

const mostFound = 5

/**
 * Records for the palette, by whatever their list searches: names that begin with what was typed before those that
 * contain it. At the end of the line is what is owed, else the field that was asked for.
 */
export async function findRecords(
  resource: AnyResource,
  query: string,
  signal: AbortSignal,
  { hints, balance }: { hints: readonly string[]; balance?: string },
): Promise<Found[]> {
  const { rows } = await call(callsOf(resource).list, { q: query, size: 20 }, { signal, quiet: true })
  const typed = fold(query)
  const nearness = (row: AnyRow) => {
    const name = fold(titleOf(resource, row))
    return name === typed ? 0 : name.startsWith(typed) ? 1 : name.includes(` ${typed}`) ? 2 : 3
  }
  return (rows as AnyRow[])
    .toSorted((a, b) => nearness(a) - nearness(b))
    .slice(0, mostFound)
    .map((row) => ({
      key: `${resource.name}-${row.id}`,
      label: titleOf(resource, row),
      hint: hintOf(row, query, hints, balance),
      href: cardPath(resource, row.id) ?? resource.screens.list,
    }))
}

function hintOf(row: AnyRow, query: string, hints: readonly string[], balance: string | undefined): string {
  const owed = balance === undefined ? null : (row[balance] as number | null | undefined)
  if (owed) return `₪${formatMoney(owed)}`
  const said = hints.map((name) => String(row[name] ?? '')).filter(Boolean)
  const phone = phoneAsked(query)
  return (phone && said.find((one) => phoneAsked(one) === phone)) || said[0] || ''
}
