import { languageIds } from '#domain/languages.ts'
import { documentTypes, paymentMeans, vatKinds } from '#domain/documents/kinds.ts'
import type { Language } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import type { DocField } from '../endpoints.ts'

type Named = (language: Language) => [id: number, name: string][]

const entries = <N extends string>(
  ids: Readonly<Record<N, number>>,
  word: (code: N, id: number) => string,
): Named => {
  const pairs = Object.entries(ids) as [N, number][]
  return (language) => pairs.map(([code, id]) => [id, say(language, word(code, id))])
}

const types = entries(
  Object.fromEntries(Object.entries(documentTypes).map(([name, { id }]) => [name, id])),
  (name) => `documents.types.${name}`,
)
const vat = entries(vatKinds, (_, id) => `documents.vatKind.${id}`)

/** Lists of numbers by the names fields have where they take one of them. */
const lists: Readonly<Record<string, Named>> = {
  vatKind: vat,
  defaultVatKind: vat,
  means: entries(paymentMeans, (code) => `documents.means.${code}`),
  documentType: types,
  type: types,
  docsAllow: types,
  language: () =>
    (Object.entries(languageIds) as [Language, number][]).map(([code, id]) => [id, languageNames[code]]),
}

const languageNames: Record<Language, string> = {
  he: 'עברית',
  en: 'English',
  ar: 'العربية',
  ru: 'Русский',
  fr: 'Français',
}

/**
 * A field with what its numbers stand for in words; as it was where they count something, or where its
 * meaning names them itself.
 */
export function withNames(field: DocField, language: Language): DocField {
  const list = lists[field.path.split('.').at(-1)!.replace(/\[\]$/, '')]
  const isNumber = ['whole', 'number', 'choice'].includes(
    field.kind === 'list' ? (field.of ?? '') : field.kind,
  )
  if (!list || !isNumber || /\d/.test(field.meaning)) return field
  const named = list(language).filter(([id]) => !field.choices || field.choices.includes(id))
  // Words need no numbers: they are chosen as they are.
  return named.length && (field.kind !== 'choice' || field.choices)
    ? { ...field, names: Object.fromEntries(named) }
    : field
}
