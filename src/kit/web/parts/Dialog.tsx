import { X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useWords } from '../words/words.tsx'
import { Button } from './Button.tsx'
import { LazyModal } from './LazyOverlay.tsx'

export interface DialogProps {
  isOpen: boolean
  onClose: () => void
  title: ReactNode
  /** The buttons: the safe one first in the code, the action last. */
  actions?: ReactNode
  size?: 'm' | 'l'
  /** alertdialog for questions; Escape still closes, a click outside does not. */
  role?: 'dialog' | 'alertdialog'
  /** A form inside: its text is ink, not secondary. */
  form?: boolean
  children?: ReactNode
}

/**
 * A short question or a short form. Long editing is a page or a SideSheet. On a phone it rises from below.
 */
export function Dialog({
  isOpen,
  onClose,
  title,
  actions,
  size,
  role = 'dialog',
  form,
  children,
}: DialogProps) {
  const t = useWords()
  return (
    <LazyModal
      isOpen={isOpen}
      onClose={onClose}
      isDismissable={role === 'dialog' && !form}
      role={role}
      size={size}
      title={title}
      head={
        role === 'dialog' && (
          <Button kind="quiet" icon={X} size="s" label={t('kit.actions.close')} onPress={onClose} />
        )
      }
    >
      <div className={form ? 'k-dialog-body form' : 'k-dialog-body'}>{children}</div>
      {actions && <footer>{actions}</footer>}
    </LazyModal>
  )
}

export interface QuestionProps {
  isOpen: boolean
  onClose: () => void
  /** The title is the question. */
  title: ReactNode
  /** What will follow, with the sum. */
  children?: ReactNode
  /** The verb of the action: "Cancel and issue a credit", never "OK". */
  verb: string
  /** The safe way out; "back" by default. Never the same word as the action. */
  safe?: string
  danger?: boolean
  /**
   * A promise keeps the button busy and closes the question when it is kept; when it is broken the question
   * stays.
   */
  onConfirm: () => void | Promise<unknown>
}

/** Asked only about what cannot be undone. Focus starts on the safe button. */
export function Question({ isOpen, onClose, title, children, verb, safe, danger, onConfirm }: QuestionProps) {
  const t = useWords()
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      role="alertdialog"
      title={title}
      actions={
        <>
          <Button kind="quiet" autoFocus onPress={onClose}>
            {safe ?? t('kit.actions.back')}
          </Button>
          <Button
            kind={danger ? 'danger' : 'primary'}
            busy={busy}
            onPress={() => void confirm().catch(() => undefined)}
          >
            {verb}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}

export interface SheetProps extends Omit<DialogProps, 'role' | 'form'> {
  /** Escape and a click outside ask first, so that typing is not lost. */
  dirty?: boolean
}

/** Longer editing without leaving the page; slides in from the inline end, full width on a phone. */
export function SideSheet({ isOpen, onClose, title, actions, size, dirty, children }: SheetProps) {
  const t = useWords()
  const [asks, setAsks] = useState(false)
  const leave = () => (dirty ? setAsks(true) : onClose())
  return (
    <LazyModal
      isOpen={isOpen}
      onClose={leave}
      isDismissable
      sheet="end"
      size={size}
      title={title}
      head={<Button kind="quiet" icon={X} size="s" label={t('kit.actions.close')} onPress={leave} />}
    >
      <div className="k-dialog-body">{children}</div>
      {actions && <footer>{actions}</footer>}
      <Question
        isOpen={asks}
        onClose={() => setAsks(false)}
        title={t('kit.sheet.leave')}
        verb={t('kit.sheet.discard')}
        safe={t('kit.sheet.stay')}
        danger
        onConfirm={onClose}
      >
        {t('kit.sheet.leaveText')}
      </Question>
    </LazyModal>
  )
}

export interface DrawerProps {
  isOpen: boolean
  onClose: () => void
  label: string
  children: ReactNode
}

/** The panel of the frame over the page, from the inline start. */
export function Drawer({ isOpen, onClose, label, children }: DrawerProps) {
  return (
    <LazyModal isOpen={isOpen} onClose={onClose} isDismissable sheet="start" label={label}>
      <div className="k-dialog-body">{children}</div>
    </LazyModal>
  )
}
