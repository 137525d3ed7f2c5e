import { useCall } from '#kit/web/calls/call.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { InventedInput, inventedText, type InventedValue } from '#kit/web/fields/InventedInput.tsx'
import { TagsField } from '#kit/web/fields/TagsField.tsx'
import { FieldMessage } from '#kit/web/fields/Field.tsx'
import type { DressedInputProps } from '#kit/web/screens/dress.ts'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { listTags } from '../endpoints.ts'
import { customerFields, type CustomerField } from '../classifications.ts'
import './parties.css'

type Values = Record<string, InventedValue>

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
        <InventedInput
          key={field.id}
          field={field}
          value={values[field.id] ?? null}
          onChange={(next) => put(field.id, next)}
        />
      ))}
      {error && <FieldMessage error={error} />}
    </div>
  )
}

export function OwnCell({ value }: { value: Values | null }) {
  const t = useWords()
  const fields = useOwnFields().filter(({ id }) => value?.[id] !== undefined && value[id] !== null)
  if (fields.length === 0) return null
  return (
    <TextCell
      value={fields
        .map((field) => `${field.name}: ${inventedText(t, field, value![field.id] ?? null)}`)
        .join(' · ')}
    />
  )
}

export function TagsInput({ values: _, put: __, value, onChange, ...props }: DressedInputProps) {
  const known = useCall(listTags, {}, { staleTime: 60_000 }).data?.rows.map(({ tag }) => tag) ?? []
  return (
    <TagsField
      {...props}
      value={(value as readonly string[] | null) ?? []}
      onChange={onChange}
      known={known}
    />
  )
}
