import { useContext } from 'react'
import { queryClient } from '#kit/web/calls/call.ts'
import { Num } from '#kit/web/parts/Num.tsx'
import { PlainCells } from '#kit/web/parts/plainCells.ts'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { brandWord } from '#features/base/companies/means.ts'
import type { ShownState } from '../savedCards.ts'

const tones: Record<ShownState, StatusTone> = {
  active: 'done',
  expiring: 'wait',
  expired: 'late',
  askAgain: 'wait',
  replaced: 'draft',
  removed: 'draft',
}

export function CardState({ of }: { of: ShownState }) {
  const t = useWords()
  const word = t(`savedCards.state.${of}`)
  return useContext(PlainCells) ? <span>{word}</span> : <StatusPill tone={tones[of]}>{word}</StatusPill>
}

/** '12/40' of '2040-12'. */
export const monthYear = (expiry: string): string => `${expiry.slice(5, 7)}/${expiry.slice(2, 4)}`

/** An account that does not end: PayPal's. */
export const endless = (expiry: string): boolean => expiry.startsWith('2099')

/** Visa ending in 4242. */
export function CardName({ brand, last4 }: { brand: string; last4: string }) {
  const t = useWords()
  return (
    <span>
      <bdi>{brandWord(brand, t)}</bdi> {last4 && <Num>{last4}</Num>}
    </span>
  )
}

export const refreshCards = (): Promise<unknown> =>
  Promise.all(
    ['savedCards.list', 'savedCards.get', 'cardCharges.list', 'documents.list', 'payments.list'].map((name) =>
      queryClient.invalidateQueries({ queryKey: [name] }),
    ),
  )
