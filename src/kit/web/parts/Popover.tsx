import { useContext, type ReactElement, type ReactNode } from 'react'
import { DialogTrigger, OverlayTriggerStateContext } from 'react-aria-components/Dialog'
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
      {/* The popover itself is the dialog: a Dialog inside it would leave its dismiss buttons outside. */}
      <AriaPopover className="k-pop k-pop-body" placement={placement} offset={4} aria-label={label}>
        <Inside of={children} />
      </AriaPopover>
    </DialogTrigger>
  )
}

function Inside({ of: children }: { of: PopoverProps['children'] }) {
  const state = useContext(OverlayTriggerStateContext)
  return typeof children === 'function' ? children(() => state?.close()) : children
}
