import { ListChecks, Undo2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { formatMoment } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { bankMatches, undoMatch, type MatchRow } from '../endpoints.ts'
import { Row } from './Row.tsx'
import { refreshMatching } from './refresh.ts'
import { lineText, postingText } from './sides.tsx'
import { useNext } from './useNext.ts'

/** What was matched, the newest first; each can be undone. */
export function Done({ id, mayChange }: { id: string; mayChange: boolean }) {
  const t = useWords()
  const [before, setBefore] = useState<number>()
  const { data } = useCall(
    bankMatches,
    { id, ...(before === undefined ? {} : { before }) },
    { placeholderData: (old) => old },
  )
  const [busy, setBusy] = useState<string>()
  const list = useRef<HTMLUListElement>(null)
  const goOnAt = useNext(list, data, 'footer button')
  const undo = async (one: MatchRow, place: number) => {
    setBusy(one.id)
    goOnAt(place)
    try {
      const { reversed, madeId } = await call(undoMatch, { id: one.id })
      // The entry and its reversal stand before all others now: the key that took this one back would open
      // those again.
      if (reversed && before === undefined) goOnAt(place + 1)
      banner.success(
        t(reversed ? 'matching.undone.reversed' : madeId ? 'matching.undone.stands' : 'matching.undone.open'),
      )
    } catch (e) {
      banner.error(failureText(t, e))
    }
    await refreshMatching()
    setBusy(undefined)
  }
  if (!data) return <Skeleton />
  if (!data.rows.length)
    return (
      <EmptyState icon={ListChecks} title={t('matching.nothingMatched')}>
        {t('matching.nothingMatchedText')}
      </EmptyState>
    )
  return (
    <>
      <ul className="ma-proposals" ref={list}>
        {data.rows.map((one, place) => (
          <li key={one.id} className="k-card">
            <div className="ma-pair">
              <div>
                {one.lines.map((line) => (
                  <Row
                    key={line.id}
                    day={line.day}
                    text={lineText(line)}
                    reference={line.reference}
                    amount={line.amountAgorot}
                    currency={one.currency}
                  />
                ))}
              </div>
              <div>
                {one.postings.map((posting) => (
                  <Row
                    key={posting.key}
                    day={posting.day}
                    text={postingText(posting)}
                    reference={posting.reference}
                    amount={posting.amountAgorot}
                    currency={one.currency}
                  />
                ))}
              </div>
            </div>
            <footer>
              <StatusPill tone="done">{t('matching.number', { number: String(one.number) })}</StatusPill>
              {one.deed && <StatusPill dot={false}>{t(`matching.deeds.${one.deed}`)}</StatusPill>}
              {one.automatic && <span className="hint text-12">{t('matching.automatic')}</span>}
              <span className="hint text-12">
                {one.by && <bdi>{one.by}</bdi>} <Num>{formatMoment(new Date(one.createdAt))}</Num>
              </span>
              {mayChange && (
                <span className="end">
                  <Button
                    kind="quiet"
                    size="s"
                    icon={Undo2}
                    m
                    busy={busy === one.id}
                    onPress={() => void undo(one, place)}
                  >
                    {t('matching.undo')}
                  </Button>
                </span>
              )}
            </footer>
          </li>
        ))}
      </ul>
      {(data.next !== null || before !== undefined) && (
        <div className="ma-pages">
          {before !== undefined && (
            <Button kind="quiet" onPress={() => setBefore(undefined)}>
              {t('matching.newest')}
            </Button>
          )}
          {data.next !== null && <Button onPress={() => setBefore(data.next!)}>{t('matching.older')}</Button>}
        </div>
      )}
    </>
  )
}
