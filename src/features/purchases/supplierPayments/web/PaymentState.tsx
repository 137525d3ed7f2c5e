import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useWords } from '#kit/web/words/words.tsx'

const tones = { paid: 'done', onTheWay: 'wait', cancelled: 'draft' } as const

/** Whether a payment is valid, reversed, or its money moves on a later day. */
export function PaymentState({ state }: { state: keyof typeof tones }) {
  const t = useWords()
  return <StatusPill tone={tones[state]}>{t(`supplierpayments.state.${state}`)}</StatusPill>
}
