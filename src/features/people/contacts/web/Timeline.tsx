import { useInfiniteQuery } from '@tanstack/react-query'
import { Banknote, FileText, History, ListTodo, Mail, Plus, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatDay, formatMoment, withCurrency } from '#domain/format.ts'
import { documentTypeById } from '#domain/documents/kinds.ts'
import { call, failureText, queryClient } from '#kit/web/calls/call.ts'
import { useNews } from '#kit/web/calls/live.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { MoreRows } from '#kit/web/parts/MoreRows.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Chip, StatusPill } from '#kit/web/parts/Status.tsx'
import { RecordSheet } from '#kit/web/screens/RecordSheet.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useLanguage, useWords, wordIfAny } from '#kit/web/words/words.tsx'
import { useWordsOf } from '#kit/web/words/wording.ts'
import { interactions, type Channel } from '../contacts.ts'
import { timeline, timelineKinds, type TimelineEntry, type TimelineKind } from '../endpoints.ts'
import { channelIcons } from './dress.tsx'
import './contacts.css'

/** Papers, money, letters, tasks and contacts with one customer or lead, newest first; by kinds, in pages. */
export function Timeline({ mayAdd, ...of }: { customerId?: string; leadId?: string; mayAdd?: boolean }) {
  useWordsOf('documents', 'payments', 'cardCharges', 'messages')
  const t = useWords()
  const may = useCan()
  const [kinds, setKinds] = useState<readonly TimelineKind[]>([])
  const [isAdding, setAdding] = useState(false)
  const query = useInfiniteQuery({
    queryKey: [timeline.name, of, kinds],
    queryFn: ({ pageParam, signal }) =>
      call(
        timeline,
        {
          ...of,
          ...(kinds.length ? { kinds: kinds.join() } : {}),
          ...(pageParam ? { cursor: pageParam } : {}),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
  const refresh = () => queryClient.invalidateQueries({ queryKey: [timeline.name] })
  useNews(['interactions', 'tasks', 'documents', 'payments'], () => void refresh())
  const { data, error } = query
  const rows = data?.pages.flatMap((page) => page.rows) ?? []
  const offered = of.customerId ? timelineKinds : (['task', 'contact'] as const)
  return (
    <div className="ct-line">
      <div className="ct-tools">
        {offered.map((kind) => (
          <Chip
            key={kind}
            on={kinds.includes(kind)}
            onPress={() =>
              setKinds((old) => (old.includes(kind) ? old.filter((one) => one !== kind) : [...old, kind]))
            }
          >
            {t(`interactions.kinds.${kind}`)}
          </Chip>
        ))}
        {mayAdd && may(interactions.allow.change) && (
          <Button kind="soft" size="s" icon={Plus} onPress={() => setAdding(true)}>
            {t('interactions.new')}
          </Button>
        )}
      </div>
      {error && !data && <Note tone="late">{failureText(t, error)}</Note>}
      {!data && !error && <Skeleton lines={6} />}
      {data && rows.length === 0 && (
        <EmptyState icon={History} title={t('interactions.nothing')}>
          {t('interactions.empty.text')}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <ol className="ct-list">
          {rows.map((row) => (
            <li key={`${row.kind}${row.id}`}>
              <Entry of={row} />
            </li>
          ))}
        </ol>
      )}
      <MoreRows of={query} />
      {isAdding && (
        <RecordSheet
          resource={interactions}
          values={of}
          hidden={Object.keys(of)}
          onClose={() => setAdding(false)}
          onSaved={() => {
            setAdding(false)
            void refresh()
          }}
        />
      )}
    </div>
  )
}

const icons: Record<Exclude<TimelineKind, 'contact'>, LucideIcon> = {
  paper: FileText,
  money: Banknote,
  letter: Mail,
  task: ListTodo,
}
const paths: Partial<Record<TimelineKind, (id: string) => string>> = {
  paper: (id) => `/invoice/preview/${id}`,
  money: (id) => `/invoice/paymentview/${id}`,
  task: (id) => `/invoice/alltasks?task=${id}`,
}

function Entry({ of }: { of: TimelineEntry }) {
  const t = useWords()
  const { lang } = useLanguage()
  const picture = of.kind === 'contact' ? (channelIcons[of.what as Channel] ?? History) : icons[of.kind]
  const isCharge = of.what === 'charge'
  const title =
    of.kind === 'paper'
      ? `${t(`documents.types.${documentTypeById(Number(of.what)) ?? of.what}`)}${of.number ? ` ${of.number}` : ''}`
      : of.kind === 'money'
        ? isCharge
          ? t('interactions.charge')
          : (wordIfAny(t, `payments.means.${of.what}`, {}) ?? '')
        : of.kind === 'contact'
          ? of.title || t(`interactions.channel.${of.what}`)
          : of.title || t(`interactions.kinds.${of.kind}`)
  const state =
    of.kind === 'money'
      ? wordIfAny(t, `${isCharge ? 'cardCharges' : 'payments'}.state.${of.state}`, {})
      : of.kind === 'paper'
        ? wordIfAny(t, `documents.status.${of.state}`, {})
        : of.kind === 'letter'
          ? of.state === 'opened'
            ? t('interactions.opened')
            : wordIfAny(t, `messages.state.${of.state}`, {})
          : of.kind === 'task'
            ? t(of.state === 'done' ? 'interactions.taskDone' : 'interactions.taskOpen')
            : undefined
  const href = isCharge ? undefined : paths[of.kind]?.(of.id)
  return (
    <>
      <span
        className="k-tile"
        data-tone={
          of.kind === 'contact' ? undefined : of.kind === 'paper' || of.kind === 'money' ? 'done' : 'info'
        }
      >
        <Icon of={picture} />
      </span>
      <span className="ct-what">
        <span className="t">
          {href ? (
            <Link className="link aim" href={href}>
              <bdi>{title}</bdi>
            </Link>
          ) : (
            <bdi>{title}</bdi>
          )}{' '}
          {state && <StatusPill>{state}</StatusPill>}
        </span>
        {of.text && (
          <span className="s">
            <bdi>{of.text}</bdi>
          </span>
        )}
        <span className="hint text-12">
          <Num>
            {(of.kind === 'paper' || of.kind === 'money') && of.day
              ? formatDay(of.day)
              : formatMoment(new Date(of.at))}
          </Num>
          {of.by && (
            <>
              {' · '}
              <bdi>{of.by}</bdi>
            </>
          )}
          {of.kind === 'contact' && ` · ${t(`interactions.direction.${of.direction || 'out'}`)}`}
          {of.kind === 'task' && of.day && (
            <>
              {' · '}
              <Num>{formatDay(of.day)}</Num>
            </>
          )}
        </span>
      </span>
      {of.totalAgorot !== null && of.currency && (
        <span className="num ct-sum">{withCurrency(of.totalAgorot, of.currency, lang)}</span>
      )}
    </>
  )
}
