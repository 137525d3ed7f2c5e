import type { ReactNode } from 'react'
import { currencySign, formatMoney, formatPercent } from '#domain/format.ts'
import { parseMoney } from '#domain/money.ts'
import { formatDecimal4, parseDecimal4, parseDecimal4Sum, toText } from '#domain/quantity.ts'
import { FieldShell, InputBox, useFieldIds, type FieldProps } from './Field.tsx'
import { TypedInput } from './TypedInput.tsx'
import { useTyped } from './useTyped.ts'

interface TypedProps<T> extends FieldProps<T | null> {
  read: (text: string) => T | undefined
  show: (value: T) => string
  refusal: string
  unit?: ReactNode
  inputMode?: 'decimal' | 'numeric' | 'text'
}

/** A figure: left to right, standing right in both directions so that units stand under units. */
function FigureField<T>(props: TypedProps<T>) {
  const typed = useTyped(props)
  const error = props.error ?? typed.problem
  const ids = useFieldIds({ ...props, error })
  return (
    <FieldShell {...props} error={error} ids={ids}>
      <InputBox error={error} bare={props.bare}>
        <TypedInput
          of={props}
          typed={typed}
          control={ids.control}
          isFigure
          inputMode={props.inputMode ?? 'decimal'}
        />
        {props.unit !== undefined && !props.bare && <span className="unit">{props.unit}</span>}
      </InputBox>
    </FieldShell>
  )
}

export interface MoneyFieldProps extends FieldProps<number | null> {
  /** ISO 4217; its sign is inside the box. */
  currency?: string
}

/**
 * Whole agorot. Takes calculations as people think them: 1000+250, 3*40. A negative amount is typed -5 and shown
 * (5.00-).
 */
export const MoneyField = ({ currency = 'ILS', ...props }: MoneyFieldProps) => (
  <FigureField
    {...props}
    read={parseMoney}
    show={formatMoney}
    refusal="kit.errors.money"
    unit={currencySign(currency)}
    inputMode="text"
  />
)

/** As text with up to four decimals ('12.3475'): what travels in JSON. Typed as a small sum too: 3*40. */
const readDecimal = (text: string) => {
  const value = parseDecimal4Sum(text)
  return value === undefined ? undefined : toText(value)
}
const showDecimal = (text: string) => {
  const value = parseDecimal4(text)
  return value === undefined ? text : formatDecimal4(value)
}

/** A quantity of up to four decimals, as text. */
export const QuantityField = ({ unit, ...props }: FieldProps<string | null> & { unit?: ReactNode }) => (
  <FigureField {...props} read={readDecimal} show={showDecimal} refusal="kit.errors.quantity" unit={unit} />
)

/** A unit price of up to four decimals, as text. */
export const PriceField = ({
  currency = 'ILS',
  ...props
}: FieldProps<string | null> & { currency?: string }) => (
  <FigureField
    {...props}
    read={readDecimal}
    show={(text) => {
      const [whole, decimals = ''] = showDecimal(text).split('.')
      return `${whole}.${decimals.padEnd(2, '0')}`
    }}
    refusal="kit.errors.quantity"
    unit={currencySign(currency)}
  />
)

/** Basis points: 1850 is 18.5%. */
export const PercentField = (props: FieldProps<number | null>) => (
  <FigureField
    {...props}
    read={(text) => {
      const value = parseDecimal4(text.replace('%', ''))
      return value === undefined || value % 100 !== 0 ? undefined : value / 100
    }}
    show={(points) => formatPercent(points).replace('%', '')}
    refusal="kit.errors.percent"
    unit="%"
  />
)

/** A whole number: days of credit, copies. */
export const WholeField = ({ unit, ...props }: FieldProps<number | null> & { unit?: ReactNode }) => (
  <FigureField
    {...props}
    read={(text) => {
      const value = parseDecimal4(text)
      return value === undefined || value % 10_000 !== 0 ? undefined : value / 10_000
    }}
    show={String}
    refusal="kit.errors.number"
    unit={unit}
    inputMode="numeric"
  />
)
