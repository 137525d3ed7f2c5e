import { withCurrency } from '../../../../domain/format.ts'
import type { LanguageCode } from '../../../../domain/documents/kinds.ts'
import type { DocumentAnswer } from '../../endpoints.ts'

/** Fills the business's own text: [customer], [document], [number], [total], [link], [business]. */
export const fillText = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\[(\w+)\]/g, (whole, name: string) => values[name] ?? whole)

export const valuesOf = (document: DocumentAnswer, typeWord: string, business: string, language: LanguageCode): Record<string, string> => ({
  customer: document.customer?.name ?? '',
  document: typeWord,
  number: String(document.number ?? ''),
  total: ((document.totals.totalAgorot as number | null) === null
    ? ''
    : withCurrency(document.totals.totalAgorot, document.currency, language)
  ).replace('\u00a0', ' '),
  business,
  link: document.urls.page,
})

/** 050-1234567 as WhatsApp wants it: 972501234567. Undefined where there is no number to write to. */
export function whatsAppNumber(phone: string | null | undefined): string | undefined {
  const digits = (phone ?? '').replace(/\D/g, '')
  if (digits.length < 8) return undefined
  if ((phone ?? '').trim().startsWith('+')) return digits
  return digits.startsWith('972') ? digits : digits.startsWith('0') ? `972${digits.slice(1)}` : digits
}
