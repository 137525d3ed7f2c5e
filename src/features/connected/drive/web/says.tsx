import { keyOf, queryClient } from '#kit/web/calls/call.ts'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { listCopies, listTargets, type Target } from '../endpoints.ts'

export const refresh = () =>
  Promise.all([listTargets, listCopies].map((one) => queryClient.invalidateQueries({ queryKey: keyOf(one) })))

const tones: Record<Target['state'], StatusTone> = {
  on: 'done',
  off: 'plain',
  revoked: 'wait',
  full: 'wait',
  paused: 'wait',
}

/** Turned off by a person, or paused. */
export const isStopped = ({ state }: Pick<Target, 'state'>): boolean => state === 'off' || state === 'paused'

export function TargetState({ of: { state } }: { of: Pick<Target, 'state'> }) {
  const t = useWords()
  return <StatusPill tone={tones[state]}>{t(`drive.state.${state}`)}</StatusPill>
}
