import type { ComponentType, ReactNode } from 'react'
import type { Period } from '#domain/day.ts'
import { formatDay, formatMoney, formatPercent, formatPeriod } from '#domain/format.ts'
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
  TagsCell,
  TextCell,
} from './cells.tsx'
import type { Choice } from './ChoiceField.tsx'
import type { Option } from './Combo.tsx'

/*
 * How values are shown: what lists, cards and reports need. How they are typed and filtered is in fieldViews,
 * which is heavier.
 */

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

export interface CellProps extends FieldFacts {
  value: unknown
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
  | 'tags'
  | 'own'

const cell = <P,>(Part: ComponentType<P>) => Part as unknown as ComponentType<CellProps>

function ChoiceView({ value, choices, toneOf }: CellProps) {
  if (typeof value !== 'string' || value === '') return null
  return (
    <ChoiceCell
      label={choices?.find((choice) => choice.value === value)?.label ?? value}
      tone={toneOf?.(value)}
    />
  )
}

/** How each kind of value is shown in a table, a card or a report. */
export const cellViews: Record<ViewKind, ComponentType<CellProps>> = {
  text: cell(TextCell),
  longText: cell(TextCell),
  money: cell(MoneyCell),
  price: cell(PriceCell),
  quantity: cell(QuantityCell),
  percent: cell(PercentCell),
  number: cell(NumberCell),
  day: cell(DayCell),
  moment: cell(MomentCell),
  period: cell(PeriodCell),
  taxId: cell(CodeCell),
  phone: cell(PhoneCell),
  email: cell(EmailCell),
  choice: ChoiceView,
  ref: ({ refName, value, href }) => (
    <RefCell name={refName ?? (typeof value === 'string' ? value : null)} {...(href ? { href } : {})} />
  ),
  flag: cell(FlagCell),
  color: cell(ColorCell),
  file: ({ value }) => <TextCell value={value instanceof File ? value.name : (value as string | null)} />,
  language: cell(LanguageCell),
  currency: cell(CodeCell),
  tags: cell(TagsCell),
  // Its fields have names only the feature knows: it dresses the cell.
  own: () => null,
}

/** From and to, either may be left out. */
export interface Range<T> {
  from?: T
  to?: T
}

/**
 * A set filter in words, for its chip: "1,000.00 – 5,000.00", "paid, open". Each figure is its own island.
 */
export function filterWords(
  kind: ViewKind,
  value: unknown,
  facts: FieldFacts,
  t: (key: string) => string,
): ReactNode {
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
        island(
          kind === 'money'
            ? formatMoney(Number(one))
            : kind === 'percent'
              ? formatPercent(Number(one))
              : String(one),
        )
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
      return (value as readonly string[])
        .map((one) => facts.choices?.find((choice) => choice.value === one)?.label ?? one)
        .join(', ')
    case 'ref':
      return (value as Option).label
    case 'flag':
      return t(value ? 'kit.flag.yes' : 'kit.flag.no')
    default:
      return <bdi>{String(value)}</bdi>
  }
}
