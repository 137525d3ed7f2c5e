import { daysLate } from '#domain/documents/due.ts'
import { dayInJerusalem } from '#domain/day.ts'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { useWords, type Words } from '#kit/web/words.tsx'

/** What a document's state is told from, in a list and on its own page. */
export interface StateFacts {
  status: string
  openAgorot: number | null
  dueDay: string | null
  allocationState: string
  sentAt: string | null
  viewedAt: string | null
}

/** One word and its colour: red only for a debt past its day. */
export function stateOf(
  t: Words,
  document: StateFacts,
  today = dayInJerusalem(new Date()),
): { tone: StatusTone; word: string } {
  const { status } = document
  if (status === 'draft') return { tone: 'draft', word: t('documents.status.draft') }
  if (status === 'cancelled') return { tone: 'draft', word: t('documents.status.cancelled') }
  if (status === 'closed') return { tone: 'done', word: t('documents.status.closed') }
  const late = document.dueDay && (document.openAgorot ?? 0) > 0 ? daysLate(document.dueDay, today) : 0
  if (late > 0) return { tone: 'late', word: t('documents.state.late', { days: late }) }
  if (document.allocationState === 'refused')
    return { tone: 'wait', word: t('documents.allocationState.refused') }
  if (document.allocationState === 'waiting' || document.allocationState === 'away')
    return { tone: 'info', word: t('documents.state.waiting') }
  if (status === 'partlyClosed') return { tone: 'wait', word: t('documents.status.partlyClosed') }
  if (document.viewedAt) return { tone: 'plain', word: t('documents.state.viewed') }
  if (document.sentAt) return { tone: 'plain', word: t('documents.state.sent') }
  return { tone: 'plain', word: t('documents.status.issued') }
}

export function DocumentState({ of }: { of: StateFacts }) {
  const t = useWords()
  const { tone, word } = stateOf(t, of)
  return <StatusPill tone={tone}>{word}</StatusPill>
}
