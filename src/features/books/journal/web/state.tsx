import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import type { BatchHead } from '../endpoints.ts'

export const batchesPath = '/invoice/manotlist'
export const entriesPath = '/invoice/entries'

const tones = { open: 'draft', checked: 'info', posted: 'done', dropped: 'plain' } as const

export function BatchState({ state }: { state: BatchHead['state'] }) {
  const t = useWords()
  return <StatusPill tone={tones[state]}>{t(`journal.state.${state}`)}</StatusPill>
}
