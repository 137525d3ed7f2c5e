import { vatKindById } from '#domain/documents/kinds.ts'
import { failField } from '#kit/describe/errors.ts'
import { currencyIds, languageIds, vatTypeIds } from '../calls.ts'
import { say } from '#kit/server/words.ts'
import type { Handler } from './desk.ts'
import type { Trade } from '#features/open/apiKeys/server/index.ts'

/** The written guides of the trade begin with 2 for the shekel; from 3 on both ways of counting agree. */
const shekelInGuides = 2

/**
 * The code of a currency sent as its number or as its code. A number that could mean two is refused until the
 * key says how it counts.
 */
export function currencyOf(
  path: string,
  given: string | undefined,
  { currencies }: Trade,
): string | undefined {
  if (given === undefined) return undefined
  if (/^[A-Za-z]{3}$/.test(given)) return given.toUpperCase()
  const number = Number(given)
  if (number === shekelInGuides && currencies === null) throw failField(path, 'trade.currency')
  if (number === shekelInGuides && currencies === 'guides') return 'ILS'
  const code = Object.entries(currencyIds).find(([, id]) => id === number)?.[0]
  if (!code || (number === currencyIds.ILS && currencies === 'guides'))
    throw failField(path, 'fields.currency')
  return code
}

export const currencies: Handler<'currencies'> = async ({ trade }) => {
  const rows = Object.entries(currencyIds).flatMap(([Code, ID]) => {
    if (trade.currencies !== 'guides') return [{ ID, Code }]
    return Code === 'ILS' ? [{ ID: shekelInGuides, Code }] : Code === 'USD' ? [] : [{ ID, Code }]
  })
  return { value: rows, total: rows.length }
}

export const languages: Handler<'language'> = async () => {
  const names = { he: 'עברית', en: 'English', ar: 'العربية', ru: 'Русский', fr: 'Français' } as const
  const rows = Object.entries(languageIds).map(([Code, ID]) => ({
    ID,
    Code,
    Name: names[Code as keyof typeof names],
  }))
  return { value: rows, total: rows.length }
}

export const vatTypes: Handler<'vatTypes'> = async ({ language }) => {
  const rows = Object.entries(vatTypeIds).map(([ID, kind]) => ({
    ID: Number(ID),
    Code: vatKindById(kind)!,
    Name: say(language, `documents.vatKind.${kind}`),
  }))
  return { value: rows, total: rows.length }
}
