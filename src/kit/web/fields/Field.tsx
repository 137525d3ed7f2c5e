/* oxlint-disable jsx-a11y/no-static-element-interactions -- a press on a field's padding goes to its input */
import { CircleAlert } from 'lucide-react'
import { useId, type ReactNode, type Ref } from 'react'
import { useWords } from '../words/words.tsx'
import { Icon } from '../parts/Icon.tsx'

/** What every input of the kit takes. A form library binds value, onChange, onBlur, name and inputRef. */
export interface FieldProps<T> {
  label: string
  value: T
  onChange: (value: T) => void
  /**
   * The sentence of what is wrong and what to do; the form decides when (on blur and on submit, never at the
   * first letter).
   */
  error?: string
  hint?: ReactNode
  /** Marks it "(optional)"; required is the norm and is not marked. */
  optional?: boolean
  /** The label is read aloud but not shown: filters, cells of a ledger of lines. */
  hideLabel?: boolean
  /** Inside a ledger of lines: no border until touched. */
  bare?: boolean
  disabled?: boolean
  readOnly?: boolean
  autoFocus?: boolean
  name?: string
  id?: string
  placeholder?: string
  onBlur?: () => void
  onFocus?: () => void
  onKeyDown?: (event: React.KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) => void
  inputRef?: Ref<HTMLInputElement>
}

export type FieldLooks = Pick<
  FieldProps<unknown>,
  'label' | 'error' | 'hint' | 'optional' | 'hideLabel' | 'bare' | 'id'
>

/** The message under a field: an error with its icon, else the hint. */
export function FieldMessage({
  id,
  error,
  hint,
  tone,
}: {
  id?: string
  error?: string
  hint?: ReactNode
  tone?: 'done' | 'wait'
}) {
  if (!error && !hint) return null
  return (
    <span id={id} className="k-msg" data-tone={error ? 'late' : tone}>
      {error && <Icon of={CircleAlert} size="s" />}
      <span>{error ?? hint}</span>
    </span>
  )
}

/** Ids and aria attributes that tie label, control and message together. */
export function useFieldIds(props: FieldLooks & { message?: ReactNode }) {
  const made = useId()
  const id = props.id ?? made
  const says = Boolean(props.error || (props.message ?? props.hint))
  return {
    id,
    messageId: `${id}-m`,
    control: {
      id,
      'aria-invalid': props.error ? (true as const) : undefined,
      'aria-describedby': says ? `${id}-m` : undefined,
      'aria-label': props.hideLabel ? props.label : undefined,
    },
  }
}

export interface FieldShellProps extends FieldLooks {
  ids: ReturnType<typeof useFieldIds>
  tone?: 'done' | 'wait'
  /** A set of buttons has a legend instead of a label. */
  group?: boolean
  children: ReactNode
}

/** Label above, control, message below. */
export function FieldShell({
  label,
  error,
  hint,
  optional,
  hideLabel,
  bare,
  ids,
  tone,
  group,
  children,
}: FieldShellProps) {
  const t = useWords()
  const words = (
    <>
      {label}
      {optional && <span className="opt">{t('kit.fields.optional')}</span>}
    </>
  )
  return (
    <div className="k-field" data-bare={bare ? '' : undefined}>
      {!hideLabel &&
        (group ? (
          <span className="k-label" id={`${ids.id}-l`}>
            {words}
          </span>
        ) : (
          <label className="k-label" htmlFor={ids.id}>
            {words}
          </label>
        ))}
      {children}
      <FieldMessage id={ids.messageId} error={error} hint={hint} tone={tone} />
    </div>
  )
}

/** The box round an input. A press on its padding goes to the input. */
export function InputBox({
  error,
  bare,
  children,
  boxRef,
}: {
  error?: string
  bare?: boolean
  children: ReactNode
  boxRef?: Ref<HTMLDivElement>
}) {
  return (
    <div
      ref={boxRef}
      className="k-in"
      data-error={error ? '' : undefined}
      data-bare={bare ? '' : undefined}
      onMouseDown={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        event.currentTarget.querySelector<HTMLElement>('input, textarea')?.focus()
      }}
    >
      {children}
    </div>
  )
}
