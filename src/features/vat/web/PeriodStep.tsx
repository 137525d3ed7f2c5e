import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { Period } from '../../../domain/day.ts'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { PeriodWords } from '../../../kit/web/screens/PeriodChoice.tsx'
import { useWords } from '../../../kit/web/words.tsx'

export interface PeriodStepProps {
  period: Period
  /** Months ('YYYY-MM') of the periods beside it. */
  before: string
  after: string
  onChange: (month: string) => void
}

/** The period that is shown, and one step back and forward: VAT is looked at period by period. */
export function PeriodStep({ period, before, after, onChange }: PeriodStepProps) {
  const t = useWords()
  return (
    <div className="vt-step" role="group" aria-label={t('vat.period')}>
      <Button kind="quiet" size="s" icon={ChevronLeft} m label={t('vat.before')} onPress={() => onChange(before)} />
      <span aria-live="polite">
        <PeriodWords period={period} />
      </span>
      <Button kind="quiet" size="s" icon={ChevronRight} m label={t('vat.after')} onPress={() => onChange(after)} />
    </div>
  )
}
