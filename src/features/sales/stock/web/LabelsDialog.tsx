import { Printer } from 'lucide-react'
import { useState } from 'react'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import type { StockOf } from '../endpoints.ts'
import { labelCodes, labelSizes, printLabels, type LabelCode, type LabelSize } from './labels.ts'
import './stock.css'

/** Of what size labels are, and whether their code is bars or a QR. */
export function LabelChoice({
  size,
  onSize,
  as,
  onAs,
}: {
  size: LabelSize
  onSize: (size: LabelSize) => void
  as: LabelCode
  onAs: (as: LabelCode) => void
}) {
  const t = useWords()
  return (
    <>
      <ChoiceField
        label={t('serials.label.as')}
        value={as}
        onChange={(chosen) => chosen && onAs(chosen)}
        choices={labelCodes.map((value) => ({ value, label: t(`serials.label.${value}`) }))}
      />
      <ChoiceField
        label={t('serials.counter.labels')}
        as="list"
        value={size}
        onChange={(chosen) => chosen && onSize(chosen)}
        choices={(Object.keys(labelSizes) as LabelSize[]).map((value) => ({
          value,
          label: t(`serials.label.${value}`),
        }))}
      />
    </>
  )
}

const most = 500

/** Labels of one item, with its barcode or else its SKU. */
export function LabelsDialog({ of, onClose }: { of: StockOf; onClose: () => void }) {
  const t = useWords()
  const code = of.barcode ?? of.sku ?? ''
  const [count, setCount] = useState<number | null>(24)
  const [size, setSize] = useState<LabelSize>('sheet')
  const [as, setAs] = useState<LabelCode>('bars')
  const fits = count !== null && count >= 1 && count <= most
  return (
    <FormDialog
      title={t('stock.labels.title')}
      verb={t('stock.labels.verb')}
      icon={Printer}
      isDisabled={!fits}
      names={[]}
      onClose={onClose}
      onSubmit={() =>
        printLabels(
          of.name,
          Array.from({ length: count ?? 0 }, () => code),
          size,
          as,
        )
      }
    >
      {() => (
        <div className="st-form">
          <WholeField
            label={t('serials.counter.count')}
            value={count}
            onChange={setCount}
            error={fits ? undefined : t('errors.fields.range')}
          />
          <LabelChoice size={size} onSize={setSize} as={as} onAs={setAs} />
        </div>
      )}
    </FormDialog>
  )
}
