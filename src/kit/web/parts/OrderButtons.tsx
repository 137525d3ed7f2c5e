import { ArrowDown, ArrowUp } from 'lucide-react'
import { useWords } from '../words/words.tsx'
import { Button } from './Button.tsx'

/**
 * A line of an ordered list goes up or down; `up` and `down` say which line it is, where it does not say so
 * itself.
 */
export function OrderButtons({
  at,
  count,
  up,
  down,
  onMove,
}: {
  at: number
  count: number
  up?: string
  down?: string
  /** The place the line goes to. */
  onMove: (to: number) => void
}) {
  const t = useWords()
  return (
    <>
      <Button
        kind="quiet"
        size="s"
        icon={ArrowUp}
        label={up ?? t('kit.board.up')}
        isDisabled={at === 0}
        onPress={() => onMove(at - 1)}
      />
      <Button
        kind="quiet"
        size="s"
        icon={ArrowDown}
        label={down ?? t('kit.board.down')}
        isDisabled={at === count - 1}
        onPress={() => onMove(at + 1)}
      />
    </>
  )
}

/** The list with two of its lines in each other's places. */
export function swapped<T>(list: readonly T[], one: number, other: number): T[] {
  const next = [...list]
  ;[next[one], next[other]] = [next[other]!, next[one]!]
  return next
}
