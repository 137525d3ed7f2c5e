import { Undo2 } from 'lucide-react'
import { formatMoment, formatPercent, formatPrice } from '../../../domain/format.ts'
import { parseDecimal4 } from '../../../domain/quantity.ts'
import { call, failureText, keyOf, queryClient, useCall } from '../../../kit/web/call.ts'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { toast } from '../../../kit/web/parts/notices.ts'
import { Num } from '../../../kit/web/parts/Num.tsx'
import { refreshResource } from '../../../kit/web/screens/resources.ts'
import { banner } from '../../../kit/web/shell/banner.ts'
import { useLanguage, useWords, type Words } from '../../../kit/web/words.tsx'
import { changePrices, previewPrices, priceChanges, undoPriceChange } from '../endpoints.ts'
import { items } from '../items.ts'
import { PriceChange } from './PriceChange.tsx'

async function undo(t: Words, id: string): Promise<void> {
  try {
    const { undone, kept } = await call(undoPriceChange, { id })
    banner.success(kept > 0 ? t('items.priceChange.undoneSome', { count: undone, kept }) : t('items.priceChange.undone', { count: undone }))
  } catch (e) {
    banner.error(failureText(t, e))
  }
  await Promise.all([refreshResource(items), queryClient.invalidateQueries({ queryKey: keyOf(priceChanges) })])
}

/** The prices of chosen items, or of all that the list shows, changed at once; the last changes stand below and can be taken back. */
export function ItemPrices({ ids, query, onClose }: { ids?: readonly string[]; query?: Record<string, string>; onClose: () => void }) {
  const t = useWords()
  const scope = ids ? { ids: [...ids] } : { query: query ?? {} }
  return (
    <PriceChange
      title={t('items.changePrices')}
      what={scope}
      preview={(wanted, signal) => call(previewPrices, { ...scope, ...wanted }, { signal })}
      apply={async (wanted) => {
        const { id, changed } = await call(changePrices, { ...scope, ...wanted })
        await Promise.all([refreshResource(items), queryClient.invalidateQueries({ queryKey: keyOf(priceChanges) })])
        toast(t('items.priceChange.done', { count: changed }), () => void undo(t, id))
      }}
      onClose={onClose}
    >
      <LastChanges />
    </PriceChange>
  )
}

function LastChanges() {
  const t = useWords()
  const { lang } = useLanguage()
  const { data } = useCall(priceChanges, {}, { staleTime: 0 })
  if (!data || data.rows.length === 0) return null
  return (
    <section className="it-last" aria-label={t('items.priceChange.last')}>
      <h2>{t('items.priceChange.last')}</h2>
      <ul>
        {data.rows.map((one) => (
          <li key={one.id}>
            <span className="grow">
              <span>
                <Num>
                  {'basisPoints' in one.change
                    ? `${one.change.basisPoints > 0 ? '+' : ''}${formatPercent(one.change.basisPoints, lang)}`
                    : `${one.change.sum.startsWith('-') ? '' : '+'}${formatPrice(parseDecimal4(one.change.sum) ?? 0)}`}
                </Num>{' '}
                · {t('items.priceChange.items', { count: one.items })}
              </span>
              <span className="hint text-12">
                <Num>{formatMoment(new Date(one.at))}</Num>
                {one.by && <> · {one.by}</>}
              </span>
            </span>
            {one.undoneAt ? (
              <span className="hint text-13">{t('items.priceChange.wasUndone')}</span>
            ) : (
              <Button kind="quiet" size="s" icon={Undo2} onPress={() => void undo(t, one.id)}>
                {t('items.priceChange.undo')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
