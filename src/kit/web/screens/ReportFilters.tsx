import { lazy, Suspense, type ReactNode } from 'react'
import type { Field, Fields } from '#kit/fields/field.ts'
import { FilterBar, type Filter } from '../parts/FilterBar.tsx'
import { Num } from '../parts/Num.tsx'
import { Skeleton } from '../parts/Skeleton.tsx'
import { useWords, type Words } from '../words/words.tsx'
import type { Query } from './filters.ts'
import { resourceNamed, searchIn } from './resources.ts'
import { fetchPart } from '../calls/fetchPart.ts'
import { RefField } from '../fields/RefField.tsx'

const AskOne = lazy(() => fetchPart(() => import('./AskOne.tsx')).then(({ AskOne }) => ({ default: AskOne })))

interface ReportFiltersProps {
  words: string
  filters: Fields
  asked: Query
  refNames: ReadonlyMap<string, string>
  setQuery: (change: Record<string, string | undefined>) => void
  /** The words that are looked for in the rows; no field where a report is inside another page. */
  search?: { text: string; onText: (text: string) => void }
  end: ReactNode
}

/** Needed references stand open, the rest are chips. */
export function ReportFilters({
  words,
  filters,
  asked,
  refNames,
  setQuery,
  search,
  end,
}: ReportFiltersProps) {
  const t = useWords()
  const needed = Object.entries(filters).filter(([, field]) => field.kind === 'ref' && field.need)
  const chips: Filter[] = Object.entries(filters)
    .filter(([name]) => !needed.some(([other]) => other === name))
    .map(([name, field]) => {
      const label = t(`${words}.filters.${name}`)
      const value = asked[name]
      const put = (next: unknown) =>
        setQuery({ [name]: next === null || next === undefined || next === '' ? undefined : String(next) })
      return {
        key: name,
        label,
        onClear: () => put(undefined),
        value: value === undefined ? undefined : valueWords(field, value, words, name, refNames, t),
        edit: (close) => (
          <Suspense fallback={<Skeleton lines={2} />}>
            <AskOne
              field={field}
              label={label}
              words={`${words}.${name}`}
              value={value}
              name={value && refNames.get(value)}
              put={put}
              close={close}
            />
          </Suspense>
        ),
      }
    })
  return (
    <>
      {needed.map(([name, field]) => {
        const target = resourceNamed(field.to)
        const id = asked[name]
        const label = t(`${words}.filters.${name}`)
        return (
          target && (
            <div key={name} className="d-ask-ref">
              <RefField
                label={label}
                hideLabel
                placeholder={label}
                value={id ? { key: id, label: refNames.get(id) ?? '…' } : null}
                autoFocus={!id}
                onChange={(option) => setQuery({ [name]: option?.key })}
                search={searchIn(target)}
              />
            </div>
          )
        )
      })}
      <FilterBar
        {...(search
          ? { search: search.text, onSearch: search.onText, placeholder: t('kit.reports.find') }
          : {})}
        filters={chips}
        end={end}
      />
    </>
  )
}

function valueWords(
  field: Field,
  value: string,
  words: string,
  name: string,
  refNames: ReadonlyMap<string, string>,
  t: Words,
): ReactNode {
  if (field.kind === 'ref') return refNames.get(value) ?? '…'
  if (field.kind === 'choice') return t(`${field.words ?? `${words}.${name}`}.${value}`)
  if (field.kind === 'flag') return t(value === 'true' ? 'kit.flag.yes' : 'kit.flag.no')
  return <Num>{value}</Num>
}
