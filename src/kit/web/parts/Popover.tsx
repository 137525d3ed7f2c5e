import type { ReactElement, ReactNode } from 'react'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Popover as AriaPopover } from 'react-aria-components/Popover'

export interface PopoverProps {
  /** A Button of the kit. */
  trigger: ReactElement
  label: string
  placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end'
  /** For a popover that something else opens and closes. */
  isOpen?: boolean
  onOpenChange?: (open: boolean) => void
  /** May be a function that is given the way to close it. */
  children: ReactNode | ((close: () => void) => ReactNode)
}

/** A small place for a few controls beside their button: a filter, the columns of a table. Focus goes in and comes back. */
export function Popover({ trigger, label, placement = 'bottom start', isOpen, onOpenChange, children }: PopoverProps) {
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={onOpenChange}>
      {trigger}
      <AriaPopover className="k-pop" placement={placement} offset={4}>
        <Dialog className="k-pop-body" aria-label={label}>
          {({ close }) => (typeof children === 'function' ? children(close) : children)}
        </Dialog>
      </AriaPopover>
    </DialogTrigger>
  )
}
