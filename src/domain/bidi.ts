/*
 * Mixed scripts. In a right-to-left line the plain bidirectional algorithm shows '-150.00' as '150.00-' and
 * 'HDMI 2.1' as '2.1 HDMI'. Values we print are isolated whole; in a text that a person wrote, the Latin runs
 * are found and isolated here. Marks are added on the way out only, never stored.
 */

const LEFT_TO_RIGHT = '\u2066'
const RIGHT_TO_LEFT = '\u2067'
const END = '\u2069'

/**
 * One left-to-right isolate: for numbers, amounts, dates, phones, emails, codes that we print. Nothing stays
 * nothing.
 */
export function isolate(text: string): string {
  return text === '' ? '' : LEFT_TO_RIGHT + text + END
}

/**
 * A person's text made safe for a line of the given direction. Right to left: a text without any right-to-left
 * character is one isolate; otherwise the longest Latin and number runs are isolated, with their brackets and
 * attached signs, while commas, final marks and + stay in the line. Left to right: Hebrew and Arabic pieces are
 * isolated separately, or they would merge and change places; a text that begins with a right-to-left character is
 * right to left as a whole.
 */
export function isolateRuns(text: string, direction: 'rtl' | 'ltr'): string {
  return text
    .replace(/[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g, '')
    .split('\n')
    .map(direction === 'rtl' ? rightToLeftLine : leftToRightLine)
    .join('\n')
}

/** Letters only: ، ؛ ؟ are punctuation, and treating them as letters would turn '04-555-0177،' round. */
const RTL_LETTER = /(?=\p{L})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u
/**
 * What a Latin run can never hold: right-to-left letters with their points, geresh, maqaf, and the Arabic
 * punctuation marks.
 */
const RTL_SIGN =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\u060c\u061b\u061f\u0640\u064b-\u0655\u066d\u06d4]/u
const CORE = /[\p{L}\p{Nd}]/u
const LETTER = /\p{L}/u
/** A letter or digit that a Latin run can begin with. */
const RUN_CORE = new RegExp(`(?!${RTL_SIGN.source})${CORE.source}`, 'u')

function rightToLeftLine(line: string): string {
  if (line.trim() === '') return line
  if (!RTL_LETTER.test(line)) return isolate(line)
  // Most lines have nothing to isolate, and a long paper has many.
  if (!RUN_CORE.test(line)) return line
  const signs = [...line]
  const partners = bracketPartners(signs)
  return stretchesOf(signs, partners)
    .map(({ from, to }) => stretch(signs, from, to, partners))
    .join('')
}

interface Span {
  readonly from: number
  readonly to: number
}

/**
 * Cuts a line at everything that cannot be inside a Latin run: right-to-left signs, brackets without a
 * partner, those whose partner is beyond one of these, and, outside brackets, '+' between spaces and the
 * comma or semicolon of a list.
 */
function stretchesOf(signs: readonly string[], partners: readonly (number | undefined)[]): Span[] {
  const parts = signs.map(
    (sign, index) => RTL_SIGN.test(sign) || (isBracket(sign) && partners[index] === undefined),
  )
  const cuts = signs.map((_, index) => {
    const partner = partners[index]
    if (parts[index] || partner === undefined) return parts[index]!
    return parts.slice(Math.min(index, partner), Math.max(index, partner)).includes(true)
  })
  let depth = 0
  signs.forEach((sign, index) => {
    if (cuts[index]) return
    if (isOpening(sign)) depth++
    else if (isBracket(sign)) depth--
    else if (depth === 0) {
      const isListMark = (sign === ',' || sign === ';') && (signs[index + 1] ?? ' ') === ' '
      const isLonePlus =
        sign === '+' && (signs[index - 1] ?? ' ') === ' ' && (signs[index + 1] ?? ' ') === ' '
      cuts[index] = isListMark || isLonePlus
    }
  })
  const spans: Span[] = []
  let from = 0
  signs.forEach((_, index) => {
    if (!cuts[index]) return
    spans.push({ from, to: index }, { from: index, to: index + 1 })
    from = index + 1
  })
  return [...spans, { from, to: signs.length }]
}

/**
 * Isolates the run inside a stretch: from its first letter or digit to its last, with what clings to either
 * end.
 */
function stretch(
  signs: readonly string[],
  from: number,
  to: number,
  partners: readonly (number | undefined)[],
): string {
  const text = signs.slice(from, to).join('')
  const cores: number[] = []
  for (let index = from; index < to; index++)
    if (CORE.test(signs[index]!) && !RTL_SIGN.test(signs[index]!)) cores.push(index)
  const [first, last] = [cores[0], cores.at(-1)]
  if (first === undefined || last === undefined) return text

  const widened = withBrackets(signs, { from: first, to: last + 1 }, partners)
  const run = { from: leadingSigns(signs, widened.from, from), to: trailingSigns(signs, widened, to) }
  const inside = signs.slice(run.from, run.to).join('')
  return signs.slice(from, run.from).join('') + isolateRun(inside) + signs.slice(run.to, to).join('')
}

/**
 * An en dash between bare numbers follows the line as its writer saw it; inside a name ('iPhone 10–12') it
 * stays.
 */
function isolateRun(run: string): string {
  if (!run.includes('–') || /[\p{L}()[\]{}]/u.test(run)) return isolate(run)
  return run.replace(/[^–\s](?:[^–]*[^–\s])?/g, isolate)
}

function withBrackets(signs: readonly string[], span: Span, partners: readonly (number | undefined)[]): Span {
  let { from, to } = span
  for (let index = from; index < to; index++) {
    const partner = isBracket(signs[index]) ? partners[index] : undefined
    if (partner === undefined) continue
    from = Math.min(from, partner)
    to = Math.max(to, partner + 1)
  }
  return { from, to }
}

/**
 * Plus or minus of a number, a currency, '#', '@', '*', '.' at the head of a word; not a hyphen or plus that
 * hangs on a Hebrew word.
 */
function leadingSigns(signs: readonly string[], start: number, limit: number): number {
  let from = start
  while (from > limit && /[-+−#@*.$€£₪~]/.test(signs[from - 1] ?? '')) from--
  const startsWord = from === 0 || /[\s([{"'«„“”]/.test(signs[from - 1] ?? '')
  if (startsWord) {
    const isNumber = /[\p{Nd}$€£₪.]/u.test(
      signs.slice(from, start + 1).find((sign) => !/[-+−*]/.test(sign)) ?? '',
    )
    return isNumber || !/[-+−*]/.test(signs[from] ?? '') ? from : start
  }
  // Hanging on a Hebrew word: only the signs right before the run, past the hyphen or plus.
  while (from < start && /[-+−*.~]/.test(signs[from] ?? '')) from++
  return from
}

/**
 * What a firm's name is shortened with, and letters with a point each (U.S.A.): the last point is the word's
 * own.
 */
const SHORTENED = /(?<![\p{L}\p{Nd}])(?:Ltd|Inc|Co|Corp|Bros|Jr|Sr|(?:\p{L}\.)+\p{L})$/iu

/**
 * Per cent, degree, currency, trademark; '#' and '++' after a letter (C#, C++); the last slash of an address;
 * the point of a short form.
 */
function trailingSigns(signs: readonly string[], { from, to: end }: Span, limit: number): number {
  let to = end
  if (LETTER.test(signs[to - 1] ?? '') && to < limit) {
    if (signs[to] === '#') return to + 1
    if (signs[to] === '+' && signs[to + 1] === '+' && to + 1 < limit) return to + 2
    if (signs[to] === '/' && /:\/\/|^www\./i.test(signs.slice(from, to).join(''))) return to + 1
    if (signs[to] === '.' && SHORTENED.test(signs.slice(from, to).join(''))) return to + 1
  }
  while (to < limit && /[%‰°′″$€£₪®™©]/.test(signs[to] ?? '')) to++
  return to
}

function leftToRightLine(line: string): string {
  const firstLetter = /\p{L}/u.exec(line)?.[0]
  if (firstLetter !== undefined && RTL_LETTER.test(firstLetter))
    return RIGHT_TO_LEFT + rightToLeftLine(line) + END
  return line.replace(RTL_PIECE, (piece) => RIGHT_TO_LEFT + rightToLeftLine(piece) + END)
}

/**
 * From a right-to-left letter to the last one before a Latin letter, a bracket or the comma of a list. Behind
 * the colon of a label a comma belongs to the value (a firm's name has some), which is one text whatever it
 * holds.
 */
const RTL_LETTERS = String.raw`[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\u064b-\u0655]`
const RTL_PIECE = new RegExp(
  String.raw`(?<=:\s)${RTL_LETTERS}+(?:[^\p{L}()[\]{}]*${RTL_LETTERS}+)*|${RTL_LETTERS}+(?:(?:(?!, |; )[^\p{L}()[\]{}])*${RTL_LETTERS}+)*`,
  'gu',
)

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

function isOpening(sign: string | undefined): boolean {
  return sign === '(' || sign === '[' || sign === '{'
}

function isBracket(sign: string | undefined): boolean {
  return isOpening(sign) || sign === ')' || sign === ']' || sign === '}'
}

/** For each bracket the index of its partner; undefined when it has none. */
function bracketPartners(signs: readonly string[]): (number | undefined)[] {
  const partners: (number | undefined)[] = signs.map(() => undefined)
  const open: number[] = []
  signs.forEach((sign, index) => {
    if (isOpening(sign)) open.push(index)
    else if (isBracket(sign)) {
      const place = open.findLastIndex((opening) => closers[signs[opening] ?? ''] === sign)
      if (place < 0) return
      const opening = open[place] ?? 0
      open.length = place
      partners[index] = opening
      partners[opening] = index
    }
  })
  return partners
}
