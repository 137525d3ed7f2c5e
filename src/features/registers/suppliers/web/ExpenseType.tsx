import { useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import type { DressedInputProps } from '#kit/web/screens/dress.ts'
import { callsOf, resourceNamed, titleOf, type AnyResource } from '#kit/web/screens/resources.ts'
import { suppliers, type Supplier } from '../suppliers.ts'

/**
 * The kinds of expense there are, by their names in the language of the screen; few, so they are asked for at
 * once.
 */
function useTypes(): { id: string; name: string }[] {
  const types = resourceNamed('expensetypes')
  const { data } = useCall(
    callsOf(types ?? (suppliers as AnyResource)).list,
    { size: 200 },
    { enabled: types !== undefined, staleTime: 60_000 },
  )
  return types ? (data?.rows ?? []).map((row) => ({ id: row.id, name: titleOf(types, row) })) : []
}

/** The usual kind of the supplier's bills. */
export function ExpenseTypeInput({ values: _, put: __, value, onChange, ...props }: DressedInputProps) {
  const choices = useTypes().map(({ id, name }) => ({ value: id, label: name }))
  return (
    <ChoiceField
      {...props}
      as="list"
      clearable
      value={typeof value === 'string' ? value : null}
      onChange={onChange}
      choices={choices}
    />
  )
}

export function ExpenseTypeCell({ value }: { row: Supplier; value: string | null }) {
  const name = useTypes().find(({ id }) => id === value)?.name
  return name ? <bdi>{name}</bdi> : null
}
