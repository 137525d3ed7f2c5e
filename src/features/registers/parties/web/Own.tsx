import { formatDay } from '#domain/format.ts'
import { useCall } from '#kit/web/call.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { QuantityField } from '#kit/web/fields/NumberFields.tsx'
import { TagsField } from '#kit/web/fields/TagsField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FieldMessage } from '#kit/web/fields/Field.tsx'
import type { DressedInputProps } from '#kit/web/screens/dress.ts'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useWords, type Words } from '#kit/web/words.tsx'
import { listTags } from '../endpoints.ts'
import { customerFields, type CustomerField } from '../sorts.ts'
import './parties.css'

type Values = Record<string, string | number | boolean | null>

/** The fields this business invented for its customers, in their order. */
export const useOwnFields = (): readonly CustomerField[] =>
  (useCall(callsOf(customerFields).list, { size: 200, sort: 'position' }, { staleTime: 60_000 }).data?.rows ??
    []) as unknown as CustomerField[]

/** The inputs of a business's own fields; all of them are one value of the form. */
export function OwnInput({ value, onChange, error }: DressedInputProps) {
  const fields = useOwnFields()
  const values = (value ?? {}) as Values
  if (fields.length === 0) return null
  const put = (id: string, next: Values[string]) => onChange({ ...values, [id]: next === '' ? null : next })
  return (
    <div className="pa-own" role="group">
      {fields.map((field) => (
        <OneInput key={field.id} field={field} value={values[field.id] ?? null} onChange={(next) => put(field.id, next)} />
      ))}
      {error && <FieldMessage error={error} />}
    </div>
  )
}

/** A field somebody invented, as far as its input needs to know it. */
export type InventedField = Pick<CustomerField, 'name' | 'kind' | 'needed' | 'choices'>

interface OneProps {
  field: InventedField
  value: Values[string]
  onChange: (value: Values[string]) => void
}

/** The input of a field that a business invented, whatever it is of. */
export function OneInput({ field, value, onChange }: OneProps) {
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
export const ownText = (t: Words, field: Pick<CustomerField, 'kind'>, value: Values[string]): string =>
  field.kind === 'flag'
    ? t(value ? 'kit.flag.yes' : 'kit.flag.no')
    : field.kind === 'day' && typeof value === 'string'
      ? formatDay(value)
      : String(value ?? '')

export function OwnCell({ value }: { value: Values | null }) {
  const t = useWords()
  const fields = useOwnFields().filter(({ id }) => value?.[id] !== undefined && value[id] !== null)
  if (fields.length === 0) return null
  return <TextCell value={fields.map((field) => `${field.name}: ${ownText(t, field, value![field.id] ?? null)}`).join(' · ')} />
}

export function TagsInput({ values: _, put: __, value, onChange, ...props }: DressedInputProps) {
  const known = useCall(listTags, {}, { staleTime: 60_000 }).data?.rows.map(({ tag }) => tag) ?? []
  return <TagsField {...props} value={(value as readonly string[] | null) ?? []} onChange={onChange} known={known} />
}
