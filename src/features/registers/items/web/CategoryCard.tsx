import { FolderPlus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import { CardScreen } from '#kit/web/screens/CardScreen.tsx'
import { callsOf, cardPath, type AnyResource, type AnyRow } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { RecordSheet } from '#kit/web/screens/RecordSheet.tsx'
import './items.css'

export interface CategoryCardProps {
  /** The tree. */
  resource: AnyResource
  id: string
  /** The field that says how many things stand in it and below. */
  count: string
  /** The same in words. */
  sub: (row: AnyRow) => string
  /** Those things. */
  things: (row: AnyRow) => ReactNode
}

/** A category of a tree: its subcategories, and its records with those of all subcategories. */
export function CategoryCard({ resource, id, count, sub, things }: CategoryCardProps) {
  const t = useWords()
  const may = useCan()
  const [making, setMaking] = useState(false)
  const below = useCall(callsOf(resource).list, belowOf(id))
  return (
    <Together waits={below.isLoading}>
      <CardScreen
        key={id}
        resource={resource}
        id={id}
        elsewhere={['parentId', 'name']}
        sub={sub}
        actions={() =>
          may(resource.allow.change) && (
            <Button icon={FolderPlus} onPress={() => setMaking(true)}>
              {t('categories.newBelow')}
            </Button>
          )
        }
        above={(row) => (
          <>
            <Below resource={resource} row={row} count={count} />
            {things(row)}
          </>
        )}
      />
      {making && (
        <RecordSheet
          resource={resource}
          values={{ parentId: id }}
          hidden={['parentId']}
          onClose={() => setMaking(false)}
          onSaved={() => setMaking(false)}
        />
      )}
    </Together>
  )
}

const belowOf = (id: string) => ({ parentId: id, size: 200 })

/** The way up, and the categories right below. */
function Below({ resource, row, count }: { resource: AnyResource; row: AnyRow; count: string }) {
  const t = useWords()
  const { data } = useCall(callsOf(resource).list, belowOf(row.id))
  const rows = data?.rows ?? []
  const parent = row.parentId as string | null
  if (!parent && rows.length === 0) return null
  return (
    <nav className="it-below" aria-label={t('categories.tree')}>
      {parent && (
        <Link className="k-chip" href={cardPath(resource, parent)!}>
          {t('categories.up', { name: String(row.parentIdName ?? '') })}
        </Link>
      )}
      {rows.map((one) => (
        <Link key={one.id} className="k-chip" href={cardPath(resource, one.id)!}>
          <bdi>{String(one.name)}</bdi> <span className="hint num">{String(one[count])}</span>
        </Link>
      ))}
    </nav>
  )
}
