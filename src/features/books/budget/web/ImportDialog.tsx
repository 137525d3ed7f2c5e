import { call } from '#kit/web/calls/call.ts'
import { Money } from '#kit/web/parts/Figure.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { keepBudget, type ReadBudgetAnswer } from '../endpoints.ts'

/** So many lines that were not read are named. */
const named = 12

/** What a file would set, and by line what of it was not read, before anything is kept. */
export function ImportDialog({
  year,
  read,
  onClose,
  onDone,
}: {
  year: number
  read: ReadBudgetAnswer
  onClose: () => void
  onDone: (changed: number) => Promise<void>
}) {
  const t = useWords()
  const submit = async () => {
    const { changed } = await call(keepBudget, { year, cells: read.cells })
    await onDone(changed)
  }
  return (
    <FormDialog
      title={t('budget.import.title', { year: String(year) })}
      verb={read.cells.length > 0 ? t('budget.import.take') : undefined}
      names={[]}
      onClose={onClose}
      onSubmit={submit}
    >
      {() => (
        <>
          <Note tone={read.cells.length > 0 ? 'done' : 'late'}>
            {t('budget.import.read', { count: read.accounts })}
          </Note>
          {read.cells.length > 0 && (
            <dl className="bu-sums">
              {(['income', 'expense'] as const).map((kind) => (
                <div key={kind}>
                  <dt>{t(`budget.kinds.${kind}`)}</dt>
                  <dd>
                    <Money amount={read.totalAgorot[kind]} whole />
                  </dd>
                </div>
              ))}
            </dl>
          )}
          {read.faults.length > 0 && (
            <Note tone="wait">
              {t('budget.import.faults', { count: read.faults.length })}
              <ul className="bu-faults">
                {read.faults.slice(0, named).map(({ row, why, text, month }, i) => (
                  <li key={i}>
                    {month === undefined
                      ? t(`budget.import.${why}`, { row: String(row), text })
                      : t('budget.import.sumOfMonth', { row: String(row), text, month: String(month) })}
                  </li>
                ))}
                {read.faults.length > named && (
                  <li>{t('budget.import.more', { count: read.faults.length - named })}</li>
                )}
              </ul>
            </Note>
          )}
        </>
      )}
    </FormDialog>
  )
}
