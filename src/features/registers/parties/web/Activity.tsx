import { useInfiniteQuery } from '@tanstack/react-query'
import {
  Archive,
  Combine,
  FileCheck,
  History,
  Mail,
  Pencil,
  Plus,
  UserPlus,
  type LucideIcon,
} from 'lucide-react'
import { formatDay, formatMoment, formatMoney, formatPercent } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import type { Fields } from '#kit/fields/field.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { MoreRows } from '#kit/web/parts/MoreRows.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { languageNames } from '#kit/web/words/language.ts'
import { callsOf, type AnyResource, type AnyRow } from '#kit/web/screens/resources.ts'
import { useWords, type Words } from '#kit/web/words/words.tsx'
import { customers } from '../customers.ts'
import { activityOf } from '../endpoints.ts'
import { customerAddresses, customerContacts } from '../people.ts'
import {
  agents,
  customerStatuses,
  customerTypes,
  portfolios,
  type CustomerField,
} from '../classifications.ts'
import { dueTermsText } from './DueTerms.tsx'
import { inventedText } from '#kit/web/fields/InventedInput.tsx'
import { useOwnFields } from './Own.tsx'
import './parties.css'

type Line = OutputOf<typeof activityOf>['rows'][number]
type Values = Record<string, unknown>

/** Who changed what, in words, and what was sent; newest first. */
export function Activity({ row }: { row: AnyRow }) {
  const t = useWords()
  const say = useValueWords(t)
  const query = useInfiniteQuery({
    queryKey: [activityOf.name, row.id],
    queryFn: ({ pageParam, signal }) =>
      call(activityOf, { id: row.id, ...(pageParam ? { cursor: pageParam } : {}) }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
  const { data, error } = query
  const lines = data?.pages.flatMap((page) => page.rows) ?? []
  if (error) return <Note tone="late">{failureText(t, error)}</Note>
  if (!data) return <Skeleton lines={6} />
  if (lines.length === 0) return <EmptyState icon={History} title={t('customers.activity.empty')} />
  return (
    <>
      <ul className="pa-log">
        {lines.map((line) => (
          <li key={line.id}>
            <span className="k-tile" data-tone={line.message ? 'info' : undefined}>
              <Icon of={pictureOf(line.action)} />
            </span>
            <span>
              {line.message ? <bdi>{line.message.subject}</bdi> : t(`companies.audit.${line.action}`)}
              {line.message && (
                <>
                  {' '}
                  <StatusPill
                    tone={line.message.state === 'failed' ? 'late' : line.message.openedAt ? 'done' : 'plain'}
                  >
                    {line.message.openedAt
                      ? t('customers.activity.opened')
                      : t(`messages.state.${line.message.state}`)}
                  </StatusPill>
                </>
              )}
            </span>
            <span className="hint text-13">
              <Num>{formatMoment(new Date(line.at))}</Num> ·{' '}
              <bdi>{line.who ?? t('companies.log.system')}</bdi>
              {line.message && (
                <>
                  {' · '}
                  <Num>{line.message.recipient}</Num>
                </>
              )}
            </span>
            {!line.message && <Changes of={line} say={say} />}
          </li>
        ))}
      </ul>
      <MoreRows of={query} />
    </>
  )
}

function pictureOf(action: string): LucideIcon {
  if (action.startsWith('messages.')) return Mail
  const verb = action.split('.')[1] ?? ''
  if (verb.startsWith('merge')) return Combine
  if (verb.toLowerCase().includes('consent')) return FileCheck
  if (verb === 'register' || verb === 'propose') return UserPlus
  if (verb === 'create') return Plus
  return verb === 'archive' ? Archive : verb === 'change' ? Pencil : History
}

const described: Record<string, AnyResource> = { customers, customerContacts, customerAddresses }
const objectOf = (given: unknown): Values =>
  given !== null && typeof given === 'object' && !Array.isArray(given) ? (given as Values) : {}

function Changes({
  of: line,
  say,
}: {
  of: Line
  say: (entity: string, name: string, value: unknown) => string
}) {
  const t = useWords()
  const fields = described[line.entity]?.fields as Fields | undefined
  const [before, after] = [objectOf(line.before), objectOf(line.after)]
  const hadBefore = line.before !== null && line.before !== undefined
  const names = Object.keys(fields ?? {}).filter(
    (name) =>
      (name in before || name in after) &&
      name !== 'partyId' &&
      // What began as "no" tells nothing.
      (hadBefore || after[name] !== false) &&
      say(line.entity, name, before[name]) !== say(line.entity, name, after[name]),
  )
  if (names.length === 0) return null
  return (
    <dl>
      {names.slice(0, 12).map((name) => (
        <div key={name}>
          <dt>{t(`${line.entity}.fields.${name}`)}:</dt>
          <dd>
            {hadBefore && (
              <>
                <s className="hint">
                  <bdi>{say(line.entity, name, before[name])}</bdi>
                </s>{' '}
              </>
            )}
            <bdi>{say(line.entity, name, after[name])}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Values of the log as people read them: records by their names, fixed words as their feature says them. */
function useValueWords(t: Words): (entity: string, name: string, value: unknown) => string {
  const own = useOwnFields()
  const names = useNames()
  return (entity, name, value) => {
    if (value === null || value === undefined || value === '') return '–'
    const field = (described[entity]?.fields as Fields | undefined)?.[name]
    switch (field?.kind) {
      case 'ref':
        return names.get(String(value)) ?? '…'
      case 'money':
        return formatMoney(Number(value))
      case 'percent':
        return formatPercent(Number(value))
      case 'flag':
        return t(value ? 'kit.flag.yes' : 'kit.flag.no')
      case 'day':
        return formatDay(String(value))
      case 'moment':
        return formatMoment(new Date(String(value)))
      case 'language':
        return languageNames[value as keyof typeof languageNames]
      case 'choice':
        return t(`${entity}.${name}.${String(value)}`)
      case 'tags':
        return (value as string[]).join(', ') || '–'
      case 'own':
        return ownWords(t, own, value as Record<string, string>)
      default:
        return name === 'dueTerms' ? dueTermsText(String(value), t) : String(value)
    }
  }
}

const ownWords = (t: Words, fields: readonly CustomerField[], values: Record<string, string>): string =>
  fields
    .filter(({ id }) => values[id] !== undefined)
    .map((field) => `${field.name}: ${inventedText(t, field, values[field.id] ?? null)}`)
    .join(' · ') || '–'

/** The names of what customers are sorted by; few, so they are asked for at once. */
function useNames(): ReadonlyMap<string, string> {
  const all = (resource: AnyResource) => callsOf(resource).list
  const options = { staleTime: 60_000 }
  const answers = [
    useCall(all(customerTypes), { size: 200 }, options).data,
    useCall(all(customerStatuses), { size: 200 }, options).data,
    useCall(all(portfolios), { size: 200 }, options).data,
    useCall(all(agents), { size: 200 }, options).data,
  ]
  return new Map(
    answers.flatMap((answer) => answer?.rows.map((row) => [row.id, String(row.name)] as const) ?? []),
  )
}
