import { Copy } from 'lucide-react'
import { useState } from 'react'
import { copySources, type CopySource } from '#domain/budget/budget.ts'
import { call } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { PercentField } from '#kit/web/fields/NumberFields.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { copyBudget, type BudgetRow } from '../endpoints.ts'

/** A budget out of real figures, raised or lowered: of all accounts, or of one. */
export function CopyDialog({
  year,
  row,
  hasBudget,
  onClose,
  onDone,
}: {
  year: number
  row?: BudgetRow
  /** Something is set already, and would be written over. */
  hasBudget: boolean
  onClose: () => void
  onDone: (changed: number) => Promise<void>
}) {
  const t = useWords()
  const [from, setFrom] = useState<CopySource>('newest')
  const [percentBp, setPercent] = useState<number | null>(0)
  const [onlyEmpty, setOnlyEmpty] = useState(false)
  const submit = async () => {
    const { changed } = await call(copyBudget, {
      year,
      from,
      percentBp: percentBp ?? 0,
      onlyEmpty,
      ...(row ? { accountIds: [row.accountId] } : {}),
    })
    await onDone(changed)
  }
  return (
    <FormDialog
      title={
        row ? t('budget.copy.titleOf', { name: row.name }) : t('budget.copy.title', { year: String(year) })
      }
      verb={t('budget.copy.verb')}
      icon={Copy}
      names={['from', 'percentBp', 'onlyEmpty']}
      onClose={onClose}
      onSubmit={submit}
    >
      {(error) => (
        <>
          <ChoiceField
            label={t('budget.copy.from')}
            value={from}
            onChange={(value) => setFrom(value ?? 'newest')}
            choices={copySources.map((value) => ({ value, label: t(`budget.copy.sources.${value}`) }))}
            hint={t(`budget.copy.hints.${from}`, { year: String(year - 1) })}
            {...error('from', from)}
          />
          <PercentField
            label={t('budget.copy.percent')}
            hint={t('budget.copy.percentHint')}
            value={percentBp}
            onChange={setPercent}
            {...error('percentBp', percentBp)}
          />
          {hasBudget && (
            <FlagField label={t('budget.copy.onlyEmpty')} value={onlyEmpty} onChange={setOnlyEmpty} />
          )}
        </>
      )}
    </FormDialog>
  )
}
