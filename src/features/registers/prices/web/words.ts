import { formatPercent, formatQuantity } from '#domain/format.ts'
import { isolate } from '#domain/bidi.ts'
import type { PriceSource } from '#domain/prices/price.ts'
import type { LanguageCode } from '#domain/languages.ts'
import type { Words } from '#kit/web/words/words.tsx'
import type { PriceListRow } from '../priceLists.ts'

const signed = (points: number, lang?: LanguageCode) =>
  `${points > 0 ? '+' : '−'}${formatPercent(Math.abs(points), lang)}`

/**
 * Where a price came from, in a few words: 'Wholesale, from 10'. Nothing for the item's own price, which
 * needs no word.
 */
export function sourceText(t: Words, source: PriceSource, lang: LanguageCode): string {
  if (source.kind === 'item') return ''
  const from =
    source.kind === 'customer'
      ? t('prices.source.customer')
      : t(source.kind === 'typeList' ? 'prices.source.typeList' : 'prices.source.list', {
          name: source.list?.name ?? '',
        })
  return [
    from,
    ...(source.changeBp ? [t('prices.source.change', { rate: signed(source.changeBp, lang) })] : []),
    ...(source.fromQuantity
      ? [t('prices.source.from', { quantity: formatQuantity(source.fromQuantity) })]
      : []),
  ].join(', ')
}

/** What a list prices by, in a line: 'Item price −5% · USD'. */
export function ruleText(
  t: Words,
  row: Pick<PriceListRow, 'base' | 'changeBp' | 'currency' | 'baseListIdName'>,
): string {
  const base =
    row.base === 'list'
      ? t('prices.source.list', { name: row.baseListIdName ?? '' })
      : t(`priceLists.base.${row.base}`)
  const change = row.base === 'none' || !row.changeBp ? '' : ` ${isolate(signed(row.changeBp))}`
  return `${base}${change} · ${row.currency}`
}
