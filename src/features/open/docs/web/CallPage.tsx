import { useCall } from '#kit/web/calls/call.ts'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useTitle } from '#kit/web/routes/router.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { docsCall, type DocCall } from '../endpoints.ts'
import { FieldsTable } from './FieldsTable.tsx'
import { Panel, type Shown } from './Panel.tsx'

const shownOf = (of: DocCall): Shown => ({
  ...of,
  canTry: !of.takesFile && (of.forKeys || !of.needsKey) && of.method !== '',
  ...(of.takesFile ? { why: 'file' as const } : of.needsKey && !of.forKeys ? { why: 'person' as const } : {}),
  queryNames: of.takes
    .filter((field) => field.in === 'query' && !/[.[]/.test(field.path))
    .map(({ path }) => path),
})

/** One call: what it is for, what it takes and gives, what it refuses, and a place to try it. */
export function CallPage({ name }: { name: string }) {
  const t = useWords()
  const { data, error, refetch } = useCall(docsCall, { name }, { staleTime: Infinity })
  useTitle(data?.summary ?? t('screens.apiDoc'))
  if (error) return <Failed error={error} onRetry={refetch} />
  if (!data) return <Skeleton lines={10} />
  return (
    <>
      <article className="ad-page">
        <p className="sub">
          {data.wing} · {data.tagTitle}
        </p>
        <h1>{data.summary}</h1>
        <p className="ad-address">
          <b data-method={data.method}>{data.method}</b> <code dir="ltr">{data.path}</code>
        </p>
        {data.deprecated && (
          <Note tone="wait">
            {t('docs.deprecated', { until: data.deprecated.until, instead: data.deprecated.instead })}
          </Note>
        )}
        <p className="ad-lead">{data.description}</p>
        {data.takes.length > 0 && (
          <section aria-label={t('docs.takes')}>
            <h2>{t('docs.takes')}</h2>
            <FieldsTable label={t('docs.takes')} rows={data.takes} withNeed />
          </section>
        )}
        {data.gives.length > 0 && (
          <section aria-label={t('docs.gives')}>
            <h2>{t('docs.gives')}</h2>
            <FieldsTable label={t('docs.gives')} rows={data.gives} />
          </section>
        )}
        <section aria-label={t('docs.errors')}>
          <h2>{t('docs.errors')}</h2>
          <Refusals rows={data.errors} />
        </section>
      </article>
      <aside className="ad-side k-night" aria-label={t('docs.code')}>
        <Panel key={name} of={shownOf(data)} />
      </aside>
    </>
  )
}

/** Codes with cause and remedy. */
export function Refusals({
  rows,
}: {
  rows: readonly { code: string; status: number; title: string; remedy: string }[]
}) {
  return (
    <dl className="ad-fields">
      {rows.map(({ code, status, title, remedy }) => (
        <div key={code} className="ad-field">
          <dt>
            <code dir="ltr">{code}</code>
            <span className="sub">{status}</span>
          </dt>
          <dd>
            <span dir="auto">{title}</span>
            <span className="sub">{remedy}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
