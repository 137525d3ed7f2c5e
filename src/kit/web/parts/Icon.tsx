import type { LucideIcon } from 'lucide-react'

export interface IconProps {
  /** The picture itself: `import { Plus } from 'lucide-react'`, one by one, never the set. */
  of: LucideIcon
  /** s 14 beside small text, m 16, l 20 in the header, xl 32 on an empty screen. */
  size?: 's' | 'm' | 'l' | 'xl'
  /**
   * Turns round in right-to-left: arrows, sideways chevrons, send, undo, panel, lists. Never ticks, clocks,
   * search, phone, plus.
   */
  m?: boolean
  /** Only for a picture without a word; otherwise it is hidden from screen readers. */
  label?: string
  className?: string
}

export function Icon({ of: Picture, size = 'm', m, label, className }: IconProps) {
  return (
    <Picture
      className={className ? `k-i ${className}` : 'k-i'}
      data-size={size}
      data-m={m ? '' : undefined}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    />
  )
}
