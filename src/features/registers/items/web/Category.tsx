import { useEffect } from 'react'
import { call, useCall } from '#kit/web/calls/call.ts'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { callsOf, cardPath } from '#kit/web/screens/resources.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { categories } from '../categories.ts'
import { items } from '../items.ts'
import { CategoryCard } from './CategoryCard.tsx'
import { treesSeen } from './TreeChoice.tsx'
import './dress.tsx'
import './dressSorts.tsx'

/** A category: its subcategories, and its items with those of all subcategories. */
export function Screen() {
  const t = useWords()
  const id = usePlace().params.categoryid ?? ''
  const { error } = useCall(callsOf(categories).get, { id })
  // The address is that of a category of any tree; those of others have a separate page.
  useEffect(() => {
    if (!error) return
    for (const { resource } of treesSeen().filter((one) => one.resource !== categories))
      call(callsOf(resource).get, { id })
        .then(() => go(cardPath(resource, id)!, { replace: true }))
        .catch(() => undefined)
  }, [error, id])
  return (
    <CategoryCard
      resource={categories}
      id={id}
      count="itemCount"
      sub={(row) => t('categories.items', { count: Number(row.itemCount) })}
      things={(row) => (
        <ListScreen
          embedded
          resource={items}
          fixed={{ categoryId: row.id }}
          newHref={`/invoice/items/new?category=${row.id}`}
        />
      )}
    />
  )
}
