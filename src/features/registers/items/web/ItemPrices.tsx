import { call, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { toast } from '#kit/web/parts/notices.ts'
import { refreshResource } from '#kit/web/screens/resources.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { changePrices, previewPrices, priceChanges, undoPriceChange } from '../endpoints.ts'
import { items } from '../items.ts'
import { LastChanges, takeBack } from './LastChanges.tsx'
import { PriceChange } from './PriceChange.tsx'

const refresh = () =>
  Promise.all([refreshResource(items), queryClient.invalidateQueries({ queryKey: keyOf(priceChanges) })])

/**
 * The prices of chosen items, or of all that the list shows, changed at once; the last changes are listed below and
 * can be undone.
 */
export function ItemPrices({
  ids,
  query,
  onClose,
}: {
  ids?: readonly string[]
  query?: Record<string, string>
  onClose: () => void
}) {
  const t = useWords()
  const { data } = useCall(priceChanges, {}, { staleTime: 0 })
  const undo = (id: string) => void takeBack(t, () => call(undoPriceChange, { id }), refresh)
  const scope = ids ? { ids: [...ids] } : { query: query ?? {} }
  return (
    <PriceChange
      title={t('items.changePrices')}
      what={scope}
      preview={(wanted, signal) => call(previewPrices, { ...scope, ...wanted }, { signal })}
      apply={async (wanted) => {
        const { id, changed } = await call(changePrices, { ...scope, ...wanted })
        await refresh()
        toast(t('items.priceChange.done', { count: changed }), () => undo(id))
      }}
      onClose={onClose}
    >
      <LastChanges rows={data?.rows ?? []} onUndo={undo} />
    </PriceChange>
  )
}
