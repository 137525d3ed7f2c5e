import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { useWords } from '../words/words.tsx'

export interface MoreFieldsProps {
  /** What is inside, where the name "More fields" does not say enough. */
  label?: string
  /** Open from the start: something inside is filled in. */
  open?: boolean
  children: ReactNode
}

/** Fields that few people fill in, folded away; a refused field inside opens them. */
export function MoreFields({ label, open = false, children }: MoreFieldsProps) {
  const t = useWords()
  const fold = useRef<HTMLDetailsElement>(null)
  // Before the form puts the cursor in the refused field.
  useLayoutEffect(() => {
    if (fold.current?.querySelector('[aria-invalid="true"]')) fold.current.open = true
  })
  return (
    <details ref={fold} className="k-more" open={open}>
      <summary>{label ?? t('kit.forms.moreFields')}</summary>
      <div className="k-more-in">{children}</div>
    </details>
  )
}
