import { useContext } from 'react'
import { queryClient } from '#kit/web/calls/call.ts'
import { PlainCells } from '#kit/web/parts/plainCells.ts'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { useWords, wordIfAny } from '#kit/web/words/words.tsx'
import type { DealState, depositStates } from '../settlements.ts'

const tones: Record<DealState, StatusTone> = {
  matched: 'done',
  unknown: 'late',
  missing: 'late',
  sum: 'late',
  currency: 'late',
  takenBack: 'late',
  explained: 'plain',
}

function Said({ word, tone }: { word: string; tone: StatusTone }) {
  return useContext(PlainCells) ? <span>{word}</span> : <StatusPill tone={tone}>{word}</StatusPill>
}
export function DealStatus({ of }: { of: DealState }) {
  return <Said word={useWords()(`acquirerDeals.state.${of}`)} tone={tones[of]} />
}
export function DepositStatus({ of }: { of: (typeof depositStates)[number] }) {
  return <Said word={useWords()(`acquirerDeposits.state.${of}`)} tone={of === 'booked' ? 'done' : 'wait'} />
}

/** The business's own name of a terminal, or the acquirer's. */
export function TerminalName({ value }: { value: string }) {
  return <bdi>{wordIfAny(useWords(), `cardCharges.acquirer.${value}`) ?? value}</bdi>
}

export const refreshSettlements = (): Promise<unknown> =>
  Promise.all(
    ['acquirerDeals.list', 'acquirerDeposits.list', 'settlements.facts'].map((name) =>
      queryClient.invalidateQueries({ queryKey: [name] }),
    ),
  )
