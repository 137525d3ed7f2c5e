import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import type { DressedInputProps } from '#kit/web/screens/dress.ts'
import { useWords, type Words } from '#kit/web/words/words.tsx'

/**
 * What businesses here agree on: at once, so many days from the document, or the end of its month and so many
 * days (שוטף).
 */
const common = [
  'now',
  'net:7',
  'net:14',
  'net:30',
  'net:60',
  'eom:0',
  'eom:15',
  'eom:30',
  'eom:45',
  'eom:60',
  'eom:90',
]

/** 'eom:30' in words. */
export function dueTermsText(terms: string, t: Words): string {
  const [kind = '', days] = terms.split(':')
  return kind === 'now' ? t('documents.terms.now') : t(`documents.terms.${kind}`, { days: Number(days ?? 0) })
}

/** Chosen from the common ones; terms that came from elsewhere stay in the list. */
export function DueTermsInput({ values: _, put: __, value, onChange, ...props }: DressedInputProps) {
  const t = useWords()
  const now = typeof value === 'string' && value !== '' ? value : null
  const offered = now && !common.includes(now) ? [...common, now] : common
  return (
    <ChoiceField
      {...props}
      value={now}
      onChange={onChange}
      clearable
      choices={offered.map((terms) => ({ value: terms, label: dueTermsText(terms, t) }))}
    />
  )
}

export function DueTermsCell({ value }: { value: string | null }) {
  const t = useWords()
  return value ? <>{dueTermsText(value, t)}</> : null
}
