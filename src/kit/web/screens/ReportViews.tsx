import type { Fields } from '#kit/fields/field.ts'
import { viewParams } from '#kit/describe/reportView.ts'
import { Views } from '../parts/Views.tsx'
import { useWords } from '../words/words.tsx'
import { DropView } from './DropView.tsx'
import { sameQuery, type Query } from './filters.ts'
import type { SavedView, SavedViews } from './views.ts'

const ALL = 'all'

/**
 * What a view of a report keeps: its filters and how it is arranged. The days stay those of the person who looks.
 */
export function keptOf(filters: Fields, query: Query): Query {
  const names = [...Object.keys(filters).filter((name) => name !== 'from' && name !== 'to'), ...viewParams]
  return Object.fromEntries(names.flatMap((name) => (query[name] ? [[name, query[name]]] : [])))
}

/** Whether there is something to keep that the view that is open does not say already. */
export function canKeep(filters: Fields, query: Query, views: readonly SavedView[]): boolean {
  const kept = keptOf(filters, query)
  const current = views.find((one) => one.id === query.view)
  return Object.keys(kept).length > 0 && !(current && sameQuery(current.query, kept))
}

interface ReportViewsProps {
  filters: Fields
  query: Query
  setQuery: (change: Record<string, string | undefined>, how?: { push?: boolean }) => void
  saved: SavedViews
}

/** The person's own views over a report. */
export function ReportViews({ filters, query, setQuery, saved }: ReportViewsProps) {
  const t = useWords()
  if (saved.views.length === 0) return null
  const current = saved.views.find((one) => one.id === query.view)
  const choose = (key: string) => {
    const none = Object.fromEntries(Object.keys(keptOf(filters, query)).map((name) => [name, undefined]))
    setQuery(
      { ...none, ...saved.views.find((one) => one.id === key)?.query, view: key === ALL ? undefined : key },
      { push: true },
    )
  }
  return (
    <Views
      chips
      label={t('kit.lists.views')}
      value={current?.id ?? ALL}
      onChange={choose}
      views={[
        { key: ALL, label: t('kit.reports.whole') },
        ...saved.views.map((view) => ({ key: view.id, label: view.name })),
      ]}
      {...(current?.mayDrop
        ? { end: <DropView view={current} saved={saved} showAll={() => choose(ALL)} /> }
        : {})}
    />
  )
}
