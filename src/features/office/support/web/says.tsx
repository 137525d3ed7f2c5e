import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import type { TicketRow, TicketState } from '../endpoints.ts'

const tones: Record<TicketState, StatusTone> = {
  new: 'info',
  open: 'info',
  waiting: 'wait',
  solved: 'done',
  closed: 'plain',
}

/** Whose turn it is, in a word; for the desk the same state says the other side. */
export function TicketStatus({
  of: { state },
  desk = false,
}: {
  of: Pick<TicketRow, 'state'>
  desk?: boolean
}) {
  const t = useWords()
  return (
    <StatusPill tone={tones[state]}>
      {t(desk ? `support.deskState.${state}` : `support.state.${state}`)}
    </StatusPill>
  )
}

export function Severity({ of: { severity } }: { of: Pick<TicketRow, 'severity'> }) {
  const t = useWords()
  return severity === 'high' || severity === 'blocking' ? (
    <StatusPill tone="wait" dot={false}>
      {t(`support.severity.${severity}`)}
    </StatusPill>
  ) : (
    <span className="hint">{t(`support.severity.${severity}`)}</span>
  )
}
