import { BadgePercent, Barcode, Copy, Package } from 'lucide-react'
import { hasRightCheckDigit } from '#domain/barcode.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { go } from '#kit/web/routes/place.ts'
import { dress } from '#kit/web/screens/dress.ts'
import { session } from '#kit/web/session/session.ts'
import { can } from '#kit/describe/session.ts'
import { Thumb } from '#features/base/files/web/index.tsx'
import { items, type Item } from '../items.ts'
import { askPrices } from './asking.ts'
import {
  BarcodeInput,
  IncomeAccountInput,
  IncomeKindInput,
  MinimumInput,
  ofParent,
  ofStock,
  PriceInput,
  UnitInput,
} from './inputs.tsx'
import { printLabel } from './label.ts'
import './items.css'

/** The name with its picture, where it has one. */
function NameCell({ row, value }: { row: Item; value: string }) {
  return (
    <span className="it-name">
      {row.pictureId && <Thumb id={row.pictureId} mime="image/jpeg" />}
      <TextCell value={value} />
    </span>
  )
}

const mayChange = () => can(session(), items.allow.change)

dress(items, {
  icon: Package,
  cells: { name: NameCell },
  columns: { categoryId: { width: '9rem' } },
  inputs: {
    unit: UnitInput,
    barcode: BarcodeInput,
    incomeKindId: IncomeKindInput,
    accountId: IncomeAccountInput,
    minimumQuantity: MinimumInput,
    orderQuantity: MinimumInput,
    weight: ofStock('quantity'),
    tracking: ofStock('choice'),
    supplierId: ofStock('ref'),
    price: PriceInput,
    cost: PriceInput,
    vatKind: ofParent('choice'),
    currency: ofParent('currency'),
  },
  isOff: (row) => row.isActive === false,
  actions: (row, t) => [
    ...(row.barcode && hasRightCheckDigit(row.barcode)
      ? [
          {
            key: 'label',
            label: t('items.printLabel'),
            icon: Barcode,
            onPress: () => printLabel(row as unknown as Item),
          },
        ]
      : []),
    ...(mayChange() && !row.parentId
      ? [
          {
            key: 'copy',
            label: t('items.copy'),
            icon: Copy,
            onPress: () => go(`/invoice/items/new?like=${row.id}`),
          },
        ]
      : []),
  ],
  bulk: (t) =>
    mayChange() && !session()?.HideTotalPrices
      ? [
          {
            key: 'prices',
            label: t('items.changePrices'),
            icon: BadgePercent,
            hi: true,
            run: (rows) => askPrices(rows.map(({ id }) => id)),
          },
        ]
      : [],
})
