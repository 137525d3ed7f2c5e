import type { ClosingState } from '#domain/closing/closing.ts'
import type { StatusTone } from '#kit/web/parts/Status.tsx'
import type { Words } from '#kit/web/words/words.tsx'
import type { ClientFacts } from '../endpoints.ts'

export const tones: Record<ClosingState, StatusTone> = {
  untouched: 'late',
  waiting: 'wait',
  work: 'plain',
  review: 'info',
  filed: 'done',
  paid: 'done',
}

/** 'three days', or how many it is late. */
export const daysWords = (t: Words, left: number): string =>
  t(left < 0 ? 'practice.lateBy' : 'practice.daysLeft', { count: Math.abs(left) })

/** What a line says of itself: its own title, or the words of a question of the books. */
export const lineWords = (t: Words, { line, title, count }: ClientFacts['lines'][number]): string =>
  title ?? t(`practice.line.${line}`, { count })
