import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { FieldKind } from '#kit/fields/field.ts'
import { filterWords, type ViewKind } from '../fields/cellViews.tsx'
import { Button } from '../parts/Button.tsx'
import { FilterBar, type Filter } from '../parts/FilterBar.tsx'
import { Skeleton } from '../parts/Skeleton.tsx'
import { useWords, type Words } from '../words/words.tsx'
import { factsOf } from './columns.tsx'
import { dressOf } from './dress.ts'
import {
  askedOf,
  clearing,
  isRaw,
  readFilter,
  sameQuery,
  shapeOf,
  writeFilter,
  type FilterValue,
} from './filters.ts'
import { fieldsOf } from './resources.ts'
import { useRefNames, type ListPartProps } from './useList.ts'
import { useSearchText } from './useSearchText.ts'
import { useSavedViews } from './views.ts'
import { fetchPart } from '../calls/fetchPart.ts'

const FilterControl = lazy(() =>
  fetchPart(() => import('./FilterControl.tsx')).then(({ FilterControl }) => ({ default: FilterControl })),
)
const NameView = lazy(() =>
  fetchPart(() => import('./NameView.tsx')).then(({ NameView }) => ({ default: NameView })),
)

export interface ListFiltersProps extends ListPartProps {
  names: readonly string[]
  embedded: boolean
  onClear: () => void
  end: ReactNode
}

/** Search and filters of a list, bound to its address. */
export function ListFilters({ resource, query, setQuery, names, embedded, onClear, end }: ListFiltersProps) {
  const t = useWords()
  const fields = fieldsOf(resource)
  const saved = useSavedViews(resource.name, !embedded)
  const refNames = useRefNames(fields, query)
  const [text, setText] = useSearchText(query.q ?? '', (q) => setQuery({ q: q || undefined }))
  const [naming, setNaming] = useState(false)
  const asked = askedOf(fields, query)
  const current = saved.views.find((one) => one.id === query.view)
  const canSave =
    saved.canSave &&
    Object.keys(clearing(fields, query)).length > 0 &&
    !(current && sameQuery(askedOf(fields, current.query), asked))

  const filters: Filter[] = names.map((name) => {
    const field = fields[name]!
    const several = dressOf(resource).choices?.[name] !== undefined
    const kind: FieldKind = several ? 'choice' : field.kind
    const value = readFilter(name, field, query, several)
    const put = (next: FilterValue | undefined) => setQuery(writeFilter(name, field, next, several))
    const facts = factsOf(resource, name, t)
    const label = t(`${resource.name}.fields.${name}`)
    // A ref's control works with the record's name beside its id.
    const shown =
      kind === 'ref' && typeof value === 'string' ? { key: value, label: refNames.get(value) ?? '…' } : value
    return {
      key: name,
      label,
      value:
        value === undefined
          ? undefined
          : isRaw(value)
            ? rawWords(value, t)
            : (halfOpen(kind, value, t) ?? filterWords(kind as ViewKind, shown, facts, t)),
      onClear: () => put(undefined),
      edit: (close) => (
        <Suspense fallback={<Skeleton lines={2} />}>
          <FilterControl
            {...facts}
            kind={kind as ViewKind}
            label={label}
            value={isRaw(value) ? undefined : shown}
            close={close}
            onChange={(next) =>
              put(
                kind === 'ref'
                  ? (next as { key: string } | undefined)?.key
                  : (next as FilterValue | undefined),
              )
            }
          />
        </Suspense>
      ),
    }
  })

  return (
    <>
      <FilterBar
        search={text}
        onSearch={setText}
        {...(t(`${resource.name}.search`) === `${resource.name}.search`
          ? {}
          : { placeholder: t(`${resource.name}.search`) })}
        filters={filters}
        onClear={onClear}
        end={
          <>
            {canSave && (
              <Button kind="quiet" size="s" onPress={() => setNaming(true)}>
                {t('kit.filters.save')}
              </Button>
            )}
            {end}
          </>
        }
      />
      {naming && (
        <Suspense>
          <NameView
            canShare={saved.canShare}
            onClose={() => setNaming(false)}
            onName={async (name, isShared) => {
              const { archived: _, ...kept } = asked
              const made = await saved.save(name, kept, isShared)
              setNaming(false)
              setQuery({ view: made.id })
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** "from 01/01/2026" while only one end of a period is set. */
function halfOpen(kind: FieldKind, value: FilterValue, t: Words): ReactNode {
  if (shapeOf({ kind }) !== 'range' || (kind !== 'day' && kind !== 'moment')) return undefined
  const { from, to } = value as { from?: string; to?: string }
  if (from && to) return undefined
  return (
    <>
      {t(from ? 'kit.fields.from' : 'kit.fields.to')}{' '}
      {filterWords('text', (from ?? to ?? '').split('-').reverse().join('/'), {}, t)}
    </>
  )
}

const rawWords = ({ operator, text }: { operator: string; text: string }, t: Words): ReactNode =>
  operator === 'empty' ? (
    t(text === 'true' ? 'kit.lists.missing' : 'kit.lists.given')
  ) : (
    <bdi className="num">{operator === 'ne' ? `≠ ${text}` : text.replaceAll(',', ', ')}</bdi>
  )
