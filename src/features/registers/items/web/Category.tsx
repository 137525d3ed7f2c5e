import { FolderPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { useCall } from '#kit/web/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { usePlace } from '#kit/web/place.ts'
import { CardScreen } from '#kit/web/screens/CardScreen.tsx'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { callsOf, type AnyRow } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session.ts'
import { useWords } from '#kit/web/words.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import { categories, type Category } from '../categories.ts'
import { items } from '../items.ts'
import './dress.tsx'
import './dressSorts.tsx'

const ResourceSheet = lazy(() => import('#kit/web/screens/ResourceSheet.tsx').then(({ ResourceSheet }) => ({ default: ResourceSheet })))

/** A category: what stands below it, and its items with those of all below. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const id = usePlace().params.categoryid ?? ''
  const [making, setMaking] = useState(false)
  const below = useCall(callsOf(categories).list, belowOf(id))
  return (
    <Together waits={below.isLoading}>
      <CardScreen
        key={id}
        resource={categories}
        id={id}
        elsewhere={['parentId', 'name']}
        sub={(row) => t('categories.items', { count: Number(row.itemCount) })}
        actions={() =>
          may(categories.allow.change) && (
            <Button icon={FolderPlus} onPress={() => setMaking(true)}>
              {t('categories.newBelow')}
            </Button>
          )
        }
        above={(row) => (
          <>
            <Below row={row as AnyRow & Category} />
            <ListScreen embedded resource={items} fixed={{ categoryId: row.id }} newHref={`/invoice/items/new?category=${row.id}`} />
          </>
        )}
      />
      {making && (
        <Suspense>
          <ResourceSheet
            resource={categories}
            values={{ parentId: id }}
            hidden={['parentId']}
            onClose={() => setMaking(false)}
            onSaved={() => setMaking(false)}
          />
        </Suspense>
      )}
    </Together>
  )
}

const belowOf = (id: string) => ({ parentId: id, size: 200 })

/** The way up, and the categories right below. */
function Below({ row }: { row: Category & { id: string; parentIdName?: string | null } }) {
  const t = useWords()
  const { data } = useCall(callsOf(categories).list, belowOf(row.id))
  const rows = (data?.rows ?? []) as unknown as Category[]
  if (!row.parentId && rows.length === 0) return null
  return (
    <nav className="it-below" aria-label={t('categories.tree')}>
      {row.parentId && (
        <Link className="k-chip" href={`/invoice/categories/${row.parentId}`}>
          {t('categories.up', { name: row.parentIdName ?? '' })}
        </Link>
      )}
      {rows.map((one) => (
        <Link key={one.id} className="k-chip" href={`/invoice/categories/${one.id}`}>
          <bdi>{one.name}</bdi> <span className="hint num">{one.itemCount}</span>
        </Link>
      ))}
    </nav>
  )
}
