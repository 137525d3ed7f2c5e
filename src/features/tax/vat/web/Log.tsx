import { CheckCheck, FileClock, FileDown, GitCompareArrows, LockOpen, Scale } from 'lucide-react'
import { useState } from 'react'
import { formatDay, formatMoment, formatPeriod } from '#domain/format.ts'
import { failureText, useCall, useSend } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { ReasonDialog } from '#kit/web/parts/ReasonDialog.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable, type Column } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import type { MenuEntry } from '#kit/web/parts/Menu.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { go } from '#kit/web/routes/place.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  changeVatBasis,
  filingFile,
  getVatBasis,
  listFilings,
  markSent,
  reopenFiling,
  vatAnswer,
  vatGate,
  vatPeriodFacts,
  type VatFiling,
} from '../endpoints.ts'
import { monthName } from '../period.ts'
import { Failed } from '#kit/web/parts/Failed.tsx'
import './vat.css'

type State = 'filed' | 'sent' | 'reopened'
const stateOf = (row: VatFiling): State => (row.reopenedAt ? 'reopened' : row.sentDay ? 'sent' : 'filed')
const tones: Record<State, StatusTone> = { filed: 'info', sent: 'done', reopened: 'draft' }
const stale = [listFilings, vatPeriodFacts, vatAnswer, vatGate, getVatBasis]
const pathOf = (row: VatFiling) => `/invoice/reportpcn?period=${monthName(row)}`

/** What was reported of VAT: by whom, when, with which figures and which file. What was reopened stays listed. */
export function Screen() {
  const t = useWords()
  const fetchFile = useFile()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const { data, error, isLoading, refetch } = useCall(listFilings, {})
  const [doing, setDoing] = useState<{ deed: 'sent' | 'reopen'; row: VatFiling }>()
  const [basis, setBasis] = useState(false)
  const change = may('vat.file')
  const close = () => setDoing(undefined)
  const save = (row: VatFiling) => void fetchFile(filingFile, { id: row.id })

  const menu = (row: VatFiling): MenuEntry[] => [
    {
      key: 'changes',
      label: t('screens.vatChanges'),
      icon: GitCompareArrows,
      href: `/invoice/reportvatchanges?from=${row.from}&to=${row.to}`,
    },
    ...(row.hasFile && !hides
      ? [{ key: 'file', label: t('vat.log.file'), icon: FileDown, onPress: () => save(row) }]
      : []),
    ...(change && !row.reopenedAt
      ? [
          {
            key: 'sent',
            label: t('vat.log.markSent'),
            icon: CheckCheck,
            onPress: () => setDoing({ deed: 'sent' as const, row }),
          },
          {
            key: 'reopen',
            label: t('vat.log.reopen'),
            icon: LockOpen,
            onPress: () => setDoing({ deed: 'reopen' as const, row }),
          },
        ]
      : []),
  ]
  const amount = (
    key: 'outputVatAgorot' | 'inputVatAgorot' | 'toPayAgorot',
    word: string,
  ): Column<VatFiling> => ({
    key,
    title: t(word),
    align: 'amount',
    ...(key === 'toPayAgorot' ? { phone: 'amount' as const } : {}),
    cell: (row) => <MoneyCell value={row[key] ?? null} />,
  })
  const columns: Column<VatFiling>[] = [
    {
      key: 'period',
      title: t('vat.period'),
      strong: true,
      width: 'fit',
      phone: 'title',
      cell: (row) => <Num>{formatPeriod(row)}</Num>,
    },
    {
      key: 'state',
      title: t('vat.log.state'),
      width: 'fit',
      phone: 'state',
      cell: (row) => (
        <>
          <StatusPill tone={tones[stateOf(row)]}>{t(`vat.state.${stateOf(row)}`)}</StatusPill>
          <br />
          <TextCell quiet value={t(`vat.kinds.${row.kind}`)} />
        </>
      ),
    },
    {
      key: 'made',
      title: t('vat.log.made'),
      width: 'fit',
      phone: 'line',
      cell: (row) => (
        <>
          <Num>{formatMoment(new Date(row.madeAt))}</Num>
          <br />
          <TextCell quiet value={row.madeBy} />
        </>
      ),
    },
    ...(hides
      ? []
      : [
          amount('outputVatAgorot', 'vat.figure.outputVat'),
          amount('inputVatAgorot', 'vat.log.inputVat'),
          amount('toPayAgorot', 'vat.figure.toPay'),
        ]),
    {
      key: 'confirmation',
      title: t('vat.log.confirmation'),
      width: 'trim',
      phone: 'line',
      cell: (row) =>
        row.reopenedAt ? (
          <span className="vt-again">
            <TextCell quiet value={row.reopenReason} />
          </span>
        ) : row.sentDay ? (
          <>
            {row.confirmation && (
              <>
                <Num>{row.confirmation}</Num>
                <br />
              </>
            )}
            <Num>{formatDay(row.sentDay)}</Num>
          </>
        ) : (
          <TextCell quiet value="" />
        ),
    },
  ]
  return (
    <div className="vt-page">
      <PageHeader
        title={t('screens.vatReportLog')}
        sub={t('vat.log.text')}
        actions={
          <>
            <Button icon={Scale} onPress={() => setBasis(true)}>
              {t('vat.basis.title')}
            </Button>
            <Button kind="primary" href="/invoice/reportpcn">
              {t('screens.reportPcn')}
            </Button>
          </>
        }
      />
      <DataTable
        label={t('screens.vatReportLog')}
        main
        rows={data?.rows ?? []}
        rowKey={(row) => row.id}
        rowName={(row) => formatPeriod(row)}
        loading={isLoading}
        columns={columns}
        isOff={(row) => row.reopenedAt !== null}
        rowHref={pathOf}
        onOpen={(row) => go(pathOf(row))}
        menu={menu}
        empty={
          error ? (
            <Failed error={error} onRetry={() => void refetch()} />
          ) : (
            <EmptyState
              icon={FileClock}
              title={t('vat.log.empty')}
              actions={
                <Button kind="soft" href="/invoice/reportpcn">
                  {t('screens.reportPcn')}
                </Button>
              }
            >
              {t('vat.log.emptyText')}
            </EmptyState>
          )
        }
      />
      {doing?.deed === 'sent' && <Sent row={doing.row} onClose={close} />}
      {doing?.deed === 'reopen' && <Reopen row={doing.row} onClose={close} />}
      {basis && <BasisDialog mayChange={change} onClose={() => setBasis(false)} />}
    </div>
  )
}

export function Sent({ row, onClose }: { row: VatFiling; onClose: () => void }) {
  const t = useWords()
  const today = useToday()
  const [day, setDay] = useState<string | null>(row.sentDay ?? today)
  const [confirmation, setConfirmation] = useState(row.confirmation)
  const send = useSend(markSent, {
    refresh: stale,
    onSuccess: () => {
      onClose()
      banner.success(t('vat.saved'))
    },
  })
  return (
    <FormDialog
      title={t('vat.log.sentTitle', { period: formatPeriod(row) })}
      verb={t('vat.save')}
      names={['day', 'confirmation']}
      onClose={onClose}
      onSubmit={() => send.mutateAsync({ id: row.id, day: day ?? '', confirmation })}
    >
      {(refusal) => (
        <>
          <TextField
            ltr
            autoFocus
            label={t('vat.log.confirmation')}
            value={confirmation}
            onChange={setConfirmation}
            max={40}
            {...refusal('confirmation', confirmation)}
          />
          <DayField label={t('vat.log.sentDay')} value={day} onChange={setDay} {...refusal('day', day)} />
        </>
      )}
    </FormDialog>
  )
}

function Reopen({ row, onClose }: { row: VatFiling; onClose: () => void }) {
  const t = useWords()
  const send = useSend(reopenFiling, {
    refresh: stale,
    onSuccess: () => {
      onClose()
      banner.success(t('vat.log.reopened'))
    },
  })
  return (
    <ReasonDialog
      title={t('vat.log.reopenTitle', { period: formatPeriod(row) })}
      verb={t('vat.log.reopen')}
      danger
      label={t('vat.log.reason')}
      onClose={onClose}
      onReason={(reason) => send.mutateAsync({ id: row.id, reason })}
    >
      <p>{t('vat.log.reopenText')}</p>
    </ReasonDialog>
  )
}

/**
 * When the VAT of sales is due. A change holds for invoices from the beginning of a period that is not
 * reported.
 */
function BasisDialog({ mayChange, onClose }: { mayChange: boolean; onClose: () => void }) {
  const t = useWords()
  const { data, error } = useCall(getVatBasis, {})
  const [chosen, setChosen] = useState<'accrual' | 'cash'>()
  const [given, setFrom] = useState<string | null>()
  const from = given === undefined ? (data?.changeFrom ?? null) : given
  const send = useSend(changeVatBasis, {
    refresh: stale,
    onSuccess: () => {
      onClose()
      banner.success(t('vat.saved'))
    },
  })
  const basis = chosen ?? data?.basis ?? 'accrual'
  return (
    <FormDialog
      title={t('vat.basis.title')}
      verb={mayChange && data ? t('vat.save') : undefined}
      isDisabled={basis === data?.basis}
      names={['from']}
      onClose={onClose}
      onSubmit={() => send.mutateAsync({ basis, from: from ?? '' })}
    >
      {(refusal) => (
        <>
          {error && <Note tone="late">{failureText(t, error)}</Note>}
          <ChoiceField
            label={t('vat.basis.label')}
            value={basis}
            onChange={(one) => one && setChosen(one)}
            choices={(['accrual', 'cash'] as const).map((value) => ({
              value,
              label: t(`vat.basis.${value}`),
            }))}
            hint={t(`vat.basis.hint.${basis}`)}
            disabled={!mayChange}
          />
          {data && basis !== data.basis && (
            <DayField
              label={t('vat.basis.from')}
              value={from}
              onChange={setFrom}
              hint={t('vat.basis.fromHint')}
              {...refusal('from', from)}
            />
          )}
          {data && data.rows.length > 0 && (
            <ul className="vt-list">
              {data.rows.map((row) => (
                <li key={row.from}>
                  <span />
                  <span>{t(`vat.basis.${row.basis}`)}</span>
                  <Num>{formatDay(row.from)}</Num>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </FormDialog>
  )
}
