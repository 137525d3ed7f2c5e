import { withCurrency } from '#domain/format.ts'
import { keyOf, queryClient } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { useWords, type Words } from '#kit/web/words/words.tsx'
import type { Ability, TerminalState } from '../acquirers.ts'
import { getTerminal, listTerminals, offeredAcquirers, type Terminal } from '../endpoints.ts'

const tones: Record<TerminalState, StatusTone> = {
  draft: 'wait',
  proved: 'done',
  failing: 'late',
  off: 'draft',
}

export function State({ of }: { of: TerminalState }) {
  const t = useWords()
  return <StatusPill tone={tones[of]}>{t(`acquirers.state.${of}`)}</StatusPill>
}

/** No acquirer can come back to this installation. */
export function NotReached() {
  const t = useWords()
  return <Note tone="late">{t('acquirers.notReached')}</Note>
}

/** As the business calls it, or as the acquirer is called. */
export const nameOf = (t: Words, { name, gateway }: Pick<Terminal, 'name' | 'gateway'>): string =>
  name || t(`cardCharges.acquirer.${gateway}`)

export const pageOf = (id: string): string => `/invoice/settingspayment?id=${id}`

/** What every one can do, or what only we ask it for: nothing to choose an acquirer by. */
const usual: readonly Ability[] = ['page', 'fields', 'capture', 'list', 'asksByOurReference']

/** What an acquirer can do; `brief`: what one chooses it by. */
export function Abilities({ of, brief = false }: { of: readonly Ability[]; brief?: boolean }) {
  const t = useWords()
  const shown = brief ? of.filter((one) => !usual.includes(one)) : of
  return shown.map((one, i) => (
    <span key={one}>
      {i > 0 && ' · '}
      <bdi className="aq-ability">{t(`acquirers.ability.${one}`)}</bdi>
    </span>
  ))
}

/** From which sum to which. */
export function sumsOf(
  t: Words,
  language: Parameters<typeof withCurrency>[2],
  { fromAgorot: from, toAgorot: to }: Pick<Terminal, 'fromAgorot' | 'toAgorot'>,
): string {
  const said = (agorot: number) => withCurrency(agorot, 'ILS', language)
  if (from !== null && to !== null) return t('acquirers.sums.between', { from: said(from), to: said(to) })
  if (from !== null) return t('acquirers.sums.from', { from: said(from) })
  return to === null ? t('acquirers.sums.any') : t('acquirers.sums.to', { to: said(to) })
}

export const mostOf = (t: Words, { instalments }: Pick<Terminal, 'instalments'>): string => {
  const most = Math.max(1, ...instalments.map((one) => one.most))
  return most === 1 ? t('acquirers.instalments.none') : t('acquirers.instalments.most', { count: most })
}

export const refresh = () =>
  Promise.all(
    [listTerminals, getTerminal, offeredAcquirers].map((one) =>
      queryClient.invalidateQueries({ queryKey: keyOf(one) }),
    ),
  )
