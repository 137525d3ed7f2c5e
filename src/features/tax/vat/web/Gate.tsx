import { BadgeCheck, CalendarClock, MailQuestion, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { dayInJerusalem } from '#domain/day.ts'
import { formatDay, formatPeriod } from '#domain/format.ts'
import { isAtRisk } from '#domain/vat/gate.ts'
import { failureText, useCall, useSend } from '#kit/web/calls/call.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { DataTable, type Column } from '#kit/web/parts/DataTable.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'
import type { MenuEntry } from '#kit/web/parts/Menu.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLast } from '#kit/web/hooks/useLast.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { askSupplier, postponeBill, vatGate, vatPeriodFacts, type GateRow } from '../endpoints.ts'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { PeriodStep } from './PeriodStep.tsx'
import './vat.css'

const stale = [vatGate, vatPeriodFacts]
const month = /^\d{4}-\d{2}$/
/** What a letter to the supplier can mend. */
const askable = new Set([
  'noAllocation',
  'allocationWrong',
  'noTaxId',
  'badTaxId',
  'noNumber',
  'noImportEntry',
  'arithmetic',
  'allocationUnchecked',
])

/** The input VAT that might not be allowed, and what can be done about each bill before it is reported. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const { query, setQuery } = usePlace()
  const asked: { period?: string } = month.test(query.period ?? '') ? { period: query.period! } : {}
  const { data, error, isLoading, refetch } = useCall(vatGate, asked)
  const known = useLast(data)
  const [asking, setAsking] = useState<GateRow>()
  const [postponing, setPostponing] = useState<GateRow>()
  const onError = (e: unknown) => void banner.error(failureText(t, e))
  const postpone = useSend(postponeBill, { refresh: stale, onError })
  const change = may('vat.file')
  const rows = data?.rows ?? []
  const pathOf = (row: GateRow) => `/invoice/Expenses/all/${row.id}`

  const menu = (row: GateRow): MenuEntry[] => [
    ...(change && row.reasons.some((r) => askable.has(r))
      ? [{ key: 'ask', label: t('vat.gate.ask'), icon: MailQuestion, onPress: () => setAsking(row) }]
      : []),
    ...(row.allocation || row.reasons.includes('noAllocation')
      ? [
          {
            key: 'verify',
            label: t('vat.gate.verify'),
            icon: BadgeCheck,
            href: `/invoice/israeltaxverify?from=${row.day}&to=${row.day}`,
          },
        ]
      : []),
    ...(change && row.postponeTo
      ? [
          {
            key: 'postpone',
            label: t('vat.gate.postpone'),
            icon: CalendarClock,
            onPress: () => setPostponing(row),
          },
        ]
      : []),
  ]
  const columns: Column<GateRow>[] = [
    {
      key: 'supplier',
      title: t('vat.gate.supplier'),
      strong: true,
      width: 'trim',
      phone: 'title',
      cell: (row) => <TextCell value={row.supplier || t('vat.gate.noSupplier')} />,
    },
    {
      key: 'number',
      title: t('vat.gate.number'),
      width: 'fit',
      phone: 'line',
      cell: (row) => <Num>{row.number}</Num>,
    },
    {
      key: 'day',
      title: t('vat.gate.day'),
      width: 'fit',
      phone: 'line',
      cell: (row) => <Num>{formatDay(row.day)}</Num>,
    },
    ...(hides
      ? []
      : [
          {
            key: 'net',
            title: t('vat.gate.net'),
            align: 'amount' as const,
            cell: (row: GateRow) => <MoneyCell value={row.netAgorot ?? null} />,
          },
          {
            key: 'recognised',
            title: t('vat.gate.claimed'),
            align: 'amount' as const,
            phone: 'amount' as const,
            cell: (row: GateRow) => <MoneyCell value={row.recognisedAgorot ?? null} />,
          },
        ]),
    {
      key: 'reasons',
      title: t('vat.gate.why'),
      width: '34%',
      phone: 'state',
      cell: (row) => (
        <span className="vt-why">
          {row.reasons.map((reason) => (
            <StatusPill key={reason} tone={isAtRisk(reason) ? 'late' : 'wait'}>
              {t(`vat.reason.${reason}`)}
            </StatusPill>
          ))}
          {row.askedAt && (
            <StatusPill tone="info">
              {t('vat.gate.asked', { day: formatDay(dayInJerusalem(new Date(row.askedAt))) })}
            </StatusPill>
          )}
          {!row.inBooks && <StatusPill tone="draft">{t('vat.gate.waiting')}</StatusPill>}
        </span>
      ),
    },
  ]
  return (
    <div className="vt-page">
      <PageHeader
        title={t('screens.vatGate')}
        sub={
          known ? (
            <PeriodStep
              known={known.period}
              asked={asked.period}
              onChange={(period) => setQuery({ period })}
            />
          ) : (
            t('vat.gate.text')
          )
        }
      />
      {data && !hides && (
        <Figures label={t('vat.gate.figures')}>
          <Figure
            label={t('vat.gate.atRisk')}
            amount={data.atRiskAgorot ?? 0}
            {...(data.riskCount ? { tone: 'late' as const } : {})}
            note={t('vat.gate.bills', { count: data.riskCount })}
          />
          <Figure
            label={t('vat.gate.claimedAll')}
            amount={data.claimedAgorot ?? 0}
            note={t('vat.gate.checked', { count: data.checked })}
          />
        </Figures>
      )}
      {data?.isFiled && <Note>{t('vat.gate.filed')}</Note>}
      <DataTable
        label={t('screens.vatGate')}
        main
        rows={rows}
        rowKey={(row) => row.id}
        rowName={(row) => `${row.supplier} ${row.number}`}
        loading={isLoading}
        columns={columns}
        rowHref={pathOf}
        onOpen={(row) => go(pathOf(row))}
        menu={menu}
        empty={
          error ? (
            <Failed error={error} onRetry={() => void refetch()} />
          ) : (
            <EmptyState icon={ShieldCheck} title={t('vat.gate.empty')}>
              {data && t('vat.gate.emptyText', { count: data.checked, period: formatPeriod(data.period) })}
            </EmptyState>
          )
        }
      />
      {asking && <Ask row={asking} onClose={() => setAsking(undefined)} />}
      {postponing && (
        <Question
          isOpen
          onClose={() => setPostponing(undefined)}
          title={t('vat.gate.postponeTitle', { supplier: postponing.supplier })}
          verb={t('vat.gate.postpone')}
          onConfirm={async () => {
            await postpone.mutateAsync({ id: postponing.id })
            banner.success(t('vat.gate.postponed'))
          }}
        >
          {t('vat.gate.postponeText', { day: formatDay(postponing.postponeTo!) })}
        </Question>
      )}
    </div>
  )
}

function Ask({ row, onClose }: { row: GateRow; onClose: () => void }) {
  const t = useWords()
  const [to, setTo] = useState(row.email ?? '')
  const send = useSend(askSupplier, {
    refresh: stale,
    onSuccess: () => {
      onClose()
      banner.success(t('vat.gate.sent'))
    },
  })
  return (
    <FormDialog
      title={t('vat.gate.askTitle', { supplier: row.supplier })}
      verb={t('vat.gate.send')}
      names={['to']}
      onClose={onClose}
      onSubmit={() => send.mutateAsync({ id: row.id, ...(to.trim() ? { to: to.trim() } : {}) })}
    >
      {(refusal) => (
        <>
          <p>{t('vat.gate.askText')}</p>
          <ul>
            {row.reasons
              .filter((r) => askable.has(r))
              .map((r) => (
                <li key={r}>{t(`vat.letter.lacks.${r}`)}</li>
              ))}
          </ul>
          <TextField
            ltr
            autoFocus
            inputMode="email"
            label={t('vat.gate.to')}
            value={to}
            onChange={setTo}
            {...refusal('to', to)}
          />
        </>
      )}
    </FormDialog>
  )
}
