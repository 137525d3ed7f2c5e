import { Check } from 'lucide-react'
import { useContext, type ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { isolateRuns } from '#domain/bidi.ts'
import type { Day, Period } from '#domain/day.ts'
import type { LanguageCode } from '#domain/languages.ts'
import {
  currencySign,
  formatDay,
  formatMoment,
  formatMoney,
  formatNumber,
  formatPercent,
  formatPeriod,
  formatPrice,
  formatQuantity,
} from '#domain/format.ts'
import type { Agorot, BasisPoints } from '#domain/money.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import { useToday } from '../hooks/clock.ts'
import { Icon } from '../parts/Icon.tsx'
import { Num } from '../parts/Num.tsx'
import { PlainCells } from '../parts/plainCells.ts'
import { StatusPill, type StatusTone } from '../parts/Status.tsx'
import { languageNames } from '../words/language.ts'
import { useLanguage, useWords } from '../words/words.tsx'

/**
 * A figure. In a column of amounts the minus and the closing parenthesis of a negative one hang, so that
 * units stand under units.
 */
export function Figures({ text, className }: { text: string; className?: string }) {
  const looks = className ? `num ${className}` : 'num'
  const found = /^\((.*)-\)$/.exec(text)
  if (!found) return <bdi className={looks}>{text}</bdi>
  return (
    <bdi className={looks}>
      <span className="par">(</span>
      {found[1]}
      <span className="par tail">-)</span>
    </bdi>
  )
}

const Nothing = () => <span className="hint">–</span>

/**
 * Money in a column: no sign, the heading has it. Zero is a dash in a table; a ledger leaves the empty side blank
 * (`zero="blank"`), a total says 0.00. `late` only for a debt past its day. `currency` precedes the figure when it
 * is not the column's.
 */
export function MoneyCell({
  value,
  zero = 'dash',
  late,
  currency,
}: {
  value: Agorot | null | undefined
  zero?: 'dash' | 'blank' | 'show'
  late?: boolean
  currency?: string
}) {
  if (value === null || value === undefined || (value === 0 && zero !== 'show'))
    return zero === 'blank' ? null : <Nothing />
  return (
    // The sign at the left in both directions: units stand under units, and what closes a negative sum has
    // its gap to itself.
    <span className={late ? 'late' : undefined} dir="ltr">
      {currency && currency !== 'ILS' && <span className="hint text-12">{currencySign(currency)} </span>}
      <Figures text={formatMoney(value)} />
    </span>
  )
}

const decimal = (value: string | number | null | undefined, format: (value: number) => string) => {
  const read = value === null || value === undefined ? undefined : parseDecimal4(value)
  return read === undefined ? <Nothing /> : <Figures text={format(read)} />
}
export const QuantityCell = ({ value }: { value: string | number | null | undefined }) =>
  decimal(value, formatQuantity)
export const PriceCell = ({ value }: { value: string | number | null | undefined }) =>
  decimal(value, formatPrice)

export function PercentCell({ value }: { value: BasisPoints | null | undefined }) {
  const { lang } = useLanguage()
  return value === null || value === undefined ? <Nothing /> : <Figures text={formatPercent(value, lang)} />
}

export const NumberCell = ({ value }: { value: number | null | undefined }) =>
  value === null || value === undefined ? <Nothing /> : <Figures text={formatNumber(value)} />

export const DayCell = ({ value }: { value: Day | null | undefined }) =>
  value ? <Figures text={formatDay(value)} /> : <Nothing />

/** A day without its year when that is the current one: the column is narrow and the order tells the year. */
export function ShortDayCell({ value }: { value: Day | null }) {
  const today = useToday()
  if (!value) return null
  const text = formatDay(value)
  return <Num>{value.slice(0, 4) === today.slice(0, 4) ? text.slice(0, 5) : text}</Num>
}

export const PeriodCell = ({ value }: { value: Period | null | undefined }) =>
  value ? <Figures text={formatPeriod(value)} /> : <Nothing />

/** A moment by the clock of Jerusalem. */
export const MomentCell = ({ value }: { value: string | null | undefined }) =>
  value ? <Figures text={formatMoment(new Date(value))} /> : <Nothing />

/** Free text on one line, cut at its own end; numbers and Latin pieces inside it stay in their places. */
export function TextCell({ value, quiet }: { value: string | null | undefined; quiet?: boolean }) {
  const { dir } = useLanguage()
  if (!value) return null
  const line = value.replace(/\s*\n\s*/g, ' · ')
  return (
    <span className={quiet ? 'cut sub' : 'cut'} dir="auto" title={line}>
      {isolateRuns(
        line,
        /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(line)
          ? 'rtl'
          : /\p{L}/u.test(line)
            ? 'ltr'
            : dir,
      )}
    </span>
  )
}

/** A code: a tax id, a document number, an account's card. */
export const CodeCell = ({ value }: { value: string | number | null | undefined }) =>
  value === null || value === undefined || value === '' ? null : <bdi className="num">{value}</bdi>

/** Calls when pressed. */
export function PhoneCell({ value }: { value: string | null | undefined }) {
  const plain = useContext(PlainCells)
  if (!value) return null
  return plain ? (
    <CodeCell value={value} />
  ) : (
    <a className="num aim hover:underline" href={`tel:${value.replace(/[^\d+*]/g, '')}`}>
      {value}
    </a>
  )
}

export function EmailCell({ value }: { value: string | null | undefined }) {
  const plain = useContext(PlainCells)
  if (!value) return null
  return plain ? (
    <CodeCell value={value} />
  ) : (
    <a className="num aim hover:underline" href={`mailto:${value}`}>
      {value}
    </a>
  )
}

/** A fixed word as a pill; without a tone it is plain text, so that only states that matter have colour. */
export const ChoiceCell = ({ label, tone }: { label: ReactNode; tone?: StatusTone }) =>
  tone ? (
    <StatusPill tone={tone}>{label}</StatusPill>
  ) : typeof label === 'string' ? (
    <span title={label}>{label}</span>
  ) : (
    <>{label}</>
  )

/** Another record by name, which opens it. */
export function RefCell({ name, href }: { name: string | null | undefined; href?: string }) {
  const plain = useContext(PlainCells)
  if (!name) return null
  if (!href || plain) return <TextCell value={name} />
  return (
    <Link className="aim hover:underline" href={href}>
      <TextCell value={name} />
    </Link>
  )
}

/** A tick for yes, nothing for no: a column of crosses would shout. */
export function FlagCell({ value }: { value: boolean | null | undefined }) {
  const t = useWords()
  return value ? (
    <Icon of={Check} label={t('kit.flag.yes')} />
  ) : (
    <span className="vh">{t('kit.flag.no')}</span>
  )
}

/** Words of the business's own, each a small pill. */
export const TagsCell = ({ value }: { value: readonly string[] | null | undefined }) =>
  value && value.length > 0 ? (
    <span className="k-tags">
      {value.map((one) => (
        <StatusPill key={one} dot={false}>
          <bdi>{one}</bdi>
        </StatusPill>
      ))}
    </span>
  ) : null

export const ColorCell = ({ value }: { value: string | null | undefined }) =>
  value ? (
    <span className="inline-flex items-center gap-2">
      <span className="size-4 rounded-full" style={{ background: value }} aria-hidden />
      <bdi className="num">{value}</bdi>
    </span>
  ) : null

export const LanguageCell = ({ value }: { value: LanguageCode | null | undefined }) => (
  <>{value ? languageNames[value] : null}</>
)
