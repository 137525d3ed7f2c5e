import type { LucideIcon } from 'lucide-react'
import { useCallback, useEffect, useId, useRef, type ReactNode } from 'react'
import { useWords } from '../words/words.tsx'
import { Note } from './Banner.tsx'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { firstIn, useAction } from './useAction.ts'
import { useDeedKeys } from './useKeys.ts'

export interface FormDialogProps {
  title: ReactNode
  /** Without one there is nothing to do but to look. */
  verb?: string | undefined
  danger?: boolean
  icon?: LucideIcon
  /** The icon points along the line and mirrors in right-to-left. */
  m?: boolean
  /** Something is still to be chosen, and the form shows what. */
  isDisabled?: boolean
  /** The fields that show their refusals; any other refusal is above them. */
  names: readonly string[]
  onClose: () => void
  /** Does it, and closes the dialog or leads away; when it is refused the dialog stays. */
  onSubmit: () => Promise<unknown>
  /** Another way out of it than filling it in, beside the action; its refusals are where those of the action are. */
  other?: { label: string; onPress: () => Promise<unknown> }
  /** The fields; reads the refusal of each, which is shown as long as the field has the refused value. */
  children: (error: (name: string, value: unknown) => { error?: string }) => ReactNode
}

/**
 * A short form over the page: the cursor begins in its first field and goes to what was refused. One action, its
 * refusals where they belong, busy while it lasts.
 */
export function FormDialog({
  title,
  verb,
  danger,
  icon,
  m,
  isDisabled,
  names,
  onClose,
  onSubmit,
  other,
  children,
}: FormDialogProps) {
  const t = useWords()
  const form = useId()
  const takesOther = useRef(false)
  const {
    busy,
    rest,
    error,
    run,
    place: formRef,
  } = useAction(names, () => (takesOther.current && other ? other.onPress() : onSubmit()))
  const begin = useCallback(
    (there: HTMLFormElement | null) => {
      formRef.current = there
      // A field that wants the cursor itself has it by now.
      if (there && !there.contains(document.activeElement)) firstIn(there)?.focus({ preventScroll: true })
    },
    [formRef],
  )
  // Fields that came later, with an answer: the cursor has waited on the dialog itself.
  useEffect(() => {
    const there = formRef.current
    if (there && document.activeElement?.matches('[role="dialog"]') && document.activeElement.contains(there))
      firstIn(there)?.focus({ preventScroll: true })
  })
  const inside = children(error)
  // In a long text Enter is a new line.
  useDeedKeys(formRef, verb && !isDisabled ? () => formRef.current?.requestSubmit() : undefined)
  return (
    <Dialog
      isOpen
      form
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          {other && (
            <Button
              isDisabled={busy}
              onPress={() => {
                takesOther.current = true
                formRef.current?.requestSubmit()
                takesOther.current = false
              }}
            >
              {other.label}
            </Button>
          )}
          {verb && (
            <Button
              kind={danger ? 'danger' : 'primary'}
              type="submit"
              form={form}
              icon={icon}
              m={m}
              busy={busy}
              isDisabled={isDisabled}
            >
              {verb}
            </Button>
          )}
        </>
      }
    >
      <form ref={begin} id={form} className="grid gap-4" noValidate onSubmit={run}>
        {rest && <Note tone="late">{rest}</Note>}
        {inside}
      </form>
    </Dialog>
  )
}
