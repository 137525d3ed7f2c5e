import { documentTypeById, type PaperLabel } from '#domain/documents/kinds.ts'
import type { Noun } from '#kit/describe/noun.ts'
import type { Words } from '#kit/web/words/words.tsx'
import { documentName, paperName, type NamedPaper } from './words.ts'

const genderOfType = (t: Words, id: number, label?: PaperLabel | null): string =>
  t(`documents.gender.${label ?? documentTypeById(id) ?? 'taxInvoice'}`)

/** 'Tax invoice 1044' as a noun of a sentence, whose verbs agree with its gender. */
export const documentNoun = (
  t: Words,
  type: number,
  number: number | null,
  label?: PaperLabel | null,
): Noun => ({ text: documentName(t, type, number, label), gender: genderOfType(t, type, label) })

/** The same of a document that may be an opening item. */
const paperNoun = (t: Words, paper: NamedPaper & { opening: string | null }): Noun => ({
  text: paperName(t, paper),
  gender:
    paper.opening === null ? genderOfType(t, paper.type, paper.label) : t('documents.gender.openingItem'),
})

/** The same of an open item. */
export const itemNoun = (t: Words, item: NamedPaper & { isOpening: boolean; openingNumber: string }): Noun =>
  paperNoun(t, { ...item, opening: item.isOpening ? item.openingNumber : null })
