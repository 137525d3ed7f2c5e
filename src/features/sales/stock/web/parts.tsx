import { Plus, Trash2 } from 'lucide-react'
import { formatQuantity } from '#domain/format.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import { QuantityField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { queryClient } from '#kit/web/calls/call.ts'
import { resourceNamed, searchIn } from '#kit/web/screens/resources.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { stockPlaces } from '../places.ts'
import { readCode } from './scanning.ts'

export interface Chosen {
  key: string
  label: string
}
export interface ItemLine {
  key: number
  item: Chosen | null
  quantity: string | null
  /** Serial numbers, where its units are tracked. */
  numbers: string
}

/** A quantity as it is read. */
export const manyOf = (quantity: string): string => formatQuantity(parseDecimal4(quantity) ?? 0)

/** What was moved changes lists, reports and cards alike. */
export const refreshStock = (): Promise<void> => queryClient.invalidateQueries()

/** Numbers as they were scanned or pasted: one in a line, or between commas. */
export const numbersIn = (text: string): string[] =>
  text
    .split(/[\n,;\t]+/)
    .map((one) => readCode(one.trim()).serial ?? one.trim())
    .filter(Boolean)

let last = 0
export const newLine = (): ItemLine => ({ key: ++last, item: null, quantity: null, numbers: '' })

/** Lines of a form as the call takes them; those that say nothing are left out. */
export const linesOf = (lines: readonly ItemLine[]): { itemId: string; quantity: string }[] =>
  lines
    .filter(({ item, quantity }) => item ?? quantity)
    .map(({ item, quantity }) => ({ itemId: item?.key ?? '', quantity: quantity ?? '' }))

/** Items with so many of each. */
export function ItemLines({
  lines,
  onChange,
  error,
  at = 'lines',
}: {
  lines: readonly ItemLine[]
  onChange: (lines: ItemLine[]) => void
  error: (name: string, value: unknown) => { error?: string }
  at?: string
}) {
  const t = useWords()
  const items = resourceNamed('items')!
  const put = (key: number, values: Partial<ItemLine>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...values } : line)))
  const whole = error(at, lines)
  return (
    <div className="st-form">
      {lines.map((line, i) => (
        <div className="st-line" key={line.key}>
          <RefField
            label={t('stock.item')}
            hideLabel={i > 0}
            value={line.item}
            onChange={(item) => put(line.key, { item })}
            search={searchIn(items)}
            {...error(`${at}.${i}.itemId`, line.item)}
          />
          <QuantityField
            label={t('stock.quantity')}
            hideLabel={i > 0}
            value={line.quantity}
            onChange={(quantity) => put(line.key, { quantity })}
            {...error(`${at}.${i}.quantity`, line.quantity)}
          />
          <Button
            kind="quiet"
            icon={Trash2}
            label={t('stock.dropLine')}
            isDisabled={lines.length === 1}
            onPress={() => onChange(lines.filter(({ key }) => key !== line.key))}
          />
        </div>
      ))}
      {whole.error && (
        <p className="k-msg" data-tone="late">
          {whole.error}
        </p>
      )}
      <div>
        <Button size="s" kind="quiet" icon={Plus} onPress={() => onChange([...lines, newLine()])}>
          {t('stock.addLine')}
        </Button>
      </div>
    </div>
  )
}

/** A warehouse or a shelf. */
export function PlaceField({
  label,
  value,
  onChange,
  error,
  optional,
}: {
  label: string
  value: Chosen | null
  onChange: (value: Chosen | null) => void
  error?: string
  optional?: boolean
}) {
  return (
    <RefField
      label={label}
      value={value}
      onChange={(option) => onChange(option && { key: option.key, label: option.label })}
      search={searchIn(stockPlaces)}
      clearable={optional}
      {...(optional ? { optional: true } : {})}
      {...(error ? { error } : {})}
    />
  )
}
