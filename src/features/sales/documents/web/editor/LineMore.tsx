import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { incomeKinds } from '#features/registers/items/incomeKinds.ts'
import { useIncomeKinds } from '#features/registers/items/web/index.tsx'
import { DiscountField } from './DiscountField.tsx'
import { discountOf, isLineBelowDiscount, type EditedLine, type VatKindId } from './model.ts'

const vatKinds: Record<string, VatKindId | undefined> = {
  beforeVat: 1,
  includingVat: 2,
  trustDeposit: 3,
  withoutVat: 4,
}

export interface LineMoreProps {
  line: EditedLine
  put: (change: Partial<Omit<EditedLine, 'key'>>) => void
  /** The kind a line has when nothing is said. */
  defaultVatKind: number
  currency: string
  /** A business that charges no VAT is not asked about it. */
  hasVat: boolean
}

/** What most lines do without: details, unit, discount, VAT kind, SKU. */
export function LineMore({ line, put, defaultVatKind, currency, hasVat }: LineMoreProps) {
  const t = useWords()
  const kinds = useIncomeKinds(useCan()(incomeKinds.allow.see))
  return (
    <div className="doc-more">
      <div className="wide">
        <LongText
          label={t('documents.editor.details')}
          rows={1}
          value={line.details}
          onChange={(details) => put({ details })}
          max={4000}
        />
      </div>
      <TextField
        label={t('documents.editor.unit')}
        value={line.unit}
        onChange={(unit) => put({ unit })}
        max={20}
      />
      <DiscountField
        label={t('documents.editor.lineDiscount')}
        currency={currency}
        value={discountOf(line) ?? null}
        onChange={(discount) =>
          put({
            discountBp: discount && 'basisPoints' in discount ? discount.basisPoints || null : null,
            discountAgorot: discount && 'agorot' in discount ? discount.agorot || null : null,
          })
        }
        error={isLineBelowDiscount(line) ? t('errors.documents.discountAboveLine') : undefined}
      />
      <TextField
        label={t('documents.editor.sku')}
        ltr
        value={line.sku}
        onChange={(sku) => put({ sku })}
        max={40}
      />
      {kinds.length > 0 && (
        <ChoiceField
          as="list"
          optional
          clearable
          label={t('items.fields.incomeKindId')}
          value={line.incomeKindId ?? null}
          onChange={(id) => {
            const vatKind = vatKinds[kinds.find((kind) => kind.id === id)?.vatKind ?? '']
            put({
              incomeKindId: id,
              ...(vatKind ? { vatKind: vatKind === defaultVatKind ? null : vatKind } : {}),
            })
          }}
          choices={kinds.map((kind) => ({ value: kind.id, label: kind.name }))}
        />
      )}
      {hasVat && (
        <ChoiceField
          as="list"
          label={t('documents.editor.vatKind')}
          value={String(line.vatKind ?? defaultVatKind)}
          onChange={(kind) =>
            put({
              vatKind: kind === null || Number(kind) === defaultVatKind ? null : (Number(kind) as VatKindId),
            })
          }
          choices={[1, 2, 3, 4].map((kind) => ({
            value: String(kind),
            label: t(`documents.vatKind.${kind}`),
          }))}
        />
      )}
    </div>
  )
}
