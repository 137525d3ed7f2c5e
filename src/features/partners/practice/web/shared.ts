import type { ClosingState } from '#domain/closing/closing.ts'
import type { StatusTone } from '#kit/web/parts/Status.tsx'
import type { Words } from '#kit/web/words.tsx'
import type { ClientFacts } from '../endpoints.ts'

export const tones: Record<ClosingState, StatusTone> = {
  untouched: 'late',
  waiting: 'wait',
  work: 'plain',
  review: 'info',
  filed: 'done',
  paid: 'done',
}

/** What a line says of itself: its own title, or the words of a question of the books. */
export const lineWords = (t: Words, { line, title, count }: ClientFacts['lines'][number]): string =>
  title ?? t(`practice.line.${line}`, { count })
