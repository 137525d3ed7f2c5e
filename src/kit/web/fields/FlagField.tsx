import { useId, type ReactNode, type Ref } from 'react'
import { FieldMessage } from './Field.tsx'

export interface FlagFieldProps {
  label: ReactNode
  value: boolean
  onChange: (value: boolean) => void
  /** A switch takes effect at once (settings); a tick waits for the form's save. */
  as?: 'tick' | 'switch'
  error?: string
  hint?: ReactNode
  disabled?: boolean
  name?: string
  id?: string
  onBlur?: () => void
  inputRef?: Ref<HTMLInputElement>
  hideLabel?: boolean
}

/** Yes or no. The whole line is the target. */
export function FlagField({
  label,
  value,
  onChange,
  as = 'tick',
  error,
  hint,
  disabled,
  name,
  id,
  onBlur,
  inputRef,
  hideLabel,
}: FlagFieldProps) {
  const made = useId()
  const control = id ?? made
  return (
    <div className="k-field">
      <label className="k-tick">
        <input
          ref={inputRef}
          id={control}
          type="checkbox"
          role={as === 'switch' ? 'switch' : undefined}
          className={as === 'switch' ? 'k-switch' : 'k-box'}
          name={name}
          checked={value}
          disabled={disabled}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || hint ? `${control}-m` : undefined}
          onChange={(event) => onChange(event.target.checked)}
          onBlur={onBlur}
        />
        <span className={hideLabel ? 'vh' : 'text'}>{label}</span>
      </label>
      <FieldMessage id={`${control}-m`} error={error} hint={hint} />
    </div>
  )
}
