import { ListPlus, PackagePlus, Plug, RefreshCw, Trash2, Unplug } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatDay, formatMoment } from '../../../domain/format.ts'
import { dayInJerusalem } from '../../../domain/day.ts'
import { failureText, useCall, useSend } from '../../../kit/web/call.ts'
import { LongText } from '../../../kit/web/fields/TextField.tsx'
import { FormDialog } from '../../../kit/web/parts/FormDialog.tsx'
import { Note } from '../../../kit/web/parts/Banner.tsx'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { Card } from '../../../kit/web/parts/Card.tsx'
import { DataTable } from '../../../kit/web/parts/DataTable.tsx'
import { Question } from '../../../kit/web/parts/Dialog.tsx'
import { EmptyState } from '../../../kit/web/parts/EmptyState.tsx'
import { Figure, Figures } from '../../../kit/web/parts/Figure.tsx'
import { Num } from '../../../kit/web/parts/Num.tsx'
import { PageHeader } from '../../../kit/web/parts/PageHeader.tsx'
import { Skeleton } from '../../../kit/web/parts/Skeleton.tsx'
import { StatusPill } from '../../../kit/web/parts/Status.tsx'
import { usePlace } from '../../../kit/web/place.ts'
import { useCan, useSession } from '../../../kit/web/session.ts'
import { banner } from '../../../kit/web/shell/banner.ts'
import { useWords } from '../../../kit/web/words.tsx'
import { documentName } from '../../documents/web/index.tsx'
import {
  addStock,
  connect,
  dropStock,
  fetchStock,
  getConnection,
  listMissing,
  listStock,
  renew,
  returned,
  revoke,
  type Connection,
  type StockRow,
} from '../endpoints.ts'
import { warnDays } from './LinkNote.tsx'
import './allocation.css'

const stale = [getConnection, listMissing]
const fetchCount = 10

/** Where the authority sends people back, and where the connection is seen and kept. */
export function Screen() {
  const t = useWords()
  const session = useSession()
  const may = useCan()
  return (
    <div className="al-page">
      <PageHeader
        title={t('screens.israelTax')}
        {...(session ? { crumbs: [{ label: t('screens.settings'), href: '/invoice/Settings' }] } : {})}
      />
      {!session ? (
        <EmptyState
          icon={Plug}
          title={t('screens.israelTax')}
          actions={
            <Button kind="primary" href="/logininvoice">
              {t('allocation.link.toLogin')}
            </Button>
          }
        >
          {t('allocation.link.login')}
        </EmptyState>
      ) : may('allocation.see') ? (
        <Inside />
      ) : (
        <Note tone="wait">{t('allocation.link.noRight')}</Note>
      )}
    </div>
  )
}

function Inside() {
  const t = useWords()
  const may = useCan()
  const { query, setQuery } = usePlace()
  const { data, error, refetch } = useCall(getConnection, {}, { refetchInterval: 20_000 })
  const finish = useSend(returned, {
    refresh: stale,
    onSuccess: () => void banner.success(t('allocation.link.isConnected')),
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
    banner.error(t('errors.allocation.loginRefused'))
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
  if (finish.isPending) return <Note>{t('allocation.link.working')}</Note>
  if (!data) return <Skeleton lines={5} />
  return (
    <>
      {data.authority === 'simulator' && <Note>{t('allocation.link.simulator')}</Note>}
      <LinkCard of={data} change={may('allocation.change')} />
      <Stock of={data} change={may('allocation.change')} />
    </>
  )
}

function LinkCard({ of, change }: { of: Connection; change: boolean }) {
  const t = useWords()
  const [ending, setEnding] = useState(false)
  const onError = (e: unknown) => void banner.error(failureText(t, e))
  const begin = useSend(connect, { onError, onSuccess: ({ url }) => void (location.href = url) })
  const fresh = useSend(renew, { refresh: stale, onError, onSuccess: () => void banner.success(t('allocation.link.renewed')) })
  const end = useSend(revoke, { refresh: stale, onError, onSuccess: () => void banner.success(t('allocation.link.disconnected')) })
  if (of.authority === 'off')
    return (
      <Note
        action={
          <Button size="s" href="/invoice/missingisraeltax">
            {t('screens.missingIsraelTax')}
          </Button>
        }
      >
        {t('allocation.link.off')}
      </Note>
    )
  const connected = of.state === 'connected'
  const soon = of.daysLeft !== null && of.daysLeft <= warnDays
  const facts: [string, React.ReactNode][] = connected
    ? [
        ['since', <Num key="s">{formatMoment(new Date(of.connectedAt!))}</Num>],
        ...(of.connectedBy ? [['by', <bdi key="b">{of.connectedBy}</bdi>] as [string, React.ReactNode]] : []),
        ['until', <Num key="u">{formatDay(dayInJerusalem(new Date(of.endsAt!)))}</Num>],
      ]
    : []
  return (
    <Card
      title={t('companies.hub.israelTax.title')}
      end={<StatusPill tone={connected ? (soon ? 'wait' : 'done') : 'wait'}>{t(`allocation.link.${of.state}`)}</StatusPill>}
    >
      <div className="al-page">
        {soon && <Note tone="wait">{t('allocation.link.endsSoon', { days: of.daysLeft! })}</Note>}
        {of.awayUntil && <Note>{t('allocation.link.away', { at: formatMoment(new Date(of.awayUntil)) })}</Note>}
        {of.state === 'ended' && <Note tone="wait">{t('errors.allocation.ended')}</Note>}
        {!connected && <p>{t('allocation.link.text')}</p>}
        {facts.length > 0 && (
          <dl className="al-facts">
            {facts.map(([name, value]) => (
              <div key={name}>
                <dt>{t(`allocation.link.${name}`)}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
        <div className="al-acts">
          {change && (!connected || soon) && (
            <Button kind="primary" icon={Plug} busy={begin.isPending} onPress={() => begin.mutate({})}>
              {t(of.state === 'none' ? 'allocation.link.connect' : 'allocation.link.again')}
            </Button>
          )}
          {change && connected && (
            <>
              <Button icon={RefreshCw} busy={fresh.isPending} onPress={() => fresh.mutate({})}>
                {t('allocation.link.renew')}
              </Button>
              <Button kind="quiet" icon={Unplug} onPress={() => setEnding(true)}>
                {t('allocation.link.revoke')}
              </Button>
            </>
          )}
          {of.waiting > 0 && (
            <Button kind="soft" href="/invoice/missingisraeltax">
              {t('allocation.link.waiting')}: {of.waiting}
            </Button>
          )}
        </div>
      </div>
      <Question
        isOpen={ending}
        danger
        onClose={() => setEnding(false)}
        title={t('allocation.link.revokeTitle')}
        verb={t('allocation.link.revoke')}
        onConfirm={() => end.mutateAsync({})}
      >
        {t('allocation.link.revokeText')}
      </Question>
    </Card>
  )
}

function Stock({ of, change }: { of: Connection; change: boolean }) {
  const t = useWords()
  const [adding, setAdding] = useState(false)
  const { data } = useCall(listStock, {})
  const onError = (e: unknown) => void banner.error(failureText(t, e))
  const touched = [listStock, getConnection]
  const onAdded = ({ added }: { added: number }) => {
    setAdding(false)
    banner.success(t('allocation.stock.added', { count: added }))
  }
  const bring = useSend(fetchStock, { refresh: touched, onError, onSuccess: onAdded })
  const drop = useSend(dropStock, { refresh: touched, onError, onSuccess: () => void banner.success(t('allocation.saved')) })
  const rows = data?.rows ?? []
  const state = (row: StockRow) => (row.reportedAt ? 'isReported' : row.usedAt ? 'isUsed' : 'isLeft')
  return (
    <Card
      title={t('allocation.stock.title')}
      end={
        change && (
          <div className="al-acts">
            {of.state === 'connected' && (
              <Button size="s" icon={PackagePlus} busy={bring.isPending} onPress={() => bring.mutate({ count: fetchCount })}>
                {t('allocation.stock.fetch', { count: fetchCount })}
              </Button>
            )}
            <Button size="s" icon={ListPlus} onPress={() => setAdding(true)}>
              {t('allocation.stock.add')}
            </Button>
          </div>
        )
      }
    >
      <div className="al-page">
        <p>{t('allocation.stock.text')}</p>
        {(of.stock.left > 0 || of.stock.used > 0) && (
          <Figures label={t('allocation.stock.title')}>
            <Figure size="s" label={t('allocation.stock.left')} value={<Num>{of.stock.left}</Num>} />
            <Figure size="s" label={t('allocation.stock.used')} value={<Num>{of.stock.used}</Num>} />
            <Figure size="s" label={t('allocation.stock.toReport')} value={<Num>{of.stock.toReport}</Num>} />
          </Figures>
        )}
        {rows.length > 0 && (
          <DataTable
            label={t('allocation.stock.title')}
            rows={rows}
            rowKey={(row) => row.number}
            rowName={(row) => row.number.slice(-9)}
            rowHref={(row) => (row.documentId ? `/invoice/preview/${row.documentId}` : undefined)}
            menu={(row) =>
              change && !row.usedAt
                ? [
                    {
                      key: 'drop',
                      label: t('allocation.stock.drop'),
                      icon: Trash2,
                      tone: 'danger',
                      onPress: () => drop.mutate({ number: row.number }),
                    },
                  ]
                : []
            }
            columns={[
              {
                key: 'number',
                title: t('allocation.number'),
                strong: true,
                width: 'fit',
                phone: 'title',
                cell: (row) => <Num>{row.number.slice(-9)}</Num>,
              },
              {
                key: 'document',
                title: t('allocation.col.document'),
                width: 'trim',
                phone: 'line',
                cell: (row) => (row.documentType ? documentName(t, row.documentType, row.documentNumber) : ''),
              },
              {
                key: 'used',
                title: t('allocation.col.day'),
                width: 'fit',
                phone: 'line',
                cell: (row) => <Num>{formatMoment(new Date(row.usedAt ?? row.addedAt))}</Num>,
              },
              {
                key: 'state',
                title: t('allocation.col.state'),
                width: 'fit',
                phone: 'state',
                cell: (row) => (
                  <StatusPill tone={row.reportedAt ? 'done' : row.usedAt ? 'wait' : 'plain'}>
                    {t(`allocation.stock.${state(row)}`)}
                  </StatusPill>
                ),
              },
            ]}
          />
        )}
      </div>
      {adding && <Add onClose={() => setAdding(false)} onAdded={onAdded} />}
    </Card>
  )
}

function Add({ onClose, onAdded }: { onClose: () => void; onAdded: (made: { added: number }) => void }) {
  const t = useWords()
  const [text, setText] = useState('')
  const save = useSend(addStock, { refresh: [listStock, getConnection], onSuccess: onAdded })
  const numbers = text.split(/[\n,;]+/).filter((line) => line.trim())
  return (
    <FormDialog
      title={t('allocation.stock.add')}
      verb={t('allocation.save')}
      isDisabled={!numbers.length}
      names={['numbers']}
      onClose={onClose}
      onSubmit={() => save.mutateAsync({ numbers })}
    >
      {(refusal) => (
        <LongText autoFocus rows={6} label={t('allocation.stock.paste')} value={text} onChange={setText} {...refusal('numbers')} />
      )}
    </FormDialog>
  )
}
