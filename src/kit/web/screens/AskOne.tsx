import type { Field } from '#kit/fields/field.ts'
import type { ViewKind } from '../fields/cellViews.tsx'
import { fieldViews } from '../fields/fieldViews.tsx'
import { useWords } from '../words/words.tsx'
import { resourceNamed, searchIn } from './resources.ts'

/** The control of one optional filter: one value, as the report's call takes it. */
export function AskOne({
  field,
  label,
  words,
  value,
  name,
  put,
  close,
}: {
  field: Field
  label: string
  words: string
  value: string | undefined
  name: string | undefined
  put: (next: unknown) => void
  close: () => void
}) {
  const t = useWords()
  const { Input } = fieldViews[field.kind as ViewKind]
  const target = field.kind === 'ref' ? resourceNamed(field.to) : undefined
  const read =
    value === undefined
      ? null
      : field.kind === 'flag'
        ? value === 'true'
        : field.kind === 'number' || field.kind === 'money'
          ? Number(value)
          : value
  return (
    <Input
      label={label}
      value={read}
      autoFocus
      optional={false}
      {...(name ? { refName: name } : {})}
      {...(target ? { search: searchIn(target) } : {})}
      {...(field.of
        ? { choices: field.of.map((one) => ({ value: one, label: t(`${field.words ?? words}.${one}`) })) }
        : {})}
      onChange={(next) => {
        put(next)
        if (['ref', 'choice', 'flag', 'currency'].includes(field.kind)) close()
      }}
    />
  )
}
