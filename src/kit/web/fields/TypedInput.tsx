import { useImperativeHandle } from 'react'
import type { FieldProps, useFieldIds } from './Field.tsx'
import type { Typed } from './useTyped.ts'

interface TypedInputProps {
  /** The field it is in. */
  of: Omit<FieldProps<never>, 'value' | 'onChange'>
  typed: Typed<never>
  control: ReturnType<typeof useFieldIds>['control']
  /** A sum or a figure: units stand under units. */
  isFigure?: boolean
  inputMode?: 'decimal' | 'numeric' | 'text'
  placeholder?: string
  onKeyDown?: FieldProps<never>['onKeyDown']
}

/**
 * The box of a value behind a text (`useTyped`): a day, a period, a figure; left to right in both directions.
 * Coming to it marks all of it.
 */
export function TypedInput({
  of: { inputRef, ...of },
  typed: { box, ...typed },
  control,
  isFigure,
  inputMode,
  placeholder,
  onKeyDown,
}: TypedInputProps) {
  useImperativeHandle(inputRef, () => box.current!, [box])
  return (
    <input
      {...control}
      ref={box}
      type="text"
      dir="ltr"
      className={isFigure ? 'num amount' : 'num'}
      inputMode={inputMode}
      autoComplete="off"
      name={of.name}
      value={typed.text}
      autoFocus={of.autoFocus}
      disabled={of.disabled}
      readOnly={of.readOnly}
      placeholder={of.placeholder ?? placeholder}
      onChange={(event) => typed.onText(event.target.value)}
      onFocus={(event) => {
        typed.onFocus()
        event.target.select()
        of.onFocus?.()
      }}
      onBlur={() => {
        typed.onBlur()
        of.onBlur?.()
      }}
      onKeyDown={onKeyDown ?? of.onKeyDown}
    />
  )
}
