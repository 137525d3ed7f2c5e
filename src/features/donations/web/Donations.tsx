import { HeartHandshake, Plug, RefreshCw, SquareX, Unplug } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { dayInJerusalem } from '../../../domain/day.ts'
import { formatDay, formatMoment } from '../../../domain/format.ts'
import { failureText, useCall, useSend } from '../../../kit/web/call.ts'
import { MoneyCell, TextCell } from '../../../kit/web/fields/cells.tsx'
import { LongText } from '../../../kit/web/fields/TextField.tsx'
import { FormDialog } from '../../../kit/web/parts/FormDialog.tsx'
import { Note } from '../../../kit/web/parts/Banner.tsx'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { Card } from '../../../kit/web/parts/Card.tsx'
import { DataTable, type Column } from '../../../kit/web/parts/DataTable.tsx'
import { Question } from '../../../kit/web/parts/Dialog.tsx'
import { EmptyState } from '../../../kit/web/parts/EmptyState.tsx'
import { Failed } from '../../../kit/web/parts/Failed.tsx'
import type { MenuEntry } from '../../../kit/web/parts/Menu.tsx'
import { Num } from '../../../kit/web/parts/Num.tsx'
import { PageHeader } from '../../../kit/web/parts/PageHeader.tsx'
import { Skeleton } from '../../../kit/web/parts/Skeleton.tsx'
import { StatusPill, type StatusTone } from '../../../kit/web/parts/Status.tsx'
import { Views } from '../../../kit/web/parts/Views.tsx'
import { usePlace } from '../../../kit/web/place.ts'
import { useCan, useSession } from '../../../kit/web/session.ts'
import { banner } from '../../../kit/web/shell/banner.ts'
import { useWords, type Words } from '../../../kit/web/words.tsx'
import { documentName } from '../../documents/web/index.tsx'
import { typeId } from '../../documents/types/index.ts'
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
const warnDays = 14

/** Where Donations Israel sends people back, where the connection is kept, and how every donation's report stands. */
export function Screen() {
  const t = useWords()
  const session = useSession()
  const may = useCan()
  return (
    <div className="dn-page">
      <PageHeader
        title={t('screens.taxDonation')}
        {...(session ? { crumbs: [{ label: t('screens.settings'), href: '/invoice/Settings' }] } : {})}
      />
      {!session ? (
        <EmptyState
          icon={Plug}
          title={t('screens.taxDonation')}
          actions={
            <Button kind="primary" href="/logininvoice">
              {t('donations.link.toLogin')}
            </Button>
          }
        >
          {t('donations.link.login')}
        </EmptyState>
      ) : may('donations.change') ? (
        <Inside />
      ) : (
        <Note tone="wait">{t('donations.link.noRight')}</Note>
      )}
    </div>
  )
}

function Inside() {
  const t = useWords()
  const { query, setQuery } = usePlace()
  const { data, error, refetch } = useCall(getConnection, {}, { refetchInterval: 20_000 })
  const finish = useSend(returned, {
    refresh: stale,
    onSuccess: () => void banner.success(t('donations.link.isConnected')),
    onError: (e) => void banner.error(failureText(t, e)),
  })
  const { code, state } = query
  const taken = useRef('')
  useEffect(() => {
    // The code is good once: it is taken out of the address and sent, even where effects run twice.
    if (!code || !state || taken.current === code) return
    taken.current = code
    setQuery({ code: undefined, state: undefined })
    finish.mutate({ code, state })
  }, [code, state, setQuery, finish])
  const refusedThere = query.error
  useEffect(() => {
    if (!refusedThere) return
    setQuery({ error: undefined, error_description: undefined, state: undefined })
    banner.error(t('errors.donations.loginRefused'))
  }, [refusedThere, setQuery, t])
  if (error && !data)
    return (
      <Note
        tone="late"
        action={
          <Button size="s" onPress={() => void refetch()}>
            {t('kit.actions.retry')}
          </Button>
        }
      >
        {failureText(t, error)}
      </Note>
    )
  if (finish.isPending) return <Note>{t('donations.link.working')}</Note>
  if (!data) return <Skeleton lines={5} />
  return (
    <>
      {data.authority === 'simulator' && <Note>{t('donations.link.simulator')}</Note>}
      <LinkCard of={data} />
      <Receipts connected={data.state === 'connected'} />
    </>
  )
}

function LinkCard({ of }: { of: Connection }) {
  const t = useWords()
  const [ending, setEnding] = useState(false)
  const onError = (e: unknown) => void banner.error(failureText(t, e))
  const begin = useSend(connect, { onError, onSuccess: ({ url }) => void (location.href = url) })
  const fresh = useSend(renew, { refresh: stale, onError, onSuccess: () => void banner.success(t('donations.link.renewed')) })
  const end = useSend(revoke, { refresh: stale, onError, onSuccess: () => void banner.success(t('donations.link.disconnected')) })
  if (of.authority === 'off') return <Note>{t('donations.link.off')}</Note>
  const connected = of.state === 'connected'
  const soon = of.daysLeft !== null && of.daysLeft <= warnDays
  return (
    <Card
      title={t('donations.link.title')}
      end={<StatusPill tone={connected && !soon ? 'done' : 'wait'}>{t(`donations.link.${of.state}`)}</StatusPill>}
    >
      <div className="dn-page">
        {soon && <Note tone="wait">{t('donations.link.endsSoon', { days: of.daysLeft! })}</Note>}
        {of.awayUntil && <Note>{t('donations.link.away', { at: formatMoment(new Date(of.awayUntil)) })}</Note>}
        {of.state === 'ended' && <Note tone="wait">{t('errors.donations.ended')}</Note>}
        {!connected && <p>{t('donations.link.text')}</p>}
        {connected && (
          <p className="sub">
            {of.connectedBy && <bdi>{of.connectedBy}</bdi>} · {t('donations.link.until')}{' '}
            <Num>{formatDay(dayInJerusalem(new Date(of.endsAt!)))}</Num>
          </p>
        )}
        <div className="dn-acts">
          {(!connected || soon) && (
            <Button kind="primary" icon={Plug} busy={begin.isPending} onPress={() => begin.mutate({})}>
              {t(of.state === 'none' ? 'donations.link.connect' : 'donations.link.again')}
            </Button>
          )}
          {connected && (
            <>
              <Button icon={RefreshCw} busy={fresh.isPending} onPress={() => fresh.mutate({})}>
                {t('donations.link.renew')}
              </Button>
              <Button kind="quiet" icon={Unplug} onPress={() => setEnding(true)}>
                {t('donations.link.revoke')}
              </Button>
            </>
          )}
        </div>
      </div>
      <Question
        isOpen={ending}
        danger
        onClose={() => setEnding(false)}
        title={t('donations.link.revokeTitle')}
        verb={t('donations.link.revoke')}
        onConfirm={() => end.mutateAsync({})}
      >
        {t('donations.link.revokeText')}
      </Question>
    </Card>
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

/** Why there is no number; a code of the authority that we do not know says what the authority wrote with it. */
function reasonText(t: Words, { reason, message }: Pick<DonationRow, 'reason' | 'message'>): string {
  if (!reason) return message
  const key = `donations.reason.${reason}`
  const said = t(key)
  return said === key ? message || t('donations.reason.other', { code: reason }) : said
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
  const isOpen = (row: DonationRow) => row.state === 'waiting' || row.state === 'away' || row.state === 'refused'
  const menu = (row: DonationRow): MenuEntry[] =>
    isOpen(row)
      ? [
          ...(connected ? [{ key: 'ask', label: t('donations.ask'), icon: RefreshCw, onPress: () => ask.mutate({ id: row.id }) }] : []),
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
    { key: 'day', title: t('donations.col.day'), width: 'fit', phone: 'line', cell: (row) => <Num>{formatDay(row.day)}</Num> },
    {
      key: 'donor',
      title: t('donations.col.donor'),
      width: 'trim',
      phone: 'line',
      cell: (row) => (
        <>
          <bdi>{row.donor}</bdi> {row.anonymous && <StatusPill dot={false}>{t('donations.noCredit')}</StatusPill>}
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
              row.state === 'away' && row.nextAt ? t('donations.nextTry', { at: formatMoment(new Date(row.nextAt)) }) : reasonText(t, row)
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
        views={views.map((key) => ({ key, label: t(`donations.view.${key}`), ...(data ? { count: data.counts[key] } : {}) }))}
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
            <EmptyState icon={HeartHandshake} title={t(data?.counts.all ? 'donations.empty' : 'donations.none')}>
              {t(data?.counts.all ? 'donations.emptyText' : 'donations.noneText')}
            </EmptyState>
          )
        }
      />
      {dropping && <NotNeeded row={dropping} name={nameOf(dropping)} onClose={() => setDropping(undefined)} />}
    </>
  )
}

function NotNeeded({ row, name, onClose }: { row: DonationRow; name: string; onClose: () => void }) {
  const t = useWords()
  const [reason, setReason] = useState('')
  const save = useSend(donationNotNeeded, { refresh: stale, onSuccess: onClose })
  return (
    <FormDialog
      title={t('donations.notNeededTitle', { document: name })}
      verb={t('donations.notNeeded')}
      names={['reason']}
      onClose={onClose}
      onSubmit={() => save.mutateAsync({ id: row.id, reason })}
    >
      {(refusal) => <LongText autoFocus label={t('donations.why')} value={reason} onChange={setReason} max={300} {...refusal('reason')} />}
    </FormDialog>
  )
}
