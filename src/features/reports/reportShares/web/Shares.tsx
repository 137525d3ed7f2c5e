import { Copy, Eye, Share2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatDay, formatMoment } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Question, SideSheet } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { hubPath } from '#kit/web/screens/ReportScreen.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { dropShare, listShares, viewsOfShare, type Share } from '../endpoints.ts'
import './shares.css'

const tones = { open: 'done', expired: 'plain', takenBack: 'plain' } as const

/**
 * Reports that were given to somebody outside: until when, who opened them, and the way to take each back.
 */
export function Screen() {
  const t = useWords()
  const copy = useCopy()
  const { data, error, refetch } = useCall(listShares, {})
  const [drops, setDrops] = useState<Share>()
  const [looks, setLooks] = useState<Share>()
  const takeBack = async () => {
    try {
      await call(dropShare, { id: drops!.id })
      await queryClient.invalidateQueries({ queryKey: keyOf(listShares) })
    } catch (e) {
      banner.error(failureText(t, e))
      throw e
    }
  }
  return (
    <>
      <PageHeader
        title={t('screens.reportShares')}
        crumbs={[{ label: t('kit.reports.toHub'), href: hubPath }]}
        sub={t('reportShares.text')}
      />
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={6} />
      ) : data.rows.length === 0 ? (
        <EmptyState
          icon={Share2}
          title={t('reportShares.empty')}
          actions={<Button href={hubPath}>{t('kit.reports.toHub')}</Button>}
        >
          {t('reportShares.emptyText')}
        </EmptyState>
      ) : (
        <DataTable
          label={t('screens.reportShares')}
          rows={data.rows}
          rowKey={(row) => row.id}
          rowName={(row) => row.title}
          onOpen={setLooks}
          isOff={(row) => row.state !== 'open'}
          menu={(row) => [
            { key: 'views', label: t('reportShares.whoOpened'), icon: Eye, onPress: () => setLooks(row) },
            ...(row.state === 'open'
              ? [
                  { key: 'copy', label: t('reportShares.copy'), icon: Copy, onPress: () => copy(row.url) },
                  {
                    key: 'drop',
                    label: t('reportShares.takeBack'),
                    icon: Trash2,
                    tone: 'danger' as const,
                    onPress: () => setDrops(row),
                  },
                ]
              : []),
          ]}
          columns={[
            {
              key: 'title',
              title: t('reportShares.fields.title'),
              strong: true,
              phone: 'title',
              cell: (row) => <bdi>{row.title}</bdi>,
            },
            {
              key: 'by',
              title: t('reportShares.fields.by'),
              width: 'fit',
              cell: (row) => <bdi>{row.by}</bdi>,
            },
            {
              key: 'asOf',
              title: t('reportShares.fields.asOf'),
              width: 'fit',
              cell: (row) =>
                row.isFrozen ? <Num>{formatMoment(new Date(row.asOf))}</Num> : t('reportShares.live'),
            },
            {
              key: 'expiresOn',
              title: t('reportShares.fields.expiresOn'),
              width: 'fit',
              phone: 'line',
              cell: (row) => <Num>{formatDay(row.expiresOn)}</Num>,
            },
            {
              key: 'views',
              title: t('reportShares.fields.views'),
              align: 'amount',
              phone: 'amount',
              cell: (row) => <Num>{row.views}</Num>,
            },
            {
              key: 'lastViewAt',
              title: t('reportShares.fields.lastViewAt'),
              width: 'fit',
              cell: (row) => row.lastViewAt && <Num>{formatMoment(new Date(row.lastViewAt))}</Num>,
            },
            {
              key: 'state',
              title: t('reportShares.fields.state'),
              width: 'fit',
              phone: 'line',
              cell: (row) => (
                <StatusPill tone={tones[row.state]}>{t(`reportShares.state.${row.state}`)}</StatusPill>
              ),
            },
          ]}
        />
      )}
      <Question
        isOpen={drops !== undefined}
        onClose={() => setDrops(undefined)}
        title={t('reportShares.takeBackAsk')}
        verb={t('reportShares.takeBack')}
        danger
        onConfirm={takeBack}
      >
        {t('reportShares.takeBackText')}
      </Question>
      {looks && <Views share={looks} onClose={() => setLooks(undefined)} />}
    </>
  )
}

function Views({ share, onClose }: { share: Share; onClose: () => void }) {
  const t = useWords()
  const { data, error, refetch } = useCall(viewsOfShare, { id: share.id }, { staleTime: 0 })
  return (
    <SideSheet isOpen onClose={onClose} title={t('reportShares.whoOpened')}>
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={4} />
      ) : data.rows.length === 0 ? (
        <p className="hint">{t('reportShares.nobody')}</p>
      ) : (
        <ul className="k-rows">
          {data.rows.map((row) => (
            <li key={`${row.at}${row.name}`} className="rs-view">
              <bdi>{row.name}</bdi>
              <span className="hint">
                <Num>{formatMoment(new Date(row.at))}</Num> · <Num>{row.address}</Num>
              </span>
            </li>
          ))}
        </ul>
      )}
    </SideSheet>
  )
}
