import { Tags } from 'lucide-react'
import { formatQuantity } from '#domain/format.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import { fieldViews } from '#kit/web/fields/fieldViews.tsx'
import { PriceField } from '#kit/web/fields/NumberFields.tsx'
import { PercentCell, QuantityCell } from '#kit/web/fields/cells.tsx'
import { usePhone } from '#kit/web/parts/useMedia.ts'
import { dress, type DressedInputProps } from '#kit/web/screens/dress.ts'
import { useRecord } from '#kit/web/screens/useRecord.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { customerPrices, priceListLines, priceLists, type PriceListRow } from '../priceLists.ts'

const { ref: RefView, percent: PercentView } = fieldViews

/** Shown only where a list is based on another. */
function BaseListInput({ values, put: _, ...props }: DressedInputProps) {
  return values.base === 'list' ? <RefView.Input {...props} optional={false} /> : null
}

/** What is added to the base, or taken off; a list of nothing but its own lines has no base. */
function ChangeInput({ values, put: _, ...props }: DressedInputProps) {
  return values.base === 'none' ? null : <PercentView.Input {...props} />
}

/** 'Item price −5%' in one. */
function BaseCell({ row }: { row: PriceListRow }) {
  const t = useWords()
  return (
    <>{row.base === 'list' && row.baseListIdName ? row.baseListIdName : t(`priceLists.base.${row.base}`)}</>
  )
}

/** In the currency of its list. */
function LinePriceInput({
  values,
  put: _,
  value,
  onChange,
  choices: __,
  search: ___,
  refName: ____,
  ...props
}: DressedInputProps) {
  const { data } = useRecord(priceLists, (values.listId as string | null | undefined) ?? undefined)
  return (
    <PriceField
      {...props}
      value={(value as string | null) ?? null}
      onChange={onChange}
      currency={String(data?.currency ?? 'ILS')}
    />
  )
}

/** In the currency chosen beside it. */
function OwnPriceInput({
  values,
  put: _,
  value,
  onChange,
  choices: __,
  search: ___,
  refName: ____,
  ...props
}: DressedInputProps) {
  return (
    <PriceField
      {...props}
      value={(value as string | null) ?? null}
      onChange={onChange}
      currency={String(values.currency ?? 'ILS')}
    />
  )
}

/**
 * Where the head of the column is not seen, the quantity says what it is; a price for any quantity says
 * nothing.
 */
function FromCell({ value }: { value: string | null }) {
  const t = useWords()
  const phone = usePhone()
  const from = parseDecimal4(value ?? '0') ?? 0
  if (from === 0) return phone ? null : <span className="hint">–</span>
  return phone ? (
    <>{t('prices.source.from', { quantity: formatQuantity(from) })}</>
  ) : (
    <QuantityCell value={value} />
  )
}

dress(priceLists, {
  icon: Tags,
  inputs: { baseListId: BaseListInput, changeBp: ChangeInput },
  cells: {
    base: BaseCell,
    changeBp: ({ row, value }: { row: PriceListRow; value: number }) =>
      row.base === 'none' || !value ? <span className="hint">–</span> : <PercentCell value={value} />,
  },
  columns: { name: { width: 'trim' }, changeBp: { phone: 'amount' }, customerCount: { phone: undefined } },
})
for (const lines of [priceListLines, customerPrices])
  dress(lines as typeof priceListLines, {
    icon: Tags,
    href: () => undefined,
    inputs: { price: lines === priceListLines ? LinePriceInput : OwnPriceInput },
    cells: { fromQuantity: FromCell },
    columns: {
      listId: { width: 'trim', strong: true, phone: 'title' },
      customerId: { width: 'trim', strong: true, phone: 'title' },
      itemId: { width: 'trim', strong: true, phone: 'title' },
      fromQuantity: { phone: 'line' },
      price: { phone: 'amount' },
      itemPrice: { phone: undefined },
    },
  })
