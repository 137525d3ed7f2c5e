import { Layers, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Day } from '#domain/day.ts'
import type { PaymentMeans } from '#domain/documents/kinds.ts'
import { formatMoney } from '#domain/format.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { MoneyField, PercentField, WholeField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { FewChips } from '#kit/web/parts/FewChips.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { getCompany } from '#features/base/companies/endpoints.ts'
import { meansOffered } from '#features/base/companies/means.ts'
import { meansIcons } from './meansIcons.ts'
import { PaymentDetails } from './PaymentDetails.tsx'
import type { Change, Edited, Refusals } from './model.ts'
import { emptyPayment, nextCheque, paidOf, seriesOf, withheldOf, type EditedPayment } from './money.ts'

export interface PaymentsProps {
  edited: Edited
  dispatch: (change: Change) => void
  /** What should be paid, in the document's currency; undefined where the paper comes to whatever is paid. */
  target: number | undefined
  /** What is open of what this money pays: a further payment is proposed to be the rest of it. */
  open: number | undefined
  /** The part of it before VAT: what tax is withheld of. */
  base: number
  refusals: Refusals
  put: (change: Extract<Change, { do: 'put' }>['change']) => void
}

/** How it is paid: one row for each means, and under them what is still missing. */
export function Payments({ edited, dispatch, target, open, base, refusals, put }: PaymentsProps) {
  const t = useWords()
  const [newest, setNewest] = useState<string>()
  const { data: company } = useCall(getCompany, {}, { staleTime: 60_000 })
  const paid = paidOf(edited.payments)
  const left = target === undefined ? 0 : target - paid
  // A part of what was chosen is paid: nothing is missing, and the rest stays a debt.
  const staysOpen = open !== undefined && paid > 0 ? open - paid : 0
  const ratedToday =
    edited.customer?.withholdsBp && (edited.customer.withholdsUntil ?? edited.date) >= edited.date
  const rateBp = ratedToday ? edited.customer!.withholdsBp! : null
  const add = (means: PaymentMeans) => {
    const proposed = left || (open ?? 0) - paid
    const rest = proposed > 0 ? proposed : null
    const last = edited.payments.findLast((one) => one.means === means)
    const row =
      means === 'cheque' && last
        ? nextCheque(last, edited.date, rest)
        : emptyPayment(
            means,
            means === 'withheldTax' ? (rateBp && base > 0 ? withheldOf(base, rateBp) : null) : rest,
          )
    if (means === 'card') row.cardBrand = company?.defaultCardBrand ?? ''
    setNewest(row.key)
    early.current = target === undefined && means !== 'withheldTax' ? row.key : ''
    dispatch({ do: 'pay', add: [row] })
  }
  // A means chosen before it was known what is owed takes its sum as soon as it is, unless somebody wrote one
  // meanwhile.
  const early = useRef('')
  useEffect(() => {
    if (target === undefined || !early.current) return
    const row = edited.payments.find((one) => one.key === early.current)
    early.current = ''
    if (row?.amountAgorot === null && left > 0)
      dispatch({ do: 'payment', key: row.key, change: { amountAgorot: left } })
  }, [target, left, edited.payments, dispatch])
  const fill = () => {
    const last = edited.payments.at(-1)
    if (last)
      dispatch({ do: 'payment', key: last.key, change: { amountAgorot: (last.amountAgorot ?? 0) + left } })
  }
  const refusal = refusals.fields.payments
  const isCashLaw = refusal?.code === 'payments.cashAboveLimit'
  const givesBack = edited.payments.reduce((sum, { amountAgorot }) => sum + (amountAgorot ?? 0), 0) < 0
  const firstCash = edited.payments.find((one) => one.means === 'cash')
  const said = refusal && t(`errors.${refusal.code}`, refusal.params)
  return (
    <section className="doc-money" aria-label={t('documents.money.title')}>
      <h2>{t('documents.money.title')}</h2>
      {edited.payments.length > 0 && (
        <ul>
          {edited.payments.map((one, i) => {
            const wrong = refusals.payments[one.key]
            const cashSaid = isCashLaw && one === firstCash ? said : undefined
            return (
              <PaymentRow
                key={one.key}
                one={one}
                place={i + 1}
                currency={edited.currency}
                day={edited.date}
                isNew={newest === one.key}
                isLastCheque={one === edited.payments.findLast((other) => other.means === 'cheque')}
                base={base}
                rateBp={rateBp}
                said={(cell) =>
                  cell === 'amountAgorot' && cashSaid
                    ? cashSaid
                    : wrong?.[cell] && t(`errors.${wrong[cell].code}`, wrong[cell].params)
                }
                change={(change) => dispatch({ do: 'payment', key: one.key, change })}
                onSeries={(rows) => dispatch({ do: 'pay', add: rows, for: one.key })}
                onDrop={() => dispatch({ do: 'unpay', key: one.key })}
              />
            )
          })}
        </ul>
      )}
      {(isCashLaw || edited.cashException !== '') && firstCash && (
        <TextField
          label={t('documents.money.cashException')}
          hint={t('documents.money.cashExceptionHint')}
          optional
          max={200}
          value={edited.cashException}
          onChange={(cashException) => put({ cashException })}
        />
      )}
      {givesBack && (
        <TextField
          label={t('documents.money.givesBack')}
          hint={t('documents.money.givesBackHint')}
          name="reason"
          max={300}
          value={edited.reason}
          onChange={(reason) => put({ reason })}
          {...(refusals.fields.reason
            ? { error: t(`errors.${refusals.fields.reason.code}`, refusals.fields.reason.params) }
            : {})}
        />
      )}
      <FewChips
        className="doc-chips wide"
        label={t('documents.money.add')}
        more={t('documents.money.otherMeans')}
        chips={meansOffered(company?.receiptMeans ?? '').map((means) => ({
          key: means,
          label: t(`documents.means.${means}`),
          onPress: () => add(means),
        }))}
      />
      {said && !(isCashLaw && firstCash) && (
        <p className="k-msg" data-tone="late" role="alert" tabIndex={-1} data-refused="">
          {said}
        </p>
      )}
      <div className="doc-running" aria-live="polite">
        <dl>
          <div>
            <dt>{t('documents.money.paid')}</dt>
            <dd>
              <Money amount={paid} currency={edited.currency} />
            </dd>
          </div>
          {staysOpen > 0 && (
            <div>
              <dt>{t('documents.money.staysOpen')}</dt>
              <dd>
                <Money amount={staysOpen} currency={edited.currency} />
              </dd>
            </div>
          )}
          {target !== undefined &&
            staysOpen <= 0 &&
            left !== 0 &&
            (edited.payments.length > 0 || target !== 0) && (
              <div data-tone={left > 0 ? 'wait' : 'late'}>
                <dt>{t(left > 0 ? 'documents.money.missing' : 'documents.money.over')}</dt>
                <dd>
                  <Money amount={Math.abs(left)} currency={edited.currency} />
                  {edited.payments.length > 0 && (
                    <Button kind="quiet" size="s" onPress={fill}>
                      {t(left > 0 ? 'documents.money.fill' : 'documents.money.lower')}
                    </Button>
                  )}
                </dd>
              </div>
            )}
        </dl>
        {target !== undefined && left === 0 && edited.payments.length > 0 && staysOpen <= 0 && (
          <p className="done">{t('documents.money.whole')}</p>
        )}
      </div>
    </section>
  )
}

interface RowProps {
  one: EditedPayment
  place: number
  currency: string
  day: Day
  isNew: boolean
  isLastCheque: boolean
  base: number
  rateBp: number | null
  said: (cell: string) => string | undefined
  change: (change: Partial<Omit<EditedPayment, 'key'>>) => void
  onSeries: (rows: EditedPayment[]) => void
  onDrop: () => void
}

function PaymentRow({
  one,
  place,
  currency,
  day,
  isNew,
  isLastCheque,
  base,
  rateBp,
  said,
  change,
  onSeries,
  onDrop,
}: RowProps) {
  const t = useWords()
  const word = t(`documents.means.${one.means}`)
  return (
    <li className="doc-payment" data-payment={one.key}>
      <div className="head">
        <Icon of={meansIcons[one.means]} />
        <b>{word}</b>
        <span className="grow" />
        <div className="w-36">
          <MoneyField
            hideLabel
            label={t('documents.money.amountOf', { means: word, place })}
            name="amountAgorot"
            currency={currency}
            value={one.amountAgorot}
            onChange={(amountAgorot) => change({ amountAgorot })}
            error={said('amountAgorot')}
            autoFocus={isNew}
          />
        </div>
        <Button
          kind="quiet"
          size="s"
          icon={X}
          label={t('documents.money.drop', { means: word, place })}
          onPress={onDrop}
        />
      </div>
      {one.means === 'withheldTax' ? (
        <Withheld one={one} base={base} rateBp={rateBp} currency={currency} change={change} />
      ) : (
        <PaymentDetails one={one} day={day} said={said} change={change} />
      )}
      {one.means === 'cheque' && isLastCheque && <Series one={one} day={day} onSeries={onSeries} />}
    </li>
  )
}

/** The tax the customer withholds: by its rate, or by its sum. */
function Withheld({
  one,
  base,
  rateBp,
  currency,
  change,
}: Pick<RowProps, 'one' | 'base' | 'rateBp' | 'currency' | 'change'>) {
  const t = useWords()
  const [rate, setRate] = useState(rateBp)
  return (
    <div className="details">
      <PercentField
        label={t('documents.money.withheldRate')}
        name="withheldRate"
        value={rate}
        hint={
          base > 0
            ? t('documents.money.withheldOf', {
                base: currency === 'ILS' ? `₪${formatMoney(base)}` : `${currency} ${formatMoney(base)}`,
              })
            : t('documents.money.withheldLater')
        }
        onChange={(next) => {
          setRate(next)
          if (next !== null && base > 0 && next >= 0 && next <= 10_000)
            change({ amountAgorot: withheldOf(base, next) })
        }}
      />
      {one.amountAgorot === null && base > 0 && rate !== null && (
        <Button kind="quiet" size="s" onPress={() => change({ amountAgorot: withheldOf(base, rate) })}>
          {t('documents.money.withheldDo')}
        </Button>
      )}
    </div>
  )
}

/** One cheque becomes a row of them: how many, and the rest follows from the first. */
function Series({ one, day, onSeries }: Pick<RowProps, 'one' | 'day' | 'onSeries'>) {
  const t = useWords()
  const [open, setOpen] = useState(false)
  const [count, setCount] = useState<number | null>(null)
  const [said, setSaid] = useState<string>()
  const make = () => {
    if (!one.amountAgorot || !/^\d{1,12}$/.test(one.number)) return setSaid(t('documents.money.seriesNeeds'))
    if (count === null || count < 2 || count > 36) return setSaid(t('documents.money.seriesCount'))
    onSeries(seriesOf(one, day, count))
    setOpen(false)
  }
  if (!open)
    return (
      <Button kind="quiet" size="s" icon={Layers} onPress={() => setOpen(true)} className="doc-series">
        {t('documents.money.series')}
      </Button>
    )
  return (
    <div className="doc-series open">
      <WholeField
        label={t('documents.money.seriesHow')}
        name="series"
        autoFocus
        value={count}
        onChange={(next) => {
          setCount(next)
          setSaid(undefined)
        }}
        hint={t('documents.money.seriesHint')}
        error={said}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
          event.preventDefault()
          // The figure is taken as the field is left.
          event.currentTarget.blur()
          document.querySelector<HTMLButtonElement>(`[data-payment="${one.key}"] .doc-series .k-btn`)?.focus()
        }}
      />
      <Button kind="soft" onPress={make}>
        {t('documents.money.seriesDo')}
      </Button>
      <Button kind="quiet" onPress={() => setOpen(false)}>
        {t('kit.actions.back')}
      </Button>
    </div>
  )
}
