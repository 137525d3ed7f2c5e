import { Check, Landmark, Sparkles } from 'lucide-react'
import { useRef, useState } from 'react'
import { call, failureText } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { matchBank, type ProposalRow } from '../endpoints.ts'
import type { Desk } from './desk.ts'
import type { Suggested } from './BookDialog.tsx'
import { Row } from './Row.tsx'
import { refreshMatching } from './refresh.ts'
import { lineText, postingText } from './sides.tsx'
import { useNext } from './useNext.ts'

const tones: Record<ProposalRow['confidence'], StatusTone> = {
  certain: 'done',
  likely: 'info',
  possible: 'wait',
}
/** More than anyone decides before looking again; the rest follows as these are done. */
const mostShown = 80
const order: Record<ProposalRow['confidence'], number> = { certain: 0, likely: 1, possible: 2 }

/** What belongs together, the surest first, each with why. */
export function Proposals({
  desk,
  mayChange,
  onBook,
  onHand,
}: {
  desk: Desk
  mayChange: boolean
  onBook: (line: Suggested) => void
  onHand: () => void
}) {
  const t = useWords()
  const [busy, setBusy] = useState<string>()
  const list = useRef<HTMLUListElement>(null)
  const goOnAt = useNext(list, desk.proposals, 'footer button')
  const accept = async (one: ProposalRow) => {
    setBusy(one.id)
    try {
      const { number } = await call(matchBank, {
        id: desk.account.id,
        lines: one.lines.map((line) => line.id),
        postings: one.postings.map((posting) => posting.key),
      })
      banner.success(t('matching.matched', { number: String(number) }))
    } catch (e) {
      banner.error(failureText(t, e))
    }
    await refreshMatching()
    setBusy(undefined)
  }
  if (!desk.proposals.length)
    return (
      <EmptyState
        icon={Sparkles}
        title={desk.lines.length ? t('matching.noProposals') : t('matching.allMatched')}
        actions={desk.lines.length ? <Button onPress={onHand}>{t('matching.views.hand')}</Button> : undefined}
      >
        {desk.lines.length ? t('matching.noProposalsText') : t('matching.allMatchedText')}
      </EmptyState>
    )
  return (
    <ul className="ma-proposals" ref={list}>
      {desk.proposals
        .toSorted((a, b) => order[a.confidence] - order[b.confidence])
        .slice(0, mostShown)
        .map((one, place) => (
          <li key={one.id} className="k-card">
            <div className="ma-pair">
              <Side title={t('matching.bankSide')}>
                {one.lines.map((line) => (
                  <Row
                    key={line.id}
                    day={line.day}
                    text={lineText(line)}
                    reference={line.reference}
                    amount={line.amountAgorot}
                    currency={desk.account.currency}
                  />
                ))}
                {one.lines.length === 0 && <p className="hint">{t('matching.noLine')}</p>}
              </Side>
              <Side title={one.deed ? t('matching.toBook') : t('matching.bookSide')}>
                {one.deed ? (
                  <p>
                    <b>{t(`matching.deeds.${one.deed}`)}</b>
                    {[
                      one.party?.name,
                      one.account?.name,
                      one.bankAccount?.name,
                      one.payment?.name,
                      one.closes.map((debt) => debt.number).join(', '),
                    ]
                      .filter(Boolean)
                      .map((text) => (
                        <span key={text}>
                          {' · '}
                          <bdi>{text}</bdi>
                        </span>
                      ))}
                  </p>
                ) : (
                  one.postings.map((posting) => (
                    <Row
                      key={posting.key}
                      day={posting.day}
                      text={postingText(posting)}
                      reference={posting.reference}
                      amount={posting.amountAgorot}
                      currency={desk.account.currency}
                    />
                  ))
                )}
              </Side>
            </div>
            <footer>
              <StatusPill tone={tones[one.confidence]}>
                {t(`matching.confidence.${one.confidence}`)}
              </StatusPill>
              <span className="hint text-12">
                {one.reasons.map((reason) => t(`matching.reasons.${reason}`)).join(' · ')}
              </span>
              {mayChange && (
                <span className="end">
                  {one.deed ? (
                    <Button
                      size="s"
                      icon={Landmark}
                      onPress={() => {
                        goOnAt(place)
                        onBook({ line: one.lines[0]!, proposal: one })
                      }}
                    >
                      {t('matching.book.verb')}
                    </Button>
                  ) : (
                    <Button
                      kind="soft"
                      size="s"
                      icon={Check}
                      busy={busy === one.id}
                      onPress={() => {
                        goOnAt(place)
                        void accept(one)
                      }}
                    >
                      {t('matching.match')}
                    </Button>
                  )}
                </span>
              )}
            </footer>
          </li>
        ))}
    </ul>
  )
}

function Side({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div role="group" aria-label={title}>
      <span className="hint text-12">{title}</span>
      {children}
    </div>
  )
}
