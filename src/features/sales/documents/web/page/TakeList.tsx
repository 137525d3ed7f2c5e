import type { ReactNode } from 'react'
import { Button } from '#kit/web/parts/Button.tsx'
import { useWords } from '#kit/web/words/words.tsx'

interface TakeListProps {
  label: string
  /** What is written in the fields at the end of each row. */
  head: string
  /** Fills all of them with what is left. */
  onAll?: (() => void) | undefined
  children: ReactNode
}

/** Rows with a quantity to take of each: the meaning of the figures is above them, and one press takes all. */
export function TakeList({ label, head, onAll, children }: TakeListProps) {
  const t = useWords()
  return (
    <div className="doc-take" role="group" aria-label={label}>
      <div className="head">
        <span className="grow">{label}</span>
        {onAll && (
          <Button kind="quiet" size="s" onPress={onAll}>
            {t('documents.make.all')}
          </Button>
        )}
        <span>{head}</span>
      </div>
      {children}
    </div>
  )
}
