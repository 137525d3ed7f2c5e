import { Clock, Plus } from 'lucide-react'
import { useCallback, useMemo, useState, type ReactNode } from 'react'
import { daysBetween } from '#domain/day.ts'
import { formatDay, formatMoment, withCurrency } from '#domain/format.ts'
import {
  call,
  CallFailure,
  failureText,
  keyOf,
  queryClient,
  useCall,
  changeAnswer,
} from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { useNews } from '#kit/web/calls/live.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Board, type BoardMove } from '#kit/web/parts/Board.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useKeys } from '#kit/web/parts/useKeys.ts'
import { usePlace } from '#kit/web/routes/place.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { initials } from '#kit/web/shell/Header.tsx'
import { useLanguage, useWords, type Words } from '#kit/web/words/words.tsx'
import { leadBoard, listStages, moveLead, type LeadCard } from '../endpoints.ts'
import { clockText } from './dress.tsx'
import { LoseDialog } from './LoseDialog.tsx'
import { WinDialog } from './WinDialog.tsx'

interface Row extends LeadCard {
  title: string
  columnId: string
}
const rows = new WeakMap<LeadCard, Row>()
/** A lead as a card; the same one for the same lead, so that it is not drawn again. */
function rowOf(lead: LeadCard): Row {
  const row = rows.get(lead) ?? { ...lead, title: lead.name, columnId: lead.stageId }
  rows.set(lead, row)
  return row
}
const key = keyOf(leadBoard, {})
const byPlace = (a: LeadCard, b: LeadCard): number =>
  a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : a.id < b.id ? -1 : 1
/** Shown before the server confirms it. */
const put = (change: (rows: LeadCard[]) => LeadCard[]) =>
  changeAnswer(leadBoard, {}, (old) => ({ ...old, rows: change(old.rows).sort(byPlace) }), { again: false })

/**
 * Leads by their stages; won and lost ask in the drop what they must know, and a refusal puts the card back.
 */
export function LeadBoard({ actions, chooser }: { actions: ReactNode; chooser?: ReactNode }) {
  const t = useWords()
  const { lang } = useLanguage()
  const may = useCan()
  const session = useSession()
  const { query, setQuery } = usePlace()
  const stages = useCall(listStages, {}).data?.rows
  const { data, error } = useCall(leadBoard, {})
  const [asks, setAsks] = useState<{ card: LeadCard; move: BoardMove; outcome: 'won' | 'lost' }>()
  const mayChange = may('leads.change')
  const today = useToday()
  useKeys(mayChange ? { n: () => setQuery({ new: '1' }) } : {})

  const fetchCards = useCallback(async (ids: readonly string[]) => {
    const { rows, open, openAgorot, answerMinutes } = await call(leadBoard, { ids: ids.join(',') })
    changeAnswer(leadBoard, {}, (old) => ({
      rows: [...old.rows.filter(({ id }) => !ids.includes(id)), ...rows].sort(byPlace),
      open,
      openAgorot,
      answerMinutes,
    }))
  }, [])
  useNews(['leads'], (ids, isAll) => {
    if (isAll || ids.length > 200) void queryClient.invalidateQueries({ queryKey: key })
    else if (ids.length) void fetchCards(ids).catch(() => undefined)
  })
  const failed = (id: string) => (e: unknown) => {
    void fetchCards([id]).catch(() => queryClient.invalidateQueries({ queryKey: key }))
    banner.error(
      e instanceof CallFailure && e.code === 'leads.moved' ? t('errors.leads.moved') : failureText(t, e),
    )
  }

  const move = (given: BoardMove) => {
    const card = data?.rows.find(({ id }) => id === given.id)
    const stage = stages?.find(({ id }) => id === given.columnId)
    if (!card || !stage) return
    if (stage.outcome !== 'open' && stage.outcome !== card.outcome)
      return setAsks({ card, move: given, outcome: stage.outcome })
    put((old) => {
      const after = old.find((one) => one.id === given.afterId)?.rank
      const before = old.find((one) => one.id === given.beforeId)?.rank
      // Until the server answers with the key: one between those of the cards it was dropped between.
      const rank =
        after !== undefined
          ? `${after}${before === undefined ? 'V' : '0V'}`
          : before !== undefined
            ? `${before.slice(0, -1)}${String.fromCharCode(before.charCodeAt(before.length - 1) - 1)}zV`
            : 'zzzz'
      return old.map((one) =>
        one.id === given.id ? { ...one, stageId: stage.id, rank, outcome: stage.outcome } : one,
      )
    })
    call(moveLead, {
      id: card.id,
      version: card.version,
      stageId: stage.id,
      afterId: given.afterId,
      beforeId: given.beforeId,
    })
      .then((fresh) => put((old) => old.map((one) => (one.id === fresh.id ? fresh : one))))
      .catch(failed(card.id))
  }

  const q = (query.q ?? '').trim().toLowerCase()
  const rows = useMemo(
    () =>
      (data?.rows ?? [])
        .filter(
          (one) =>
            (!query.owner || one.ownerId === query.owner) &&
            (!query.source || one.sourceId === query.source) &&
            (!q || `${one.name} ${one.company} ${one.phone ?? ''}`.toLowerCase().includes(q)),
        )
        .map(rowOf),
    [data, query.owner, query.source, q],
  )
  const hides = session?.HideTotalPrices
  const columns = useMemo(
    () =>
      (stages ?? []).map((stage) => {
        const sum = rows.reduce((all, one) => all + (one.stageId === stage.id ? (one.sumAgorot ?? 0) : 0), 0)
        return {
          id: stage.id,
          name: stage.name,
          color: stage.color,
          ...(sum > 0 && !hides
            ? { end: <Num>{withCurrency(sum, 'ILS', lang).replace('.00', '')}</Num> }
            : {}),
        }
      }),
    [stages, rows, hides, lang],
  )
  const face = useCallback(
    (card: Row) => <Face card={card} today={today} hides={hides === true} />,
    [today, hides],
  )
  const choices = (id: 'ownerId' | 'sourceId', name: 'ownerName' | 'sourceName') =>
    [
      ...new Map((data?.rows ?? []).flatMap((one) => (one[id] ? [[one[id], one[name] ?? ''] as const] : []))),
    ].map(([value, label]) => ({
      value,
      label,
    }))
  return (
    <>
      <PageHeader
        title={t('screens.leads')}
        sub={
          data && (
            <>
              {t('leads.figures.open', { count: data.open })}
              {!hides && data.openAgorot > 0 && (
                <>
                  {' · '}
                  {t('leads.figures.expected')} <Num>{withCurrency(data.openAgorot, 'ILS', lang)}</Num>
                </>
              )}
              {data.answerMinutes !== null && (
                <>
                  {' · '}
                  {t('leads.figures.answer')} <Num>{clockText(data.answerMinutes)}</Num>
                </>
              )}
            </>
          )
        }
        actions={
          <>
            {actions}
            {mayChange && (
              <Button kind="primary" icon={Plus} keys="N" onPress={() => setQuery({ new: '1' })}>
                {t('leads.new')}
              </Button>
            )}
          </>
        }
      />
      <div className="ld-filter">
        {chooser}
        <TextField
          label={t('leads.search')}
          hideLabel
          placeholder={t('leads.search')}
          value={query.q ?? ''}
          onChange={(text) => setQuery({ q: text || undefined })}
        />
        <ChoiceField
          label={t('leads.fields.ownerId')}
          hideLabel
          as="list"
          clearable
          placeholder={t('leads.fields.ownerId')}
          value={query.owner ?? null}
          onChange={(id) => setQuery({ owner: id ?? undefined })}
          choices={choices('ownerId', 'ownerName')}
        />
        <ChoiceField
          label={t('leads.fields.sourceId')}
          hideLabel
          as="list"
          clearable
          placeholder={t('leads.fields.sourceId')}
          value={query.source ?? null}
          onChange={(id) => setQuery({ source: id ?? undefined })}
          choices={choices('sourceId', 'sourceName')}
        />
      </div>
      {error && !data && <Note tone="late">{failureText(t, error)}</Note>}
      {!data && !error && <Skeleton lines={8} />}
      {data && stages && (
        <Board<Row>
          label={t('screens.leads')}
          columns={columns}
          cards={rows}
          face={face}
          onOpen={(card) => setQuery({ lead: card.id })}
          onMove={mayChange ? move : undefined}
        />
      )}
      {asks?.outcome === 'lost' && (
        <LoseDialog
          card={asks.card}
          stageId={asks.move.columnId}
          place={asks.move}
          onClose={() => setAsks(undefined)}
        />
      )}
      {asks?.outcome === 'won' && (
        <WinDialog card={asks.card} stageId={asks.move.columnId} onClose={() => setAsks(undefined)} />
      )}
    </>
  )
}

function whenText(t: Words, day: string, today: string): string {
  const days = daysBetween(today, day)
  if (days === 0) return t('leads.due.today')
  if (days === 1) return t('leads.due.tomorrow')
  return days < 0 ? t('leads.due.late', { count: -days }) : formatDay(day).slice(0, 5)
}

function Face({ card, today, hides }: { card: LeadCard; today: string; hides: boolean }) {
  const t = useWords()
  const { lang } = useLanguage()
  const sum =
    card.sumAgorot && !hides ? withCurrency(card.sumAgorot, 'ILS', lang).replace('.00', '') : undefined
  const about = [card.company, card.outcome === 'lost' ? card.lostReason : card.nextText || card.sourceName]
    .filter(Boolean)
    .join(' · ')
  const isLate = card.nextDay !== null && card.nextDay < today && card.outcome === 'open'
  return (
    <>
      <span className="t" title={card.name}>
        <bdi>{card.name}</bdi>
      </span>
      {(about || sum) && (
        <span className="s" title={about}>
          {sum && <Num>{sum}</Num>}
          {sum && about && ' · '}
          <bdi>{about}</bdi>
        </span>
      )}
      {card.message && (
        <span className="s ld-said" title={card.message}>
          <bdi>{card.message}</bdi>
        </span>
      )}
      <span className="foot">
        {card.outcome === 'open' && card.nextDay && (
          <span data-tone={isLate ? 'late' : card.nextDay === today ? 'wait' : undefined}>
            <Icon of={Clock} size="s" />
            <Num>{whenText(t, card.nextDay, today)}</Num>
          </span>
        )}
        {card.outcome === 'open' && !card.nextDay && (
          <Num>{formatMoment(new Date(card.arrivedAt)).slice(0, 5)}</Num>
        )}
        {card.isStale && <span data-tone="wait">{t('leads.stale')}</span>}
        {card.ownerName && (
          <span className="k-who who" title={card.ownerName} role="img" aria-label={card.ownerName}>
            {initials(card.ownerName)}
          </span>
        )}
      </span>
    </>
  )
}
