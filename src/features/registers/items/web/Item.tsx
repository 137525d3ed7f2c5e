import { lazy, Suspense, type ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { CardScreen } from '#kit/web/screens/CardScreen.tsx'
import type { CardTab } from '#kit/web/screens/cardTabs.ts'
import { FormScreen } from '#kit/web/screens/FormScreen.tsx'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { useRecord } from '#kit/web/screens/useRecord.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { Thumb } from '#features/base/files/web/index.tsx'
import { items, type Item } from '../items.ts'
import './dress.tsx'

const tab = (key: string, order: number, load: () => Promise<{ Panel: CardTab['Panel'] }>): CardTab => ({
  key,
  word: `items.tabs.${key}`,
  order,
  Panel: lazy(() => load().then(({ Panel }) => ({ default: Panel as React.ComponentType<{ row: AnyRow }> }))),
})
const tabs: CardTab[] = [
  tab('variants', 20, () => import('./Variants.tsx')),
  tab('pictures', 30, () => import('./Pictures.tsx')),
  tab('movements', 40, () => import('./Movements.tsx')),
]

/** One item: its facts, prices, variants, pictures and sales; or a new one. */
export function Screen() {
  const { params, query } = usePlace()
  const id = params.id ?? ''
  if (id === 'new')
    return query.like ? <Like key={query.like} id={query.like} /> : <New category={query.category} />
  return (
    <CardScreen
      key={id}
      resource={items}
      id={id}
      tab={params.tab ?? ''}
      tabHref={(key) => (key === 'details' ? `/invoice/items/${id}` : `/invoice/items/${id}/${key}`)}
      tabs={tabs}
      start={(row) =>
        row.pictureId ? (
          <span className="it-big">
            <Thumb id={String(row.pictureId)} mime="image/jpeg" />
          </span>
        ) : undefined
      }
      sub={(row) => <Known row={row as AnyRow & Item} />}
      status={(row) => row.isActive === false && <Inactive />}
    />
  )
}

function New({ category }: { category: string | undefined }) {
  return <FormScreen resource={items} {...(category ? { values: { categoryId: category } } : {})} />
}

/** A new item that begins as another is, but for what tells it from others. */
function Like({ id }: { id: string }) {
  const { data, error } = useRecord(items, id)
  if (error) return <New category={undefined} />
  if (!data) return <Skeleton lines={8} />
  const { sku: _, barcode: __, parentId: ___, priceDifference: ____, ...rest } = data
  const names = items.form.flatMap(({ fields }) => fields) as string[]
  const values = Object.fromEntries(
    Object.entries(rest).filter(([name, value]) => names.includes(name) && value !== null),
  )
  return (
    <Suspense>
      <FormScreen resource={items} values={values} />
    </Suspense>
  )
}

function Inactive() {
  const t = useWords()
  return <StatusPill>{t('items.inactive')}</StatusPill>
}

/** SKU, category and, for a variant, whose it is. */
function Known({ row }: { row: Item & { parentIdName?: string | null } }) {
  const t = useWords()
  const parts: ReactNode[] = []
  if (row.sku) parts.push(<Num key="sku">{row.sku}</Num>)
  if (row.categoryId && row.categoryIdName)
    parts.push(
      <Link key="category" className="link" href={`/invoice/categories/${row.categoryId}`}>
        <bdi>{row.categoryIdName}</bdi>
      </Link>,
    )
  if (row.parentId && row.parentIdName)
    parts.push(
      <span key="parent">
        {t('items.variantOf')}{' '}
        <Link className="link" href={`/invoice/items/${row.parentId}/variants`}>
          <bdi>{row.parentIdName}</bdi>
        </Link>
      </span>,
    )
  return parts.flatMap((part, i) => (i > 0 ? [' · ', part] : [part]))
}
