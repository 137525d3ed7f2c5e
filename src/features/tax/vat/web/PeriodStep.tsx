import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { Period } from '#domain/day.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { PeriodWords } from '#kit/web/screens/PeriodChoice.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { useVatPeriods } from '#features/base/companies/web/index.tsx'
import { neighbours } from '../period.ts'

export interface PeriodStepProps {
  /** The period that came last. */
  known: Period
  /**
   * The month ('YYYY-MM') that is asked for: a second press counts from there, though its figures are under
   * way.
   */
  asked: string | undefined
  onChange: (month: string) => void
}

/** The period that is shown, and one step back and forward: VAT is looked at period by period. */
export function PeriodStep({ known, asked, onChange }: PeriodStepProps) {
  const t = useWords()
  const periodOn = useVatPeriods()
  const period = asked && periodOn ? periodOn(`${asked}-01`) : known
  const { before, after } = neighbours(period)
  return (
    <div className="vt-step" role="group" aria-label={t('vat.period')}>
      <Button
        kind="quiet"
        size="s"
        icon={ChevronLeft}
        m
        label={t('vat.before')}
        onPress={() => onChange(before)}
      />
      <span aria-live="polite">
        <PeriodWords period={period} />
      </span>
      <Button
        kind="quiet"
        size="s"
        icon={ChevronRight}
        m
        label={t('vat.after')}
        onPress={() => onChange(after)}
      />
    </div>
  )
}
