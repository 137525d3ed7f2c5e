import { useInfiniteQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { formatDay, formatMoment, formatMoney, formatPercent } from '#domain/format.ts'
import type { LanguageCode } from '#domain/languages.ts'
import type { Fields } from '#kit/fields/field.ts'
import { call, failureText } from '#kit/web/calls/call.ts'
import { languageNames } from '#kit/web/words/language.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { MoreRows } from '#kit/web/parts/MoreRows.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import type { AnyResource, AnyRow } from '#kit/web/screens/resources.ts'
import { useLanguage, useWords, type Words } from '#kit/web/words/words.tsx'
import { bankText, dueTermsText } from '#features/registers/parties/web/index.tsx'
import { activityOfSupplier } from '../../endpoints.ts'
import { suppliers } from '../../suppliers.ts'
import { withholdingCertificates } from '../../withholdingCertificates.ts'
import '../suppliers.css'

const described: Record<string, AnyResource> = { suppliers, withholdingCertificates }
const objectOf = (given: unknown): Record<string, unknown> =>
  given !== null && typeof given === 'object' && !Array.isArray(given)
    ? (given as Record<string, unknown>)
    : {}

/** Who changed what in a supplier and its certificates, newest first. */
export function Activity({ row }: { row: AnyRow }) {
  const t = useWords()
  const query = useInfiniteQuery({
    queryKey: [activityOfSupplier.name, row.id, row.updatedAt],
    queryFn: ({ pageParam, signal }) =>
      call(activityOfSupplier, { id: row.id, ...(pageParam ? { cursor: pageParam } : {}) }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
  const { data, error } = query
  if (error) return <Note tone="late">{failureText(t, error)}</Note>
  if (!data) return <Skeleton lines={6} />
  const lines = data.pages.flatMap((page) => page.rows)
  if (lines.length === 0) return <EmptyState icon={History} title={t('suppliers.activityEmpty')} />
  return (
    <>
      <ul className="su-log">
        {lines.map((line) => (
          <li key={line.id}>
            <span>{t(`companies.audit.${line.action}`)}</span>
            <span className="hint text-13">
              <Num>{formatMoment(new Date(line.at))}</Num> ·{' '}
              <bdi>{line.who ?? t('companies.log.system')}</bdi>
            </span>
            <Changes entity={line.entity} before={line.before} after={line.after} />
          </li>
        ))}
      </ul>
      <MoreRows of={query} />
    </>
  )
}

function Changes({ entity, before, after }: { entity: string; before: unknown; after: unknown }) {
  const t = useWords()
  const { lang } = useLanguage()
  const fields = (described[entity]?.fields ?? {}) as Fields
  const [old, next] = [objectOf(before), objectOf(after)]
  const names = Object.keys(fields).filter(
    (name) =>
      (name in old || name in next) &&
      fields[name]!.kind !== 'ref' &&
      name !== 'fileId' &&
      say(t, lang, entity, name, old[name]) !== say(t, lang, entity, name, next[name]),
  )
  if (names.length === 0) return null
  return (
    <dl>
      {names.slice(0, 12).map((name) => (
        <div key={name}>
          <dt>{t(`${entity}.fields.${name}`)}:</dt>
          <dd>
            {before !== null && before !== undefined && (
              <>
                <s className="hint">
                  <bdi>{say(t, lang, entity, name, old[name])}</bdi>
                </s>{' '}
              </>
            )}
            <bdi>{say(t, lang, entity, name, next[name])}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A value of the log as people read it. */
function say(t: Words, lang: LanguageCode, entity: string, name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  const field = (described[entity]!.fields as Fields)[name]!
  if (name === 'dueTerms') return dueTermsText(String(value), t)
  if (name === 'bankCode') return bankText(t, Number(value))
  switch (field.kind) {
    case 'money':
      return formatMoney(Number(value))
    case 'percent':
      return formatPercent(Number(value), lang)
    case 'flag':
      return t(value ? 'kit.flag.yes' : 'kit.flag.no')
    case 'day':
      return formatDay(String(value))
    case 'choice':
      return t(`${entity}.${name}.${String(value)}`)
    case 'language':
      return languageNames[value as keyof typeof languageNames]
    default:
      return String(value)
  }
}
