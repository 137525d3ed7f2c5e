import { Check, HandCoins, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import type { Day } from '#domain/day.ts'
import { spread } from '#domain/documents/payments.ts'
import { paymentMeansById } from '#domain/documents/kinds.ts'
import { formatDay } from '#domain/format.ts'
import { call, CallFailure, failureText, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useStateFor } from '#kit/web/hooks/useStateFor.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  getDocument,
  openItems,
  settleDocument,
  unsettleDocument,
  type DocumentAnswer,
  type OpenItem,
} from '#features/sales/documents/endpoints.ts'
import { pagePath, typeById } from '#features/sales/documents/types/index.ts'
import { documentName, itemName, paperName } from '#features/sales/documents/web/index.tsx'
import { refundMeans, refundMoney } from '../endpoints.ts'
import { refreshMoney } from './actions.ts'
import './payments.css'

/** Money on account, or a credit: which debts it closes, and how to give it back. */
export function Screen() {
  const t = useWords()
  const { params } = usePlace()
  const hides = useSession()?.HideTotalPrices ?? false
  const id = params.moneykey ?? ''
  const money = useCall(getDocument, { id })
  const customerId = money.data?.customerId ?? ''
  const open = useCall(openItems, { customerId }, { enabled: customerId !== '' })
  if (money.error || open.error) return <Note tone="late">{failureText(t, money.error ?? open.error)}</Note>
  if (!money.data || (customerId && !open.data)) return <Skeleton lines={6} />
  const debts = (open.data?.rows ?? []).filter(
    (one) =>
      (hides ? typeById(one.type)?.debt === 1 : one.openInCurrencyAgorot > 0) &&
      !one.asks &&
      one.currency === money.data.currency &&
      one.id !== id,
  )
  return <Apply key={`${money.data.updatedAt}-${debts.length}`} money={money.data} debts={debts} />
}

function Apply({ money, debts }: { money: DocumentAnswer; debts: readonly OpenItem[] }) {
  const t = useWords()
  const may = useCan()
  const { currency } = money
  const hides = useSession()?.HideTotalPrices ?? false
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const free = Math.max(0, -money.totals.openInCurrencyAgorot)
  // Oldest first, as people do.
  const [sums, setSums] = useState<Record<string, number>>(() =>
    Object.fromEntries(
      spread(
        free,
        debts.map((one) => ({ id: one.id, open: one.openInCurrencyAgorot })),
      ).closes.map((one) => [one.id, one.amount]),
    ),
  )
  const [busy, setBusy] = useState(false)
  const [refunds, setRefunds] = useState(false)
  const [failure, setFailure] = useStateFor<unknown>(sums, undefined)
  const applied = Object.values(sums).reduce((sum, one) => sum + one, 0)
  const submit = async () => {
    setBusy(true)
    try {
      if (hides)
        await closeInOrder(
          money.id,
          debts.filter((debt) => chosen.has(debt.id)),
        )
      for (const debt of debts)
        if (sums[debt.id])
          await call(settleDocument, { id: money.id, documentId: debt.id, amountAgorot: sums[debt.id]! })
      banner.success(t('payments.apply.done'))
    } catch (e) {
      setFailure(e)
    }
    await refreshMoney()
    setBusy(false)
  }
  const takeBack = async (settlementId: string) => {
    try {
      await call(unsettleDocument, { id: money.id, settlementId })
      banner.success(t('payments.apply.takenBack'))
    } catch (e) {
      banner.error(failureText(t, e))
    }
    await refreshMoney()
  }
  const blocked = hides
    ? chosen.size === 0
      ? t('payments.apply.nothingChosen')
      : undefined
    : applied === 0
      ? t('payments.apply.nothing')
      : applied > free
        ? t('payments.apply.tooMuch')
        : undefined
  const mayApply = may('documents.issue')
  return (
    <>
      <PageHeader
        crumbs={[
          { label: t('screens.onAccount'), href: '/invoice/documents?view=onAccount&openAgorot.lte=-1' },
        ]}
        title={t('payments.apply.title')}
        sub={
          <>
            <Link className="link" href={pagePath(money.type, money.id)}>
              {documentName(t, money.type, money.number)}
            </Link>
            {' · '}
            <bdi>{money.customer?.name}</bdi>
          </>
        }
        actions={
          may('payments.change') &&
          free > 0 &&
          !hides && (
            <Button icon={Undo2} m onPress={() => setRefunds(true)}>
              {t('payments.refund.verb')}
            </Button>
          )
        }
      />
      <div className="k-desk">
        <div className="k-stack">
          <Card title={t('payments.apply.debts')}>
            {debts.length === 0 ? (
              <EmptyState icon={HandCoins} title={t('payments.apply.noDebts')}>
                {t('payments.apply.noDebtsText')}
              </EmptyState>
            ) : (
              <Rows label={t('payments.apply.debts')}>
                {debts.map((row) => {
                  const name = itemName(t, row)
                  return (
                    <div key={row.id} className="k-sum-row">
                      {hides && mayApply && (
                        <FlagField
                          label={t('payments.apply.choose', { name })}
                          hideLabel
                          value={chosen.has(row.id)}
                          onChange={(on) =>
                            setChosen(
                              new Set(on ? [...chosen, row.id] : [...chosen].filter((one) => one !== row.id)),
                            )
                          }
                        />
                      )}
                      <span className="grow">
                        <Link className="t link aim" href={pagePath(row.type, row.id)}>
                          {name}
                        </Link>
                        <span className="s">
                          <Num>{formatDay(row.date)}</Num>
                          {row.dueDate && (
                            <>
                              {' · '}
                              {t('payments.apply.due')} <Num>{formatDay(row.dueDate)}</Num>
                            </>
                          )}
                        </span>
                      </span>
                      <Money amount={row.openInCurrencyAgorot} currency={currency} />
                      {mayApply && free > 0 && !hides && (
                        <div className="k-sum-cell">
                          <MoneyField
                            label={t('payments.apply.sumOf', { name })}
                            hideLabel
                            value={sums[row.id] ?? null}
                            onChange={(sum) =>
                              setSums({
                                ...sums,
                                [row.id]: Math.max(0, Math.min(sum ?? 0, row.openInCurrencyAgorot)),
                              })
                            }
                          />
                        </div>
                      )}
                    </div>
                  )
                })}
              </Rows>
            )}
          </Card>
          {money.settlements.length > 0 && (
            <Card title={t('payments.apply.before')}>
              <Rows>
                {money.settlements.map((one) => (
                  <div key={one.id}>
                    <span className="k-tile">
                      <Icon of={Check} />
                    </span>
                    <span className="grow">
                      <span className="t">{paperName(t, one)}</span>
                      <span className="s">
                        <Num>{formatDay(one.date)}</Num>
                      </span>
                    </span>
                    {!hides && <Money amount={Math.abs(one.amountAgorot)} currency={currency} />}
                    {mayApply && (
                      <Button
                        kind="quiet"
                        size="s"
                        icon={Undo2}
                        m
                        label={t('payments.apply.takeBack')}
                        onPress={() => void takeBack(one.id)}
                      />
                    )}
                  </div>
                ))}
              </Rows>
            </Card>
          )}
        </div>
        <div className="side">
          <Card>
            <div className="grid gap-4">
              {failure !== undefined && <Note tone="late">{failureText(t, failure)}</Note>}
              {hides && <Note>{t('payments.apply.hiddenSums')}</Note>}
              {!hides && (
                <dl className="k-sums" aria-live="polite">
                  <div>
                    <dt>{t('payments.apply.free')}</dt>
                    <dd>
                      <Money amount={free} currency={currency} />
                    </dd>
                  </div>
                  <div>
                    <dt>{t('payments.apply.applied')}</dt>
                    <dd>
                      <Money amount={applied} currency={currency} />
                    </dd>
                  </div>
                  <div className="whole">
                    <dt>{t('payments.apply.left')}</dt>
                    <dd>
                      <Money amount={free - applied} currency={currency} />
                    </dd>
                  </div>
                </dl>
              )}
              {mayApply && (
                <Button
                  kind="primary"
                  wide
                  icon={Check}
                  busy={busy}
                  onPress={() => void submit()}
                  {...(blocked ? { blocked } : {})}
                >
                  {t('payments.apply.verb')}
                </Button>
              )}
              {blocked && !hides && applied > free && <Note tone="wait">{blocked}</Note>}
            </div>
          </Card>
        </div>
      </div>
      {refunds && <RefundDialog money={money} free={free} onClose={() => setRefunds(false)} />}
    </>
  )
}

/** Each debt by as much as is left of the money; when it is used up the rest stay open. */
async function closeInOrder(id: string, debts: readonly OpenItem[]): Promise<void> {
  for (const [i, debt] of debts.entries())
    try {
      await call(settleDocument, { id, documentId: debt.id })
    } catch (e) {
      if (i === 0 || !isUsedUp(e)) throw e
      return
    }
}

const isUsedUp = (e: unknown): boolean => e instanceof CallFailure && e.code === 'documents.nothingToClose'

/** Giving the money back: how, when, how much. It makes a receipt with the sum turned. */
function RefundDialog({
  money,
  free,
  onClose,
}: {
  money: DocumentAnswer
  free: number
  onClose: () => void
}) {
  const t = useWords()
  const today = useToday()
  const [sum, setSum] = useState<number | null>(free)
  const [means, setMeans] = useState<string | null>('3')
  const [day, setDay] = useState<Day | null>(today)
  const [reference, setReference] = useState('')
  const submit = async () => {
    const made = await call(refundMoney, {
      documentId: money.id,
      amountAgorot: sum ?? 0,
      means: Number(means) as (typeof refundMeans)[number],
      reference,
      ...(day ? { date: day } : {}),
    })
    void refreshMoney()
    banner.success(t('payments.refund.done', { number: String(made.number) }))
    go(pagePath(6, made.id))
  }
  return (
    <FormDialog
      title={t('payments.refund.title')}
      verb={t('payments.refund.verb')}
      names={['amountAgorot', 'means', 'date', 'reference']}
      onClose={onClose}
      onSubmit={submit}
    >
      {(refusal) => (
        <>
          <p className="hint">{t('payments.refund.text')}</p>
          <div className="pm-pair">
            <MoneyField
              label={t('payments.refund.sum')}
              name="amountAgorot"
              value={sum}
              onChange={setSum}
              {...refusal('amountAgorot', sum)}
            />
            <DayField
              label={t('payments.refund.day')}
              name="date"
              value={day}
              max={today}
              onChange={setDay}
              {...refusal('date', day)}
            />
          </div>
          <ChoiceField
            as="list"
            label={t('payments.fields.means')}
            name="means"
            value={means}
            onChange={setMeans}
            choices={refundMeans.map((one) => ({
              value: String(one),
              label: t(`payments.means.${paymentMeansById(one)}`),
            }))}
            {...refusal('means', means)}
          />
          <TextField
            label={t('payments.fields.reference')}
            name="reference"
            optional
            max={100}
            value={reference}
            onChange={setReference}
            {...refusal('reference', reference)}
          />
        </>
      )}
    </FormDialog>
  )
}
