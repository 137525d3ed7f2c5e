import type { Words } from '#kit/web/words.tsx'
import type { ImportField } from '../endpoints.ts'

const saidOr = (t: Words, key: string, otherwise: string): string => {
  const said = t(key)
  return said === key ? otherwise : said
}

/** Fields in the language of the screen; what only the business knows has its own title. */
export const inLanguage = <F extends Pick<ImportField, 'name' | 'title'>>(t: Words, resource: string, fields: readonly F[]): F[] =>
  fields.map((field) => ({ ...field, title: saidOr(t, `${resource}.fields.${field.name}`, field.title) }))

export const registerTitle = (t: Words, { resource, title }: { resource: string; title: string }): string =>
  saidOr(t, `${resource}.title`, title)
