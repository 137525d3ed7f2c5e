import { Flag, Workflow } from 'lucide-react'
import { useCall } from '#kit/web/calls/call.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { dress, type DressedInputProps } from '#kit/web/screens/dress.ts'
import { openingBalances } from '../endpoints.ts'
import { journalLines, movementKinds, openingCustomers, openingSuppliers } from '../journal.ts'

dress(movementKinds, { icon: Workflow, density: 'dense', columns: { code: { width: 'fit' } } })
dress(journalLines, { icon: Workflow, density: 'dense' })

/** Shekels, whatever the currency of its row. */
const Shekels = ({ value }: { value: number | null }) => <MoneyCell value={value} />

/**
 * Asked where VAT is reported as it is paid, of a sum in shekels; what was typed stays in sight wherever it
 * is refused.
 */
function VatInput({
  values,
  put: _,
  value,
  onChange,
  choices: __,
  search: ___,
  refName: ____,
  ...props
}: DressedInputProps) {
  const { data } = useCall(openingBalances, {})
  if (!value && !props.error && (!data?.vatWhenPaid || values.currency !== 'ILS')) return null
  return <MoneyField {...props} value={(value as number | null) || null} onChange={onChange} />
}

/** Asked beside the VAT it belongs to. */
function AllocationInput({
  values,
  put: _,
  value,
  onChange,
  choices: __,
  search: ___,
  refName: ____,
  ...props
}: DressedInputProps) {
  if (!value && !props.error && !values.vatAgorot) return null
  return <TextField {...props} ltr inputMode="numeric" value={String(value ?? '')} onChange={onChange} />
}

for (const register of [openingCustomers, openingSuppliers])
  dress(register, {
    icon: Flag,
    density: 'dense',
    cells: { ilsAgorot: Shekels },
    inputs: { vatAgorot: VatInput, allocationNumber: AllocationInput },
    columns: {
      partyId: { strong: true, phone: 'title' },
      number: { width: 'fit', strong: false, phone: 'line' },
      day: { phone: 'line' },
      amountAgorot: { phone: 'amount' },
      currency: { width: 'fit' },
    },
  })
