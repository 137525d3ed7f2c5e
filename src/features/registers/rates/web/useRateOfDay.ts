import { useEffect, useEffectEvent, useRef } from 'react'
import { daysBetween } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { call, useCall } from '#kit/web/calls/call.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { ratesOfDay, type Rate } from '../endpoints.ts'

export interface Asked {
  currency: string
  /** The document's. */
  day: string
  /** The content of the field. */
  rate: string | null
  onRate: (rate: string) => void
}

/**
 * Puts the rate of the day into an empty field, and a new one in place of what it put there when the day
 * changes; what a person wrote stays. Answers the sentence under the field.
 */
export function useRateOfDay({ currency, day, rate, onRate }: Asked): string | undefined {
  const t = useWords()
  const isForeign = currency !== 'ILS'
  const { data } = useCall(ratesOfDay, { currency, day }, { enabled: isForeign })
  const found: Rate | undefined = isForeign ? data?.rows[0] : undefined
  const put = useRef<string | null>(null)
  const fill = useEffectEvent((next: string) => {
    if ((rate && rate !== put.current) || rate === next) return
    put.current = next
    onRate(next)
  })
  useEffect(() => {
    if (found) fill(found.rate)
  }, [found])
  if (!isForeign || !data) return undefined
  if (!found) return t('rates.none')
  return rate === found.rate
    ? t('rates.asOf', { day: formatDay(found.day) })
    : `${t('rates.asOf', { day: formatDay(found.day) })}: ${found.rate}`
}

/** A rate of an earlier day is taken without a question over a weekend with a holiday, and no longer. */
const oldAfterDays = 4

/** The day of a document's rate, where it is the published one and too old to be taken without a question. */
export async function oldRateDay({
  currency,
  date,
  rate,
}: {
  currency: string
  date: string
  rate: string | null
}): Promise<string | undefined> {
  if (currency === 'ILS') return undefined
  try {
    const { rows } = await call(ratesOfDay, { currency, day: date })
    const found = rows[0]
    return found && found.rate === rate && daysBetween(found.day, date) > oldAfterDays ? found.day : undefined
  } catch {
    // Issuing itself says that there is no network.
    return undefined
  }
}
