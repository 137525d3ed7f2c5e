import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { currencySign, formatMoney, formatNumber } from '#domain/format.ts'
import { toWholeShekels, type Agorot } from '#domain/money.ts'
import { Icon } from './Icon.tsx'
import { Num } from './Num.tsx'

/**
 * Amounts of so many characters are set smaller, so that five fit beside each other; of so many still smaller, or a
 * phone's two would touch.
 */
const LONG = 9
const LONGEST = 11

/**
 * Money with its sign, smaller and grey, at the left of the digits in every language. Whole units on cards,
 * agorot in documents. What is hidden from a person arrives as null, whatever its type says, and is a dash.
 */
export function Money({
  amount,
  currency = 'ILS',
  whole,
}: {
  amount: Agorot
  currency?: string
  whole?: boolean
}) {
  if ((amount as Agorot | null) === null) return <span className="hint">–</span>
  const text = whole ? formatNumber(toWholeShekels(amount)) : formatMoney(amount)
  const negative = /^\((.*)-\)$/.exec(text)
  return (
    <Num className={text.length >= LONGEST ? 'long' : undefined}>
      <span className="sg">{currencySign(currency)}</span>
      {negative ? (
        <>
          <span className="par">(</span>
          {negative[1]}
          <span className="par">-)</span>
        </>
      ) : (
        text
      )}
    </Num>
  )
}

export interface FigureProps {
  label: ReactNode
  /** Agorot become whole shekels with their sign; anything else is shown as it is. */
  amount?: Agorot
  /** The sum of a paper: to the agora, as it is paid. */
  exact?: boolean
  value?: ReactNode
  currency?: string
  /** A word after a value that is not money: "days". */
  unit?: ReactNode
  /** The line below. */
  note?: ReactNode
  noteTone?: 'late'
  /** late: a debt past its day. result: the outcome of a row of figures. */
  tone?: 'late' | 'result'
  /** Against the period before, in whole per cent; coloured only when good or bad is certain. */
  change?: { percent: number; good?: boolean; against: ReactNode }
  size?: 's'
  /** Every figure opens. */
  href?: string
}

/** One figure; several stand in one `Figures` card and share hairlines. */
export function Figure({
  label,
  amount,
  exact = false,
  value,
  currency,
  unit,
  note,
  noteTone,
  tone,
  change,
  size,
  href,
}: FigureProps) {
  const inside = (
    <>
      <span className="k">{label}</span>
      <span className="v">
        {amount === undefined ? value : <Money amount={amount} currency={currency} whole={!exact} />}
        {unit && <span className="sg">{unit}</span>}
      </span>
      {change && (
        <span className="n">
          <span className="up" data-good={change.good}>
            <Icon of={change.percent < 0 ? ArrowDown : ArrowUp} size="s" />{' '}
            <Num>{Math.abs(change.percent)}%</Num>
          </span>
          {change.against}
        </span>
      )}
      {note && (
        <span className="n" data-tone={noteTone}>
          {note}
        </span>
      )}
    </>
  )
  const text =
    amount === undefined || (amount as Agorot | null) === null
      ? ''
      : exact
        ? formatMoney(amount)
        : formatNumber(toWholeShekels(amount))
  const isLong = text.length >= LONG
  const looks = {
    className: 'k-fig',
    'data-tone': tone,
    'data-size': size,
    'data-long': isLong ? '' : undefined,
  }
  return href ? (
    <Link {...looks} href={href}>
      {inside}
    </Link>
  ) : (
    <div {...looks}>{inside}</div>
  )
}

/** A card of figures in a row; two and two on a phone. */
export function Figures({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className="k-card k-figs" aria-label={label}>
      {children}
    </section>
  )
}
