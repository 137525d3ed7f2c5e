import { useState } from 'react'
import { raised, spreadYear } from '#domain/budget/budget.ts'
import { formatNumber } from '#domain/format.ts'
import { toWholeShekels, type Agorot } from '#domain/money.ts'
import { call } from '#kit/web/calls/call.ts'
import { MoneyField, PercentField } from '#kit/web/fields/NumberFields.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { keepBudget, type BudgetRow } from '../endpoints.ts'
import { yearSum } from './model.ts'
import { useMonths } from './months.ts'

/**
 * The twelve months of one account, beside those of last year: a year's sum is spread over them, or last
 * year's are raised.
 */
export function RowDialog({
  year,
  row,
  may,
  onClose,
  onDone,
}: {
  year: number
  row: BudgetRow
  may: boolean
  onClose: () => void
  onDone: (changed: number) => Promise<void>
}) {
  const t = useWords()
  const { long } = useMonths()
  const [months, setMonths] = useState<(Agorot | null)[]>([...row.budget])
  const [whole, setWhole] = useState<Agorot | null>(yearSum(row.budget) || null)
  const [percentBp, setPercent] = useState<number | null>(0)
  const set = (next: (Agorot | null)[]) => {
    setMonths(next)
    setWhole(yearSum(next))
  }
  const hasBefore = row.before.some((agorot) => agorot !== 0)
  // A year's sum that was typed and not spread is meant all the same: in the proportions there are.
  const meant = () =>
    whole === null || whole === yearSum(months)
      ? months
      : spreadYear(whole, months.some(Boolean) ? months.map((agorot) => agorot ?? 0) : row.before)
  const submit = async () => {
    const { changed } = await call(keepBudget, {
      year,
      cells: meant().map((agorot, i) => ({ accountId: row.accountId, month: i + 1, agorot })),
    })
    await onDone(changed)
  }
  return (
    <FormDialog
      title={
        <>
          <Num>{row.number}</Num> <bdi>{row.name}</bdi>
        </>
      }
      verb={may ? t('kit.forms.save') : undefined}
      names={months.map((_, i) => `cells.${i}.agorot`)}
      onClose={onClose}
      onSubmit={submit}
    >
      {(error) => (
        <>
          {may && (
            <div className="bu-spread">
              <MoneyField
                label={t('budget.row.year', { year: String(year) })}
                value={whole}
                onChange={setWhole}
              />
              <div className="acts">
                <Button size="s" isDisabled={whole === null} onPress={() => set(spreadYear(whole ?? 0))}>
                  {t('budget.row.evenly')}
                </Button>
                {hasBefore && (
                  <Button
                    size="s"
                    isDisabled={whole === null}
                    onPress={() => set(spreadYear(whole ?? 0, row.before))}
                  >
                    {t('budget.row.asLastYear')}
                  </Button>
                )}
              </div>
              {hasBefore && (
                <>
                  <PercentField label={t('budget.row.raise')} value={percentBp} onChange={setPercent} />
                  <div className="acts">
                    <Button
                      size="s"
                      onPress={() => set(row.before.map((agorot) => raised(agorot, percentBp ?? 0)))}
                    >
                      {t('budget.row.copy')}
                    </Button>
                  </div>
                </>
              )}
            </div>
          )}
          <div className="bu-months">
            {months.map((agorot, i) => (
              <MoneyField
                key={i}
                label={long[i]!}
                disabled={!may}
                value={agorot}
                hint={
                  row.before[i]
                    ? t('budget.row.before', {
                        sum: formatNumber(toWholeShekels(row.before[i])),
                        year: String(year - 1),
                      })
                    : undefined
                }
                onChange={(value) => set(months.map((one, at) => (at === i ? value : one)))}
                {...error(`cells.${i}.agorot`, agorot)}
              />
            ))}
          </div>
        </>
      )}
    </FormDialog>
  )
}
