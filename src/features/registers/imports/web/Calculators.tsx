import { useState } from 'react'
import { dayInJerusalem, daysBetween, type Day } from '#domain/day.ts'
import { dueDay } from '#domain/documents/due.ts'
import { formatDay, formatNumber, formatPercent } from '#domain/format.ts'
import { divideRounded, includedRate, timesRate, toSafeNumber } from '#domain/money.ts'
import { vatRateOn } from '#domain/vat/rates.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField, PercentField, WholeField } from '#kit/web/fields/NumberFields.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useWords } from '#kit/web/words/words.tsx'

const today = () => dayInJerusalem(new Date())

/** A sum with VAT and without, by the rate of a day. */
export function Vat() {
  const t = useWords()
  const [amount, setAmount] = useState<number | null>(null)
  const [way, setWay] = useState<'before' | 'including'>('before')
  const [day, setDay] = useState<Day | null>(today())
  const rate = vatRateOn(day ?? today())
  const vat =
    amount === null
      ? null
      : way === 'before'
        ? timesRate(amount, rate, 'halfAwayFromZero')
        : includedRate(amount, rate, 'halfAwayFromZero')
  const net = amount === null || vat === null ? null : way === 'before' ? amount : amount - vat
  return (
    <Card title={t('imports.vat.title')}>
      <div className="im-calc">
        <div className="pair">
          <MoneyField label={t('imports.vat.amount')} value={amount} onChange={setAmount} />
          <DayField label={t('imports.vat.day')} value={day} onChange={setDay} />
        </div>
        <ChoiceField
          even
          label={t('imports.vat.way')}
          value={way}
          choices={(['before', 'including'] as const).map((value) => ({
            value,
            label: t(`imports.vat.${value}`),
          }))}
          onChange={(next) => next && setWay(next)}
        />
        <dl aria-live="polite">
          <Line label={t('imports.vat.net')}>{net === null ? '—' : <Money amount={net} />}</Line>
          <Line label={t('imports.vat.vat', { rate: formatPercent(rate) })}>
            {vat === null ? '—' : <Money amount={vat} />}
          </Line>
          <Line label={t('imports.vat.total')}>
            {net === null || vat === null ? '—' : <Money amount={net + vat} />}
          </Line>
        </dl>
      </div>
    </Card>
  )
}

/** When a document of a day falls due, and how far that is from now. */
export function DueDays() {
  const t = useWords()
  const [day, setDay] = useState<Day | null>(today())
  const [kind, setKind] = useState<'net' | 'endOfMonth'>('endOfMonth')
  const [days, setDays] = useState<number | null>(30)
  const due =
    day !== null && days !== null && days >= 0 && days <= 999
      ? dueDay(day, { kind, dueDays: days })
      : undefined
  const away = due === undefined ? 0 : daysBetween(today(), due)
  return (
    <Card title={t('imports.due.title')}>
      <div className="im-calc">
        <div className="pair">
          <DayField label={t('imports.due.day')} value={day} onChange={setDay} />
          <WholeField label={t('imports.due.days')} value={days} onChange={setDays} />
        </div>
        <ChoiceField
          even
          label={t('imports.due.kind')}
          value={kind}
          choices={(['endOfMonth', 'net'] as const).map((value) => ({
            value,
            label: t(`imports.due.${value}`),
          }))}
          onChange={(next) => next && setKind(next)}
        />
        <dl aria-live="polite">
          <Line label={t('imports.due.due')}>{due ? <Num>{formatDay(due)}</Num> : '—'}</Line>
          <Line label={t('imports.due.fromToday')}>
            {due ? t(away < 0 ? 'imports.due.ago' : 'imports.due.ahead', { days: Math.abs(away) }) : '—'}
          </Line>
        </dl>
      </div>
    </Card>
  )
}

/** Per cents of a sum, added and taken off, and what one sum is of another. */
export function Percents() {
  const t = useWords()
  const [amount, setAmount] = useState<number | null>(null)
  const [rate, setRate] = useState<number | null>(null)
  const [other, setOther] = useState<number | null>(null)
  const part = amount === null || rate === null ? null : timesRate(amount, rate, 'halfAwayFromZero')
  const share =
    amount && other !== null
      ? toSafeNumber(divideRounded(BigInt(other) * 10_000n, BigInt(amount)))
      : undefined
  return (
    <Card title={t('imports.percent.title')}>
      <div className="im-calc">
        <div className="pair">
          <MoneyField label={t('imports.percent.amount')} value={amount} onChange={setAmount} />
          <PercentField label={t('imports.percent.rate')} value={rate} onChange={setRate} />
        </div>
        <dl aria-live="polite">
          <Line label={t('imports.percent.part')}>{part === null ? '—' : <Money amount={part} />}</Line>
          <Line label={t('imports.percent.more')}>
            {part === null ? '—' : <Money amount={amount! + part} />}
          </Line>
          <Line label={t('imports.percent.less')}>
            {part === null ? '—' : <Money amount={amount! - part} />}
          </Line>
        </dl>
        <MoneyField label={t('imports.percent.other')} value={other} onChange={setOther} />
        <dl aria-live="polite">
          <Line label={t('imports.percent.share')}>
            {share === undefined ? '—' : <Num>{formatNumber(share / 100, 2)}%</Num>}
          </Line>
        </dl>
      </div>
    </Card>
  )
}

const Line = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
