import { documentTypes } from '#domain/documents/kinds.ts'
import { Suspense } from 'react'
import { Link } from 'react-aria-components/Link'
import { useCall } from '#kit/web/calls/call.ts'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useTitle } from '#kit/web/routes/router.tsx'
import { useWords, type Words } from '#kit/web/words/words.tsx'
import { tradeCalls, type TradeCall, type TradeName } from '#features/open/trade/calls.ts'
import type { TradeField, TradeFields } from '#features/open/trade/fields.ts'
import { docsErrors, type DocField } from '../endpoints.ts'
import { Refusals } from './CallPage.tsx'
import { FieldsTable } from './FieldsTable.tsx'
import { furtherGuide, furtherReference, guidePath, guides, referencePath, type GuideName } from './guides.ts'
import { Panel, type Shown } from './Panel.tsx'
import { inline } from './Prose.tsx'
import './docs.css'

/** A call with the pages that explain it. */
interface Explained {
  key: TradeName
  call: TradeCall
  /** Where the specification has a page for it. */
  page?: GuideName
}

const nameOf = (text: string): string => text.toLowerCase()
const all = Object.entries(tradeCalls) as [TradeName, TradeCall][]

/** Every call: first those with their own pages, in order, then the others. */
const explained: readonly Explained[] = [
  ...guides.flatMap((page): Explained[] =>
    all.flatMap(([key, call]) => (call.guide === page ? [{ key, call, page }] : [])),
  ),
  ...all.flatMap(([key, call]): Explained[] => (call.guide ? [] : [{ key, call }])),
]
const firstFurther = explained.find(({ page }) => !page)!

const hrefOf = ({ call, page }: Explained, isReference: boolean): string => {
  if (page) return isReference ? referencePath(page) : guidePath(page)
  return `${isReference ? furtherReference.path : furtherGuide.path}?call=${nameOf(call.name)}`
}

const titleOf = (t: Words, { key, page }: Explained): string =>
  page ? t(`docs.guides.${page}`) : t(`trade.calls.${key}`)

const kinds: Record<TradeField['kind'], DocField['kind']> = {
  text: 'text',
  whole: 'whole',
  decimal: 'decimal',
  flag: 'yesNo',
  day: 'day',
  texts: 'list',
  list: 'list',
  object: 'object',
}

/** Fields of a call of the trade as rows of the table every page of the documentation has. */
export function rowsOf(fields: TradeFields, meaning: (word: string) => string, at = ''): DocField[] {
  return Object.entries(fields).flatMap(([name, field]): DocField[] => {
    const path = at + name
    const row: DocField = {
      path,
      kind: kinds[field.kind],
      need: field.need ?? false,
      mayBeNull: false,
      meaning: meaning(field.word ?? name),
      ...('max' in field && field.max ? { longest: field.max } : {}),
      ...('choices' in field && field.choices ? { choices: [...field.choices] } : {}),
      ...('least' in field && field.least !== undefined ? { least: field.least } : {}),
      ...('most' in field && field.most !== undefined
        ? field.kind === 'list' || field.kind === 'texts'
          ? { mostRows: field.most }
          : { most: field.most }
        : {}),
      ...(field.kind === 'texts' ? { of: 'text' } : {}),
      ...(field.start === undefined ? {} : { start: field.start }),
    }
    if (field.kind !== 'list' && field.kind !== 'object') return [row]
    return [row, ...rowsOf(field.of, meaning, `${path}${field.kind === 'list' ? '[]' : ''}.`)]
  })
}

/**
 * A call of the trade for people, or as reference: what it takes and gives, a sample, what it refuses, and a
 * place to try it.
 */
export function Screen() {
  const t = useWords()
  const { path, query } = usePlace()
  const lower = path.toLowerCase()
  const isReference = lower.includes('/apiv1/')
  const isFurther = lower === furtherGuide.path || lower === furtherReference.path
  const shown =
    explained.find(({ call, page }) =>
      isFurther
        ? !page && nameOf(call.name) === nameOf(query.call ?? '')
        : page && lower === (isReference ? referencePath : guidePath)(page),
    ) ?? (isFurther ? firstFurther : explained[0]!)
  const title = titleOf(t, shown)
  useTitle(title)
  return (
    <>
      <PageHeader
        title={title}
        sub={t(`trade.about.${shown.key}`)}
        crumbs={[{ label: t('screens.apiDoc'), href: '/api/doc' }]}
      />
      <div className="ad-guide">
        <nav className="ad-guides" aria-label={t('docs.guide.all')}>
          <ul className="ad-list">
            {explained.map((one) => (
              <li key={one.key}>
                <Link href={hrefOf(one, isReference)} aria-current={one === shown ? 'page' : undefined}>
                  {titleOf(t, one)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <Suspense fallback={<Skeleton lines={8} />}>
          <One key={shown.key} of={shown} isReference={isReference} />
        </Suspense>
      </div>
    </>
  )
}

function One({ of, isReference }: { of: Explained; isReference: boolean }) {
  const { key, call } = of
  const t = useWords()
  const said = useCall(docsErrors, {}, { staleTime: Infinity })
  const meaning = (word: string) => t(`trade.fields.${word}`)
  const types = Object.fromEntries(
    Object.entries(documentTypes).map(([name, { id }]) => [id, t(`documents.types.${name}`)]),
  )
  const takes = rowsOf(call.takes, meaning).map((row) =>
    row.path === 'docTypeID' ? { ...row, names: types } : row,
  )
  const gives = rowsOf(call.gives, meaning)
  const shown: Shown = {
    name: call.name,
    tag: key,
    method: 'POST',
    path: `/api/v1/${call.name}`,
    needsKey: true,
    changes: false,
    takesFile: false,
    canTry: true,
    example: { path: {}, query: {}, body: call.sample },
    answer: {
      Success: true,
      ErrorMessage: '',
      ReturnValue: call.rows ? [answerLike(call.gives)] : answerLike(call.gives),
      ...(call.rows ? { total: 1 } : {}),
    },
    queryNames: [],
    headersOf: (secret) => ({ authorization: JSON.stringify({ secret, userkey: '' }) }),
  }
  const errors = ['trade.keys', 'kit.badInput', 'session.forbidden', 'kit.tooMany', ...call.errors]
  return (
    <>
      <article className="ad-page ad-card">
        {!isReference && <p className="ad-lead">{inline(t('docs.guide.steps'))}</p>}
        <p className="ad-address">
          <b data-method="POST">POST</b> <code dir="ltr">/api/v1/{call.name}</code>
        </p>
        {call.also && (
          <p className="sub">
            {t('docs.guide.names')}: <bdi dir="ltr">{call.also.join(', ')}</bdi>
          </p>
        )}
        <p className="sub">{inline(t('docs.guide.key'))}</p>
        <section aria-label={t('docs.takes')}>
          <h2>{t('docs.takes')}</h2>
          {takes.length ? (
            <FieldsTable label={t('docs.takes')} rows={takes} withNeed />
          ) : (
            <p className="sub">{t('docs.guide.none')}</p>
          )}
        </section>
        <section aria-label={t('docs.gives')}>
          <h2>{t('docs.gives')}</h2>
          <p className="sub">{inline(t('docs.guide.envelope'))}</p>
          <FieldsTable label={t('docs.gives')} rows={gives} />
        </section>
        <section aria-label={t('docs.errors')}>
          <h2>{t('docs.errors')}</h2>
          {said.error ? (
            <Failed error={said.error} onRetry={said.refetch} />
          ) : said.data ? (
            <Refusals rows={said.data.rows.filter(({ code }) => errors.includes(code))} />
          ) : (
            <Skeleton lines={6} />
          )}
        </section>
        <p className="ad-links">
          <Link className="aim" href={hrefOf(of, !isReference)}>
            {t(isReference ? 'docs.guide.asGuide' : 'docs.guide.asReference')}
          </Link>
          {call.ours.map((one) => (
            <Link key={one} className="aim" href={`/api/doc?call=${one}`}>
              {t('docs.guide.ours')}: <code dir="ltr">{one}</code>
            </Link>
          ))}
        </p>
      </article>
      <aside className="ad-side ad-card k-night" aria-label={t('docs.code')}>
        <Panel of={shown} />
      </aside>
    </>
  )
}

/** An answer as it looks, from the fields it holds. */
function answerLike(fields: TradeFields): Record<string, unknown> {
  const one = (field: TradeField): unknown => {
    switch (field.kind) {
      case 'whole':
        return field.choices?.[0] ?? 1
      case 'decimal':
        return '100.00'
      case 'flag':
        return false
      case 'day':
        return '2026-11-24'
      case 'object':
        return answerLike(field.of)
      case 'list':
        return [answerLike(field.of)]
      case 'texts':
        return ['…']
      case 'text':
        return '…'
    }
  }
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, one(field)]))
}
