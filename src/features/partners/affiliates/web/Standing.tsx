import { formatDay } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import type { listAffiliates, myAffiliate } from '../endpoints.ts'

export type Standings = Pick<
  OutputOf<typeof listAffiliates>['brands'][number],
  'siteState' | 'siteDay' | 'mailState' | 'mailDay'
>
type State = Standings['siteState']

const looks: Record<State, [tone: StatusTone, word: string]> = {
  none: ['wait', 'affiliates.brand.notProved'],
  proved: ['done', 'affiliates.brand.proved'],
  lost: ['wait', 'affiliates.brand.lost'],
  ended: ['draft', 'affiliates.brand.ended'],
}

/** The state of an address of a brand: confirmed, in use until a day, or out of use. */
export function StandingPill({ state, day }: { state: State; day: string | null }) {
  const t = useWords()
  const [tone, word] = looks[state]
  return <StatusPill tone={tone}>{t(word, { day: day ? formatDay(day) : '' })}</StatusPill>
}

/** The worse of a brand's two; its sender counts where it has one. */
export function BrandState({ of }: { of: Standings & { mailFrom: string } }) {
  const states: State[] = ['ended', 'lost', 'none', 'proved']
  const isMail = of.mailFrom !== '' && states.indexOf(of.mailState) < states.indexOf(of.siteState)
  return <StandingPill state={isMail ? of.mailState : of.siteState} day={isMail ? of.mailDay : of.siteDay} />
}

/**
 * What a dealer must do so that the addresses are used, what must be corrected, and until when: the domain and its
 * records belong to the dealer.
 */
export function BrandNotes({ of }: { of: NonNullable<OutputOf<typeof myAffiliate>['brand']> }) {
  const t = useWords()
  const { domain, mailFrom, mailRecord: record, siteState, siteDay, mailState, mailDay } = of
  const sides = [
    ['site', siteState, siteDay, domain],
    ...(mailFrom
      ? [['mail', mailState, mailDay, mailFrom.slice(mailFrom.lastIndexOf('@') + 1)] as const]
      : []),
  ] as const
  return (
    <div className="af-notes">
      {sides.map(([side, state, day, host]) =>
        state === 'none' ? (
          <Note key={side} tone="wait">
            {t(`affiliates.brand.${side}ProofHint`, { domain: host })}
            {side === 'mail' && (
              <bdi dir="ltr" className="af-record">
                {record}
              </bdi>
            )}
          </Note>
        ) : (
          (state === 'lost' || state === 'ended') &&
          day && (
            <Note key={side} tone="wait">
              {t(`affiliates.brand.note.${side}.${state}`, { domain: host, day: formatDay(day), record })}
            </Note>
          )
        ),
      )}
    </div>
  )
}
