import { ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { BANK_WARNING_DAYS } from '../suppliers.ts'

/**
 * Warns for a while that a supplier's bank account changed; for the supplier card and every screen that pays the
 * supplier. Nothing when there is nothing to warn of.
 */
export function BankChangeNote({
  changedAt,
  changedBy,
  link,
}: {
  changedAt: string | null
  changedBy?: string | null
  link?: ReactNode
}) {
  const t = useWords()
  if (!isRecentChange(changedAt)) return null
  const day = formatDay(dayInJerusalem(new Date(changedAt!)))
  return (
    <Note tone="wait" icon={ShieldAlert}>
      {changedBy
        ? t('suppliers.bank.changedBy', { day, name: changedBy })
        : t('suppliers.bank.changed', { day })}{' '}
      {t('suppliers.bank.callHim')} {link}
    </Note>
  )
}

export const isRecentChange = (changedAt: string | null): boolean =>
  changedAt !== null &&
  dayInJerusalem(new Date(changedAt)) > addDays(dayInJerusalem(new Date()), -BANK_WARNING_DAYS)
