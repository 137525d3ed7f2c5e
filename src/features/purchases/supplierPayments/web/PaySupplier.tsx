import { BanknoteArrowUp, ReceiptText } from 'lucide-react'
import { useState } from 'react'
import type { Day } from '#domain/day.ts'
import { formatDay, formatPercent } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { PayWarning } from '#features/registers/suppliers/web/index.tsx'
import { createSupplierPayment, openBills, workOutSupplierPayment, type OpenBill } from '../endpoints.ts'
import { payMeans, supplierPayments } from '../supplierPayments.ts'
import { duePath, paymentPath, refreshPayments } from './actions.ts'
import './dress.tsx'
import './supplierPayments.css'

/** A supplier's open bills, the amount of a payment of them after tax, and earlier payments. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { params } = usePlace()
  const supplierId = params.sapak ?? ''
  const { data, error } = useCall(openBills, { supplierId })
  if (error) return <Note tone="late">{failureText(t, error)}</Note>
  if (!data) return <Skeleton lines={6} />
  return (
    <>
      <PageHeader
        crumbs={[
          { label: t('supplierpayments.title'), href: '/invoice/supplierpayments' },
          { label: t('screens.supplierDue'), href: duePath },
        ]}
        title={data.supplier.name}
        actions={
          may('suppliers.see') && (
            <Button href={`/invoice/suppliers/${supplierId}`}>{t('supplierpayments.supplierCard')}</Button>
          )
        }
      />
      <div className="k-stack">
        <PayWarning supplierId={supplierId} />
        {may('supplierPayments.change') && data.rows.length > 0 ? (
          <Pay
            key={data.rows.map((row) => `${row.id}${row.openAgorot}`).join()}
            supplierId={supplierId}
            rows={data.rows}
            withholds={data.withholds}
          />
        ) : (
          data.rows.length === 0 && (
            <Card>
              <EmptyState icon={ReceiptText} title={t('supplierpayments.pay.none')}>
                {t('supplierpayments.pay.noneText')}
              </EmptyState>
            </Card>
          )
        )}
        <h2 className="text-18 font-medium">{t('supplierpayments.before')}</h2>
        <ListScreen
          resource={supplierPayments}
          fixed={{ supplierId }}
          embedded
          archive={false}
          newHref={false}
        />
      </div>
    </>
  )
}

function Pay({
  supplierId,
  rows,
  withholds,
}: {
  supplierId: string
  rows: readonly OpenBill[]
  withholds: boolean
}) {
  const t = useWords()
  const { query } = usePlace()
  const today = useToday()
  const hides = useSession()?.HideTotalPrices ?? false
  const ready = rows.filter((row) => (row.dueDay ?? row.day) <= today)
  // A credit alone pays nothing.
  const isDue = hides || ready.reduce((sum, row) => sum + row.openAgorot, 0) > 0
  const start = query.expense ? rows.filter((row) => row.id === query.expense) : isDue ? ready : []
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(start.map((row) => row.id)))
  const [parts, setParts] = useState<Record<string, number | null>>({})
  const [day, setDay] = useState<Day | null>(today)
  const [means, setMeans] = useState<(typeof payMeans)[number]>('bank')
  const [reference, setReference] = useState('')
  const [withheld, setWithheld] = useState<number | null>()
  const partOf = (row: OpenBill) => (row.id in parts ? (parts[row.id] ?? 0) : row.openAgorot)
  const bills = rows.filter((row) => chosen.has(row.id))
  const gross = bills.reduce((sum, row) => sum + partOf(row), 0)
  const worked = useCall(
    workOutSupplierPayment,
    { supplierId, grossAgorot: gross, ...(day ? { date: day } : {}) },
    { enabled: withholds && gross > 0, placeholderData: (before) => before },
  )
  const byRule = withholds && gross > 0 && worked.data?.grossAgorot === gross ? worked.data.withheldAgorot : 0
  const tax = withheld ?? byRule
  const { busy, rest, error, run, place } = useAction(
    ['date', 'means', 'reference', 'withheldAgorot'],
    async () => {
      const made = await call(createSupplierPayment, {
        supplierId,
        means,
        reference,
        bills: bills.map((row) => (hides ? { id: row.id } : { id: row.id, amountAgorot: partOf(row) })),
        ...(day ? { date: day } : {}),
        ...(withheld === undefined || withheld === null ? {} : { withheldAgorot: withheld }),
      })
      void refreshPayments()
      banner.success(t('supplierpayments.pay.done', { number: String(made.number) }))
      go(paymentPath(made.id))
    },
  )
  return (
    <div className="k-desk">
      <Card title={t('supplierpayments.pay.bills')}>
        <Rows label={t('supplierpayments.pay.bills')}>
          {rows.map((row) => {
            const name = row.number || row.details || formatDay(row.day)
            const isChosen = chosen.has(row.id)
            return (
              <div key={row.id} className="k-sum-row">
                <FlagField
                  label={t('supplierpayments.pay.choose', { number: name })}
                  hideLabel
                  value={isChosen}
                  onChange={(on) => {
                    setChosen(new Set(on ? [...chosen, row.id] : [...chosen].filter((one) => one !== row.id)))
                    setWithheld(undefined)
                  }}
                />
                <span className="grow">
                  <span className="t">
                    <bdi>{name}</bdi>
                  </span>
                  <span className="s">
                    <Num>{formatDay(row.day)}</Num>
                    {row.dueDay && (
                      <span className={row.dueDay < today ? 'late' : undefined}>
                        {' · '}
                        {t('supplierpayments.pay.due')} <Num>{formatDay(row.dueDay)}</Num>
                      </span>
                    )}
                    {row.number && row.details && (
                      <>
                        {' · '}
                        <bdi>{row.details}</bdi>
                      </>
                    )}
                  </span>
                </span>
                <Money amount={row.openAgorot} />
                {isChosen && !hides && (
                  <div className="k-sum-cell">
                    <MoneyField
                      label={t('supplierpayments.pay.sumOf', { number: name })}
                      hideLabel
                      value={partOf(row)}
                      onChange={(sum) => {
                        setParts({ ...parts, [row.id]: sum })
                        setWithheld(undefined)
                      }}
                    />
                  </div>
                )}
              </div>
            )
          })}
        </Rows>
      </Card>
      <form className="side" noValidate aria-label={t('supplierpayments.new')} ref={place} onSubmit={run}>
        <Card>
          <div className="grid gap-4">
            {rest && <Note tone="late">{rest}</Note>}
            {hides && <Note>{t('supplierpayments.pay.hiddenSums')}</Note>}
            <DayField
              label={t('supplierpayments.pay.day')}
              name="date"
              value={day}
              max={today}
              onChange={setDay}
              {...error('date', day)}
            />
            <ChoiceField
              as="list"
              label={t('supplierpayments.fields.means')}
              name="means"
              value={means}
              onChange={(next) => next && setMeans(next)}
              choices={payMeans.map((one) => ({ value: one, label: t(`supplierpayments.means.${one}`) }))}
              {...error('means', means)}
            />
            <TextField
              label={t('supplierpayments.fields.reference')}
              name="reference"
              ltr
              optional
              max={40}
              value={reference}
              onChange={setReference}
              {...error('reference', reference)}
            />
            {withholds && !hides && (
              <MoneyField
                label={t('supplierpayments.fields.withheldAgorot')}
                name="withheldAgorot"
                value={tax}
                onChange={setWithheld}
                hint={<Reason worked={gross > 0 ? worked.data : undefined} />}
                {...error('withheldAgorot', tax)}
              />
            )}
            {!hides && (
              <dl className="k-sums" aria-live="polite">
                <div>
                  <dt>{t('supplierpayments.pay.chosen', { count: bills.length })}</dt>
                  <dd>
                    <Money amount={gross} />
                  </dd>
                </div>
                {withholds && (
                  <div>
                    <dt>{t('supplierpayments.fields.withheldAgorot')}</dt>
                    <dd>
                      <Money amount={-tax} />
                    </dd>
                  </div>
                )}
                <div className="whole">
                  <dt>{t('supplierpayments.fields.netAgorot')}</dt>
                  <dd>
                    <Money amount={gross - tax} />
                  </dd>
                </div>
              </dl>
            )}
            <Button
              kind="primary"
              type="submit"
              wide
              icon={BanknoteArrowUp}
              busy={busy}
              {...((hides ? bills.length === 0 : gross === 0)
                ? { blocked: t('supplierpayments.pay.nothing') }
                : {})}
            >
              {t('supplierpayments.pay.submit')}
            </Button>
          </div>
        </Card>
      </form>
    </div>
  )
}

/** By what the tax is what it is. */
function Reason({ worked }: { worked: { rateBp: number | null; reason: string | null } | undefined }) {
  const t = useWords()
  const { lang } = useLanguage()
  if (!worked?.reason || worked.rateBp === null) return null
  return (
    <>
      <Num>{formatPercent(worked.rateBp, lang)}</Num> · {t(`suppliers.reason.${worked.reason}`)}
    </>
  )
}
