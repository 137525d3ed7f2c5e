import type { LucideIcon } from 'lucide-react'
import type { HTMLInputAutoCompleteAttribute, ReactNode, Ref } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { FieldShell, InputBox, useFieldIds, type FieldProps } from './Field.tsx'

export interface TextFieldProps extends FieldProps<string> {
  icon?: LucideIcon
  /**
   * Codes, mails, phones and links read left to right in every language; they stand at the right in
   * right-to-left pages.
   */
  ltr?: boolean
  type?: 'text' | 'email' | 'tel' | 'url' | 'search' | 'password'
  inputMode?: 'text' | 'email' | 'tel' | 'url' | 'numeric' | 'decimal'
  autoComplete?: HTMLInputAutoCompleteAttribute
  max?: number
  /** At the inline end inside the box: a unit, a button, a mark. */
  end?: ReactNode
  tone?: 'done' | 'wait'
}

/** One line of text. Free text takes its direction from its first strong letter. */
export function TextField({ inputRef, ...props }: TextFieldProps) {
  const { value, onChange, ltr, type = 'text', end, icon, max } = props
  const ids = useFieldIds(props)
  return (
    <FieldShell {...props} ids={ids}>
      <InputBox error={props.error} bare={props.bare}>
        {icon && <Icon of={icon} />}
        <input
          {...ids.control}
          ref={inputRef}
          type={type}
          dir={ltr ? 'ltr' : 'auto'}
          className={ltr ? 'num' : 'free'}
          name={props.name}
          value={value}
          maxLength={max}
          inputMode={props.inputMode}
          autoComplete={props.autoComplete ?? 'off'}
          autoFocus={props.autoFocus}
          disabled={props.disabled}
          readOnly={props.readOnly}
          placeholder={props.placeholder}
          onChange={(event) => onChange(event.target.value)}
          onBlur={props.onBlur}
          onFocus={props.onFocus}
          onKeyDown={props.onKeyDown}
        />
        {end}
      </InputBox>
    </FieldShell>
  )
}

export interface LongTextProps extends Omit<FieldProps<string>, 'inputRef'> {
  rows?: number
  max?: number
  inputRef?: Ref<HTMLTextAreaElement>
}

/** Several lines; grows with what is written. */
export function LongText({ inputRef, ...props }: LongTextProps) {
  const ids = useFieldIds(props)
  return (
    <FieldShell {...props} ids={ids}>
      <InputBox error={props.error} bare={props.bare}>
        <textarea
          {...ids.control}
          ref={inputRef}
          dir="auto"
          className="free"
          name={props.name}
          rows={props.rows ?? 3}
          value={props.value}
          maxLength={props.max}
          autoFocus={props.autoFocus}
          disabled={props.disabled}
          readOnly={props.readOnly}
          placeholder={props.placeholder}
          onChange={(event) => props.onChange(event.target.value)}
          onBlur={props.onBlur}
          onFocus={props.onFocus}
          onKeyDown={props.onKeyDown}
        />
      </InputBox>
    </FieldShell>
  )
}
