import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useWords } from '../words/words.tsx'
import { Button } from '../parts/Button.tsx'
import { FieldShell, InputBox, useFieldIds, type FieldProps } from './Field.tsx'

export interface PasswordFieldProps extends FieldProps<string> {
  /** A new password shows its strength and is offered to the password keeper as new. */
  isNew?: boolean
}

/** 0 empty, 1 weak to 4 strong. Length counts most: a long sentence of small letters is a good password. */
export function passwordStrength(password: string): 0 | 1 | 2 | 3 | 4 {
  if (password === '') return 0
  const kinds = [/\p{Ll}|\p{Lo}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) =>
    kind.test(password),
  ).length
  const different = new Set(password).size
  if (password.length < 8 || different < 4) return 1
  const points = Math.floor(password.length / 4) + kinds - (different < password.length / 2 ? 2 : 0)
  return points >= 7 ? 4 : points >= 5 ? 3 : 2
}

/** A password, shown on demand. */
export function PasswordField({ isNew, inputRef, ...props }: PasswordFieldProps) {
  const t = useWords()
  const [shown, setShown] = useState(false)
  const level = passwordStrength(props.value)
  const strength = isNew && level > 0 ? t(`kit.password.strength${level}`) : undefined
  const hint = strength ?? props.hint
  const ids = useFieldIds({ ...props, hint })
  return (
    <FieldShell {...props} hint={hint} ids={ids}>
      <InputBox error={props.error} bare={props.bare}>
        <input
          {...ids.control}
          ref={inputRef}
          type={shown ? 'text' : 'password'}
          dir="ltr"
          name={props.name}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          autoCapitalize="none"
          spellCheck={false}
          value={props.value}
          autoFocus={props.autoFocus}
          disabled={props.disabled}
          placeholder={props.placeholder}
          onChange={(event) => props.onChange(event.target.value)}
          onBlur={props.onBlur}
          onKeyDown={props.onKeyDown}
        />
        <Button
          kind="quiet"
          size="s"
          icon={shown ? EyeOff : Eye}
          label={t(shown ? 'kit.password.hide' : 'kit.password.show')}
          onPress={() => setShown(!shown)}
        />
      </InputBox>
      {isNew && (
        <span className="k-meter" data-level={level} aria-hidden>
          <i />
          <i />
          <i />
          <i />
        </span>
      )}
    </FieldShell>
  )
}
