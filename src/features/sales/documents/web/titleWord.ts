import { billingAccountSubTypes, documentTypeById } from '#domain/documents/kinds.ts'
import type { Words } from '#kit/web/words.tsx'
import { typeWord } from './words.ts'

/** What one paper is called: its type, or the label that its sub-type or pro flag gives it, as at its head. */
export function titleWord(t: Words, { type, subType, pro }: { type: number; subType: number; pro: boolean }): string {
  const name = documentTypeById(type)
  if (name === 'paymentRequest' && billingAccountSubTypes.includes(subType)) return t('documents.labels.billingAccount')
  return name === 'priceQuote' && pro ? t('documents.labels.priceQuoteRequest') : typeWord(t, type)
}
