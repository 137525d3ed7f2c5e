import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatMoment } from '#domain/format.ts'
import { failureText, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Figure, Figures, Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getBatch, reverseBatch } from '../endpoints.ts'
import { EntriesOf } from './Entries.tsx'
import { Grid } from './Grid.tsx'
import { ReverseDialog } from './ReverseDialog.tsx'
import { BatchState, batchesPath } from './state.tsx'
import './journal.css'

/** A batch: while it is temporary the grid, afterwards what it posted. */
export function Screen() {
  const t = useWords()
  const id = usePlace().params.batchid ?? ''
  const { data, error } = useCall(getBatch, { id })
  if (error && !data) return <Note tone="late">{failureText(t, error)}</Note>
  if (!data) return <Skeleton lines={8} />
  return data.state === 'posted' || data.state === 'dropped' ? (
    <Closed key={id} id={id} />
  ) : (
    <Grid key={id} id={id} />
  )
}

function Closed({ id }: { id: string }) {
  const t = useWords()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const { data: batch } = useCall(getBatch, { id })
  const [asks, setAsks] = useState(false)
  if (!batch) return null
  const mayReverse =
    batch.state === 'posted' &&
    batch.kind !== 'reversal' &&
    batch.reversedById === null &&
    may('journal.post')
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('screens.journalBatches'), href: batchesPath }]}
        title={t('journal.batch.named', { number: String(batch.number) })}
        status={<BatchState state={batch.state} />}
        sub={
          <>
            {t(`journal.kind.${batch.kind}`)}
            {batch.name && (
              <>
                {' · '}
                <bdi>{batch.name}</bdi>
              </>
            )}
            {batch.postedAt && (
              <>
                {' · '}
                {t('journal.batch.postedAt')} <Num>{formatMoment(new Date(batch.postedAt))}</Num>
              </>
            )}
            {batch.postedBy && (
              <>
                {' · '}
                <bdi>{batch.postedBy}</bdi>
              </>
            )}
          </>
        }
        {...(mayReverse
          ? {
              more: [
                {
                  key: 'reverse',
                  label: t('journal.reverse.batch'),
                  icon: Undo2,
                  tone: 'danger' as const,
                  onPress: () => setAsks(true),
                },
              ],
            }
          : {})}
      />
      <div className="jr-stack">
        {batch.reversedById && (
          <Note
            tone="info"
            action={
              <Link className="link aim" href={`${batchesPath}/${batch.reversedById}`}>
                {t('journal.batch.named', { number: String(batch.reversedByNumber) })}
              </Link>
            }
          >
            {t('journal.reverse.isReversed')}
          </Note>
        )}
        {batch.reversesId && (
          <Note
            tone="info"
            action={
              <Link className="link aim" href={`${batchesPath}/${batch.reversesId}`}>
                {t('journal.batch.named', { number: String(batch.reversesNumber) })}
              </Link>
            }
          >
            {t('journal.reverse.reverses')}
          </Note>
        )}
        {batch.state === 'dropped' && <Note tone="info">{t('journal.batch.isDropped')}</Note>}
        {batch.state === 'posted' && !hides && (
          <Figures label={t('journal.sums')}>
            <Figure label={t('journal.fields.entries')} value={<Num>{batch.entries}</Num>} size="s" />
            <Figure label={t('journal.fields.sum')} value={<Money amount={batch.debitAgorot} />} size="s" />
          </Figures>
        )}
        {batch.state === 'posted' && may('reports.accounting') && (
          <EntriesOf asked={{ batch: id, from: '1900-01-01', to: '2200-12-31' }} />
        )}
      </div>
      {asks && (
        <ReverseDialog
          title={t('journal.reverse.batchTitle', { number: String(batch.number) })}
          call={reverseBatch}
          id={id}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  )
}
