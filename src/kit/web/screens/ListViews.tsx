import { Views } from '../parts/Views.tsx'
import { useWords } from '../words/words.tsx'
import type { BuiltView } from './dress.ts'
import { DropView } from './DropView.tsx'
import { clearing, type Query } from './filters.ts'
import { fieldsOf } from './resources.ts'
import type { ListPartProps } from './useList.ts'
import { useSavedViews } from './views.ts'

const ALL = 'all'
const ARCHIVE = 'archive'

/** The tabs over a list: everything, the feature's own views, the person's, the archive. */
export function ListViews({
  resource,
  built = [],
  query,
  setQuery,
  hasArchive,
}: ListPartProps & { built?: readonly BuiltView[] | undefined; hasArchive: boolean }) {
  const t = useWords()
  const saved = useSavedViews(resource.name, true)
  const fields = fieldsOf(resource)
  if (built.length === 0 && saved.views.length === 0 && !hasArchive) return null
  const asking = (key: string): Query =>
    built.find((one) => one.key === key)?.query ?? saved.views.find((one) => one.id === key)?.query ?? {}
  const known = (key: string | undefined) =>
    key !== undefined && (built.some((one) => one.key === key) || saved.views.some((one) => one.id === key))
  const value = query.archived === 'true' ? ARCHIVE : known(query.view) ? query.view! : ALL
  const current = saved.views.find((one) => one.id === value)
  const choose = (key: string) =>
    setQuery(
      {
        ...clearing(fields, query),
        sort: undefined,
        archived: key === ARCHIVE ? 'true' : undefined,
        ...asking(key),
        view: key === ALL || key === ARCHIVE ? undefined : key,
      },
      { push: true },
    )
  return (
    <Views
      chips
      label={t('kit.lists.views')}
      value={value}
      onChange={choose}
      views={[
        { key: ALL, label: t('kit.lists.all') },
        ...built.map(({ query: _, ...view }) => view),
        ...saved.views.map((view) => ({ key: view.id, label: view.name })),
        ...(hasArchive ? [{ key: ARCHIVE, label: t('kit.lists.inArchive') }] : []),
      ]}
      {...(current?.mayDrop
        ? { end: <DropView view={current} saved={saved} showAll={() => choose(ALL)} /> }
        : {})}
    />
  )
}
