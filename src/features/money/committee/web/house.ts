import { callsOf } from '#kit/web/screens/resources.ts'
import { queryClient, useCall } from '#kit/web/calls/call.ts'
import { usePlace } from '#kit/web/routes/place.ts'
import type { Words } from '#kit/web/words/words.tsx'
import { buildings } from '../committee.ts'

/** What was paid or decided changes grid, levies and reports alike. */
export const refreshHouse = (): Promise<void> => queryClient.invalidateQueries()

/** The house the address names, or the first of the business. */
export function useHouse(): {
  house: { id: string; name: string } | undefined
  houses: { id: string; name: string }[] | undefined
  error: unknown
} {
  const { query } = usePlace()
  const { data, error } = useCall(callsOf(buildings).list, { size: 100 })
  const houses = data?.rows.map((row) => ({ id: row.id, name: String(row.name) }))
  return { houses, house: houses?.find(({ id }) => id === query.house) ?? houses?.[0], error }
}

/** What became of letters to tenants, in one sentence each. */
export const lettersSaid = (
  t: Words,
  {
    sent,
    recently = 0,
    withoutMail,
    copies = 0,
  }: { sent: number; recently?: number; withoutMail: number; copies?: number },
): string =>
  [
    t('committee.remind.sent', { count: sent }),
    recently ? t('committee.remind.recently', { count: recently }) : '',
    withoutMail ? t('committee.remind.withoutMail', { count: withoutMail }) : '',
    copies ? t('committee.remind.copies', { count: copies }) : '',
  ]
    .filter(Boolean)
    .join(' ')

/** A month as a head of a column: 'Jan'. */
export const monthHead = (month: string, lang: string): string =>
  new Intl.DateTimeFormat(lang, { month: 'short', timeZone: 'UTC' }).format(new Date(`${month}T00:00:00Z`))
