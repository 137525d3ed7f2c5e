import { formatDay } from '#domain/format.ts'
import type { Words } from '../words/words.tsx'
import { ChoiceField } from './ChoiceField.tsx'
import { DayField } from './DayField.tsx'
import { FlagField } from './FlagField.tsx'
import { QuantityField } from './NumberFields.tsx'
import { TextField } from './TextField.tsx'

export type InventedValue = string | number | boolean | null

/** A field somebody invented, as far as its input needs to know it. */
export interface InventedField {
  name: string
  kind: string
  needed: boolean | null
  choices?: readonly string[] | null | undefined
}

interface OneProps {
  field: InventedField
  value: InventedValue
  onChange: (value: InventedValue) => void
}

/** The input of a field that a business invented, whatever it is of. */
export function InventedInput({ field, value, onChange }: OneProps) {
  const shared = { label: field.name, optional: !field.needed }
  switch (field.kind) {
    case 'flag':
      return <FlagField label={field.name} value={value === true} onChange={onChange} />
    case 'day':
      return <DayField {...shared} value={typeof value === 'string' ? value : null} onChange={onChange} />
    case 'number':
      return (
        <QuantityField
          {...shared}
          value={value === null ? null : String(value)}
          onChange={(text) => onChange(text === null ? null : Number(text))}
        />
      )
    case 'choice':
      return (
        <ChoiceField
          {...shared}
          as="list"
          clearable={!field.needed}
          value={typeof value === 'string' ? value : null}
          onChange={onChange}
          choices={(field.choices ?? []).map((one) => ({ value: one, label: one }))}
        />
      )
    default:
      return <TextField {...shared} value={String(value ?? '')} onChange={onChange} max={2000} />
  }
}

/** A value of an own field as people read it. */
export const inventedText = (t: Words, field: Pick<InventedField, 'kind'>, value: InventedValue): string =>
  field.kind === 'flag'
    ? t(value ? 'kit.flag.yes' : 'kit.flag.no')
    : field.kind === 'day' && typeof value === 'string'
      ? formatDay(value)
      : String(value ?? '')
