import { HeartHandshake, RefreshCw, SquareX } from 'lucide-react'
import { useState } from 'react'
import { formatDay, formatMoment } from '#domain/format.ts'
import { failureText, useCall, useSend } from '#kit/web/calls/call.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { ReasonDialog } from '#kit/web/parts/ReasonDialog.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable, type Column } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import type { MenuEntry } from '#kit/web/parts/Menu.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords, wordIfAny, type Words } from '#kit/web/words/words.tsx'
import { AuthorityPage, type Service } from '#features/tax/allocation/web/index.tsx'
import { documentName } from '#features/sales/documents/web/index.tsx'
import { typeId } from '#features/sales/documents/types/index.ts'
import {
  askAllDonations,
  askDonation,
  connect,
  donationNotNeeded,
  getConnection,
  listDonations,
  renew,
  returned,
  revoke,
  type Connection,
  type DonationRow,
} from '../endpoints.ts'
import './donations.css'

const stale = [getConnection, listDonations]
const service: Service = {
  words: 'donations',
  screen: 'taxDonation',
  connection: getConnection,
  connect,
  returned,
  renew,
  revoke,
  stale,
}

/** The page Donations Israel redirects to, with the connection, and the report state of every donation. */
export function Screen() {
  const may = useCan()('donations.change')
  return (
    <AuthorityPage<Connection> of={service} may={{ see: may, change: may }}>
      {({ state }) => <Receipts connected={state === 'connected'} />}
    </AuthorityPage>
  )
}

const tones: Record<DonationRow['state'], StatusTone> = {
  waiting: 'info',
  away: 'wait',
  refused: 'late',
  granted: 'done',
  notNeeded: 'draft',
}
const views = ['open', 'refused', 'all'] as const

/**
 * Why there is no number; a code of the authority that we do not know says what the authority wrote with it.
 */
function reasonText(t: Words, { reason, message }: Pick<DonationRow, 'reason' | 'message'>): string {
  if (!reason) return message
  return (
    wordIfAny(t, `donations.reason.${reason}`) ?? (message || t('donations.reason.other', { code: reason }))
  )
}

function Receipts({ connected }: { connected: boolean }) {
  const t = useWords()
  const { query, setQuery } = usePlace()
  const hides = useSession()?.HideTotalPrices ?? false
  const view = views.find((one) => one === query.view) ?? 'open'
  const [dropping, setDropping] = useState<DonationRow>()
  const { data, error, isLoading, refetch } = useCall(listDonations, { view }, { refetchInterval: 15_000 })
  const onError = (e: unknown) => void banner.error(failureText(t, e))
  const ask = useSend(askDonation, {
    refresh: stale,
    onError,
    onSuccess: (said) => {
      if (said.number) banner.success(t('donations.got', { number: said.number }))
      else banner.info(reasonText(t, said))
    },
  })
  const all = useSend(askAllDonations, {
    refresh: stale,
    onError,
    onSuccess: ({ asked }) => void banner.info(t('donations.asked', { count: asked })),
  })
  const nameOf = (row: DonationRow) => documentName(t, typeId('donationReceipt'), row.number)
  const isOpen = (row: DonationRow) =>
    row.state === 'waiting' || row.state === 'away' || row.state === 'refused'
  const menu = (row: DonationRow): MenuEntry[] =>
    isOpen(row)
      ? [
          ...(connected
            ? [
                {
                  key: 'ask',
                  label: t('donations.ask'),
                  icon: RefreshCw,
                  onPress: () => ask.mutate({ id: row.id }),
                },
              ]
            : []),
          { key: 'no', label: t('donations.notNeeded'), icon: SquareX, onPress: () => setDropping(row) },
        ]
      : []
  const columns: Column<DonationRow>[] = [
    {
      key: 'document',
      title: t('donations.col.receipt'),
      strong: true,
      width: 'fit',
      phone: 'title',
      cell: (row) => <Num>{row.number}</Num>,
    },
    {
      key: 'day',
      title: t('donations.col.day'),
      width: 'fit',
      phone: 'line',
      cell: (row) => <Num>{formatDay(row.day)}</Num>,
    },
    {
      key: 'donor',
      title: t('donations.col.donor'),
      width: 'trim',
      phone: 'line',
      cell: (row) => (
        <>
          <bdi>{row.donor}</bdi>{' '}
          {row.anonymous && <StatusPill dot={false}>{t('donations.noCredit')}</StatusPill>}
        </>
      ),
    },
    ...(hides
      ? []
      : [
          {
            key: 'sum',
            title: t('donations.col.sum'),
            align: 'amount' as const,
            phone: 'amount' as const,
            cell: (row: DonationRow) => <MoneyCell value={row.sumAgorot ?? null} />,
          },
        ]),
    {
      key: 'state',
      title: t('donations.col.state'),
      width: 'fit',
      phone: 'state',
      cell: (row) => <StatusPill tone={tones[row.state]}>{t(`donations.state.${row.state}`)}</StatusPill>,
    },
    {
      key: 'number',
      title: t('donations.col.number'),
      width: '28%',
      cell: (row) =>
        row.reportNumber ? (
          <Num>{row.reportNumber}</Num>
        ) : (
          <TextCell
            quiet
            value={
              row.state === 'away' && row.nextAt
                ? t('donations.nextTry', { at: formatMoment(new Date(row.nextAt)) })
                : reasonText(t, row)
            }
          />
        ),
    },
  ]
  return (
    <>
      <div className="dn-head">
        <h2>{t('donations.receipts')}</h2>
        {connected && view === 'open' && (data?.rows.length ?? 0) > 0 && (
          <Button size="s" icon={RefreshCw} busy={all.isPending} onPress={() => all.mutate({})}>
            {t('donations.askAll')}
          </Button>
        )}
      </div>
      <Views
        chips
        label={t('donations.receipts')}
        value={view}
        onChange={(next) => setQuery({ view: next === 'open' ? undefined : next })}
        views={views.map((key) => ({
          key,
          label: t(`donations.view.${key}`),
          ...(data ? { count: data.counts[key] } : {}),
        }))}
      />
      <DataTable
        label={t('donations.receipts')}
        rows={data?.rows ?? []}
        rowKey={(row) => row.id}
        rowName={nameOf}
        loading={isLoading}
        columns={columns}
        rowHref={(row) => `/invoice/preview/${row.id}`}
        menu={menu}
        empty={
          error ? (
            <Failed error={error} onRetry={refetch} />
          ) : (
            <EmptyState
              icon={HeartHandshake}
              title={t(data?.counts.all ? 'donations.empty' : 'donations.none')}
            >
              {t(data?.counts.all ? 'donations.emptyText' : 'donations.noneText')}
            </EmptyState>
          )
        }
      />
      {dropping && (
        <NotNeeded row={dropping} name={nameOf(dropping)} onClose={() => setDropping(undefined)} />
      )}
    </>
  )
}

function NotNeeded({ row, name, onClose }: { row: DonationRow; name: string; onClose: () => void }) {
  const t = useWords()
  const save = useSend(donationNotNeeded, { refresh: stale, onSuccess: onClose })
  return (
    <ReasonDialog
      title={t('donations.notNeededTitle', { document: name })}
      verb={t('donations.notNeeded')}
      label={t('donations.why')}
      onClose={onClose}
      onReason={(reason) => save.mutateAsync({ id: row.id, reason })}
    />
  )
}
