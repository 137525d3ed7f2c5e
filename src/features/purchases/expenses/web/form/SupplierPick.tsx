import { call } from '#kit/web/calls/call.ts'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { supplierNames } from '../../endpoints.ts'
import type { Form } from './model.ts'

export interface SupplierPickProps {
  value: Form['supplier']
  onChange: (supplier: Form['supplier']) => void
  error?: string | undefined
  taxIdError?: string | undefined
  autoFocus?: boolean
  /** Short: the number of a new supplier is left for later. */
  brief?: boolean
}

/** Who wrote the bill, those of last time first; a new one is made when the expense is kept. */
export function SupplierPick({ value, onChange, error, taxIdError, autoFocus, brief }: SupplierPickProps) {
  const t = useWords()
  const isNew = value !== null && value.id === null
  return (
    <>
      <RefField
        label={t('expenses.fields.supplierId')}
        name="supplierId"
        value={
          value && {
            key: value.id ?? 'new',
            label: value.name,
            ...(isNew ? { hint: t('expenses.form.newSupplier') } : {}),
          }
        }
        onChange={(option) =>
          onChange(
            option && {
              id: option.key,
              name: option.label,
              taxId: typeof option.hint === 'string' ? option.hint : '',
            },
          )
        }
        onCreate={(name) => onChange({ id: null, name: name.trim(), taxId: '' })}
        newLabel={(name) => t('expenses.form.makeSupplier', { name })}
        clearable
        {...(error ? { error } : {})}
        {...(autoFocus ? { autoFocus } : {})}
        search={async (query, signal) =>
          (await call(supplierNames, { q: query }, { signal, quiet: true })).rows.map((row) => ({
            key: row.id,
            label: row.name,
            ...(row.taxId ? { hint: row.taxId } : {}),
          }))
        }
      />
      {isNew && !brief && (
        <TextField
          label={t('expenses.form.supplierTaxId')}
          name="taxId"
          ltr
          inputMode="numeric"
          optional
          max={12}
          value={value.taxId}
          onChange={(taxId) => onChange({ ...value, taxId })}
          {...(taxIdError ? { error: taxIdError } : {})}
        />
      )}
    </>
  )
}
