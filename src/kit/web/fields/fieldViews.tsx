import type { ComponentType, ReactNode } from 'react'
import type { Period } from '../../../domain/day.ts'
import { formatDay, formatMoney, formatPercent, formatPeriod } from '../../../domain/format.ts'
import type { LanguageCode } from '../../../domain/documents/kinds.ts'
import { useWords } from '../words.tsx'
import {
  ChoiceCell,
  CodeCell,
  ColorCell,
  DayCell,
  EmailCell,
  FlagCell,
  LanguageCell,
  MoneyCell,
  MomentCell,
  NumberCell,
  PercentCell,
  PeriodCell,
  PhoneCell,
  PriceCell,
  QuantityCell,
  RefCell,
  TextCell,
} from './cells.tsx'
import { ChoiceField, type Choice } from './ChoiceField.tsx'
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
import { LongText, TextField } from './TextField.tsx'

/** What a description knows about a field besides its kind; given to input, cell and filter alike. */
export interface FieldFacts {
  /** The words of a choice. */
  choices?: readonly Choice[]
  /** The colour of a choice's state. */
  toneOf?: (value: string) => Parameters<typeof ChoiceCell>[0]['tone']
  /** Finds the records a ref may point to. */
  search?: (query: string, signal: AbortSignal) => Promise<Option[]>
  /** Makes a new one from the typed text. */
  onCreate?: (text: string) => void
  /** The name and the address of the record a ref points to now. */
  refName?: string | null
  href?: string
  currency?: string
  max?: number
}

type Loose = FieldProps<never> & FieldFacts
export interface InputProps extends Omit<FieldProps<unknown>, 'inputRef'>, FieldFacts {}
export interface CellProps extends FieldFacts {
  value: unknown
}
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

export type ViewKind =
  | 'text'
  | 'longText'
  | 'money'
  | 'price'
  | 'quantity'
  | 'percent'
  | 'number'
  | 'day'
  | 'moment'
  | 'period'
  | 'taxId'
  | 'phone'
  | 'email'
  | 'choice'
  | 'ref'
  | 'flag'
  | 'color'
  | 'file'
  | 'language'
  | 'currency'

/** The props arrive untyped from a description; each kind knows its own value. One cast, here. */
const input = <P,>(Part: ComponentType<P>, empty?: unknown) =>
  function Input(props: InputProps) {
    const value = props.value === undefined || (props.value === null && empty !== undefined) ? (empty ?? null) : props.value
    return <Part {...(props as unknown as P & Loose)} value={value as never} />
  }
const cell = <P,>(Part: ComponentType<P>) => Part as unknown as ComponentType<CellProps>

function ChoiceInput(props: InputProps) {
  return <ChoiceField {...props} value={(props.value as string | null) ?? null} onChange={props.onChange} choices={props.choices ?? []} />
}

function ChoiceView({ value, choices, toneOf }: CellProps) {
  if (typeof value !== 'string' || value === '') return null
  return <ChoiceCell label={choices?.find((choice) => choice.value === value)?.label ?? value} tone={toneOf?.(value)} />
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

const MomentInput = (props: InputProps) => <TextField {...props} value={String(props.value ?? '')} onChange={props.onChange} ltr readOnly />

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

/** From and to, either may be left out. */
export interface Range<T> {
  from?: T
  to?: T
}

const rangeFilter = <T,>(Part: ComponentType<FieldProps<T | null>>) =>
  function RangeFilter({ value, onChange }: FilterProps) {
    const t = useWords()
    const range = (value as Range<T> | undefined) ?? {}
    const put = (next: Range<T>) => onChange(next.from === undefined && next.to === undefined ? undefined : next)
    return (
      <div className="grid grid-cols-2 gap-2">
        <Part
          label={t('kit.fields.from')}
          value={range.from ?? null}
          onChange={(from) => put({ ...range, from: from ?? undefined })}
          autoFocus
        />
        <Part label={t('kit.fields.to')} value={range.to ?? null} onChange={(to) => put({ ...range, to: to ?? undefined })} />
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
  return <YesNo label={label} value={(value as boolean | undefined) ?? null} onChange={(next) => onChange(next ?? undefined)} />
}

const LanguageFilter = ({ label, value, onChange }: FilterProps) => (
  <LanguageField label={label} value={(value as LanguageCode | undefined) ?? null} onChange={(next) => onChange(next ?? undefined)} />
)

/** How each kind of value is typed, shown and filtered. A described screen needs nothing else; a dressed one replaces a part by name. */
export const fieldViews: Record<ViewKind, FieldView> = {
  text: { Input: input(TextField, ''), Cell: cell(TextCell), Filter: TextFilter },
  longText: { Input: input(LongText, ''), Cell: cell(TextCell), Filter: TextFilter },
  money: { Input: input(MoneyField), Cell: cell(MoneyCell), Filter: rangeFilter<number>(MoneyField) },
  price: { Input: input(PriceField), Cell: cell(PriceCell), Filter: rangeFilter<string>(PriceField) },
  quantity: { Input: input(QuantityField), Cell: cell(QuantityCell), Filter: rangeFilter<string>(QuantityField) },
  percent: { Input: input(PercentField), Cell: cell(PercentCell), Filter: rangeFilter<number>(PercentField) },
  number: { Input: input(WholeField), Cell: cell(NumberCell), Filter: rangeFilter<number>(WholeField) },
  day: { Input: input(DayField), Cell: cell(DayCell), Filter: PeriodFilter },
  moment: { Input: MomentInput, Cell: cell(MomentCell), Filter: PeriodFilter },
  period: { Input: input(PeriodField), Cell: cell(PeriodCell), Filter: PeriodFilter },
  taxId: { Input: input(TaxIdField, ''), Cell: cell(CodeCell), Filter: TextFilter },
  phone: { Input: input(PhoneField, ''), Cell: cell(PhoneCell), Filter: TextFilter },
  email: { Input: input(EmailField, ''), Cell: cell(EmailCell), Filter: TextFilter },
  choice: { Input: ChoiceInput, Cell: ChoiceView, Filter: ChoiceFilter },
  ref: {
    Input: RefInput,
    Cell: ({ refName, value, href }) => <RefCell name={refName ?? (typeof value === 'string' ? value : null)} href={href} />,
    Filter: RefFilter,
  },
  flag: { Input: FlagInput, Cell: cell(FlagCell), Filter: FlagFilter },
  color: { Input: input(ColorField, ''), Cell: cell(ColorCell) },
  file: {
    Input: input(FileField),
    Cell: ({ value }) => <TextCell value={value instanceof File ? value.name : (value as string | null)} />,
  },
  language: { Input: input(LanguageField), Cell: cell(LanguageCell), Filter: LanguageFilter },
  currency: { Input: input(CurrencyField), Cell: cell(CodeCell), Filter: TextFilter },
}

/** Kinds whose cells stand physically right. */
export const amountKinds: ReadonlySet<ViewKind> = new Set<ViewKind>(['money', 'price', 'quantity', 'percent', 'number'])

/** A set filter in words, for its chip: "1,000.00 – 5,000.00", "paid, open". Each figure is its own island. */
export function filterWords(kind: ViewKind, value: unknown, facts: FieldFacts, t: (key: string) => string): ReactNode {
  const island = (text: string) => <bdi className="num">{text}</bdi>
  if (value === undefined || value === null) return undefined
  switch (kind) {
    case 'day':
    case 'moment':
    case 'period': {
      const period = value as Period
      const whole = formatPeriod(period)
      return whole.length > 15 ? (
        <>
          {island(formatDay(period.from))} – {island(formatDay(period.to))}
        </>
      ) : (
        island(whole)
      )
    }
    case 'money':
    case 'price':
    case 'quantity':
    case 'percent':
    case 'number': {
      const { from, to } = value as Range<number | string>
      const figure = (one: number | string) =>
        island(kind === 'money' ? formatMoney(Number(one)) : kind === 'percent' ? formatPercent(Number(one)) : String(one))
      return (
        <>
          {from !== undefined && figure(from)}
          {from !== undefined && ' – '}
          {to === undefined ? null : (
            <>
              {from === undefined && `${t('kit.fields.to')} `}
              {figure(to)}
            </>
          )}
        </>
      )
    }
    case 'choice':
      return (value as readonly string[]).map((one) => facts.choices?.find((choice) => choice.value === one)?.label ?? one).join(', ')
    case 'ref':
      return (value as Option).label
    case 'flag':
      return t(value ? 'kit.flag.yes' : 'kit.flag.no')
    default:
      return <bdi>{String(value)}</bdi>
  }
}
