import { CircleAlert, CircleCheck, CircleX, Info, X, type LucideIcon } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { useWords } from '../words/words.tsx'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'

export type Tone = 'info' | 'done' | 'wait' | 'late'
const pictures: Record<Tone, LucideIcon> = { info: Info, done: CircleCheck, wait: CircleAlert, late: CircleX }

export interface NoteProps {
  /** info: the system tells you something; wait: look at this; late: it blocks; done. */
  tone?: Tone
  icon?: LucideIcon
  /** One action: a quiet Button or a link. */
  action?: ReactNode
  children: ReactNode
}

/** A word beside the thing it is about: before issue, under totals, above a form. It stays. */
export function Note({ tone = 'info', icon, action, children }: NoteProps) {
  return (
    <div className="k-note" data-tone={tone} role={tone === 'late' ? 'alert' : 'note'}>
      <Icon of={icon ?? pictures[tone]} />
      <div className="grow">{children}</div>
      {action}
    </div>
  )
}

export interface BannerProps {
  tone?: 'done' | 'late' | 'wait' | 'info'
  /** One sentence, at most about 90 characters. */
  children: ReactNode
  action?: ReactNode
  /**
   * A success disappears after so many seconds; without it the banner stays until it is closed. The clock pauses
   * under the pointer.
   */
  seconds?: number
  onClose?: () => void
}

/**
 * What just happened, at the top of the content. Errors stay until closed or fixed; success leaves after the
 * caller's time or a click.
 */
export function Banner({ tone = 'done', children, action, seconds, onClose }: BannerProps) {
  const t = useWords()
  const rests = useRef(false)
  useEffect(() => {
    if (!seconds || !onClose) return
    let left = seconds * 4
    const timer = setInterval(() => {
      if (!rests.current && --left <= 0) onClose()
    }, 250)
    return () => clearInterval(timer)
  }, [seconds, onClose])
  return (
    <div
      className="k-banner"
      data-tone={tone}
      role={tone === 'late' ? 'alert' : 'status'}
      onPointerEnter={() => void (rests.current = true)}
      onPointerLeave={() => void (rests.current = false)}
    >
      <Icon of={pictures[tone]} />
      <div className="grow">{children}</div>
      {action}
      {onClose && <Button kind="quiet" size="s" icon={X} label={t('kit.actions.close')} onPress={onClose} />}
    </div>
  )
}
