import { useState } from 'react'
import { hasRightCheckDigit } from '#domain/barcode.ts'
import { call, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { Combo } from '#kit/web/fields/Combo.tsx'
import { fieldViews } from '#kit/web/fields/fieldViews.tsx'
import { PriceField, QuantityField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { matches } from '#kit/web/parts/matches.ts'
import type { DressedInputProps } from '#kit/web/screens/dress.ts'
import { callsOf, resourceNamed } from '#kit/web/screens/resources.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { unitsInUse } from '../endpoints.ts'
import { incomeKinds, type IncomeKind } from '../incomeKinds.ts'
import { units } from '../units.ts'

/** A common unit, or a custom one: the list only suggests. */
export function UnitInput({ values: _, put: __, value, onChange, ...props }: DressedInputProps) {
  const t = useWords()
  const { data } = useCall(unitsInUse, {}, { staleTime: 5 * 60_000 })
  const [query, setQuery] = useState('')
  const known = [...new Set([...(data?.rows ?? []), ...units.map((unit) => t(`items.units.${unit}`))])]
  const fitting = known.filter((unit) => query.trim() === '' || matches(unit, query))
  return (
    <Combo
      {...props}
      clearable
      value={typeof value === 'string' && value !== '' ? { key: value, label: value } : null}
      onChange={(option) => onChange(option?.key ?? null)}
      options={fitting.map((unit) => ({ key: unit, label: unit }))}
      onQuery={setQuery}
      onCreate={(text) => onChange(text.slice(0, 20))}
      newLabel={(text) => t('items.ownUnit', { text })}
    />
  )
}

/** A mistyped barcode is reported at once by its check digit; the business's own codes are accepted as they are. */
export function BarcodeInput({
  values: _,
  put: __,
  value,
  onChange,
  choices: ___,
  search: ____,
  refName: _____,
  ...props
}: DressedInputProps) {
  const t = useWords()
  const code = String(value ?? '')
  const isWrong = hasRightCheckDigit(code.trim()) === false
  return (
    <TextField
      {...props}
      ltr
      inputMode="text"
      value={code}
      onChange={(text) => onChange(text.replace(/\s/g, ''))}
      {...(isWrong ? { hint: t('items.wrongCheckDigit'), tone: 'wait' as const } : {})}
    />
  )
}

export const useIncomeKinds = (enabled = true): readonly IncomeKind[] =>
  (useCall(callsOf(incomeKinds).list, { size: 200 }, { staleTime: 60_000, enabled }).data?.rows ??
    []) as unknown as IncomeKind[]

/** A kind of income brings its way of VAT with it. */
export function IncomeKindInput({ values, put, value, onChange: _, ...props }: DressedInputProps) {
  const kinds = useIncomeKinds()
  return (
    <ChoiceField
      {...props}
      as="list"
      clearable
      value={(value as string | null) ?? null}
      onChange={(id) => {
        const vatKind = kinds.find((kind) => kind.id === id)?.vatKind
        put({ incomeKindId: id, ...(vatKind && !values.parentId ? { vatKind } : {}) })
      }}
      choices={kinds.map((kind) => ({
        value: kind.id,
        label: kind.name,
        hint: [kind.code, kind.accountIdName].filter(Boolean).join(' · '),
      }))}
    />
  )
}

/** Accounts of income only. */
export function IncomeAccountInput({
  values: _,
  put: __,
  value,
  onChange,
  refName,
  ...props
}: DressedInputProps) {
  const accounts = resourceNamed('accounts')
  const [name, setName] = useState<string>()
  const id = value as string | null
  return (
    <RefField
      {...props}
      clearable={props.optional ?? false}
      value={id ? { key: id, label: name ?? refName ?? id } : null}
      onChange={(option) => {
        setName(option?.label)
        onChange(option?.key ?? null)
      }}
      search={async (query, signal) => {
        if (!accounts) return []
        const { rows } = await call(
          callsOf(accounts).list,
          { size: 20, kind: 'income', q: query || undefined },
          { signal },
        )
        return rows.map((row) => ({ key: row.id, label: String(row.name), hint: String(row.number) }))
      }}
    />
  )
}

/** Asked only of what is kept in stock. */
export function MinimumInput({
  values,
  put: _,
  value,
  onChange,
  choices: __,
  search: ___,
  refName: ____,
  ...props
}: DressedInputProps) {
  if (values.isStocked !== true) return null
  return (
    <QuantityField
      {...props}
      value={(value as string | null) ?? null}
      onChange={onChange}
      unit={values.unit as string | null}
    />
  )
}

/** Of what is kept in stock alone. */
export const ofStock = (kind: 'choice' | 'ref' | 'quantity') =>
  function OfStockInput({ values, put: _, ...props }: DressedInputProps) {
    const { Input } = fieldViews[kind]
    return values.isStocked === true ? <Input {...props} /> : null
  }

/** Price and cost stand in the item's currency. */
export function PriceInput({
  values,
  put: _,
  value,
  onChange,
  choices: __,
  search: ___,
  refName: ____,
  ...props
}: DressedInputProps) {
  return (
    <PriceField
      {...props}
      value={(value as string | null) ?? null}
      onChange={onChange}
      currency={String(values.currency ?? 'ILS')}
    />
  )
}

/** A variant has its parent's currency and VAT. */
export const ofParent = (kind: 'choice' | 'currency') =>
  function OfParentInput({ values, put: _, ...props }: DressedInputProps) {
    const t = useWords()
    const { Input } = fieldViews[kind]
    return <Input {...props} {...(values.parentId ? { disabled: true, hint: t('items.asParent') } : {})} />
  }
