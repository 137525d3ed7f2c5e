import { wordIfAny, type Words } from '#kit/web/words/words.tsx'
import type { ImportField } from '../endpoints.ts'

// Registers and their columns are of any feature. Brings the words of: fields

/** Fields in the language of the screen; what only the business knows has its own title. */
export const inLanguage = <F extends Pick<ImportField, 'name' | 'title'>>(
  t: Words,
  resource: string,
  fields: readonly F[],
): F[] =>
  fields.map((field) => ({
    ...field,
    title: wordIfAny(t, `${resource}.fields.${field.name}`) ?? field.title,
  }))

export const registerTitle = (t: Words, { resource, title }: { resource: string; title: string }): string =>
  wordIfAny(t, `${resource}.title`) ?? title
