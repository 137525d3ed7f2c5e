import type { LanguageCode } from '#domain/languages.ts'
import type { Words } from '#kit/web/words/words.tsx'
import type { Plan } from '../endpoints.ts'

/** A day of the week in a language; 0 is Sunday. */
export const weekdayName = (day: number, language: LanguageCode): string =>
  // The fourth of January 1970 was a Sunday.
  new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(1970, 0, 4 + day)),
  )

/** When a plan rings, in words. */
export function whenWords(
  t: Words,
  { every, weekday, monthDay, daysBefore, hour }: Plan,
  language: LanguageCode,
): string {
  const at = `${String(hour).padStart(2, '0')}:00`
  switch (every) {
    case 'day':
      return t('reportPlans.when.day', { at })
    case 'week':
      return t('reportPlans.when.week', { day: weekdayName(weekday, language), at })
    case 'month':
      return monthDay === 31
        ? t('reportPlans.when.monthEnd', { at })
        : t('reportPlans.when.month', { day: monthDay, at })
    case 'vat':
      return t('reportPlans.when.vat', { count: daysBefore, at })
  }
}
