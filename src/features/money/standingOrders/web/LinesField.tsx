import { Plus, Trash2 } from 'lucide-react'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { PriceField, QuantityField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Chip } from '#kit/web/parts/Status.tsx'
import { call } from '#kit/web/calls/call.ts'
import { callsOf, searchIn } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { items, type Item } from '#features/registers/items/items.ts'
import type { OrderLine } from '../endpoints.ts'

export type EditedLine = Omit<OrderLine, 'unitPrice'> & { unitPrice: string | null; key: number }

let last = 0
export const newLine = (of: Partial<OrderLine> = {}): EditedLine => ({
  description: '',
  quantity: '1',
  ...of,
  unitPrice: of.unitPrice ?? null,
  key: ++last,
})

/** As the server takes them; a price that was not typed is none. */
export const givenLines = (lines: readonly EditedLine[]) =>
  lines.map(({ key: _, unitPrice, ...line }) => ({ ...line, unitPrice: unitPrice ?? '' }))

/**
 * The words that know the charge, as they are written; the server knows their Hebrew names beside the English
 * ones.
 */
const marks = {
  month: { he: '{חודש} {שנה}', other: '{month} {year}' },
  days: { he: '{מיום}–{עד}', other: '{from}–{to}' },
  number: { he: '{מספר}', other: '{n of m}' },
} as const
const words = Object.keys(marks) as (keyof typeof marks)[]

/** What is charged, line by line; the chips write the words that know the charge. */
export function LinesField({
  lines,
  currency,
  onChange,
  error,
}: {
  lines: readonly EditedLine[]
  currency: string
  onChange: (lines: EditedLine[]) => void
  error: (name: string, value: unknown) => { error?: string }
}) {
  const t = useWords()
  const may = useCan()
  const { lang } = useLanguage()
  const put = (key: number, change: Partial<EditedLine>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...change } : line)))
  const take = async (key: number, id: string) => {
    const item = (await call(callsOf(items).get, { id } as never)) as unknown as Item
    put(key, { itemId: item.id, description: item.name, unitPrice: item.price ?? null })
  }
  const whole = error('lines', lines)
  return (
    <div className="so-form">
      <ul className="so-lines">
        {lines.map((line, i) => (
          <li key={line.key}>
            <TextField
              label={t('standingOrders.fields.description')}
              value={line.description}
              onChange={(description) => put(line.key, { description })}
              max={500}
              name={`lines.${i}.description`}
              {...error(`lines.${i}.description`, line.description)}
            />
            <QuantityField
              label={t('standingOrders.fields.quantity')}
              value={line.quantity}
              onChange={(quantity) => put(line.key, { quantity: quantity ?? '1' })}
              {...error(`lines.${i}.quantity`, line.quantity)}
            />
            <PriceField
              label={t('standingOrders.fields.unitPrice')}
              currency={currency}
              value={line.unitPrice}
              onChange={(unitPrice) => put(line.key, { unitPrice })}
              {...error(`lines.${i}.unitPrice`, line.unitPrice)}
            />
            <ChoiceField
              as="list"
              label={t('standingOrders.fields.vatKind')}
              value={String(line.vatKind ?? 1)}
              onChange={(kind) => put(line.key, { vatKind: Number(kind) as 1 })}
              choices={(['1', '2', '4'] as const).map((value) => ({
                value: value as string,
                label: t(`standingOrders.vatKind.${value}`),
              }))}
            />
            <Button
              kind="quiet"
              icon={Trash2}
              label={t('standingOrders.removeLine')}
              isDisabled={lines.length === 1}
              onPress={() => onChange(lines.filter(({ key }) => key !== line.key))}
            />
            <div className="so-chips so-wide">
              <span className="so-small">{t('standingOrders.wordsHint')}</span>
              {words.map((word) => (
                <Chip
                  key={word}
                  add
                  onPress={() =>
                    put(line.key, {
                      description:
                        `${line.description} ${marks[word][lang === 'he' ? 'he' : 'other']}`.trim(),
                    })
                  }
                >
                  {t(`standingOrders.mark.${word}`)}
                </Chip>
              ))}
              {may('items.see') && (
                <RefField
                  label={t('standingOrders.fields.itemId')}
                  hideLabel
                  placeholder={t('standingOrders.fields.itemId')}
                  optional
                  value={null}
                  onChange={(option) => option && void take(line.key, option.key)}
                  search={searchIn(items)}
                />
              )}
            </div>
          </li>
        ))}
      </ul>
      {whole.error && (
        <p className="k-msg" data-tone="late">
          {whole.error}
        </p>
      )}
      <div>
        <Button
          size="s"
          kind="quiet"
          icon={Plus}
          onPress={() => onChange([...lines, newLine({ vatKind: lines.at(-1)?.vatKind })])}
        >
          {t('standingOrders.addLine')}
        </Button>
      </div>
    </div>
  )
}
