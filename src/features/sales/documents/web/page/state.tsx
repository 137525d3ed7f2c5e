import { daysLate } from '#domain/documents/due.ts'
import { dayInJerusalem } from '#domain/day.ts'
import { statusFacts } from '#domain/documents/facts.ts'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { useWords, type Words } from '#kit/web/words/words.tsx'

/** What a document's state derives from, in a list and on its page. */
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
  const is = statusFacts(status)
  const word = t(`documents.status.${status}`)
  if (is.isDraft || is.isCancelled) return { tone: 'draft', word }
  if (is.isClosed) return { tone: 'done', word }
  const late = document.dueDay && (document.openAgorot ?? 0) > 0 ? daysLate(document.dueDay, today) : 0
  if (late > 0) return { tone: 'late', word: t('documents.state.late', { days: late }) }
  if (document.allocationState === 'refused')
    return { tone: 'wait', word: t('documents.allocationState.refused') }
  if (document.allocationState === 'waiting' || document.allocationState === 'away')
    return { tone: 'info', word: t('documents.state.waiting') }
  if (is.isPartlyClosed) return { tone: 'wait', word }
  if (document.viewedAt) return { tone: 'plain', word: t('documents.state.viewed') }
  if (document.sentAt) return { tone: 'plain', word: t('documents.state.sent') }
  return { tone: 'plain', word }
}

export function DocumentState({ of }: { of: StateFacts }) {
  const t = useWords()
  const { tone, word } = stateOf(t, of)
  return <StatusPill tone={tone}>{word}</StatusPill>
}
