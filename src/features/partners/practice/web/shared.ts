import type { ClosingState } from '#domain/closing/closing.ts'
import type { StatusTone } from '#kit/web/parts/Status.tsx'
import type { Language, Words } from '#kit/web/words.tsx'
import type { ClientFacts } from '../endpoints.ts'

export const tones: Record<ClosingState, StatusTone> = {
  untouched: 'late',
  waiting: 'wait',
  work: 'plain',
  review: 'info',
  filed: 'done',
  paid: 'done',
}

/** '2026-10' as a month is called. */
export const monthWords = (month: string, lang: Language): string =>
  new Intl.DateTimeFormat(lang === 'ar' ? 'ar-IL-u-nu-latn' : lang, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T12:00:00Z`),
  )

/** What a line says of itself: its own title, or the words of a question of the books. */
export const lineWords = (t: Words, { line, title, count }: ClientFacts['lines'][number]): string =>
  title ?? t(`practice.line.${line}`, { count })

/** The months before and after one. */
export function beside(month: string, by: 1 | -1): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  const at = year * 12 + (number - 1) + by
  return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`
}
