import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useLanguage, useWords, type Language } from '../words/words.tsx'
import { Button } from './Button.tsx'

/** '2026-10' as a month is called. */
export const monthWords = (month: string, lang: Language): string =>
  new Intl.DateTimeFormat(lang === 'ar' ? 'ar-IL-u-nu-latn' : lang, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${month}-01T12:00:00Z`))

/** The month before or after one. */
export function monthBeside(month: string, by: 1 | -1): string {
  const at = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + by
  return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`
}

/** One month, and a step on and back. */
export function MonthSteps({ value, onChange }: { value: string; onChange: (month: string) => void }) {
  const t = useWords()
  const { lang } = useLanguage()
  return (
    <div className="k-months" role="group" aria-label={t('kit.month.label')}>
      <Button
        kind="quiet"
        size="s"
        icon={ChevronLeft}
        m
        label={t('kit.month.before')}
        onPress={() => onChange(monthBeside(value, -1))}
      />
      <span aria-live="polite">{monthWords(value, lang)}</span>
      <Button
        kind="quiet"
        size="s"
        icon={ChevronRight}
        m
        label={t('kit.month.after')}
        onPress={() => onChange(monthBeside(value, 1))}
      />
    </div>
  )
}
