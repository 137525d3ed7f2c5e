import { Printer, Send, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatDay, formatMoment, formatPercent } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import {
  cancelPaymentOfSupplier,
  getSupplierPayment,
  sendSupplierPayment,
  supplierPaymentPdf,
  type SupplierPaymentAnswer,
} from '../endpoints.ts'
import { payPath, refreshPayments } from './actions.ts'
import { PaymentState } from './PaymentState.tsx'
import './supplierPayments.css'

/** One payment to a supplier: its bills, the tax withheld, the notification of the supplier. */
export function Screen() {
  const t = useWords()
  const fetchFile = useFile()
  const { lang } = useLanguage()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const { params } = usePlace()
  const id = params.id ?? ''
  const { data: p, error } = useCall(getSupplierPayment, { id })
  const [asks, setAsks] = useState<'cancel' | 'send'>()
  if (error) return <Note tone="late">{failureText(t, error)}</Note>
  if (!p) return <Skeleton lines={6} />
  const close = () => setAsks(undefined)
  const cancel = async () => {
    try {
      await call(cancelPaymentOfSupplier, { id })
      await refreshPayments()
      banner.success(t('supplierpayments.cancel.done'))
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const print = () => void fetchFile(supplierPaymentPdf, { id }, { open: true })
  const mayChange = may('supplierPayments.change')
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('supplierpayments.title'), href: '/invoice/supplierpayments' }]}
        title={t('supplierpayments.named', { number: String(p.number) })}
        status={<PaymentState state={p.cancelled ? 'cancelled' : p.onTheWay ? 'onTheWay' : 'paid'} />}
        sub={
          <>
            <Link className="link" href={payPath(p.supplierId)}>
              <bdi>{p.supplierName}</bdi>
            </Link>
            {' · '}
            <Num>{formatDay(p.day)}</Num> · {t(`supplierpayments.means.${p.means}`)}
            {p.reference && (
              <>
                {' · '}
                <Num>{p.reference}</Num>
              </>
            )}
            {p.file && (
              <>
                {' · '}
                {may('masav.see') ? (
                  <Link className="link" href={`/invoice/masavfile/${p.file.id}`}>
                    {t('supplierpayments.inFile', { number: String(p.file.number) })}
                  </Link>
                ) : (
                  t('supplierpayments.inFile', { number: String(p.file.number) })
                )}
              </>
            )}
            {p.sentAt && (
              <>
                {' · '}
                {t('supplierpayments.letter.sent')} <Num>{formatMoment(new Date(p.sentAt))}</Num>
              </>
            )}
          </>
        }
        actions={
          <>
            {!hides && (
              <Button icon={Printer} onPress={print}>
                {t('supplierpayments.letter.print')}
              </Button>
            )}
            {mayChange && !p.cancelled && (
              <Button kind="primary" icon={Send} m onPress={() => setAsks('send')}>
                {t('supplierpayments.letter.send')}
              </Button>
            )}
          </>
        }
        {...(mayChange && !p.cancelled
          ? {
              more: [
                {
                  key: 'cancel',
                  label: t('supplierpayments.cancel.verb'),
                  icon: Undo2,
                  m: true,
                  tone: 'danger' as const,
                  onPress: () => setAsks('cancel'),
                },
              ],
            }
          : {})}
      />
      <div className="k-stack">
        {!hides && (
          <Figures label={t('supplierpayments.fields.netAgorot')}>
            <Figure label={t('supplierpayments.fields.grossAgorot')} amount={p.grossAgorot} exact size="s" />
            {p.withheldBp !== null && (
              <Figure
                label={t('supplierpayments.fields.withheldAgorot')}
                amount={p.withheldAgorot}
                exact
                size="s"
                note={
                  p.byHand ? (
                    t('supplierpayments.byHand')
                  ) : (
                    <>
                      <Num>{formatPercent(p.withheldBp, lang)}</Num>
                      {p.reason && ` · ${t(`suppliers.reason.${p.reason}`)}`}
                    </>
                  )
                }
              />
            )}
            <Figure label={t('supplierpayments.fields.netAgorot')} amount={p.netAgorot} exact />
          </Figures>
        )}
        <DataTable<SupplierPaymentAnswer['bills'][number]>
          label={t('supplierpayments.pay.bills')}
          rows={p.bills}
          rowKey={(row) => row.id}
          rowHref={(row) => `/invoice/Expenses/all/${row.id}`}
          onOpen={(row) => go(`/invoice/Expenses/all/${row.id}`)}
          columns={[
            {
              key: 'number',
              title: t('supplierpayments.letter.bill'),
              strong: true,
              width: 'fit',
              phone: 'title',
              cell: (row) => <Num>{row.number}</Num>,
            },
            {
              key: 'day',
              title: t('supplierpayments.fields.day'),
              width: 'fit',
              phone: 'line',
              cell: (row) => <Num>{formatDay(row.day)}</Num>,
            },
            {
              key: 'details',
              title: t('supplierpayments.letter.details'),
              width: 'trim',
              cell: (row) => <TextCell value={row.details} />,
            },
            {
              key: 'total',
              title: t('supplierpayments.letter.total'),
              align: 'amount',
              cell: (row) => <MoneyCell value={row.totalAgorot} />,
            },
            {
              key: 'paid',
              title: t('supplierpayments.letter.paid'),
              align: 'amount',
              phone: 'amount',
              cell: (row) => <MoneyCell value={row.paidAgorot} />,
            },
          ]}
        />
      </div>
      <Question
        isOpen={asks === 'cancel'}
        onClose={close}
        title={t('supplierpayments.cancel.title')}
        verb={t('supplierpayments.cancel.verb')}
        danger
        onConfirm={cancel}
      >
        {t('supplierpayments.cancel.text')}
      </Question>
      {asks === 'send' && <SendDialog payment={p} onClose={close} />}
    </>
  )
}

function SendDialog({ payment, onClose }: { payment: SupplierPaymentAnswer; onClose: () => void }) {
  const t = useWords()
  const [to, setTo] = useState(payment.supplierEmail ?? '')
  const submit = async () => {
    await call(sendSupplierPayment, { id: payment.id, ...(to ? { to } : {}) })
    await refreshPayments()
    onClose()
    banner.success(t('supplierpayments.letter.queued'))
  }
  return (
    <FormDialog
      title={t('supplierpayments.letter.send')}
      verb={t('supplierpayments.letter.send')}
      icon={Send}
      m
      names={['to']}
      onClose={onClose}
      onSubmit={submit}
    >
      {(refusal) => (
        <>
          <p className="hint">{t('supplierpayments.letter.hint')}</p>
          <TextField
            label={t('supplierpayments.letter.to')}
            name="to"
            ltr
            autoFocus
            max={254}
            value={to}
            onChange={setTo}
            {...refusal('to', to)}
          />
        </>
      )}
    </FormDialog>
  )
}
