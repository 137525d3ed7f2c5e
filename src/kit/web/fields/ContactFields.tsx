import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { completeCheckDigit, isTaxId, normaliseTaxId } from '#domain/taxId.ts'
import { Icon } from '../parts/Icon.tsx'
import { useWords } from '../words/words.tsx'
import type { FieldProps } from './Field.tsx'
import { TextField } from './TextField.tsx'

/** Says what is wrong with a text once the person has left it, and at once again while it is being mended. */
function useLeft(value: string, check: (value: string) => string | undefined) {
  const [left, setLeft] = useState(false)
  return {
    problem: left && value.trim() !== '' ? check(value.trim()) : undefined,
    leave: () => setLeft(true),
  }
}

/**
 * The number of a dealer, company or person. On leaving it the check digit is verified, and the message says
 * what the last digit should be; a right number is marked at once. Left zeros are filled in.
 */
export function TaxIdField(props: FieldProps<string>) {
  const t = useWords()
  const { problem, leave } = useLeft(props.value, (value) => {
    if (isTaxId(value)) return undefined
    const digits = value.replace(/\D/g, '')
    return digits.length === 9 && digits !== '000000000'
      ? t('kit.errors.taxIdDigit', { digit: completeCheckDigit(digits.slice(0, 8)).slice(-1) })
      : t('kit.errors.taxIdLength')
  })
  const error = props.error ?? problem
  // A right number may still be refused: another customer has it.
  const good = !props.error && props.value.replace(/\D/g, '').length === 9 && isTaxId(props.value)
  return (
    <TextField
      {...props}
      error={error}
      ltr
      inputMode="numeric"
      max={12}
      hint={good ? t('kit.taxId.ok') : props.hint}
      tone={good ? 'done' : undefined}
      end={good ? <Icon of={CircleCheck} className="text-accent-text!" /> : undefined}
      onBlur={() => {
        leave()
        const whole = normaliseTaxId(props.value)
        if (whole && whole !== props.value && isTaxId(whole)) props.onChange(whole)
        props.onBlur?.()
      }}
    />
  )
}

/** A phone as people write it; digits, spaces, dashes, a leading plus. */
export function PhoneField(props: FieldProps<string>) {
  const t = useWords()
  const { problem, leave } = useLeft(props.value, (value) =>
    /^[+*]?[\d\s().-]{3,24}$/.test(value) ? undefined : t('kit.errors.phone'),
  )
  return (
    <TextField
      {...props}
      error={props.error ?? problem}
      ltr
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      max={25}
      onBlur={() => {
        leave()
        props.onBlur?.()
      }}
    />
  )
}

/** A mail address. */
export function EmailField(props: FieldProps<string>) {
  const t = useWords()
  const { problem, leave } = useLeft(props.value, (value) =>
    /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(value) ? undefined : t('kit.errors.email'),
  )
  return (
    <TextField
      {...props}
      error={props.error ?? problem}
      ltr
      type="email"
      inputMode="email"
      autoComplete="email"
      max={254}
      onBlur={() => {
        leave()
        if (props.value !== props.value.trim()) props.onChange(props.value.trim())
        props.onBlur?.()
      }}
    />
  )
}
