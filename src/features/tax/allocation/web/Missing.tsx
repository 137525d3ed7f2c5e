import { keepPreviousData } from '@tanstack/react-query'
import { Hash, PackageOpen, PencilLine, RefreshCw, Scale, SquareX } from 'lucide-react'
import { useState } from 'react'
import { formatDay, formatMoment, formatMoney } from '#domain/format.ts'
import { failureText, useCall, useSend } from '#kit/web/calls/call.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { ReasonDialog } from '#kit/web/parts/ReasonDialog.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable, type Column } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import type { MenuEntry } from '#kit/web/parts/Menu.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { documentName, typeWord } from '#features/sales/documents/web/index.tsx'
import { JobProgress } from '#features/base/jobs/web/index.tsx'
import {
  askAll,
  askNow,
  decide,
  decisions,
  enterNumber,
  fromStock,
  getConnection,
  listMissing,
  markNotNeeded,
  wantNumber,
  type Decision,
  type MissingRow,
} from '../endpoints.ts'
import { LinkNote } from './LinkNote.tsx'
import { reasonText } from './words.ts'
import './allocation.css'

const tones: Record<MissingRow['state'], StatusTone> = { waiting: 'info', away: 'wait', refused: 'late' }
const views = ['open', 'refused', 'decided'] as const
type View = (typeof views)[number]
type Doing = { deed: 'enter' | 'notNeeded' | 'decide'; row: MissingRow }

const stale = [listMissing, getConnection]

/** Documents above the threshold that have no allocation number: why, and what can be done about each. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const { query, setQuery } = usePlace()
  const state: View = views.find((one) => one === query.view) ?? 'open'
  const [doing, setDoing] = useState<Doing>()
  const [jobId, setJobId] = useState<string>()
  const connection = useCall(getConnection, {}, { staleTime: 5000 })
  const isConnected = connection.data?.state === 'connected'
  const { data, error, isLoading, isPlaceholderData, refetch } = useCall(
    listMissing,
    { state },
    {
      // The authority answers behind the screen: soon, where something waits for it.
      refetchInterval: ({ state: { data: last } }) => (isConnected && last?.counts.open ? 3000 : 15_000),
      // What is above the rows is the same in every view.
      placeholderData: keepPreviousData,
    },
  )
  const onError = (e: unknown) => void banner.error(failureText(t, e))
  const ask = useSend(askNow, {
    refresh: stale,
    onError,
    onSuccess: (said) => {
      if (said.number) banner.success(t('allocation.got', { number: said.number }))
      else if (said.state === 'refused')
        banner.info(t('allocation.refusedNow', { reason: reasonText(t, said) }))
      else banner.info(t('allocation.stillAway'))
    },
  })
  const stock = useSend(fromStock, {
    refresh: stale,
    onError,
    onSuccess: () => void banner.success(t('allocation.saved')),
  })
  const all = useSend(askAll, {
    refresh: stale,
    onError,
    onSuccess: ({ jobId: started }) => setJobId(started),
  })

  const change = may('allocation.change')
  const running = jobId ?? data?.jobId ?? undefined
  const rows = (!isPlaceholderData && data?.rows) || []
  const close = () => setDoing(undefined)
  const nameOf = (row: MissingRow) => documentName(t, row.type, row.number)

  const menu = (row: MissingRow): MenuEntry[] => {
    if (!change) return []
    const isDecided = row.decision !== '' && row.decision !== 'objection'
    return [
      ...(isConnected && !isDecided
        ? [
            {
              key: 'ask',
              label: t('allocation.ask'),
              icon: RefreshCw,
              onPress: () => ask.mutate({ id: row.id }),
            },
          ]
        : []),
      ...(row.state === 'refused' && !isDecided
        ? [
            {
              key: 'decide',
              label: t('allocation.decide'),
              icon: Scale,
              onPress: () => setDoing({ deed: 'decide', row }),
            },
          ]
        : []),
      ...(row.state !== 'refused' && connection.data?.stock.left
        ? [
            {
              key: 'stock',
              label: t('allocation.fromStock'),
              icon: PackageOpen,
              onPress: () => stock.mutate({ id: row.id }),
            },
          ]
        : []),
      {
        key: 'enter',
        label: t('allocation.enter'),
        icon: PencilLine,
        onPress: () => setDoing({ deed: 'enter', row }),
      },
      ...(isDecided
        ? []
        : [
            {
              key: 'no',
              label: t('allocation.notNeeded'),
              icon: SquareX,
              onPress: () => setDoing({ deed: 'notNeeded' as const, row }),
            },
          ]),
    ]
  }

  const columns: Column<MissingRow>[] = [
    {
      key: 'document',
      title: t('allocation.col.document'),
      strong: true,
      width: 'fit',
      phone: 'title',
      cell: (row) => (
        <>
          {typeWord(t, row.type)} <Num>{row.number}</Num>
        </>
      ),
    },
    {
      key: 'day',
      title: t('allocation.col.day'),
      width: 'fit',
      cell: (row) => <Num>{formatDay(row.day)}</Num>,
    },
    {
      key: 'customer',
      title: t('allocation.col.customer'),
      width: 'trim',
      phone: 'line',
      cell: (row) => <TextCell value={row.customer} />,
    },
    ...(hides
      ? []
      : [
          {
            key: 'net',
            title: t('allocation.col.net'),
            align: 'amount' as const,
            phone: 'amount' as const,
            cell: (row: MissingRow) => <MoneyCell value={row.netAgorot ?? null} />,
          },
        ]),
    {
      key: 'state',
      title: t('allocation.col.state'),
      width: 'fit',
      phone: 'state',
      cell: (row) => (
        <StatusPill tone={row.decision && row.decision !== 'objection' ? 'draft' : tones[row.state]}>
          {row.decision ? t(`allocation.choice.${row.decision}.title`) : t(`allocation.state.${row.state}`)}
        </StatusPill>
      ),
    },
    {
      key: 'reason',
      title: t('allocation.why'),
      width: '28%',
      cell: (row) => (
        <TextCell
          quiet
          value={
            row.state === 'away' && row.nextAt
              ? t('allocation.nextTry', { at: formatMoment(new Date(row.nextAt)) })
              : reasonText(t, row)
          }
        />
      ),
    },
    {
      key: 'tries',
      title: t('allocation.col.tries'),
      width: 'fit',
      align: 'amount',
      cell: (row) => <Num>{row.tries}</Num>,
    },
  ]

  // The threshold and the note of the connection stand above the list: shown after it, they would push it
  // down.
  if (isLoading || connection.isLoading) return <Skeleton />
  return (
    <div className="al-page">
      <PageHeader
        title={t('screens.missingIsraelTax')}
        sub={
          <>
            {t('allocation.missing.text')}{' '}
            {data?.threshold &&
              t('allocation.missing.threshold', {
                sum: `₪${formatMoney(data.threshold).replace('.00', '')}`,
              })}
          </>
        }
        actions={
          change &&
          isConnected &&
          state === 'open' &&
          rows.some((row) => row.state !== 'refused') && (
            <Button kind="primary" icon={RefreshCw} busy={all.isPending} onPress={() => all.mutate({})}>
              {t('allocation.askAll')}
            </Button>
          )
        }
      >
        <Views<View>
          chips
          label={t('allocation.missing.views')}
          value={state}
          onChange={(view) => setQuery({ view: view === 'open' ? undefined : view })}
          views={views.map((key) => ({
            key,
            label: t(`allocation.view.${key}`),
            ...(data ? { count: data.counts[key] } : {}),
            ...(key === 'refused' && data?.counts.refused ? { tone: 'late' as const } : {}),
          }))}
        />
      </PageHeader>
      <LinkNote />
      {running && <JobProgress key={running} id={running} onEnd={() => void refetch()} />}
      <DataTable
        label={t('screens.missingIsraelTax')}
        main
        rows={rows}
        rowKey={(row) => row.id}
        rowName={nameOf}
        loading={isPlaceholderData}
        columns={columns}
        rowHref={(row) => `/invoice/preview/${row.id}`}
        onOpen={(row) => go(`/invoice/preview/${row.id}`)}
        {...(change ? { menu } : {})}
        empty={
          error ? (
            <Failed error={error} onRetry={refetch} />
          ) : (
            <EmptyState icon={Hash} title={t('allocation.missing.empty')}>
              {t('allocation.missing.emptyText')}
            </EmptyState>
          )
        }
      />
      {query.want && change && <Want id={query.want} onClose={() => setQuery({ want: undefined })} />}
      {doing?.deed === 'enter' && <Enter row={doing.row} name={nameOf(doing.row)} onClose={close} />}
      {doing?.deed === 'notNeeded' && <NotNeeded row={doing.row} name={nameOf(doing.row)} onClose={close} />}
      {doing?.deed === 'decide' && <Decide row={doing.row} name={nameOf(doing.row)} onClose={close} />}
    </div>
  )
}

interface Part {
  row: MissingRow
  name: string
  onClose: () => void
}

/** Opened from the page of a document that needed no number by law. */
function Want({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useWords()
  const send = useSend(wantNumber, {
    refresh: stale,
    onSuccess: () => {
      onClose()
      banner.success(t('allocation.wanted'))
    },
  })
  return (
    <FormDialog
      title={t('allocation.want')}
      verb={t('allocation.wantDo')}
      names={[]}
      onClose={onClose}
      onSubmit={() => send.mutateAsync({ id })}
    >
      {() => <p>{t('allocation.wantText')}</p>}
    </FormDialog>
  )
}

function Enter({ row, name, onClose }: Part) {
  const t = useWords()
  const [number, setNumber] = useState('')
  const save = useSend(enterNumber, {
    refresh: stale,
    onSuccess: () => {
      onClose()
      banner.success(t('allocation.saved'))
    },
  })
  return (
    <FormDialog
      title={t('allocation.enterTitle', { document: name })}
      verb={t('allocation.save')}
      names={['number']}
      onClose={onClose}
      onSubmit={() => save.mutateAsync({ id: row.id, number })}
    >
      {(refusal) => (
        <TextField
          ltr
          autoFocus
          inputMode="numeric"
          label={t('allocation.number')}
          hint={t('allocation.numberHint')}
          value={number}
          onChange={setNumber}
          max={32}
          {...refusal('number', number)}
        />
      )}
    </FormDialog>
  )
}

function NotNeeded({ row, name, onClose }: Part) {
  const t = useWords()
  const save = useSend(markNotNeeded, {
    refresh: stale,
    onSuccess: () => {
      onClose()
      banner.success(t('allocation.saved'))
    },
  })
  return (
    <ReasonDialog
      title={t('allocation.notNeededTitle', { document: name })}
      verb={t('allocation.notNeeded')}
      label={t('allocation.why')}
      hint={t('allocation.whyHint')}
      onClose={onClose}
      onReason={(reason) => save.mutateAsync({ id: row.id, reason })}
    />
  )
}

/** The four ways the law leaves after a refusal, each with what it does. */
function Decide({ row, name, onClose }: Part) {
  const t = useWords()
  const may = useCan()
  const [choice, setChoice] = useState<Decision>()
  const open = (one: Decision): boolean =>
    one === 'cancel'
      ? may('documents.cancel')
      : one === 'reverseCharge'
        ? row.canReverse && may('documents.cancel') && may('documents.issue')
        : one !== row.decision
  const send = useSend(decide, {
    refresh: stale,
    onSuccess: ({ documentId }) => {
      onClose()
      banner.success(t(`allocation.choice.done.${choice}`))
      if (documentId) go(`/invoice/preview/${documentId}`)
    },
  })
  return (
    <FormDialog
      title={t('allocation.decideTitle', { document: name })}
      verb={t('allocation.go')}
      isDisabled={!choice}
      names={[]}
      onClose={onClose}
      onSubmit={async () => choice && send.mutateAsync({ id: row.id, choice })}
    >
      {() => (
        <>
          <Note tone="wait">{t('allocation.refusedNow', { reason: reasonText(t, row) })}</Note>
          <fieldset className="al-choices">
            <legend className="vh">{t('allocation.choice.label')}</legend>
            {decisions.filter(open).map((one) => (
              <label key={one}>
                <input type="radio" name="choice" checked={choice === one} onChange={() => setChoice(one)} />
                <span>
                  <b>{t(`allocation.choice.${one}.title`)}</b>
                  {t(`allocation.choice.${one}.text`)}
                </span>
              </label>
            ))}
          </fieldset>
        </>
      )}
    </FormDialog>
  )
}
