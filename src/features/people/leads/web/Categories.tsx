import { usePlace } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { CategoryCard, TreeChoice } from '#features/registers/items/web/index.tsx'
import { leadCategories } from '../categories.ts'
import { leads } from '../leads.ts'
import './dress.tsx'

/** The tree that leads are sorted by. */
export const List = () => (
  <ListScreen resource={leadCategories} actions={<TreeChoice now={leadCategories} />} />
)

/** One category of it, with its leads and those of all below. */
export function Card() {
  const t = useWords()
  const id = usePlace().params.categoryid ?? ''
  return (
    <CategoryCard
      resource={leadCategories}
      id={id}
      count="leads"
      sub={(row) => t('leadCategories.count', { count: Number(row.leads) })}
      things={(row) => (
        <ListScreen embedded resource={leads} fixed={{ categoryId: row.id }} newHref={false} />
      )}
    />
  )
}
