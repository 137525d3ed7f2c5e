import { useState, type ReactNode } from 'react'
import { LongText, TextField } from '../fields/TextField.tsx'
import { FormDialog, type FormDialogProps } from './FormDialog.tsx'

interface ReasonDialogProps extends Omit<FormDialogProps, 'names' | 'onSubmit' | 'children' | 'other'> {
  /** The label of the reason. */
  label: string
  hint?: string
  optional?: boolean
  /** Characters. */
  max?: number
  /** A field of one line, where Enter confirms. */
  oneLine?: boolean
  /** What to know before confirming. */
  children?: ReactNode
  /** Does it; the dialog stays while it is refused, and a refusal of `reason` is shown at the field. */
  onReason: (reason: string) => Promise<unknown>
}

/** Asks for the reason of one action. */
export function ReasonDialog({
  label,
  hint,
  optional,
  max = 300,
  oneLine,
  children,
  onReason,
  ...dialog
}: ReasonDialogProps) {
  const [reason, setReason] = useState('')
  const Field = oneLine ? TextField : LongText
  return (
    <FormDialog {...dialog} names={['reason']} onSubmit={() => onReason(reason)}>
      {(error) => (
        <>
          {children}
          <Field
            autoFocus
            label={label}
            name="reason"
            {...(hint ? { hint } : {})}
            {...(optional ? { optional } : {})}
            value={reason}
            onChange={setReason}
            max={max}
            {...error('reason', reason)}
          />
        </>
      )}
    </FormDialog>
  )
}
