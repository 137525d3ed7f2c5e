import { useMemo } from 'react'
import { monthsIn } from '#domain/budget/budget.ts'
import { useLanguage } from '#kit/web/words/words.tsx'

/** The months of a year as they are called, short for heads and whole for names. */
export function useMonths(): { short: readonly string[]; long: readonly string[] } {
  const { lang } = useLanguage()
  return useMemo(() => {
    const named = (month: 'short' | 'long') => {
      const words = new Intl.DateTimeFormat(lang, { month, timeZone: 'UTC' })
      return monthsIn(2026).map((day) => words.format(new Date(`${day}T12:00:00Z`)))
    }
    return { short: named('short'), long: named('long') }
  }, [lang])
}
