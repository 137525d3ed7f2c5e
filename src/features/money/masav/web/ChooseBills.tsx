import { useState } from 'react'
import { formatDay, formatPercent } from '#domain/format.ts'
import { failureText, useCall } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Rows } from '#kit/web/parts/Card.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useSession } from '#kit/web/session/session.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { workOutCredits, type CreditProposal } from '../endpoints.ts'

/** By bill: how much of it is paid; null all of it, absent none. */
export type Picks = Readonly<Record<string, number | null>>

type Bill = CreditProposal['bills'][number]

/**
 * What is asked for: a bill that is paid whole is named without its sum, so that it is paid whole even if the
 * sum is hidden.
 */
export const billsOf = (
  row: CreditProposal,
  picks: Picks | undefined,
): { id: string; amountAgorot?: number }[] =>
  row.bills.flatMap(({ id }) => {
    const part = picks ? picks[id] : null
    return part === undefined ? [] : [part === null ? { id } : { id, amountAgorot: part }]
  })

/** A credit is taken off, so its part is below zero too. */
const isInside = (bill: Bill, part: number | null) =>
  part === null ||
  (part !== 0 &&
    Math.sign(part) === Math.sign(bill.openAgorot) &&
    Math.abs(part) <= Math.abs(bill.openAgorot))

/**
 * Which bills of a supplier go into the file, and how much of each; the tax of what is chosen is worked out
 * by the server.
 */
export function ChooseBills({
  of,
  picks: before,
  payDay,
  onClose,
  onChoose,
}: {
  of: CreditProposal
  picks: Picks | undefined
  /** The day the money moves, which decides the tax. */
  payDay?: string
  onClose: () => void
  onChoose: (picks: Picks) => void
}) {
  const t = useWords()
  const { lang } = useLanguage()
  const hides = useSession()?.HideTotalPrices ?? false
  const [picks, setPicks] = useState<Picks>(
    () => before ?? Object.fromEntries(of.bills.map((bill) => [bill.id, null])),
  )
  const wrong = of.bills.filter((bill) => bill.id in picks && !hides && !isInside(bill, picks[bill.id]!))
  const bills = billsOf(of, picks)
  const isRight = bills.length > 0 && wrong.length === 0
  const { data, error } = useCall(
    workOutCredits,
    { suppliers: [{ supplierId: of.supplierId, bills }], ...(payDay ? { payDay } : {}) },
    { enabled: isRight, placeholderData: (old) => old },
  )
  const worked = isRight ? data?.rows[0] : undefined
  const put = (id: string, part: number | null | undefined) => {
    const { [id]: _, ...rest } = picks
    setPicks(part === undefined ? rest : { ...rest, [id]: part })
  }
  const choose = async () => {
    onChoose(picks)
    onClose()
  }
  return (
    <FormDialog
      title={t('masav.chooseOf', { name: of.name })}
      verb={t('masav.choose')}
      names={[]}
      isDisabled={wrong.length > 0}
      onClose={onClose}
      onSubmit={choose}
    >
      {() => (
        <>
          {hides && <Note>{t('masav.hiddenSums')}</Note>}
          {error && <Note tone="late">{failureText(t, error)}</Note>}
          <Rows label={t('masav.bills')}>
            {of.bills.map((bill) => {
              const name = bill.number || formatDay(bill.dueDay)
              const isChosen = bill.id in picks
              const part = picks[bill.id] ?? bill.openAgorot
              return (
                <div key={bill.id} className="k-sum-row">
                  <FlagField
                    label={t('masav.payBill', { number: name })}
                    hideLabel
                    value={isChosen}
                    onChange={(on) => put(bill.id, on ? null : undefined)}
                  />
                  <span className="grow">
                    <span className="t">
                      <bdi>{name}</bdi>
                    </span>
                    <span className="s">
                      {t('masav.due')} <Num>{formatDay(bill.dueDay)}</Num>
                    </span>
                  </span>
                  <Money amount={bill.openAgorot} />
                  {isChosen && !hides && (
                    <div className="k-sum-cell">
                      <MoneyField
                        label={t('masav.sumOf', { number: name })}
                        hideLabel
                        value={picks[bill.id] === 0 ? null : part}
                        onChange={(sum) => put(bill.id, sum === bill.openAgorot ? null : (sum ?? 0))}
                        {...(wrong.includes(bill) ? { error: t('masav.sumRange') } : {})}
                      />
                    </div>
                  )}
                </div>
              )
            })}
          </Rows>
          {!hides && (
            <dl className="k-sums" aria-live="polite">
              <div>
                <dt>{t('masav.gross')}</dt>
                <dd>{worked ? <Money amount={worked.grossAgorot} /> : '–'}</dd>
              </div>
              <div>
                <dt>
                  {t('masav.withheld')}
                  {worked?.reason && worked.rateBp !== null && (
                    <span className="hint">
                      {' '}
                      <Num>{formatPercent(worked.rateBp, lang)}</Num> ·{' '}
                      {t(`suppliers.reason.${worked.reason}`)}
                    </span>
                  )}
                </dt>
                <dd>{worked ? <Money amount={-worked.withheldAgorot} /> : '–'}</dd>
              </div>
              <div className="whole">
                <dt>{t('masav.net')}</dt>
                <dd>{worked ? <Money amount={worked.netAgorot} /> : '–'}</dd>
              </div>
            </dl>
          )}
        </>
      )}
    </FormDialog>
  )
}
