import { documentTypeById } from '../../../domain/documents/kinds.ts'
import type { Words } from '../../../kit/web/words.tsx'

/** 'Tax invoice' of a numeric id. */
export const typeWord = (t: Words, id: number): string => t(`documents.types.${documentTypeById(id) ?? 'taxInvoice'}`)

/** 'Tax invoice 1044'; a draft has no number. */
export const documentName = (t: Words, type: number, number: number | null): string =>
  number === null ? typeWord(t, type) : withoutMarks(t('documents.named', { type: typeWord(t, type), number: String(number) }))

/** The name of an open item: of one from before the books, its number of the time. */
export const itemName = (t: Words, { type, number, isOpening }: { type: number; number: number | null; isOpening: boolean }): string =>
  isOpening ? withoutMarks(t('documents.openingItem', { number: String(number) })) : documentName(t, type, number)

/** Marks of direction go: a name set into another sentence must have a letter of its own to show its direction, and a copied text wants none. */
export const withoutMarks = (text: string): string => text.replace(/[\u2066-\u2069]/g, '')

/** 'net:30' in words. */
export function termsWord(t: Words, terms: string): string {
  const [kind = 'now', days = '0'] = terms.split(':')
  return t(`documents.terms.${kind}`, { days: Number(days) })
}
