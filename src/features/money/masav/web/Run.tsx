import { Download, Landmark, Undo2, Wallet } from 'lucide-react'
import { useState } from 'react'
import type { Day } from '#domain/day.ts'
import { formatDay, formatMoment } from '#domain/format.ts'
import { call, failureText, queryClient, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { ReasonDialog } from '#kit/web/parts/ReasonDialog.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  collectDebits,
  creditsFile,
  debitsFile,
  getRun,
  returnLine,
  undoRun,
  type RunAnswer,
} from '../endpoints.ts'
import { StateOf } from './Runs.tsx'
import { AccountCell } from './shared.tsx'
import './masav.css'

type Line = RunAnswer['rows'][number]

/** One file: its payments, the bytes again, and what came back. */
export function Screen() {
  const t = useWords()
  const today = useToday()
  const fetchFile = useFile()
  const may = useCan()('masav.make')
  const hides = useSession()?.HideTotalPrices ?? false
  const { params } = usePlace()
  const id = params.runid ?? ''
  const { data, error } = useCall(getRun, { id })
  const [returns, setReturns] = useState<Line>()
  const [asks, setAsks] = useState<'collect' | 'undo'>()
  if (error) return <Note tone="late">{failureText(t, error)}</Note>
  if (!data) return <Skeleton lines={6} />
  const isDebit = data.direction === 'debit'
  const download = () => void fetchFile(isDebit ? debitsFile : creditsFile, { id })
  const hasStates = data.rows.some((line) => line.returnedOn !== null || line.receiptId !== null)
  const hasReasons = data.rows.some((line) => line.returnReason !== '')
  const paperOf = (line: Line) =>
    line.supplierPaymentId
      ? `/invoice/supplierpayment/${line.supplierPaymentId}`
      : `/invoice/preview/${line.receiptId ?? line.documentId}`
  return (
    <>
      <PageHeader
        crumbs={[
          isDebit
            ? { label: t('screens.masavCollections'), href: '/invoice/reportmasavretainer' }
            : { label: t('screens.masavPayments'), href: '/invoice/reportmasavpayment' },
        ]}
        title={t('masav.fileOf', { number: String(data.number) })}
        actions={
          <>
            {may && isDebit && !data.undoneAt && !data.collectedAt && data.payDay <= today && (
              <Button icon={Wallet} onPress={() => setAsks('collect')}>
                {t('masav.collect')}
              </Button>
            )}
            {may && data.undoneAt && (
              <Button icon={Landmark} href={isDebit ? '/invoice/masavdebits' : '/invoice/masavrun'}>
                {t('masav.newFile')}
              </Button>
            )}
            {!data.undoneAt && !hides && (
              <Button kind="primary" icon={Download} onPress={download}>
                {t('masav.download')}
              </Button>
            )}
          </>
        }
        {...(may && !data.undoneAt && data.returned === 0
          ? {
              more: [
                {
                  key: 'undo',
                  label: t('masav.undo'),
                  icon: Undo2,
                  m: true,
                  tone: 'danger' as const,
                  onPress: () => setAsks('undo'),
                },
              ],
            }
          : {})}
      />
      <div className="ms-stack">
        {data.undoneAt && (
          <Note>
            {t('masav.undoneBy', { day: formatMoment(new Date(data.undoneAt)), name: data.undoneBy ?? '' })}{' '}
            <bdi>{data.undoReason}</bdi>
          </Note>
        )}
        {hides && <Note>{t('masav.hiddenFile')}</Note>}
        <Figures label={t('masav.fileOf', { number: String(data.number) })}>
          <Figure
            label={t('masav.total')}
            amount={data.totalAgorot}
            exact
            note={t('masav.linesCount', { count: data.lines })}
          />
          <Figure
            label={t('masav.payDay')}
            value={<Num>{formatDay(data.payDay)}</Num>}
            note={data.madeBy ?? ''}
          />
          <Figure
            label={t('masav.state')}
            value={<StateOf run={data} />}
            note={data.collectedOn && <Num>{formatDay(data.collectedOn)}</Num>}
          />
        </Figures>
        <DataTable
          label={t('masav.fileOf', { number: String(data.number) })}
          main
          rows={data.rows}
          rowKey={(line) => String(line.line)}
          rowName={(line) => line.name}
          rowHref={paperOf}
          isOff={(line) => line.returnedOn !== null || data.undoneAt !== null}
          menu={(line) =>
            may && !data.undoneAt && !line.returnedOn
              ? [{ key: 'return', label: t('masav.return'), icon: Undo2, onPress: () => setReturns(line) }]
              : []
          }
          columns={[
            {
              key: 'name',
              title: t(isDebit ? 'masav.customer' : 'masav.supplier'),
              strong: true,
              width: 'trim',
              phone: 'title',
              cell: (line) => <TextCell value={line.name} />,
            },
            {
              key: 'account',
              title: t('masav.account'),
              width: 'fit',
              // On a phone a reason takes its place: both would be cut.
              ...(hasReasons ? {} : { phone: 'line' as const }),
              cell: (line) => <AccountCell of={line} />,
            },
            {
              key: 'reference',
              title: t('masav.reference'),
              width: 'fit',
              cell: (line) => <Num>{line.reference}</Num>,
            },
            ...(hasStates
              ? [
                  {
                    key: 'state',
                    title: t('masav.state'),
                    width: 'fit',
                    phone: 'state' as const,
                    cell: (line: Line) =>
                      line.returnedOn ? (
                        <StatusPill tone="late">
                          {t('masav.returnedOn', { day: formatDay(line.returnedOn) })}
                        </StatusPill>
                      ) : line.receiptId ? (
                        <StatusPill tone="done">{t('masav.receipt')}</StatusPill>
                      ) : null,
                  },
                ]
              : []),
            ...(hasReasons
              ? [
                  {
                    key: 'reason',
                    title: t('masav.reason'),
                    width: 'trim' as const,
                    phone: 'line' as const,
                    cell: (line: Line) => <TextCell value={line.returnReason} />,
                  },
                ]
              : []),
            {
              key: 'amount',
              title: t('masav.amount'),
              align: 'amount',
              phone: 'amount',
              cell: (line) => <MoneyCell value={line.amountAgorot} />,
            },
          ]}
        />
      </div>
      {asks === 'collect' && <CollectDialog of={data} onClose={() => setAsks(undefined)} />}
      {asks === 'undo' && <UndoDialog of={data} onClose={() => setAsks(undefined)} />}
      {returns && (
        <ReturnDialog id={id} of={returns} isDebit={isDebit} onClose={() => setReturns(undefined)} />
      )}
    </>
  )
}

/** The money came: on which day, which its receipts will bear. */
function CollectDialog({ of, onClose }: { of: RunAnswer; onClose: () => void }) {
  const t = useWords()
  const today = useToday()
  const [day, setDay] = useState<Day | null>(of.payDay)
  const save = async () => {
    const { receipts } = await call(collectDebits, { id: of.id, ...(day ? { date: day } : {}) })
    await queryClient.invalidateQueries()
    banner.success(t('masav.receiptsIssued', { count: receipts }))
    onClose()
  }
  return (
    <FormDialog
      title={t('masav.collectAsk')}
      verb={t('masav.collect')}
      names={['date']}
      onClose={onClose}
      onSubmit={save}
    >
      {(refusal) => (
        <>
          <p className="sub">{t('masav.collectText')}</p>
          <DayField
            label={t('masav.cameOn')}
            name="date"
            value={day}
            min={of.payDay}
            max={today}
            onChange={setDay}
            {...refusal('date', day)}
          />
        </>
      )}
    </FormDialog>
  )
}

/** The whole file goes back, and why is kept with it. */
function UndoDialog({ of, onClose }: { of: RunAnswer; onClose: () => void }) {
  const t = useWords()
  const save = async (reason: string) => {
    await call(undoRun, { id: of.id, reason: reason.trim() })
    await queryClient.invalidateQueries()
    banner.success(t('masav.undoDone'))
    onClose()
  }
  const text =
    of.direction === 'credit'
      ? 'masav.undoCreditText'
      : of.collectedAt
        ? 'masav.undoReceiptsText'
        : 'masav.undoDebitText'
  return (
    <ReasonDialog
      title={t('masav.undoAsk', { number: String(of.number) })}
      verb={t('masav.undo')}
      danger
      label={t('masav.reason')}
      max={200}
      oneLine
      onClose={onClose}
      onReason={save}
    >
      <p className="sub">{t(text)}</p>
    </ReasonDialog>
  )
}

function ReturnDialog({
  id,
  of,
  isDebit,
  onClose,
}: {
  id: string
  of: Line
  isDebit: boolean
  onClose: () => void
}) {
  const t = useWords()
  const [reason, setReason] = useState('')
  const [fee, setFee] = useState<number | null>(null)
  const save = async () => {
    await call(returnLine, { id, line: of.line, reason: reason.trim(), feeAgorot: fee ?? 0 })
    await queryClient.invalidateQueries()
    banner.success(t('masav.returnDone', { name: of.name }))
    onClose()
  }
  return (
    <FormDialog
      title={t('masav.returnOf', { name: of.name })}
      verb={t('masav.return')}
      names={['reason', 'feeAgorot']}
      onClose={onClose}
      onSubmit={save}
    >
      {(refusal) => (
        <>
          <p className="sub">{t(isDebit ? 'masav.returnDebitText' : 'masav.returnCreditText')}</p>
          <TextField
            label={t('masav.reason')}
            optional
            value={reason}
            onChange={setReason}
            max={200}
            {...refusal('reason', reason)}
            autoFocus
          />
          {isDebit && of.receiptId && (
            <MoneyField label={t('masav.fee')} value={fee} onChange={setFee} {...refusal('feeAgorot', fee)} />
          )}
        </>
      )}
    </FormDialog>
  )
}
