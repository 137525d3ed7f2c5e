import type { ReactNode, RefObject } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Popover } from 'react-aria-components/Popover'

export interface ModalPartProps {
  isOpen: boolean
  onClose: () => void
  isDismissable: boolean
  role?: 'dialog' | 'alertdialog'
  /** Names the dialog; without it `label` does. */
  title?: ReactNode
  label?: string
  /** Beside the title: the closing ×. */
  head?: ReactNode
  size?: 'm' | 'l'
  sheet?: 'start' | 'end'
  children: ReactNode
}

/** What a Dialog, a SideSheet and a Drawer show. */
export function ModalPart({
  isOpen,
  onClose,
  isDismissable,
  role,
  title,
  label,
  head,
  size,
  sheet,
  children,
}: ModalPartProps) {
  return (
    <ModalOverlay
      className="k-scrim"
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={isDismissable}
    >
      <Modal className="k-modal" data-size={size} data-sheet={sheet}>
        <Dialog className="k-dialog" role={role} aria-label={label}>
          {title !== undefined && (
            <header>
              <Heading slot="title" level={2}>
                {title}
              </Heading>
              {head}
            </header>
          )}
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

export interface PopoverPartProps {
  isOpen: boolean
  onClose: () => void
  anchor: RefObject<Element | null>
  label: string
  placement: 'bottom start' | 'bottom end' | 'top start' | 'top end'
  children: ReactNode
}

/**
 * What a Popover shows. The popover itself is the dialog: a Dialog inside it would leave its dismiss buttons
 * outside.
 */
export function PopoverPart({ isOpen, onClose, anchor, label, placement, children }: PopoverPartProps) {
  return (
    <Popover
      className="k-pop k-pop-body"
      triggerRef={anchor}
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      placement={placement}
      offset={4}
      aria-label={label}
    >
      {children}
    </Popover>
  )
}
