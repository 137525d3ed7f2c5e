import type { Words } from '#kit/web/words/words.tsx'

/** '3 days before the due date'. */
export const stepName = (t: Words, days: number): string =>
  days === 0
    ? t('reminders.onDay')
    : t(`reminders.stepName.${days < 0 ? 'before' : 'after'}`, { count: Math.abs(days) })
