import { Archive, X, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.tsx'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'

export interface ProgressRowProps {
  title: string
  icon?: LucideIcon
  /** Unknown totals march instead of filling. */
  done?: number
  total?: number
  /** In place of the count: "ready", "stopped: …". */
  note?: ReactNode
  failed?: boolean
  onStop?: () => void
  /** When it is ready: download, open. */
  action?: ReactNode
}

/** Long work in the bell's list: it goes on when the page is left. */
export function ProgressRow({
  title,
  icon = Archive,
  done,
  total,
  note,
  failed,
  onStop,
  action,
}: ProgressRowProps) {
  const t = useWords()
  const known = done !== undefined && total !== undefined && total > 0
  const share = known ? Math.round((done / total) * 100) : undefined
  return (
    <div className="k-progress">
      <span className="k-tile" data-tone={failed ? 'late' : 'info'}>
        <Icon of={icon} />
      </span>
      <span className="grow">
        <span className="top">
          <span className="cut" dir="auto">
            {title}
          </span>
          <span className="hint text-12 whitespace-nowrap">
            {note ?? (known && t('kit.progress.of', { done, total }))}
          </span>
        </span>
        <span
          className="k-track"
          data-failed={failed ? '' : undefined}
          role="progressbar"
          aria-label={t('kit.progress.label', { title })}
          aria-valuenow={share}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <i style={share === undefined ? undefined : { inlineSize: `${share}%` }} />
        </span>
      </span>
      {action}
      {onStop && (
        <Button kind="quiet" icon={X} size="s" label={t('kit.progress.stop', { title })} onPress={onStop} />
      )}
    </div>
  )
}
