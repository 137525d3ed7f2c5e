import { useContext } from 'react'
import { PlainCells } from '#kit/web/parts/plainCells.ts'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import type { PaymentAnswer } from '../endpoints.ts'

const tones: Record<PaymentAnswer['state'], StatusTone> = {
  received: 'plain',
  deposited: 'done',
  bounced: 'late',
  returned: 'wait',
  cancelled: 'draft',
  paidBack: 'info',
}

/** Where the money is, in a word. */
export function PaymentState({ state }: { state: PaymentAnswer['state'] }) {
  const t = useWords()
  const isCard = useContext(PlainCells)
  const word = t(`payments.state.${state}`)
  if (isCard) return <span className={state === 'bounced' ? 'late' : undefined}>{word}</span>
  return <StatusPill tone={tones[state]}>{word}</StatusPill>
}
