import type { ComponentType } from 'react'
import type { Period } from '#domain/day.ts'
import type { LanguageCode } from '#domain/languages.ts'
import { useWords } from '../words/words.tsx'
import { cellViews, type CellProps, type FieldFacts, type Range, type ViewKind } from './cellViews.tsx'
import { ChoiceField } from './ChoiceField.tsx'
import { ColorField } from './ColorField.tsx'
import type { Option } from './Combo.tsx'
import { EmailField, PhoneField, TaxIdField } from './ContactFields.tsx'
import { DayField } from './DayField.tsx'
import type { FieldProps } from './Field.tsx'
import { FileField } from './FileField.tsx'
import { FlagField } from './FlagField.tsx'
import { MoneyField, PercentField, PriceField, QuantityField, WholeField } from './NumberFields.tsx'
import { PeriodField, PeriodPicker } from './PeriodField.tsx'
import { RefField } from './RefField.tsx'
import { CurrencyField, LanguageField, YesNo } from './SmallChoices.tsx'
import { TagsField } from './TagsField.tsx'
import { LongText, TextField } from './TextField.tsx'

type Loose = FieldProps<never> & FieldFacts
export interface InputProps extends Omit<FieldProps<unknown>, 'inputRef'>, FieldFacts {}
/** A filter's value is of its own kind: a period for days, a pair for amounts, text for text. */
export interface FilterProps extends FieldFacts {
  label: string
  value: unknown
  onChange: (value: unknown) => void
  close: () => void
}

export interface FieldView {
  Input: ComponentType<InputProps>
  Cell: ComponentType<CellProps>
  Filter?: ComponentType<FilterProps>
}

/** The props arrive untyped from a description; each kind knows its own value. One cast, here. */
const input = <P,>(Part: ComponentType<P>, empty?: unknown) =>
  function Input(props: InputProps) {
    const value =
      props.value === undefined || (props.value === null && empty !== undefined)
        ? (empty ?? null)
        : props.value
    return <Part {...(props as unknown as P & Loose)} value={value as never} />
  }

function ChoiceInput(props: InputProps) {
  return (
    <ChoiceField
      {...props}
      value={(props.value as string | null) ?? null}
      onChange={props.onChange}
      choices={props.choices ?? []}
    />
  )
}

/** The form holds the id; the name of the present one comes beside it. */
function RefInput(props: InputProps) {
  const id = props.value as string | null | undefined
  return (
    <RefField
      {...props}
      value={id ? { key: id, label: props.refName ?? id } : null}
      onChange={(option) => props.onChange(option?.key ?? null)}
      search={props.search ?? (() => Promise.resolve([]))}
      clearable={props.optional}
    />
  )
}

function FlagInput(props: InputProps) {
  return (
    <FlagField
      label={props.label}
      value={props.value === true}
      onChange={props.onChange}
      error={props.error}
      hint={props.hint}
      disabled={props.disabled}
      name={props.name}
      onBlur={props.onBlur}
    />
  )
}

function TagsInput(props: InputProps) {
  return (
    <TagsField {...props} value={(props.value as readonly string[] | null) ?? []} onChange={props.onChange} />
  )
}

const MomentInput = (props: InputProps) => (
  <TextField {...props} value={String(props.value ?? '')} onChange={props.onChange} ltr readOnly />
)

function PeriodFilter({ value, onChange, close }: FilterProps) {
  return (
    <PeriodPicker
      value={(value as Period | undefined) ?? null}
      onChange={(period) => {
        onChange(period)
        close()
      }}
    />
  )
}

const rangeFilter = <T,>(Part: ComponentType<FieldProps<T | null>>) =>
  function RangeFilter({ value, onChange }: FilterProps) {
    const t = useWords()
    const range = (value as Range<T> | undefined) ?? {}
    const put = (next: Range<T>) =>
      onChange(next.from === undefined && next.to === undefined ? undefined : next)
    return (
      <div className="grid grid-cols-2 gap-2">
        <Part
          label={t('kit.fields.from')}
          value={range.from ?? null}
          onChange={(from) => put({ ...range, from: from ?? undefined })}
          autoFocus
        />
        <Part
          label={t('kit.fields.to')}
          value={range.to ?? null}
          onChange={(to) => put({ ...range, to: to ?? undefined })}
        />
      </div>
    )
  }

function TextFilter({ label, value, onChange, close }: FilterProps) {
  return (
    <TextField
      label={label}
      autoFocus
      value={String(value ?? '')}
      onChange={(text) => onChange(text === '' ? undefined : text)}
      onKeyDown={(event) => event.key === 'Enter' && close()}
    />
  )
}

/** Several choices at once. */
function ChoiceFilter({ value, onChange, choices = [] }: FilterProps) {
  const chosen = (value as readonly string[] | undefined) ?? []
  return (
    <div className="grid gap-2">
      {choices.map((choice) => (
        <FlagField
          key={choice.value}
          label={choice.label}
          value={chosen.includes(choice.value)}
          onChange={(on) => {
            const next = on ? [...chosen, choice.value] : chosen.filter((one) => one !== choice.value)
            onChange(next.length === 0 ? undefined : next)
          }}
        />
      ))}
    </div>
  )
}

function RefFilter({ label, value, onChange, close, search }: FilterProps) {
  return (
    <RefField
      label={label}
      autoFocus
      value={(value as Option | undefined) ?? null}
      onChange={(option) => {
        onChange(option ?? undefined)
        if (option) close()
      }}
      search={search ?? (() => Promise.resolve([]))}
      clearable
    />
  )
}

function FlagFilter({ label, value, onChange }: FilterProps) {
  return (
    <YesNo
      label={label}
      value={(value as boolean | undefined) ?? null}
      onChange={(next) => onChange(next ?? undefined)}
    />
  )
}

const LanguageFilter = ({ label, value, onChange }: FilterProps) => (
  <LanguageField
    label={label}
    value={(value as LanguageCode | undefined) ?? null}
    onChange={(next) => onChange(next ?? undefined)}
  />
)

/**
 * How each kind of value is typed, shown and filtered. A described screen needs nothing else; a dressed one
 * replaces a part by name.
 */
export const fieldViews: Record<ViewKind, FieldView> = {
  text: { Input: input(TextField, ''), Cell: cellViews.text, Filter: TextFilter },
  longText: { Input: input(LongText, ''), Cell: cellViews.longText, Filter: TextFilter },
  money: { Input: input(MoneyField), Cell: cellViews.money, Filter: rangeFilter<number>(MoneyField) },
  price: { Input: input(PriceField), Cell: cellViews.price, Filter: rangeFilter<string>(PriceField) },
  quantity: {
    Input: input(QuantityField),
    Cell: cellViews.quantity,
    Filter: rangeFilter<string>(QuantityField),
  },
  percent: { Input: input(PercentField), Cell: cellViews.percent, Filter: rangeFilter<number>(PercentField) },
  number: { Input: input(WholeField), Cell: cellViews.number, Filter: rangeFilter<number>(WholeField) },
  day: { Input: input(DayField), Cell: cellViews.day, Filter: PeriodFilter },
  moment: { Input: MomentInput, Cell: cellViews.moment, Filter: PeriodFilter },
  period: { Input: input(PeriodField), Cell: cellViews.period, Filter: PeriodFilter },
  taxId: { Input: input(TaxIdField, ''), Cell: cellViews.taxId, Filter: TextFilter },
  phone: { Input: input(PhoneField, ''), Cell: cellViews.phone, Filter: TextFilter },
  email: { Input: input(EmailField, ''), Cell: cellViews.email, Filter: TextFilter },
  choice: { Input: ChoiceInput, Cell: cellViews.choice, Filter: ChoiceFilter },
  ref: { Input: RefInput, Cell: cellViews.ref, Filter: RefFilter },
  flag: { Input: FlagInput, Cell: cellViews.flag, Filter: FlagFilter },
  color: { Input: input(ColorField, ''), Cell: cellViews.color },
  file: { Input: input(FileField), Cell: cellViews.file },
  language: { Input: input(LanguageField), Cell: cellViews.language, Filter: LanguageFilter },
  tags: { Input: TagsInput, Cell: cellViews.tags, Filter: TextFilter },
  own: { Input: () => null, Cell: cellViews.own },
  currency: { Input: input(CurrencyField), Cell: cellViews.currency, Filter: TextFilter },
}
