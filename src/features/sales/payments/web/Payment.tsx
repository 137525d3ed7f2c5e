import { FilePlus2, HandHelping, Landmark, Undo2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { chargesVat } from '#domain/documents/kinds.ts'
import type { Day } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import '#kit/web/screens/screens.css'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getCompany } from '#features/base/companies/endpoints.ts'
import { brandWord } from '#features/base/companies/means.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { editorPath, pagePath } from '#features/sales/documents/types/index.ts'
import { documentName } from '#features/sales/documents/web/index.tsx'
import { bouncePayment, getPayment, giveBackPayment, undoReturn, type PaymentAnswer } from '../endpoints.ts'
import { depositPath, newDepositPath, refreshMoney } from './actions.ts'
import { PaymentState } from './state.tsx'
import './payments.css'

/** One payment of a customer: where it came from, where it lies, what became of it. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const { params } = usePlace()
  const id = params.id ?? ''
  const { data: p, error } = useCall(getPayment, { id })
  const [asks, setAsks] = useState<'bounced' | 'given' | 'undo'>()
  if (error) return <Note tone="late">{failureText(t, error)}</Note>
  if (!p) return <Skeleton lines={6} />
  const known = p.chequeNumber || p.cardLast4
  const name = t(`payments.means.${p.means}`)
  const mayChange = may('payments.change')
  const close = () => setAsks(undefined)
  const undo = async () => {
    try {
      await call(undoReturn, { id })
      await refreshMoney()
      banner.success(t('payments.done.undone'))
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('payments.title'), href: '/invoice/payments' }]}
        title={
          <>
            {name} {known && <Num>{known}</Num>}
          </>
        }
        status={<PaymentState state={p.state} />}
        sub={
          <>
            {p.customerId ? (
              <Link className="link aim" href={`/invoice/invoiceCustomer/${p.customerId}/details`}>
                <bdi>{p.customerName}</bdi>
              </Link>
            ) : (
              <bdi>{p.customerName}</bdi>
            )}
            {!hides && (
              <>
                {' · '}
                <Money amount={p.amountAgorot} currency={p.currency} />
              </>
            )}
          </>
        }
        actions={
          mayChange && (
            <>
              {p.may.giveBack && (
                <Button icon={HandHelping} onPress={() => setAsks('given')}>
                  {t('payments.actions.giveBack')}
                </Button>
              )}
              {p.may.bounce && (
                <Button icon={Undo2} m onPress={() => setAsks('bounced')}>
                  {t(p.means === 'cheque' ? 'payments.actions.bounce' : 'payments.actions.returned')}
                </Button>
              )}
              {p.may.deposit && (
                <Button kind="primary" icon={Landmark} href={`${newDepositPath}?ids=${p.id}`}>
                  {t('payments.actions.deposit')}
                </Button>
              )}
            </>
          )
        }
        {...(mayChange && p.may.undo
          ? {
              more: [
                {
                  key: 'undo',
                  label: t('payments.undo.verb'),
                  icon: Undo2,
                  m: true,
                  onPress: () => setAsks('undo'),
                },
              ],
            }
          : {})}
      />
      <div className="d-facts">
        <Facts p={p} hides={hides} />
        {p.returns.length > 0 && <Returns p={p} hides={hides} />}
      </div>
      {(asks === 'bounced' || asks === 'given') && <ReturnDialog p={p} kind={asks} onClose={close} />}
      <Question
        isOpen={asks === 'undo'}
        onClose={close}
        title={t('payments.undo.title')}
        verb={t('payments.undo.verb')}
        onConfirm={undo}
      >
        {t('payments.undo.text')}
      </Question>
    </>
  )
}

function Facts({ p, hides }: { p: PaymentAnswer; hides: boolean }) {
  const t = useWords()
  const bank = [p.bank, p.branch, p.account].filter(Boolean).join('-')
  const facts: [word: string, value: ReactNode][] = [
    [t('payments.fields.day'), <Num key="d">{formatDay(p.day)}</Num>],
    ...(p.dueDay === p.day
      ? []
      : [[t('payments.fields.dueDay'), <Num key="u">{formatDay(p.dueDay)}</Num>] as [string, ReactNode]]),
    [
      t('payments.fields.document'),
      <Link key="p" className="link aim" href={pagePath(p.document.type, p.document.id)}>
        {documentName(t, p.document.type, p.document.number)}
      </Link>,
    ],
    ...(bank ? [[t('payments.fields.bankAccount'), <Num key="b">{bank}</Num>] as [string, ReactNode]] : []),
    ...(p.cardBrand
      ? [
          [t('payments.fields.cardBrand'), <bdi key="c">{brandWord(p.cardBrand, t)}</bdi>] as [
            string,
            ReactNode,
          ],
        ]
      : []),
    ...(p.instalments && p.instalments > 1
      ? [[t('payments.fields.instalments'), <Num key="i">{p.instalments}</Num>] as [string, ReactNode]]
      : []),
    ...(p.reference
      ? [[t('payments.fields.reference'), <bdi key="r">{p.reference}</bdi>] as [string, ReactNode]]
      : []),
    ...(p.currency !== 'ILS' && !hides
      ? [[t('payments.fields.sumAgorot'), <Money key="s" amount={p.sumAgorot} />] as [string, ReactNode]]
      : []),
    ...(p.deposit
      ? [
          [
            t('payments.fields.depositNumber'),
            <Link key="x" className="link aim" href={depositPath(p.deposit.id)}>
              <Num>{p.deposit.number}</Num> · <Num>{formatDay(p.deposit.day)}</Num>
            </Link>,
          ] as [string, ReactNode],
        ]
      : []),
  ]
  return (
    <Card title={t('payments.facts')}>
      <dl>
        {facts.map(([word, value]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function Returns({ p, hides }: { p: PaymentAnswer; hides: boolean }) {
  const t = useWords()
  const may = useCan()
  const company = useCall(getCompany, {})
  const [busy, setBusy] = useState(false)
  const kind = company.data?.kind
  /** The customer bears what the bank took: a draft that says so, to be looked at before it is issued. */
  const charge = async (feeAgorot: number) => {
    if (!kind || !p.customerId) return
    setBusy(true)
    try {
      const type = chargesVat(kind) ? 8 : 5
      const draft = await call(createDocument, {
        type,
        customerId: p.customerId,
        draft: true,
        lines: [
          {
            description: t('payments.fee.line', { number: p.chequeNumber || String(p.document.number) }),
            quantity: '1',
            unitPrice: (feeAgorot / 100).toFixed(2),
            ...(chargesVat(kind) ? { vatKind: 2 as const } : {}),
          },
        ],
      })
      void refreshMoney()
      go(editorPath(type, draft.id))
    } catch (e) {
      banner.error(failureText(t, e))
      setBusy(false)
    }
  }
  return (
    <Card title={t('payments.returns')}>
      <Rows>
        {p.returns.map((one) => (
          <div key={one.id}>
            <span className="k-tile">
              <Icon of={one.kind === 'bounced' ? Undo2 : HandHelping} m={one.kind === 'bounced'} />
            </span>
            <span className="grow">
              <span className="t">
                {t(one.kind === 'given' ? 'payments.state.returned' : 'payments.state.bounced')} ·{' '}
                <Num>{formatDay(one.day)}</Num>
              </span>
              <span className="s">
                {one.reason && <bdi>{one.reason}</bdi>}
                {one.feeAgorot > 0 && !hides && (
                  <>
                    {one.reason && ' · '}
                    {t('payments.fee.word')} <Money amount={one.feeAgorot} />
                  </>
                )}
              </span>
            </span>
            {one.undone && <StatusPill tone="draft">{t('payments.undo.done')}</StatusPill>}
            {one.feeAgorot > 0 && !one.undone && p.customerId && kind && may('documents.draft') && (
              <Button size="s" icon={FilePlus2} busy={busy} onPress={() => void charge(one.feeAgorot)}>
                {t('payments.fee.charge')}
              </Button>
            )}
          </div>
        ))}
      </Rows>
    </Card>
  )
}

/** When, why, and what the bank took for it. */
function ReturnDialog({
  p,
  kind,
  onClose,
}: {
  p: PaymentAnswer
  kind: 'bounced' | 'given'
  onClose: () => void
}) {
  const t = useWords()
  const today = useToday()
  const [day, setDay] = useState<Day | null>(today)
  const [reason, setReason] = useState('')
  const [fee, setFee] = useState<number | null>(null)
  const verb = t(
    kind === 'given'
      ? 'payments.actions.giveBack'
      : p.means === 'cheque'
        ? 'payments.actions.bounce'
        : 'payments.actions.returned',
  )
  const submit = async () => {
    const input = { id: p.id, reason, ...(day ? { date: day } : {}) }
    if (kind === 'given') await call(giveBackPayment, input)
    else await call(bouncePayment, { ...input, feeAgorot: fee ?? 0 })
    await refreshMoney()
    onClose()
    banner.success(t('payments.done.returned'))
  }
  return (
    <FormDialog
      title={verb}
      verb={verb}
      names={['date', 'reason', 'feeAgorot']}
      onClose={onClose}
      onSubmit={submit}
    >
      {(refusal) => (
        <>
          <p className="hint">{t(kind === 'given' ? 'payments.return.textGiven' : 'payments.return.text')}</p>
          <div className={kind === 'bounced' ? 'pm-pair' : 'grid'}>
            <DayField
              label={t('payments.return.day')}
              name="date"
              value={day}
              max={today}
              onChange={setDay}
              {...refusal('date', day)}
            />
            {kind === 'bounced' && (
              <MoneyField
                label={t('payments.return.fee')}
                name="feeAgorot"
                optional
                value={fee}
                onChange={setFee}
                {...refusal('feeAgorot', fee)}
              />
            )}
          </div>
          <TextField
            label={t('payments.return.reason')}
            name="reason"
            optional
            max={200}
            value={reason}
            onChange={setReason}
            {...refusal('reason', reason)}
          />
        </>
      )}
    </FormDialog>
  )
}
