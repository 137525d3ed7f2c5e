import { fold } from './fold.ts'

/*
 * Countries are written by people, in any of the languages of the product; an electronic invoice wants two
 * letters (ISO 3166-1).
 */

const languages = ['he', 'en', 'ar', 'ru', 'fr', 'de', 'es', 'it']
// The runtime also names what is no country by ISO 3166-1: unions, islands reserved for others, test codes.
const noCountries = new Set([
  'AC',
  'CP',
  'CQ',
  'DG',
  'EA',
  'EU',
  'EZ',
  'IC',
  'QO',
  'TA',
  'UN',
  'XA',
  'XB',
  'ZZ',
])
// Codes of before, which the runtime still answers with their successors' names.
const gone = new Set([
  'AN',
  'BU',
  'CS',
  'DD',
  'DY',
  'FX',
  'HV',
  'NH',
  'NT',
  'RH',
  'SU',
  'TP',
  'UK',
  'VD',
  'YD',
  'YU',
  'ZR',
  'CT',
  'JT',
  'MI',
  'NQ',
  'PU',
  'PZ',
  'WK',
  'FQ',
  'PC',
])

const asPeopleWrite: readonly (readonly [name: string, code: string])[] = [
  ['usa', 'US'],
  ['u.s.a.', 'US'],
  ['u.s.', 'US'],
  ['united states of america', 'US'],
  ['ארהב', 'US'],
  ['ארצות הברית של אמריקה', 'US'],
  ['сша', 'US'],
  ['etats unis d amerique', 'US'],
  ['uk', 'GB'],
  ['great britain', 'GB'],
  ['england', 'GB'],
  ['scotland', 'GB'],
  ['אנגליה', 'GB'],
  ['בריטניה הגדולה', 'GB'],
  ['англия', 'GB'],
  ['великобритания', 'GB'],
  ['angleterre', 'GB'],
  ['uae', 'AE'],
  ['איחוד האמירויות', 'AE'],
  ['оаэ', 'AE'],
  ['holland', 'NL'],
  ['korea', 'KR'],
  ['czech republic', 'CZ'],
  ['turkey', 'TR'],
  ['palestine', 'PS'],
  ['palestinian authority', 'PS'],
  ['פלסטין', 'PS'],
  ['הרשות הפלסטינית', 'PS'],
  ['فلسطين', 'PS'],
  ['السلطة الفلسطينية', 'PS'],
  ['палестина', 'PS'],
  ['палестинская автономия', 'PS'],
  ['autorite palestinienne', 'PS'],
]

let known: Map<string, string> | undefined

function names(): Map<string, string> {
  const found = new Map<string, string>()
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters
    .flatMap((a) => letters.map((b) => a + b))
    .filter((code) => !noCountries.has(code) && !gone.has(code))
  for (const language of languages) {
    const display = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
    for (const code of codes) {
      const name = display.of(code)
      if (!name) continue
      found.set(fold(name), code)
      found.set(fold(code), code)
    }
  }
  for (const [name, code] of asPeopleWrite) found.set(fold(name), code)
  return found
}

/** The two letters of a country written by its name or by its letters; undefined when it is none. */
export function countryCode(text: string | null | undefined): string | undefined {
  if (!text?.trim()) return undefined
  known ??= names()
  return known.get(fold(text))
}
