import { daysLate } from '#domain/documents/due.ts'
import { dayInJerusalem } from '#domain/day.ts'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { useWords, type Words } from '#kit/web/words/words.tsx'

export interface StateFacts {
  state: string
  openAgorot: number | null
  totalAgorot: number | null
  dueDay: string | null
  /** As the list says it. */
  paid?: string | null
  /** The day its money moves, while that is to come. */
  movesOn?: string | null
}

/** One word and its colour: red only for what should have been paid by now. */
export function stateOf(
  t: Words,
  expense: StateFacts,
  today = dayInJerusalem(new Date()),
): { tone: StatusTone; word: string } {
  const { state, openAgorot: open } = expense
  const word = t(`expenses.state.${state}`)
  if (state === 'draft' || state === 'cancelled') return { tone: 'draft', word }
  if (state === 'waiting') return { tone: 'wait', word }
  if (state === 'rejected') return { tone: 'late', word }
  if (open === null) return { tone: 'plain', word }
  if (open === 0 && (expense.paid === 'onTheWay' || expense.movesOn))
    return { tone: 'wait', word: t('expenses.paid.onTheWay') }
  if (open === 0) return { tone: 'done', word: t('expenses.paid.paid') }
  const late = expense.dueDay && open > 0 ? daysLate(expense.dueDay, today) : 0
  if (late > 0) return { tone: 'late', word: t('documents.state.late', { days: late }) }
  return open === expense.totalAgorot
    ? { tone: 'plain', word: t('expenses.paid.open') }
    : { tone: 'wait', word: t('expenses.paid.partly') }
}

export function ExpenseState({ of }: { of: StateFacts }) {
  const t = useWords()
  const { tone, word } = stateOf(t, of)
  return <StatusPill tone={tone}>{word}</StatusPill>
}
