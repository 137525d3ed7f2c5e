import { BadgeCheck, FilePlus2, ReceiptText, TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import type { Period } from '#domain/day.ts'
import { formatDay, formatMoney } from '#domain/format.ts'
import { failureText, useCall, useSend } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable, type Column } from '#kit/web/parts/DataTable.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { PeriodChoice } from '#kit/web/screens/PeriodChoice.tsx'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import { JobProgress } from '#features/base/jobs/web/index.tsx'
import {
  getConnection,
  listToVerify,
  verifyExpenses,
  verifyNumber,
  type NumberCheck,
  type ToVerify,
} from '../endpoints.ts'
import { LinkNote } from './LinkNote.tsx'
import './allocation.css'

const tones: Record<ToVerify['standing'], StatusTone> = {
  unchecked: 'plain',
  missingNumber: 'wait',
  noTaxId: 'wait',
  noInvoiceNumber: 'wait',
  confirmed: 'done',
  differs: 'late',
  found: 'info',
  notFound: 'late',
}
const askable: ReadonlySet<ToVerify['standing']> = new Set([
  'unchecked',
  'missingNumber',
  'differs',
  'notFound',
])
const mostAtOnce = 500
const day = /^\d{4}-\d{2}-\d{2}$/

/**
 * Numbers of suppliers' invoices, and what the authority says of each: on them hangs the VAT that may be
 * deducted.
 */
export function Screen() {
  const t = useWords()
  const today = useToday()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const { query, setQuery } = usePlace()
  const year = today.slice(0, 4)
  const period: Period =
    day.test(query.from ?? '') && day.test(query.to ?? '')
      ? { from: query.from!, to: query.to! }
      : { from: `${year}-01-01`, to: `${year}-12-31` }
  const { data, error, isLoading, refetch } = useCall(listToVerify, period)
  const mayAsk = may('allocation.see')
  const connection = useCall(getConnection, {}, { staleTime: 5000, enabled: mayAsk })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [one, setOne] = useState(false)
  const [jobId, setJobId] = useState<string>()
  const check = useSend(verifyExpenses, {
    onError: (e) => void banner.error(failureText(t, e)),
    onSuccess: (started) => {
      setSelected(new Set())
      setJobId(started.jobId)
    },
  })
  const canAsk = may('allocation.change') && connection.data?.state === 'connected'
  const rows = data?.rows ?? []
  // Those ticked, or else those that nobody asked about yet.
  const asked = (
    selected.size
      ? rows.filter((row) => selected.has(row.expenseId))
      : rows.filter((row) => row.standing === 'unchecked')
  )
    .filter((row) => selected.size > 0 || askable.has(row.standing))
    .slice(0, mostAtOnce)

  const columns: Column<ToVerify>[] = [
    {
      key: 'supplier',
      title: t('allocation.verify.supplier'),
      strong: true,
      width: 'trim',
      phone: 'title',
      cell: (row) => <TextCell value={row.supplierName} />,
    },
    {
      key: 'invoice',
      title: t('allocation.verify.invoiceNumber'),
      width: 'fit',
      phone: 'line',
      cell: (row) => <Num>{row.invoiceNumber}</Num>,
    },
    {
      key: 'day',
      title: t('allocation.col.day'),
      width: 'fit',
      cell: (row) => <Num>{formatDay(row.day)}</Num>,
    },
    ...(hides
      ? []
      : (['netAgorot', 'vatAgorot'] as const).map((name): Column<ToVerify> => ({
          key: name,
          title: t(name === 'netAgorot' ? 'allocation.col.net' : 'allocation.verify.vat'),
          align: 'amount',
          ...(name === 'netAgorot' ? { phone: 'amount' as const } : {}),
          cell: (row) => <MoneyCell value={row[name] ?? null} />,
        }))),
    {
      key: 'number',
      title: t('allocation.number'),
      width: 'fit',
      phone: 'line',
      cell: (row) => row.number && <Num>{row.number}</Num>,
    },
    {
      key: 'standing',
      title: t('allocation.col.state'),
      width: 'fit',
      phone: 'state',
      cell: (row) => (
        <StatusPill tone={tones[row.standing]}>
          {t(`allocation.standing.${row.standing}`, { number: row.foundNumber })}
        </StatusPill>
      ),
    },
  ]
  return (
    <div className="al-page">
      <Together waits={isLoading || connection.isLoading}>
        <PageHeader
          title={t('screens.israelTaxVerify')}
          sub={t('allocation.verify.text')}
          actions={
            <>
              {mayAsk && connection.data?.state === 'connected' && (
                <Button icon={FilePlus2} onPress={() => setOne(true)}>
                  {t('allocation.verify.one')}
                </Button>
              )}
              {canAsk && asked.length > 0 && (
                <Button
                  kind="primary"
                  icon={BadgeCheck}
                  busy={check.isPending}
                  onPress={() => check.mutate({ ids: asked.map((row) => row.expenseId) })}
                >
                  {t('allocation.verify.all', { count: asked.length })}
                </Button>
              )}
            </>
          }
        />
        <div className="al-acts">
          <PeriodChoice value={period} onChange={({ from, to }) => setQuery({ from, to })} />
        </div>
        {mayAsk && <LinkNote />}
        {!hides && (data?.atRiskAgorot ?? 0) > 0 && (
          <Note tone="wait" icon={TriangleAlert}>
            {t('allocation.verify.atRisk')}: <Money amount={data!.atRiskAgorot!} />
          </Note>
        )}
        {data?.more && <Note>{t('allocation.verify.more')}</Note>}
        {jobId && (
          <JobProgress
            key={jobId}
            id={jobId}
            onEnd={() => void Promise.all([refetch(), mayAsk && connection.refetch()])}
          />
        )}
        <DataTable
          label={t('screens.israelTaxVerify')}
          main
          rows={rows}
          rowKey={(row) => row.expenseId}
          rowName={(row) => `${row.supplierName} ${row.invoiceNumber}`}
          loading={isLoading}
          columns={columns}
          {...(canAsk ? { selected, onSelect: setSelected } : {})}
          rowHref={(row) => `/invoice/Expenses/all/${row.expenseId}`}
          onOpen={(row) => go(`/invoice/Expenses/all/${row.expenseId}`)}
          menu={(row) => [
            ...(canAsk && row.supplierTaxId && row.invoiceNumber
              ? [
                  {
                    key: 'check',
                    label: t(row.checkedAt ? 'allocation.verify.again' : 'allocation.verify.check'),
                    icon: BadgeCheck,
                    onPress: () => check.mutate({ ids: [row.expenseId] }),
                  },
                ]
              : []),
            {
              key: 'open',
              label: t('allocation.verify.expense'),
              icon: ReceiptText,
              href: `/invoice/Expenses/all/${row.expenseId}`,
            },
          ]}
          empty={
            error ? (
              <Failed error={error} onRetry={refetch} />
            ) : (
              <EmptyState icon={BadgeCheck} title={t('allocation.verify.empty')}>
                {t('allocation.verify.emptyText')}
              </EmptyState>
            )
          }
        />
        {one && <One onClose={() => setOne(false)} />}
      </Together>
    </div>
  )
}

const fields = ['supplierTaxId', 'invoiceNumber', 'day', 'netAgorot', 'vatAgorot', 'number']

/** One invoice in the hand, entered or not. */
function One({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const today = useToday()
  const form = useId()
  const [supplierTaxId, setTaxId] = useState('')
  const [invoiceNumber, setInvoice] = useState('')
  const [date, setDate] = useState<string | null>(today)
  const [net, setNet] = useState<number | null>(null)
  const [vat, setVat] = useState<number | null>(null)
  const [number, setNumber] = useState('')
  const send = useSend(verifyNumber)
  const asked = {
    supplierTaxId,
    supplierName: '',
    invoiceNumber,
    day: date ?? '',
    netAgorot: net ?? 0,
    vatAgorot: vat ?? 0,
    number,
  }
  // An answer is about what was asked: it goes when another number is typed over it.
  const isStill = JSON.stringify(send.variables) === JSON.stringify(asked)
  const { busy, rest, error, run, place } = useAction(fields, () => send.mutateAsync(asked), { stays: true })
  return (
    <SideSheet
      isOpen
      onClose={onClose}
      title={t('allocation.verify.one')}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.close')}
          </Button>
          <Button kind="primary" type="submit" form={form} icon={BadgeCheck} busy={busy}>
            {t('allocation.verify.check')}
          </Button>
        </>
      }
    >
      <form ref={place} id={form} className="al-page" noValidate onSubmit={run}>
        {rest && <Note tone="late">{rest}</Note>}
        {send.data && isStill && <Answer of={send.data} />}
        <TextField
          ltr
          autoFocus
          inputMode="numeric"
          label={t('allocation.verify.supplierTaxId')}
          value={supplierTaxId}
          onChange={setTaxId}
          {...error('supplierTaxId', supplierTaxId)}
        />
        <TextField
          ltr
          label={t('allocation.verify.invoiceNumber')}
          value={invoiceNumber}
          onChange={setInvoice}
          max={20}
          {...error('invoiceNumber', invoiceNumber)}
        />
        <DayField label={t('allocation.col.day')} value={date} onChange={setDate} {...error('day', date)} />
        <MoneyField
          label={t('allocation.col.net')}
          value={net}
          onChange={setNet}
          {...error('netAgorot', net)}
        />
        <MoneyField
          label={t('allocation.verify.vat')}
          value={vat}
          onChange={setVat}
          {...error('vatAgorot', vat)}
        />
        <TextField
          ltr
          optional
          inputMode="numeric"
          label={t('allocation.number')}
          hint={t('allocation.verify.numberHint')}
          value={number}
          onChange={setNumber}
          {...error('number', number)}
        />
      </form>
    </SideSheet>
  )
}

function Answer({ of }: { of: NumberCheck }) {
  const t = useWords()
  return (
    <Note tone={of.answer === 'confirmed' || of.answer === 'found' ? 'done' : 'late'}>
      {t(`allocation.answer.${of.answer}`, {
        number: of.foundNumber,
        net: typeof of.foundNetAgorot === 'number' ? `₪${formatMoney(of.foundNetAgorot)}` : '',
        day: of.foundDay ? formatDay(of.foundDay) : '',
      })}
    </Note>
  )
}
