import { Link } from 'react-aria-components/Link'
import { Note } from '#kit/web/parts/Banner.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import type { ExpenseWarning } from '../../endpoints.ts'

/** What a careful person would look at again; a twin is one press away. */
export function Warnings({ warnings }: { warnings: readonly ExpenseWarning[] }) {
  const t = useWords()
  return warnings.map((one) => (
    <Note
      key={one.code + (one.twinId ?? '')}
      tone="wait"
      action={
        one.twinId && (
          <Link className="link" href={`/invoice/Expenses/all/${one.twinId}`}>
            {t('expenses.form.openTwin')}
          </Link>
        )
      }
    >
      {t(`errors.${one.code}`, one.params)}
    </Note>
  ))
}
