import { X } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { useWords } from '../words.tsx'
import { Button } from './Button.tsx'

export interface SelectionBarProps {
  count: number
  /** Sum and balance of what is chosen. */
  sums?: readonly { label: string; value: ReactNode }[]
  /** Up to four quiet Buttons; the commonest carries `hi`. */
  children?: ReactNode
  onClear: () => void
}

/** Under a list while something is chosen. It takes its own room, so the last row is never under it. Escape in the list clears. */
export function SelectionBar({ count, sums = [], children, onClear }: SelectionBarProps) {
  const t = useWords()
  const acts = useRef<HTMLSpanElement>(null)
  if (count === 0) return null
  return (
    <div className="k-barwrap">
      <div className="k-bar" role="region" aria-label={t('kit.table.selected', { count })}>
        <b role="status">{t('kit.table.selected', { count })}</b>
        {sums.length > 0 && (
          <>
            <span className="vr" />
            <span className="sums">
              {sums.map((sum) => (
                <span key={sum.label}>
                  <span className="k">{sum.label}</span> {sum.value}
                </span>
              ))}
            </span>
          </>
        )}
        <span className="vr" />
        <span className="acts" ref={acts}>
          {children}
        </span>
        <Button kind="quiet" icon={X} size="s" label={t('kit.table.clearSelection')} onPress={onClear} />
      </div>
    </div>
  )
}
