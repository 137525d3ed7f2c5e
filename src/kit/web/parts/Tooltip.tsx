import type { ReactElement, ReactNode } from 'react'
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip'
import { Kbd } from './Kbd.tsx'

export interface TooltipProps {
  /** A Button of the kit. */
  children: ReactElement
  text: ReactNode
  keys?: string
}

/** A word about an icon, on hover and on focus. Nothing is said only here: touch has no hover. */
export function Tooltip({ children, text, keys }: TooltipProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={80}>
      {children}
      <AriaTooltip className="k-tip" offset={6}>
        {text}
        {keys && <Kbd keys={keys} />}
      </AriaTooltip>
    </TooltipTrigger>
  )
}
