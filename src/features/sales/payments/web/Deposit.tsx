import { Printer, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { formatDay, formatMoment } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { depositSlip, getDeposit, undoDeposit, type DepositAnswer } from '../endpoints.ts'
import { paymentPath, refreshMoney } from './actions.ts'
import { PaymentState } from './state.tsx'
import './payments.css'

/** A deposit slip: what was brought to the bank, and what became of it. */
export function Screen() {
  const t = useWords()
  const fetchFile = useFile()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const { params } = usePlace()
  const id = params.id ?? ''
  const { data, error } = useCall(getDeposit, { id })
  const [asks, setAsks] = useState(false)
  if (error) return <Note tone="late">{failureText(t, error)}</Note>
  if (!data) return <Skeleton lines={6} />
  const undo = async () => {
    try {
      await call(undoDeposit, { id })
      await refreshMoney()
      banner.success(t('deposits.undone'))
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const print = () => void fetchFile(depositSlip, { id }, { open: true })
  const canUndo =
    may('payments.change') && !data.undone && data.cheques.every((one) => one.state === 'deposited')
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('deposits.title'), href: '/invoice/deposits' }]}
        title={t('deposits.named', { number: String(data.number) })}
        status={
          <StatusPill tone={data.undone ? 'draft' : 'done'}>
            {t(`deposits.state.${data.undone ? 'undone' : 'deposited'}`)}
          </StatusPill>
        }
        sub={
          <>
            <Num>{formatDay(data.day)}</Num> · <bdi>{data.accountName}</bdi>
            {data.reference && (
              <>
                {' · '}
                <Num>{data.reference}</Num>
              </>
            )}
            {' · '}
            {data.madeBy && <bdi>{data.madeBy} </bdi>}
            <Num>{formatMoment(new Date(data.madeAt))}</Num>
          </>
        }
        actions={
          !hides && (
            <Button kind="primary" icon={Printer} onPress={print}>
              {t('deposits.print')}
            </Button>
          )
        }
        {...(canUndo
          ? {
              more: [
                {
                  key: 'undo',
                  label: t('deposits.undo.verb'),
                  icon: Undo2,
                  m: true,
                  tone: 'danger' as const,
                  onPress: () => setAsks(true),
                },
              ],
            }
          : {})}
      />
      <div className="k-stack">
        {!hides && (
          <Figures label={t('deposits.fields.totalAgorot')}>
            <Figure label={t('deposits.fields.totalAgorot')} amount={data.totalAgorot} exact />
            {data.chequesAgorot > 0 && data.cashAgorot > 0 && (
              <Figure label={t('deposits.fields.chequesAgorot')} amount={data.chequesAgorot} exact size="s" />
            )}
            {data.cashAgorot > 0 && (
              <Figure label={t('deposits.fields.cashAgorot')} amount={data.cashAgorot} exact size="s" />
            )}
          </Figures>
        )}
        {data.cheques.length > 0 && (
          <DataTable<DepositAnswer['cheques'][number]>
            label={t('deposits.form.cheques')}
            rows={data.cheques}
            rowKey={(row) => row.id}
            rowHref={(row) => paymentPath(row.id)}
            onOpen={(row) => go(paymentPath(row.id))}
            columns={[
              {
                key: 'customer',
                title: t('payments.fields.customerId'),
                strong: true,
                width: 'trim',
                phone: 'title',
                cell: (row) => <TextCell value={row.customerName} />,
              },
              {
                key: 'number',
                title: t('payments.fields.chequeNumber'),
                width: 'fit',
                phone: 'line',
                cell: (row) => <Num>{row.chequeNumber}</Num>,
              },
              {
                key: 'bank',
                title: t('payments.fields.bankAccount'),
                width: 'fit',
                cell: (row) => <Num>{[row.bank, row.branch, row.account].filter(Boolean).join('-')}</Num>,
              },
              {
                key: 'due',
                title: t('payments.fields.dueDay'),
                width: 'fit',
                phone: 'line',
                cell: (row) => <Num>{formatDay(row.dueDay)}</Num>,
              },
              {
                key: 'state',
                title: t('payments.fields.state'),
                width: 'fit',
                phone: 'state',
                cell: (row) => <PaymentState state={row.state} />,
              },
              {
                key: 'sum',
                title: t('payments.fields.sumAgorot'),
                align: 'amount',
                phone: 'amount',
                cell: (row) => <MoneyCell value={row.sumAgorot} />,
              },
            ]}
          />
        )}
      </div>
      <Question
        isOpen={asks}
        onClose={() => setAsks(false)}
        title={t('deposits.undo.title')}
        verb={t('deposits.undo.verb')}
        danger
        onConfirm={undo}
      >
        {t('deposits.undo.text')}
      </Question>
    </>
  )
}
