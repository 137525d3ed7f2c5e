import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Font } from 'fontkit'
import { checkoutRoot } from './root.ts'

export type Weight = 'regular' | 'semibold' | 'bold'

const require = createRequire(path.join(checkoutRoot, 'package.json'))

/** The three static fonts the paper is set in; Rubik alone covers Hebrew, Arabic, Cyrillic, Latin and the currency signs. */
export const fontFiles: Record<Weight, string> = {
  regular: require.resolve('@expo-google-fonts/rubik/400Regular/Rubik_400Regular.ttf'),
  semibold: require.resolve('@expo-google-fonts/rubik/600SemiBold/Rubik_600SemiBold.ttf'),
  bold: require.resolve('@expo-google-fonts/rubik/700Bold/Rubik_700Bold.ttf'),
}

const opened = new Map<Weight, Font>()

function fontOf(weight: Weight): Font {
  let font = opened.get(weight)
  if (!font) {
    // Fetched with the first text to be checked: a start should not wait for it.
    const { create } = require('fontkit') as typeof import('fontkit')
    font = create(readFileSync(fontFiles[weight])) as Font
    opened.set(weight, font)
  }
  return font
}

// The typesetter gives these their meaning (or swallows them) itself and never looks for a glyph.
const withoutGlyph = /[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\u00ad\n\t]/u
let covered: Set<number> | undefined

function canPrint(character: string): boolean {
  covered ??= new Set(fontOf('regular').characterSet)
  return covered.has(character.codePointAt(0)!) || withoutGlyph.test(character)
}

/** The characters of a text that the paper's font has no picture for (emoji, Chinese, control characters), each once, in order. */
export function printableProblems(text: string): string[] {
  return [...new Set([...text].filter((character) => !canPrint(character)))]
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

/**
 * The same text with every character the font cannot print replaced by a likeness or by '?', so that printing never fails.
 * Emoji with their joiners and skin tones become one mark. Text without problems comes back unchanged.
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
    if (canPrint(character)) out += character
    else if (stands[character] !== undefined && [...stands[character]].every(canPrint))
      out += stands[character]
    else if (/[\p{M}\p{Cc}\p{Cf}\ufe0f]/u.test(character)) continue
    else out += likeness(character)
  }
  return out
}

/** What is known of each sign of the first plane: 0 nothing yet, 1 printed as it is, 2 not. A long paper asks for hundreds of thousands. */
const known = new Uint8Array(0x10000)

function isClean(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (known[code] === 0) {
      const character = text[index]!
      known[code] = canPrint(character) && !(code > 0xff && stands[character] !== undefined) ? 1 : 2
    }
    // A half of a sign of another plane has no picture, so that such a text is looked at sign by sign.
    if (known[code] === 2) return false
  }
  return true
}

function likeness(character: string): string {
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '')
  return plain !== '' && plain !== character && [...plain].every(canPrint) ? plain : '?'
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
 * How wide a text is set, in points. `tabular` is for figures in columns, all of one width. Whole texts are shaped, so Arabic is right too;
 * the answer is remembered, for tables repeat their units and rates.
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
    const font = fontOf(weight)
    const shown = text.replace(new RegExp(withoutGlyph, 'gu'), '')
    width =
      tabular && !/[^\x20-\x7e]/.test(shown)
        ? [...shown].reduce((sum, character) => sum + figureWidth(font, weight, character), 0)
        : font.layout(shown, tabular ? ['tnum'] : []).advanceWidth / font.unitsPerEm
    if (widths.size > 5000) widths.clear()
    widths.set(key, width)
  }
  return width * sizePoints
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
