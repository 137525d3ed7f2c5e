import { useContext } from 'react'
import { PlainCells } from '#kit/web/parts/plainCells.ts'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import type { chargeStates, linkStates } from '../paymentLinks.ts'

const linkTones: Record<(typeof linkStates)[number], StatusTone> = {
  open: 'info',
  paid: 'done',
  expired: 'wait',
  cancelled: 'draft',
}
const chargeTones: Record<(typeof chargeStates)[number], StatusTone> = {
  begun: 'info',
  declined: 'wait',
  unknown: 'wait',
  held: 'info',
  released: 'draft',
  saved: 'plain',
  needsPerson: 'late',
  paid: 'done',
  givenBack: 'plain',
  disputed: 'late',
  surplus: 'plain',
  lapsed: 'draft',
}

export function LinkState({ state }: { state: (typeof linkStates)[number] }) {
  const t = useWords()
  const word = t(`paymentLinks.state.${state}`)
  return useContext(PlainCells) ? (
    <span>{word}</span>
  ) : (
    <StatusPill tone={linkTones[state]}>{word}</StatusPill>
  )
}

export function ChargeState({ state }: { state: (typeof chargeStates)[number] }) {
  const t = useWords()
  const word = t(`cardCharges.state.${state}`)
  return useContext(PlainCells) ? (
    <span>{word}</span>
  ) : (
    <StatusPill tone={chargeTones[state]}>{word}</StatusPill>
  )
}
