import { Suspense } from 'react'
import { Link } from 'react-aria-components/Link'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { usePlace } from '#kit/web/place.ts'
import { useWords } from '#kit/web/words.tsx'
import { useWordsOf } from '#kit/web/wording.ts'
import { tradeCalls, type TradeCall, type TradeName } from '#features/open/trade/calls.ts'
import type { TradeField, TradeFields } from '#features/open/trade/fields.ts'
import type { DocField } from '../endpoints.ts'
import { FieldsTable } from './FieldsTable.tsx'
import { guidePath, guides, referencePath, type GuideName } from './guides.ts'
import { Panel, type Shown } from './Panel.tsx'
import { inline } from './Prose.tsx'
import './docs.css'

const byGuide = (name: GuideName): [TradeName, TradeCall] | undefined =>
  (Object.entries(tradeCalls) as [TradeName, TradeCall][]).find(([, { guide }]) => guide === name)

const kinds: Record<TradeField['kind'], DocField['kind']> = {
  text: 'text',
  whole: 'whole',
  decimal: 'decimal',
  flag: 'yesNo',
  day: 'day',
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
      ...('most' in field && field.most !== undefined ? (field.kind === 'list' ? { mostRows: field.most } : { most: field.most }) : {}),
      ...(field.start === undefined ? {} : { start: field.start }),
    }
    if (field.kind !== 'list' && field.kind !== 'object') return [row]
    return [row, ...rowsOf(field.of, meaning, `${path}${field.kind === 'list' ? '[]' : ''}.`)]
  })
}

/** A call of the trade for people, or as reference: what it takes and gives, a sample, what it refuses, and a place to try it. */
export function Screen() {
  const t = useWords()
  const { path } = usePlace()
  const lower = path.toLowerCase()
  const isReference = lower.includes('/apiv1/')
  const name = guides.find((one) => lower === (isReference ? referencePath(one) : guidePath(one))) ?? 'login'
  const found = byGuide(name)
  const title = t(`docs.guides.${name}`)
  return (
    <>
      <PageHeader
        title={title}
        sub={found ? t(`trade.about.${found[0]}`) : undefined}
        crumbs={[{ label: t('screens.apiDoc'), href: '/api/doc' }]}
      />
      <div className="ad-guide">
        <nav className="ad-guides" aria-label={t('docs.guide.all')}>
          <ul className="ad-list">
            {guides
              .filter((one) => byGuide(one))
              .map((one) => (
                <li key={one}>
                  <Link href={isReference ? referencePath(one) : guidePath(one)} aria-current={one === name ? 'page' : undefined}>
                    {t(`docs.guides.${one}`)}
                  </Link>
                </li>
              ))}
          </ul>
        </nav>
        {found && (
          <Suspense fallback={<Skeleton lines={8} />}>
            <One key={name} of={found} name={name} isReference={isReference} />
          </Suspense>
        )}
      </div>
    </>
  )
}

function One({ of: [key, call], name, isReference }: { of: [TradeName, TradeCall]; name: GuideName; isReference: boolean }) {
  useWordsOf('errors')
  const t = useWords()
  const meaning = (word: string) => t(`trade.fields.${word}`)
  const takes = rowsOf(call.takes, meaning)
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
          {takes.length ? <FieldsTable label={t('docs.takes')} rows={takes} withNeed /> : <p className="sub">{t('docs.guide.none')}</p>}
        </section>
        <section aria-label={t('docs.gives')}>
          <h2>{t('docs.gives')}</h2>
          <p className="sub">{inline(t('docs.guide.envelope'))}</p>
          <FieldsTable label={t('docs.gives')} rows={gives} />
        </section>
        <section aria-label={t('docs.errors')}>
          <h2>{t('docs.errors')}</h2>
          <dl className="ad-fields">
            {errors.map((code) => (
              <div key={code} className="ad-field">
                <dt>
                  <code dir="ltr">{code}</code>
                </dt>
                <dd>{t(`errors.${code}`, { minutes: 1, name: '…', number: '…', what: '…' })}</dd>
              </div>
            ))}
          </dl>
        </section>
        <p className="ad-links">
          <Link className="aim" href={isReference ? guidePath(name) : referencePath(name)}>
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
      case 'text':
        return '…'
    }
  }
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, one(field)]))
}
