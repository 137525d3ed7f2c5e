import { documentTypeById, type PaperLabel } from '#domain/documents/kinds.ts'
import type { Words } from '#kit/web/words/words.tsx'

/** 'Tax invoice' of a numeric id; of one paper, by the label it has in place of that (`labelOf`). */
export const typeWord = (t: Words, id: number, label?: PaperLabel | null): string =>
  t(`documents.types.${label ?? documentTypeById(id) ?? 'taxInvoice'}`)

/** 'Tax invoice 1044'; a draft has no number. */
export const documentName = (
  t: Words,
  type: number,
  number: number | null,
  label?: PaperLabel | null,
): string =>
  number === null
    ? typeWord(t, type, label)
    : withoutMarks(t('documents.named', { type: typeWord(t, type, label), number: String(number) }))

/**
 * The name of a paper that may be an opening item, which has the number of the time, or none (`opening` of
 * other papers is null).
 */
export const paperName = (
  t: Words,
  { type, number, opening, label }: NamedPaper & { opening: string | null },
): string =>
  opening === null
    ? documentName(t, type, number, label)
    : withoutMarks(t('documents.openingItem', { number: opening })).trim()

/** What a document is named by. */
export interface NamedPaper {
  type: number
  number: number | null
  label?: PaperLabel | null
}

/** The same of an open item. */
export const itemName = (
  t: Words,
  item: NamedPaper & { isOpening: boolean; openingNumber: string },
): string => paperName(t, { ...item, opening: item.isOpening ? item.openingNumber : null })

/**
 * Removes direction marks: a name set into another sentence must have a character that shows its direction, and a
 * copied text wants none.
 */
export const withoutMarks = (text: string): string => text.replace(/[\u2066-\u2069]/g, '')

/** 'net:30' in words. */
export function termsWord(t: Words, terms: string): string {
  const [kind = 'now', days = '0'] = terms.split(':')
  return t(`documents.terms.${kind}`, { days: Number(days) })
}
