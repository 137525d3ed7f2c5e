import { cloneElement, useRef, useState, type ReactElement, type ReactNode, type Ref } from 'react'
import { LazyPopover } from './LazyOverlay.tsx'

/** What a Button or a Chip takes to be the trigger of a popover. */
interface Trigger {
  ref?: Ref<HTMLButtonElement>
  onPress?: () => void
  expanded?: boolean
  hasPopup?: 'dialog'
}

export interface PopoverProps {
  /** A Button or a Chip of the kit. */
  trigger: ReactElement<Trigger>
  label: string
  placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end'
  /** For a popover that something else opens and closes. */
  isOpen?: boolean
  onOpenChange?: (open: boolean) => void
  /** May be a function that is given the way to close it. */
  children: ReactNode | ((close: () => void) => ReactNode)
}

/**
 * A small place for a few controls beside their button: a filter, the columns of a table. Focus goes in and
 * comes back.
 */
export function Popover({
  trigger,
  label,
  placement = 'bottom start',
  isOpen,
  onOpenChange,
  children,
}: PopoverProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  const open = isOpen ?? opened
  const put = (next: boolean) => {
    setOpened(next)
    onOpenChange?.(next)
  }
  const close = () => put(false)
  return (
    <>
      {cloneElement(trigger, { ref: button, onPress: () => put(true), expanded: open, hasPopup: 'dialog' })}
      <LazyPopover isOpen={open} onClose={close} anchor={button} label={label} placement={placement}>
        {typeof children === 'function' ? children(close) : children}
      </LazyPopover>
    </>
  )
}
