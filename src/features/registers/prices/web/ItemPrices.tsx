import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { customerPrices, priceListLines } from '../priceLists.ts'
import './dress.tsx'
import './prices.css'

/** On an item's card: what it costs by each list, and for each customer. */
export function Panel({ row }: { row: AnyRow }) {
  const t = useWords()
  return (
    <div className="grid gap-6">
      <section aria-label={t('priceListLines.title')}>
        <h2 className="pr-head">{t('priceListLines.title')}</h2>
        <ListScreen embedded archive resource={priceListLines} fixed={{ itemId: row.id }} />
      </section>
      <section aria-label={t('customerPrices.title')}>
        <h2 className="pr-head">{t('customerPrices.title')}</h2>
        <ListScreen embedded archive resource={customerPrices} fixed={{ itemId: row.id }} />
      </section>
    </div>
  )
}
