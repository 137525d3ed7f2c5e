import { useState } from 'react'
import type { Discount } from '#domain/documents/arithmetic.ts'
import { MoneyField, PercentField } from '#kit/web/fields/NumberFields.tsx'
import { Segmented } from '#kit/web/parts/Views.tsx'
import { useWords } from '#kit/web/words/words.tsx'

export interface DiscountFieldProps {
  label: string
  value: Discount | null
  onChange: (discount: Discount | null) => void
  currency: string
  error?: string | undefined
  autoFocus?: boolean
}

/** A discount by percent or by sum, of a line or of the whole. */
export function DiscountField({
  label,
  value,
  onChange,
  currency,
  error,
  autoFocus = false,
}: DiscountFieldProps) {
  const t = useWords()
  const [kind, setKind] = useState<'percent' | 'sum'>(value && 'agorot' in value ? 'sum' : 'percent')
  const [isTurned, setTurned] = useState(false)
  return (
    <div className="doc-discount">
      {kind === 'percent' ? (
        <PercentField
          label={label}
          value={value && 'basisPoints' in value ? value.basisPoints : null}
          onChange={(basisPoints) =>
            onChange(
              basisPoints === null ? null : { basisPoints: Math.max(0, Math.min(10_000, basisPoints)) },
            )
          }
          error={error}
          autoFocus={autoFocus || isTurned}
        />
      ) : (
        <MoneyField
          label={label}
          currency={currency}
          value={value && 'agorot' in value ? value.agorot : null}
          onChange={(agorot) => onChange(agorot === null ? null : { agorot: Math.max(0, agorot) })}
          error={error}
          autoFocus={autoFocus || isTurned}
        />
      )}
      <Segmented
        label={t('documents.editor.discountKind')}
        value={kind}
        onChange={(next) => {
          setKind(next)
          setTurned(true)
          onChange(null)
        }}
        options={[
          { key: 'percent', label: '%' },
          { key: 'sum', label: t('documents.editor.sum') },
        ]}
      />
    </div>
  )
}
