import { BadgePercent } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { usePlace } from '#kit/web/routes/place.ts'
import { askedOf } from '#kit/web/screens/filters.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { fieldsOf } from '#kit/web/screens/resources.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { items } from '../items.ts'
import { askPrices, useAskedPrices } from './asking.ts'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'
import './dress.tsx'

const ItemPrices = lazy(() =>
  fetchPart(() => import('./ItemPrices.tsx')).then(({ ItemPrices }) => ({ default: ItemPrices })),
)

/** What the business sells. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const session = useSession()
  const { query } = usePlace()
  const [all, setAll] = useState(false)
  const chosen = useAskedPrices()
  const { sort: _, archived: __, ...asked } = askedOf(fieldsOf(items), query)
  const mayPrice = may(items.allow.change) && !session?.HideTotalPrices
  return (
    <>
      <ListScreen
        resource={items}
        more={
          mayPrice
            ? [
                {
                  key: 'prices',
                  label: t('items.changePrices'),
                  icon: BadgePercent,
                  onPress: () => setAll(true),
                },
              ]
            : []
        }
      />
      {(all || chosen) && (
        <Suspense>
          <ItemPrices
            {...(chosen ? { ids: chosen } : { query: asked })}
            onClose={() => {
              setAll(false)
              askPrices(undefined)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
