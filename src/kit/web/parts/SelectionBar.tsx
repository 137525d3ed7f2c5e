import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.tsx'
import { Button } from './Button.tsx'

export interface SelectionBarProps {
  count: number
  /** Sum and balance of what is chosen. */
  sums?: readonly { label: string; value: ReactNode }[]
  /** Up to four quiet Buttons; the commonest carries `hi`. */
  children?: ReactNode
  onClear: () => void
}

/**
 * Under a list while something is chosen. It takes its own room, so the last row is never under it. Escape in
 * the list clears. A reader hears what it comes to.
 */
export function SelectionBar({ count, sums = [], children, onClear }: SelectionBarProps) {
  const t = useWords()
  const isShown = count > 0
  // The announcement exists before anything is chosen, or a reader skips the first choice.
  return (
    <div className={isShown ? 'k-barwrap' : 'vh'} data-of-list="">
      <div
        className={isShown ? 'k-bar' : undefined}
        {...(isShown ? { role: 'region', 'aria-label': t('kit.table.selected', { count }) } : {})}
      >
        <span className="said" role="status">
          {isShown && (
            <>
              <b>{t('kit.table.selected', { count })}</b>
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
            </>
          )}
        </span>
        {isShown && (
          <>
            <span className="vr" />
            <span className="acts">{children}</span>
            <Button kind="quiet" icon={X} size="s" label={t('kit.table.clearSelection')} onPress={onClear} />
          </>
        )}
      </div>
    </div>
  )
}
