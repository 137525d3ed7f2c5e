import { X, type LucideIcon } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { useWords } from '../words/words.tsx'
import { Icon } from './Icon.tsx'

/**
 * done: paid, closed, active. late: past its day. wait: partly, due soon. info: the system is on it. draft:
 * not yet real. plain: a fact.
 */
export type StatusTone = 'plain' | 'done' | 'info' | 'wait' | 'late' | 'draft'

/** The state of a record in one word. Red means a debt past its day, nothing else. */
export function StatusPill({
  tone = 'plain',
  dot = true,
  children,
}: {
  tone?: StatusTone
  dot?: boolean
  children: ReactNode
}) {
  return (
    <span className="k-st" data-tone={tone} data-plain={dot ? undefined : ''}>
      {children}
    </span>
  )
}

/** How many, in a small round. */
export function Count({ tone, children }: { tone?: 'late' | 'wait'; children: ReactNode }) {
  return (
    <span className="k-count" data-tone={tone}>
      {children}
    </span>
  )
}

export interface ChipProps {
  icon?: LucideIcon
  /** A set filter or a chosen option. */
  on?: boolean
  /** "+ note": adds something when pressed; no border. */
  add?: boolean
  onPress?: () => void
  /** Shows a × with this name; the chip becomes two buttons. */
  onRemove?: () => void
  removeLabel?: string
  /** It opens something: set by Menu. */
  expanded?: boolean
  hasPopup?: 'menu' | 'dialog'
  ref?: Ref<HTMLButtonElement>
  children: ReactNode
}

/** A small round button: a filter, a rare part of a form that adds itself. */
export function Chip({
  icon,
  on,
  add,
  onPress,
  onRemove,
  removeLabel,
  expanded,
  hasPopup,
  ref,
  children,
}: ChipProps) {
  const t = useWords()
  const inside = (
    <>
      {icon && <Icon of={icon} size="s" />}
      {children}
    </>
  )
  if (onRemove)
    return (
      <span className="k-chipset">
        <AriaButton
          ref={ref}
          onPress={onPress}
          {...(hasPopup ? { 'aria-haspopup': hasPopup, 'aria-expanded': expanded ?? false } : {})}
        >
          {inside}
        </AriaButton>
        <button type="button" onClick={onRemove} aria-label={removeLabel ?? t('kit.actions.remove')}>
          <Icon of={X} size="s" />
        </button>
      </span>
    )
  return (
    <AriaButton
      className="k-chip"
      data-on={on ? '' : undefined}
      data-add={add ? '' : undefined}
      ref={ref}
      {...(on === undefined || hasPopup ? {} : { 'aria-pressed': on })}
      {...(hasPopup ? { 'aria-haspopup': hasPopup, 'aria-expanded': expanded ?? false } : {})}
      onPress={onPress}
    >
      {inside}
    </AriaButton>
  )
}
