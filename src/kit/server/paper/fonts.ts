import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Font } from 'fontkit'
import { fontsFolder } from '../settings.ts'
import { checkoutRoot } from '../root.ts'

export type Weight = 'regular' | 'semibold' | 'bold'

const require = createRequire(path.join(checkoutRoot, 'package.json'))

/** A family of the paper with its files; a family without a weight is set in the nearest one it has. */
interface Family {
  readonly name: string
  readonly folder: string
  readonly file: string
  readonly weights: readonly Weight[]
}

const folders: Record<Weight, string> = { regular: '400Regular', semibold: '600SemiBold', bold: '700Bold' }

/**
 * What the paper is set in, in the order in which a character is looked for. Rubik covers Hebrew, Arabic, Cyrillic,
 * Latin and the currency signs; the others bring Greek, Vietnamese, Georgian, Armenian, Ethiopic, Thai, the signs of
 * mathematics and engineering, and emoji in one colour. A server may add families in `FONTS_DIR`.
 */
const families: readonly Family[] = [
  { name: 'Rubik', folder: 'rubik', file: 'Rubik', weights: ['regular', 'semibold', 'bold'] },
  { name: 'Noto Sans', folder: 'noto-sans', file: 'NotoSans', weights: ['regular', 'bold'] },
  {
    name: 'Noto Sans Georgian',
    folder: 'noto-sans-georgian',
    file: 'NotoSansGeorgian',
    weights: ['regular', 'bold'],
  },
  {
    name: 'Noto Sans Armenian',
    folder: 'noto-sans-armenian',
    file: 'NotoSansArmenian',
    weights: ['regular', 'bold'],
  },
  {
    name: 'Noto Sans Ethiopic',
    folder: 'noto-sans-ethiopic',
    file: 'NotoSansEthiopic',
    weights: ['regular', 'bold'],
  },
  { name: 'Noto Sans Thai', folder: 'noto-sans-thai', file: 'NotoSansThai', weights: ['regular', 'bold'] },
  { name: 'Noto Sans Math', folder: 'noto-sans-math', file: 'NotoSansMath', weights: ['regular'] },
  { name: 'Noto Sans Symbols', folder: 'noto-sans-symbols', file: 'NotoSansSymbols', weights: ['regular'] },
  {
    name: 'Noto Sans Symbols 2',
    folder: 'noto-sans-symbols-2',
    file: 'NotoSansSymbols2',
    weights: ['regular'],
  },
  { name: 'Noto Emoji', folder: 'noto-emoji', file: 'NotoEmoji', weights: ['regular'] },
]

const fileOf = ({ folder, file }: Family, weight: Weight): string =>
  require.resolve(`@expo-google-fonts/${folder}/${folders[weight]}/${file}_${folders[weight]}.ttf`)

/** Files of the server's own fonts: TrueType or OpenType, each with one family. */
const ownFiles: readonly string[] = fontsFolder
  ? readdirSync(fontsFolder)
      .filter((name) => /\.(ttf|otf)$/i.test(name))
      .toSorted()
      .map((name) => path.join(fontsFolder!, name))
  : []

/** Every file that the typesetter opens. */
export const fontFiles: readonly string[] = [
  ...families.flatMap((family) => family.weights.map((weight) => fileOf(family, weight))),
  ...ownFiles,
]

const opened = new Map<string, Font>()

function open(file: string): Font {
  let font = opened.get(file)
  if (!font) {
    // Fetched with the first text to be checked: a start should not wait for it.
    const { create } = require('fontkit') as typeof import('fontkit')
    font = create(readFileSync(file)) as Font
    opened.set(file, font)
  }
  return font
}

/** The font of one family nearest to a weight; families are counted as in `families`, then the server's own. */
function fontOf(at: number, weight: Weight): Font {
  const family = families[at]
  if (!family) return open(ownFiles[at - families.length]!)
  const has = family.weights.includes(weight)
  return open(
    fileOf(family, has ? weight : weight === 'regular' ? family.weights[0]! : family.weights.at(-1)!),
  )
}

/** The names of all families, as the templates ask for them. */
export const fontFamilies = (): readonly string[] => [
  ...families.map(({ name }) => name),
  ...ownFiles.map((file) => open(file).familyName),
]

// The typesetter gives these their meaning (or swallows them) itself and never looks for a glyph.
const withoutGlyph = /[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\u00ad\n\t]|\ufe0e|\ufe0f/u

/** The first family that has a character, or -1. */
function familyOf(code: number): number {
  const count = families.length + ownFiles.length
  for (let at = 0; at < count; at++) if (fontOf(at, 'regular').hasGlyphForCodePoint(code)) return at
  return -1
}

function canPrint(character: string): boolean {
  const code = character.codePointAt(0)!
  return withoutGlyph.test(character) || (code > 0x1f && familyOf(code) >= 0)
}

// What people type or paste most, and what says the same in letters we have.
const stands: Record<string, string> = {
  '\u202f': '\u00a0',
  '\u2007': '\u00a0',
  '\u2009': ' ',
  '\u200a': '',
  '\u2002': ' ',
  '\u2003': ' ',
  '\u2028': '\n',
  '\u2029': '\n',
  '\r': '',
  '\u2011': '-',
  '\u2010': '-',
  '\u2212': '−',
  '\u2043': '•',
  '▪': '•',
  '●': '•',
  '■': '•',
  '□': '•',
  '◦': '•',
  '★': '*',
  '☆': '*',
  '✓': 'V',
  '✔': 'V',
  '☑': 'V',
  '✅': 'V',
  '✗': '×',
  '✘': '×',
  '➜': '→',
  '⇒': '→',
  '➔': '→',
}

/** Spaces of special widths, which are set as ordinary ones. */
const isSpace = (character: string): boolean => /[\u2002\u2003\u2007\u2009\u200a\u202f]/u.test(character)

/**
 * The characters of a text that can be printed neither as they are nor in a likeness, each once, in order: Chinese,
 * unless the server brings a font, and control characters. A text that a person issues or signs is refused for them.
 */
export function printableProblems(text: string): string[] {
  if (isClean(text)) return []
  const isProblem = (character: string) =>
    !canPrint(character) &&
    stands[character] === undefined &&
    !/\p{Cf}/u.test(character) &&
    (/[\p{M}\p{Cc}]/u.test(character) || likeness(character) === missing)
  return [...new Set([...text.normalize('NFC')].filter(isProblem))]
}

/** What is printed for a character that no font has: the box by which every program says so. */
export const missing = '▯'

/**
 * The same text with every character that no font has replaced by a likeness or by `missing`, so that printing
 * never fails. What a person issues is refused before (`printableProblems`); this is for previews and for what
 * nobody is there to correct. Emoji with their joiners and skin tones become one mark. Text without problems comes
 * back unchanged.
 */
export function makePrintable(text: string): string {
  if (isClean(text)) return text
  const composed = text
    .normalize('NFC')
    .replace(
      /\p{Extended_Pictographic}(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f|\u20e3)*/gu,
      (run) => ([...run].every(canPrint) ? run : (stands[run.replace(/\ufe0f/g, '')] ?? '•')),
    )
  let out = ''
  for (const character of composed) {
    if (canPrint(character) && !isSpace(character)) out += character
    else if (stands[character] !== undefined && [...stands[character]].every(canPrint))
      out += stands[character]
    else if (/[\p{M}\p{Cc}\p{Cf}\ufe0f]/u.test(character)) continue
    else out += likeness(character)
  }
  return out
}

/**
 * What is known of each sign of the first plane: 0 nothing yet, 1 printed as it is, 2 not. A long paper asks
 * for hundreds of thousands.
 */
const known = new Uint8Array(0x10000)

function isClean(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (known[code] === 0) {
      const character = text[index]!
      known[code] = canPrint(character) && !isSpace(character) ? 1 : 2
    }
    // A half of a sign of another plane has no picture, so that such a text is looked at sign by sign.
    if (known[code] === 2) return false
  }
  return true
}

function likeness(character: string): string {
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '')
  return plain !== '' && plain !== character && [...plain].every(canPrint) ? plain : missing
}

/** The same for every string inside plain data: what a whole document goes through before it is set. */
export function makeAllPrintable<T>(data: T): T {
  if (typeof data === 'string') return makePrintable(data) as T
  if (Array.isArray(data)) return data.map(makeAllPrintable) as T
  if (data !== null && typeof data === 'object' && !(data instanceof Uint8Array)) {
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, makeAllPrintable(value)])) as T
  }
  return data
}

const widths = new Map<string, number>()

/**
 * How wide a text is set, in points. `tabular` is for figures in columns, all of one width. Whole texts are
 * shaped, so Arabic is right too; the answer is remembered, for tables repeat their units and rates.
 */
export function textWidth(
  text: string,
  sizePoints: number,
  weight: Weight = 'regular',
  tabular = false,
): number {
  const key = `${weight}${tabular ? '#' : ''}${text}`
  let width = widths.get(key)
  if (width === undefined) {
    const shown = text.replace(new RegExp(withoutGlyph, 'gu'), '')
    width =
      tabular && !/[^\x20-\x7e]/.test(shown)
        ? [...shown].reduce((sum, character) => sum + figureWidth(fontOf(0, weight), weight, character), 0)
        : runsOf(shown).reduce((sum, run) => {
            const font = fontOf(run.family, weight)
            return sum + font.layout(run.text, tabular ? ['tnum'] : []).advanceWidth / font.unitsPerEm
          }, 0)
    if (widths.size > 5000) widths.clear()
    widths.set(key, width)
  }
  return width * sizePoints
}

/** A text in runs of one family each; what no family has is measured as the first one's empty box. */
function runsOf(text: string): { family: number; text: string }[] {
  const runs: { family: number; text: string }[] = []
  for (const character of text) {
    const family = Math.max(0, familyOf(character.codePointAt(0)!))
    const last = runs.at(-1)
    if (last?.family === family) last.text += character
    else runs.push({ family, text: character })
  }
  return runs
}

const figures = new Map<string, number>()

function figureWidth(font: Font, weight: Weight, character: string): number {
  const key = weight + character
  let width = figures.get(key)
  if (width === undefined) {
    width = font.layout(character, ['tnum']).advanceWidth / font.unitsPerEm
    figures.set(key, width)
  }
  return width
}
