import { ChoiceField } from '../../../../kit/web/fields/ChoiceField.tsx'
import { PercentField } from '../../../../kit/web/fields/NumberFields.tsx'
import { LongText, TextField } from '../../../../kit/web/fields/TextField.tsx'
import { useWords } from '../../../../kit/web/words.tsx'
import type { EditedLine, VatKindId } from './model.ts'

export interface LineMoreProps {
  line: EditedLine
  put: (change: Partial<Omit<EditedLine, 'key'>>) => void
  /** The kind a line has when nothing is said. */
  defaultVatKind: number
  /** A business that charges no VAT is not asked about it. */
  hasVat: boolean
}

/** What most lines do without: details, unit, discount, VAT kind, SKU. */
export function LineMore({ line, put, defaultVatKind, hasVat }: LineMoreProps) {
  const t = useWords()
  return (
    <div className="doc-more">
      <div className="wide">
        <LongText label={t('documents.editor.details')} rows={1} value={line.details} onChange={(details) => put({ details })} max={4000} />
      </div>
      <TextField label={t('documents.editor.unit')} value={line.unit} onChange={(unit) => put({ unit })} max={20} />
      <PercentField
        label={t('documents.editor.lineDiscount')}
        value={line.discountBp}
        onChange={(discountBp) => put({ discountBp: discountBp === null ? null : Math.max(0, Math.min(10_000, discountBp)) || null })}
      />
      <TextField label={t('documents.editor.sku')} ltr value={line.sku} onChange={(sku) => put({ sku })} max={40} />
      {hasVat && (
        <ChoiceField
          as="list"
          label={t('documents.editor.vatKind')}
          value={String(line.vatKind ?? defaultVatKind)}
          onChange={(kind) => put({ vatKind: kind === null || Number(kind) === defaultVatKind ? null : (Number(kind) as VatKindId) })}
          choices={[1, 2, 3, 4].map((kind) => ({ value: String(kind), label: t(`documents.vatKind.${kind}`) }))}
        />
      )}
    </div>
  )
}
