import { FilePlus2 } from 'lucide-react'
import { formatPercent, withCurrency } from '#domain/format.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { CardScreen } from '#kit/web/screens/CardScreen.tsx'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { projects, type Project } from '../projects.ts'
import { newDocumentPath, StatePill } from './dress.tsx'
import './projects.css'

/** A project: its budget against what was done, and its papers in tabs of other features. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { params } = usePlace()
  const id = params.projectid ?? ''
  const path = `/invoice/projectItems/${id}`
  return (
    <CardScreen
      key={id}
      resource={projects}
      id={id}
      tab={params.tab ?? ''}
      tabHref={(tab) => (tab === 'details' ? path : `${path}/${tab}`)}
      sub={(row) => (row.number ? <Num>{String(row.number)}</Num> : undefined)}
      status={(row) => <StatePill state={(row as unknown as Project).state} />}
      actions={(row) =>
        may('documents.draft') &&
        row.state !== 'closed' && (
          <Button kind="primary" icon={FilePlus2} href={newDocumentPath(row as unknown as Project)}>
            {t('documents.new')}
          </Button>
        )
      }
      elsewhere={['number', 'state', 'budgetIncomeAgorot', 'budgetExpenseAgorot']}
      above={(row) => <Budget row={row as AnyRow & Project} />}
    />
  )
}

/** Done of planned, for income and for expense, and what remains between them. Before VAT. */
function Budget({ row }: { row: Project }) {
  const t = useWords()
  const session = useSession()
  const { incomeAgorot: income, expenseAgorot: expense, profitAgorot: profit } = row
  if (
    session?.HideTotalPrices ||
    typeof income !== 'number' ||
    typeof expense !== 'number' ||
    typeof profit !== 'number'
  )
    return null
  return (
    <Figures label={t('projects.figures')}>
      <Done label={t('projects.fields.incomeAgorot')} done={income} budget={row.budgetIncomeAgorot} />
      <Done
        label={t('projects.fields.expenseAgorot')}
        done={expense}
        budget={row.budgetExpenseAgorot}
        isExpense
      />
      <Figure
        label={t('projects.fields.profitAgorot')}
        amount={profit}
        tone="result"
        {...(income > 0
          ? { note: t('projects.margin', { rate: formatPercent(Math.round((profit / income) * 10_000)) }) }
          : {})}
      />
    </Figures>
  )
}

function Done({
  label,
  done,
  budget,
  isExpense,
}: {
  label: string
  done: number
  budget: number | null
  isExpense?: boolean
}) {
  const t = useWords()
  const { lang } = useLanguage()
  if (!budget) return <Figure label={label} amount={done} />
  const left = budget - done
  const isOver = left < 0
  return (
    <Figure
      label={label}
      amount={done}
      note={
        <>
          <meter
            className="pj-bar"
            min={0}
            max={budget}
            value={Math.max(0, Math.min(done, budget))}
            aria-label={label}
            data-over={isOver && isExpense ? '' : undefined}
          />
          {t(isOver ? 'projects.above' : 'projects.left', {
            sum: withCurrency(Math.abs(left), 'ILS', lang),
            budget: withCurrency(budget, 'ILS', lang),
          })}
        </>
      }
      {...(isOver && isExpense ? { noteTone: 'late' as const } : {})}
    />
  )
}
