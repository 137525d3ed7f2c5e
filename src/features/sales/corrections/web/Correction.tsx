import { keepPreviousData } from '@tanstack/react-query'
import {
  ArrowLeftRight,
  Ban,
  FileCheck,
  FileMinus2,
  Plus,
  TriangleAlert,
  Undo2,
  Unlink,
  X,
  type LucideIcon,
} from 'lucide-react'
import { useEffect, useId, useState, type FormEvent } from 'react'
import { documentTypes, labelOf, paymentMeans, paymentMeansById } from '#domain/documents/kinds.ts'
import { formatDay, formatMoney, formatPeriod } from '#domain/format.ts'
import type { FieldError } from '#kit/describe/errors.ts'
import { call, CallFailure, failureText, fieldErrors, queryClient, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell, QuantityCell, TextCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField, PriceField, QuantityField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useTitle } from '#kit/web/routes/router.tsx'
import { searchIn } from '#kit/web/screens/resources.ts'
import { useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getDocument, type DocumentAnswer } from '#features/sales/documents/endpoints.ts'
import { isPurchase, pagePath, typeById } from '#features/sales/documents/types/index.ts'
import { documentName, PaymentDetails, typeWord } from '#features/sales/documents/web/index.tsx'
import { documentNoun } from '#features/sales/documents/web/nouns.ts'
import { customers } from '#features/registers/parties/customers.ts'
import { suppliers } from '#features/registers/suppliers/suppliers.ts'
import { correctDocument, planCorrectionCall, type PlanAnswer } from '../endpoints.ts'
import './corrections.css'
import { asItIs, byOtherMeans, newPayment, wishOf, withDetails, type Edited } from './wish.ts'

/**
 * A mistake in an issued document: what it should have been, and beside it everything that putting it right
 * will do.
 */
export function Screen() {
  const t = useWords()
  const { params } = usePlace()
  const hides = useSession()?.HideTotalPrices ?? false
  const { data, error } = useCall(getDocument, { id: params.documentkey ?? '' })
  useTitle(data && t('corrections.title', { name: documentName(t, data.type, data.number, labelOf(data)) }))
  if ((error && !data) || hides)
    return (
      <EmptyState
        icon={TriangleAlert}
        title={t('corrections.none')}
        actions={<Button href="/invoice/documents">{t('documents.title')}</Button>}
      >
        {hides ? t('errors.session.forbidden') : failureText(t, error)}
      </EmptyState>
    )
  if (!data) return <Skeleton lines={6} />
  return <Correction key={data.id} document={data} />
}

/** The value, once nobody has touched it for a moment. */
function useSettled<T>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}

function Correction({ document }: { document: DocumentAnswer }) {
  const t = useWords()
  const form = useId()
  const [edited, setEdited] = useState<Edited>(() => asItIs(document))
  const [reason, setReason] = useState('')
  const [said, setSaid] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const now = JSON.stringify(wishOf(document, edited) ?? null)
  const asked = useSettled(now, 400)
  const wish = JSON.parse(asked) as NonNullable<ReturnType<typeof wishOf>> | null
  const {
    data: plan,
    error,
    isFetching,
  } = useCall(planCorrectionCall, wish ?? { id: document.id }, {
    enabled: wish !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const name = documentName(t, document.type, document.number, labelOf(document))
  const isCurrent = now === asked && !isFetching
  const mayGo = wish !== null && isCurrent && plan !== undefined && plan.refusals.length === 0 && !error
  const put = (change: Partial<Edited>) => {
    setEdited((before) => ({ ...before, ...change }))
    setProblem(undefined)
  }
  const run = async (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() === '') return setSaid(t('corrections.reasonNeeded'))
    if (!mayGo) return
    setBusy(true)
    try {
      const { documents } = await call(correctDocument, { ...wish, reason: reason.trim(), mark: plan.mark })
      void queryClient.invalidateQueries()
      const last = documents.at(-1)!
      go(pagePath(last.type, last.id), { replace: true })
      banner.success(
        t('corrections.done', {
          name: documentNoun(t, document.type, document.number, labelOf(document)),
        }),
        10_000,
      )
    } catch (e) {
      setProblem(fieldErrors(t, e, []).rest ?? failureText(t, e))
      void queryClient.invalidateQueries({ queryKey: [planCorrectionCall.name] })
      setBusy(false)
    }
  }
  // What the call itself was refused for is shown at its field, as what the plan refuses.
  const faults: readonly Fault[] = error instanceof CallFailure ? error.errors : (plan?.refusals ?? [])
  const saidOf = (path: string, exactly = false) => {
    const refusal =
      wish && isCurrent
        ? faults.find((one) => one.path === path || (!exactly && one.path.startsWith(`${path}.`)))
        : undefined
    return refusal && wordOf(t, refusal)
  }
  const differs =
    wish && isCurrent ? plan?.refusals.find((one) => one.code === 'documents.paymentsDiffer') : undefined
  const rightTotal = differs ? Number(differs.params.totalAgorot) : undefined
  return (
    <>
      <PageHeader
        crumbs={[
          { label: t('documents.title'), href: '/invoice/documents' },
          { label: name, href: pagePath(document.type, document.id) },
        ]}
        title={t('corrections.title', { name })}
        sub={document.customer && <bdi>{document.customer.name}</bdi>}
      />
      <form id={form} className="cor-desk" onSubmit={(event) => void run(event)} noValidate>
        <div className="cor-side">
          <Wrong document={document} edited={edited} put={put} saidOf={saidOf} rightTotal={rightTotal} />
        </div>
        <div className="cor-side" aria-live="polite" aria-busy={wish !== null && !isCurrent}>
          {wish === null ? (
            <Card title={t('corrections.steps')}>
              <p className="hint">{t('corrections.few')}</p>
            </Card>
          ) : error && !plan ? (
            <Note tone="late">{failureText(t, error)}</Note>
          ) : plan === undefined ? (
            <Card title={t('corrections.steps')}>
              <Skeleton lines={4} />
            </Card>
          ) : (
            <Plan plan={plan} />
          )}
          <Card label={t('corrections.reason')}>
            <div className="grid gap-4">
              <TextField
                label={t('corrections.reason')}
                value={reason}
                onChange={(next) => {
                  setReason(next)
                  setSaid(undefined)
                }}
                error={said}
                max={300}
              />
              {problem && <Note tone="late">{problem}</Note>}
              <div className="cor-deed">
                <Button kind="quiet" href={pagePath(document.type, document.id)}>
                  {t('kit.actions.back')}
                </Button>
                <Button
                  kind="primary"
                  type="submit"
                  busy={busy}
                  {...(mayGo
                    ? {}
                    : {
                        blocked: t(
                          wish === null
                            ? 'errors.corrections.nothingChanged'
                            : !isCurrent
                              ? 'corrections.asking'
                              : 'corrections.refused',
                        ),
                      })}
                >
                  {t('corrections.do')}
                </Button>
              </div>
            </div>
          </Card>
        </div>
      </form>
    </>
  )
}

type Words = ReturnType<typeof useWords>
type Fault = Pick<FieldError, 'path' | 'code' | 'params'>

/** Days in a refusal are said as people write them. */
const wordOf = (t: Words, { code, params = {} }: Fault): string =>
  t(
    `errors.${code}`,
    Object.fromEntries(
      Object.entries(params).map(([key, value]) => [
        key,
        typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? formatDay(value) : value,
      ]),
    ),
  )

interface WrongProps {
  document: DocumentAnswer
  edited: Edited
  put: (change: Partial<Edited>) => void
  /** Of a field and what is inside it, or of exactly that field. */
  saidOf: (path: string, exactly?: boolean) => string | undefined
  /** What the payments should come to, where they do not. */
  rightTotal: number | undefined
}

/** The paper's own figures, each of which may have been the mistake. */
function Wrong({ document, edited, put, saidOf, rightTotal }: WrongProps) {
  const t = useWords()
  const type = typeById(document.type)
  const buys = type !== undefined && isPurchase(type)
  const hasVat = document.vatRateBp > 0
  const changeLine = (line: number, change: Partial<Edited['lines'][number]>) =>
    put({ lines: edited.lines.map((l) => (l.line === line ? { ...l, ...change } : l)) })
  return (
    <>
      <Card title={t('corrections.shouldBe')}>
        <div className="cor-head">
          <RefField
            label={t(buys ? 'corrections.supplier' : 'corrections.customer')}
            value={edited.party}
            onChange={(option) => option && put({ party: { key: option.key, label: option.label } })}
            search={searchIn(buys ? suppliers : customers)}
            error={saidOf('customerId')}
          />
          <DayField
            label={t('corrections.date')}
            value={edited.date}
            onChange={(day) => put({ date: day ?? document.date })}
            hint={
              documentTypes[type?.name ?? 'taxInvoice'].isTaxDocument ? t('corrections.dateHint') : undefined
            }
            error={saidOf('date')}
          />
        </div>
      </Card>
      {edited.lines.length > 0 && (
        <Card title={t('corrections.lines')}>
          <ul className="cor-lines">
            {edited.lines.map((l, i) => {
              const { description } = document.lines[i]!
              return (
                <li key={l.line}>
                  <span className="text">
                    <bdi>{description}</bdi>
                  </span>
                  <div
                    className="cells"
                    role="group"
                    aria-label={description}
                    data-vat={hasVat ? '' : undefined}
                  >
                    <QuantityField
                      label={t('corrections.quantity')}
                      name={`quantity${l.line}`}
                      value={l.quantity}
                      onChange={(quantity) => changeLine(l.line, { quantity })}
                    />
                    <PriceField
                      label={t('corrections.price')}
                      name={`price${l.line}`}
                      currency={document.currency}
                      value={l.unitPrice}
                      onChange={(unitPrice) => changeLine(l.line, { unitPrice })}
                    />
                    {hasVat && (
                      <ChoiceField
                        as="list"
                        label={t('corrections.vatKind')}
                        value={String(l.vatKind)}
                        choices={[1, 2, 4, ...(l.vatKind === 3 ? [3] : [])].map((kind) => ({
                          value: String(kind),
                          label: t(`documents.vatKind.${kind}`),
                        }))}
                        onChange={(kind) => kind && changeLine(l.line, { vatKind: Number(kind) })}
                      />
                    )}
                  </div>
                </li>
              )
            })}
          </ul>
          {saidOf('lines') && (
            <p className="k-msg" data-tone="late" role="alert">
              {saidOf('lines')}
            </p>
          )}
        </Card>
      )}
      {document.payments.length > 0 && (
        <Paid document={document} edited={edited} put={put} saidOf={saidOf} rightTotal={rightTotal} />
      )}
    </>
  )
}

/** How it was paid, means by means. */
function Paid({ document, edited, put, saidOf, rightTotal }: WrongProps) {
  const t = useWords()
  const { payments } = edited
  const change = (key: string, to: (one: (typeof payments)[number]) => (typeof payments)[number]) =>
    put({ payments: payments.map((one) => (one.key === key ? to(one) : one)) })
  return (
    <Card title={t('corrections.payments')}>
      <ul className="cor-lines">
        {payments.map((one, i) => (
          <li key={one.key}>
            <div className="cor-payment">
              <div className="cells" data-pays="">
                <ChoiceField
                  as="list"
                  label={t('corrections.means')}
                  value={String(one.means)}
                  choices={Object.entries(paymentMeans).map(([name, id]) => ({
                    value: String(id),
                    label: t(`documents.means.${name}`),
                  }))}
                  onChange={(means) =>
                    means &&
                    Number(means) !== one.means &&
                    change(one.key, (was) => byOtherMeans(was, Number(means)))
                  }
                />
                <MoneyField
                  label={t('corrections.amount')}
                  name={`amount-${one.key}`}
                  currency={document.currency}
                  value={one.amountAgorot}
                  onChange={(amountAgorot) => change(one.key, (was) => ({ ...was, amountAgorot }))}
                />
              </div>
              {payments.length > 1 && (
                <Button
                  kind="quiet"
                  icon={X}
                  label={t('corrections.dropPayment')}
                  onPress={() => put({ payments: payments.filter(({ key }) => key !== one.key) })}
                />
              )}
            </div>
            <div className="doc-payment cor-details">
              <PaymentDetails
                one={{ ...one, means: paymentMeansById(one.means)! }}
                day={document.date}
                said={(cell) => saidOf(`payments.${i}.${cell}`)}
                change={(details) => change(one.key, (was) => withDetails(was, details, document.date))}
              />
            </div>
          </li>
        ))}
      </ul>
      {saidOf('payments', true) && (
        <p className="k-msg" data-tone="late" role="alert">
          {saidOf('payments', true)}
          {rightTotal !== undefined && (
            <>
              {' '}
              {t('corrections.rightTotal')} <Money amount={rightTotal} currency={document.currency} />
            </>
          )}
        </p>
      )}
      {(payments.some((one) => paymentMeansById(one.means) === 'cash') && saidOf('payments', true)) ||
      edited.cashException ? (
        <TextField
          label={t('corrections.cashException')}
          optional
          max={200}
          value={edited.cashException}
          onChange={(cashException) => put({ cashException })}
        />
      ) : null}
      <Button
        kind="quiet"
        icon={Plus}
        onPress={() =>
          put({ payments: [...payments, newPayment(`new${payments.length}-${Date.now()}`, document.date)] })
        }
      >
        {t('corrections.addPayment')}
      </Button>
    </Card>
  )
}

const pictures: Record<PlanAnswer['steps'][number]['kind'], LucideIcon> = {
  release: Unlink,
  credit: FileMinus2,
  creditDifference: FileMinus2,
  giveBack: Undo2,
  mark: Ban,
  reissue: FileCheck,
  use: ArrowLeftRight,
}

/** Every paper it takes, and what they do, before anything is done. */
function Plan({ plan }: { plan: PlanAnswer }) {
  const t = useWords()
  const { effect, refusals, remarks, steps } = plan
  const isQuiet =
    effect.vat.length + effect.accounts.length + effect.customers.length + effect.goods.length === 0
  return (
    <>
      {refusals.map((one) => (
        <Note key={one.code + one.path} tone="late">
          {wordOf(t, one)}
        </Note>
      ))}
      <Card title={t('corrections.steps')} hint={t(`corrections.chain.${plan.chain}`)}>
        <Rows>
          {steps.map((step, i) => (
            <div key={i}>
              <span className="k-tile">
                <Icon of={pictures[step.kind]} />
              </span>
              <span className="grow">
                <span className="t">
                  {t(`corrections.step.${step.kind}`, {
                    type: step.type === null ? '' : typeWord(t, step.type),
                  })}
                </span>
                <span className="s">
                  <Num>{formatDay(step.date)}</Num>
                  {step.customer && (
                    <>
                      {' · '}
                      <bdi>{step.customer}</bdi>
                    </>
                  )}
                  {step.asksAllocation && <> · {t('corrections.asksAllocation')}</>}
                </span>
              </span>
              {step.totalAgorot !== null && (
                <span className="cor-sum">
                  <Money amount={step.totalAgorot} currency={step.currency ?? 'ILS'} />
                </span>
              )}
            </div>
          ))}
        </Rows>
        {remarks.length > 0 && (
          <ul className="cor-remarks">
            {remarks.map((remark) => (
              <li key={remark} className="hint">
                {t(`corrections.remark.${remark}`)}
              </li>
            ))}
          </ul>
        )}
      </Card>
      {refusals.length === 0 && (
        <Card title={t('corrections.effect')}>
          {isQuiet ? (
            <p className="hint">{t('corrections.noEffect')}</p>
          ) : (
            <dl className="cor-effect">
              {effect.vat.map(({ from, to, amountAgorot }) => (
                <div key={from}>
                  <dt>{t('corrections.vat', { period: formatPeriod({ from, to }) })}</dt>
                  <dd>
                    <Num>{`${amountAgorot > 0 ? '+' : ''}${formatMoney(amountAgorot)}`}</Num>
                  </dd>
                </div>
              ))}
              {effect.customers.map(({ id, name, beforeAgorot, afterAgorot }) => (
                <div key={id}>
                  <dt>{t('corrections.balanceOf', { name })}</dt>
                  <dd>
                    <s>
                      <Money amount={beforeAgorot} />
                    </s>
                    <Money amount={afterAgorot} />
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </Card>
      )}
      {refusals.length === 0 && effect.goods.length > 0 && (
        <DataTable
          label={t('corrections.goods')}
          rows={effect.goods}
          rowKey={(row) => row.itemId}
          columns={[
            {
              key: 'name',
              title: t('corrections.goods'),
              strong: true,
              width: 'trim',
              cell: (row) => <TextCell value={row.name} />,
              phone: 'title',
            },
            {
              key: 'back',
              title: t('corrections.goodsBack'),
              align: 'amount',
              cell: (row) => <QuantityCell value={row.back} />,
              phone: 'line',
              named: () => true,
            },
            {
              key: 'out',
              title: t('corrections.goodsOut'),
              align: 'amount',
              cell: (row) => <QuantityCell value={row.out} />,
              phone: 'line',
              named: () => true,
            },
            {
              key: 'change',
              title: t('corrections.goodsChange'),
              align: 'amount',
              cell: (row) => <QuantityCell value={row.change} />,
              phone: 'amount',
              named: () => true,
            },
          ]}
        />
      )}
      {refusals.length === 0 && effect.accounts.length > 0 && (
        <DataTable
          label={t('corrections.accounts')}
          rows={effect.accounts}
          rowKey={(row) => row.id}
          columns={[
            {
              key: 'number',
              title: t('corrections.account'),
              width: 'fit',
              cell: (row) => <Num>{row.number}</Num>,
              phone: 'line',
            },
            {
              key: 'name',
              title: t('corrections.accountName'),
              strong: true,
              width: 'trim',
              cell: (row) => <TextCell value={row.name} />,
              phone: 'title',
            },
            {
              key: 'debit',
              title: t('corrections.debit'),
              align: 'amount',
              cell: (row) => <MoneyCell value={Math.max(0, row.amountAgorot)} zero="blank" />,
              phone: 'amount',
              named: (row) => row.amountAgorot > 0,
            },
            {
              key: 'credit',
              title: t('corrections.credit'),
              align: 'amount',
              cell: (row) => <MoneyCell value={Math.max(0, -row.amountAgorot)} zero="blank" />,
              phone: 'amount',
              named: (row) => row.amountAgorot < 0,
            },
          ]}
        />
      )}
    </>
  )
}
