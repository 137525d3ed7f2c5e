import { Undo2 } from 'lucide-react'
import { formatMoment, formatPercent, formatPrice } from '#domain/format.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import { failureText } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords, type Words } from '#kit/web/words/words.tsx'
import type { LastPriceChange } from '../priceChange.ts'
import './items.css'

/** Takes a change of many prices back and says how much of it could be. */
export async function takeBack(
  t: Words,
  undo: () => Promise<{ undone: number; kept: number }>,
  refresh: () => Promise<unknown>,
): Promise<void> {
  try {
    const { undone, kept } = await undo()
    banner.success(
      kept > 0
        ? t('items.priceChange.undoneSome', { count: undone, kept })
        : t('items.priceChange.undone', { count: undone }),
    )
  } catch (e) {
    banner.error(failureText(t, e))
  }
  await refresh()
}

/** The last changes of many prices, each with its way back. */
export function LastChanges({
  rows,
  onUndo,
}: {
  rows: readonly LastPriceChange[]
  onUndo: (id: string) => void
}) {
  const t = useWords()
  const { lang } = useLanguage()
  if (rows.length === 0) return null
  return (
    <section className="it-last" aria-label={t('items.priceChange.last')}>
      <h2>{t('items.priceChange.last')}</h2>
      <ul>
        {rows.map((one) => (
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
              <Button kind="quiet" size="s" icon={Undo2} onPress={() => onUndo(one.id)}>
                {t('items.priceChange.undo')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
