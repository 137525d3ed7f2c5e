import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from '#kit/web/parts/Button.tsx'
import { useLanguage, useWords } from '#kit/web/words.tsx'
import { beside, monthWords } from './shared.ts'

/** One month on and back. */
export function Month({ value, onChange }: { value: string; onChange: (month: string) => void }) {
  const t = useWords()
  const { lang } = useLanguage()
  return (
    <div className="of-month" role="group" aria-label={t('practice.month')}>
      <Button kind="quiet" size="s" icon={ChevronLeft} m label={t('practice.before')} onPress={() => onChange(beside(value, -1))} />
      <span aria-live="polite">{monthWords(value, lang)}</span>
      <Button kind="quiet" size="s" icon={ChevronRight} m label={t('practice.after')} onPress={() => onChange(beside(value, 1))} />
    </div>
  )
}
