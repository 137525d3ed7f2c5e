import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import type { Language } from './context.ts'
import { isDay } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { placeholdersOf, type Filling } from '#kit/describe/noun.ts'
import { brandHere } from './work/threads/currentBusiness.ts'
import { featurePlaces } from './features.ts'
import { readsAnew, root } from './settings.ts'

export const languages: readonly Language[] = ['he', 'en', 'ar', 'ru', 'fr']

export const directionOf = (language: Language): 'rtl' | 'ltr' =>
  language === 'he' || language === 'ar' ? 'rtl' : 'ltr'

/**
 * Every folder that holds words: the kit's and each feature's, as `text/<lang>.json` and
 * `text/<part>.<lang>.json`.
 */
export function wordFolders(): string[] {
  return [
    join(root, 'src/kit/web/text'),
    ...featurePlaces().map(({ path }) => join(root, path, 'text')),
  ].filter((f) => existsSync(f))
}

const loaded = new Map<Language, { words: Record<string, string>; at: number }>()

/**
 * While somebody develops, changed words are seen after so long; one call may ask for thousands of words, and
 * reads the files once.
 */
const devMilliseconds = 1000

/**
 * French sets a space before a high sign and inside its quotes: one that does not break, or a line would
 * begin with the sign.
 */
const tied = (text: string): string => text.replace(/(?<=\S) (?=[:;?!»])|(?<=«) /g, '\u00a0')

/** All words of a language, key -> ICU message. */
export function wordsOf(language: Language): Record<string, string> {
  const known = loaded.get(language)
  if (known && (!readsAnew || Date.now() - known.at < devMilliseconds)) return known.words
  // Keys come from callers too: without a prototype `valueOf` is no word.
  const words = Object.create(null) as Record<string, string>
  for (const folder of wordFolders()) {
    for (const file of readdirSync(folder)) {
      if (file === `${language}.json` || file.endsWith(`.${language}.json`))
        Object.assign(words, JSON.parse(readFileSync(join(folder, file), 'utf8')))
    }
  }
  if (language === 'fr') for (const [key, text] of Object.entries(words)) words[key] = tied(text)
  loaded.set(language, { words, at: Date.now() })
  return words
}

/**
 * A day is shown as people write it; text is isolated, but for an address, whose reader would take the mark
 * for a part of it.
 */
const shown = (value: string | number): string | number =>
  typeof value === 'number' || /^https?:/.test(value)
    ? value
    : `\u2068${isDay(value) ? formatDay(value) : value}\u2069`

interface Format {
  format: IntlMessageFormat
  /** What branches are chosen by: compared, not shown, and so never isolated. */
  selectors: ReadonlySet<string>
}

const formats = new Map<string, Format>()

interface Element {
  value?: string
  pluralType?: string
  options?: Record<string, { value: Element[] }>
}

const selectorsIn = (elements: readonly Element[]): string[] =>
  elements.flatMap(({ value, pluralType, options }) =>
    options
      ? [
          ...(pluralType ? [] : [value!]),
          ...Object.values(options).flatMap((option) => selectorsIn(option.value)),
        ]
      : [],
  )

function formatOf(language: Language, message: string): Format {
  const known = formats.get(`${language}:${message}`)
  if (known) return known
  const format = new IntlMessageFormat(message, language === 'ar' ? 'ar-u-nu-latn' : language, undefined, {
    ignoreTag: true,
  })
  const made = { format, selectors: new Set(selectorsIn(format.getAst() as Element[])) }
  formats.set(`${language}:${message}`, made)
  return made
}

/** The message of a key: the words of the brand that is worn here, else the product's, else Hebrew's. */
export const messageOf = (language: Language, key: string): string | undefined =>
  brandHere()?.words[language]?.[key] ?? wordsOf(language)[key] ?? wordsOf('he')[key]

/** How the product is called here: by the brand that is worn, or by its own name. */
export const productName = (language: Language): string =>
  brandHere()?.name ?? wordsOf(language)['kit.product'] ?? 'Pinkas'

/**
 * The same engine as in the browser: ICU messages, every placeholder isolated so that directions never mix.
 * `product` fills itself.
 */
export function say(language: Language, key: string, params: Filling = {}): string {
  const message = messageOf(language, key)
  if (message === undefined) return key
  if (!message.includes('{')) return message
  const { format, selectors } = formatOf(language, message)
  const given = message.includes('{product}') ? { product: productName(language), ...params } : params
  return String(
    format.format(
      Object.fromEntries(
        placeholdersOf(given).map(([name, value]) => [name, selectors.has(name) ? value : shown(value)]),
      ),
    ),
  )
}
