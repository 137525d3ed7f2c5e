import type { IncomingHttpHeaders } from 'node:http'
import type { Language } from '../context.ts'
import { languages } from '../words.ts'

/** Every API key begins so, by the business it is for; the token of a session never does. */
export const keyBeginnings = { live: 'pk_live_', test: 'pk_test_' } as const
export const isKey = (token: string): boolean =>
  Object.values(keyBeginnings).some((one) => token.startsWith(one))

/**
 * The token of a call: `X-Access-Token`, `Authorization: Bearer`, or an API key as the user name or the password of
 * `Authorization: Basic`. A session is not taken from Basic, which a browser sends without being told to.
 */
export function tokenOf(headers: IncomingHttpHeaders): string | undefined {
  const own = headers['x-access-token']
  if (typeof own === 'string') return own
  const [, scheme = '', given = ''] = /^(bearer|basic)\s+(\S+)\s*$/i.exec(headers.authorization ?? '') ?? []
  if (!given) return undefined
  if (scheme.toLowerCase() === 'bearer') return given
  const said = Buffer.from(given, 'base64').toString('utf8')
  const colon = said.indexOf(':')
  return (colon < 0 ? [said] : [said.slice(0, colon), said.slice(colon + 1)]).find(isKey)
}

const known = (tag: string): Language | undefined => {
  const language = tag.trim().toLowerCase().split('-')[0]
  return languages.find((one) => one === (language === 'iw' ? 'he' : language))
}

/**
 * The language that a call asks for: `X-Language`, else the best of `Accept-Language` that the product speaks;
 * undefined where it asks for none of them.
 */
export function languageAsked(headers: IncomingHttpHeaders): Language | undefined {
  const own = headers['x-language']
  if (typeof own === 'string' && own !== '') return known(own)
  const wishes = (headers['accept-language'] ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...params] = part.split(';')
      const weight = params.map((param) => /^\s*q=([\d.]+)\s*$/.exec(param)?.[1]).find((q) => q !== undefined)
      return { language: known(tag), weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ language, weight }) => language !== undefined && weight > 0)
  return wishes.toSorted((one, other) => other.weight - one.weight)[0]?.language
}
