/** A value put into a template: from its dollar to its closing brace. */
export interface Hole {
  start: number
  end: number
  text: string
}

export interface Condition {
  start: number
  end: number
  instead: string
}

const hole = '\u0001'
/** What may come before a value that belongs to the condition. */
const expectsValue =
  /(?:[=<>+\-*/%(,|~!@&]|\[|::|\b(?:and|or|not|in|any|all|like|ilike|between|is|from|then|when|else|case|array|interval|similar|to))\s*$/
/** Words that end a condition where they are not inside brackets. */
const ends = new Set(
  'and or where group order limit offset returning for on union having then else join left right cross inner full lateral window set values do from intersect except'.split(
    ' ',
  ),
)

/**
 * The conditions of an SQL template, each with the text that leaves it out. `given` is the template with its
 * backticks and `at` its place in the file.
 */
export function conditionsIn(given: string, at: number, holes: readonly Hole[]): Condition[] {
  let text = given
  for (const one of holes)
    text = text.slice(0, one.start - at) + hole.repeat(one.end - one.start) + text.slice(one.end - at)
  // Strings and comments hold words, but no conditions.
  text = text
    .replace(/'(?:[^']|'')*'/g, (all) => `'${'x'.repeat(all.length - 2)}'`)
    .replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, (all) => ' '.repeat(all.length))
    .toLowerCase()
  const found: Condition[] = []
  for (const match of text.matchAll(/\b(and|where)\b/g)) {
    const word = match[1]!
    const wordEnd = match.index + word.length
    if (word === 'and' && isOfBetween(text, match.index)) continue
    const end = endOf(text, wordEnd)
    const condition = text.slice(wordEnd, end).trim()
    if (!condition || isQuiet(given.slice(wordEnd, end), condition, holes)) continue
    if (word === 'and') {
      found.push({ start: at + match.index, end: at + end, instead: '' })
      continue
    }
    // The first of several: the next one takes its place.
    const next = /^and\b/.exec(text.slice(end))
    if (next) found.push({ start: at + wordEnd, end: at + end + 3, instead: ' ' })
    else if (/^or\b/.test(text.slice(end))) continue
    else found.push({ start: at + wordEnd, end: at + end, instead: ' true ' })
  }
  return found
}

/** `between a and b` has an `and` that joins no conditions. */
function isOfBetween(text: string, and: number): boolean {
  let depth = 0
  for (const match of [
    ...text.slice(0, and).matchAll(/[()]|\b(?:and|or|where|on|when|between)\b/g),
  ].reverse()) {
    if (match[0] === ')') depth++
    else if (match[0] === '(') {
      if (depth-- === 0) return false
    } else if (depth === 0) return match[0] === 'between'
  }
  return false
}

function endOf(text: string, from: number): number {
  let depth = 0
  let cases = 0
  let betweens = 0
  for (const match of text.slice(from).matchAll(/[()`]|\u0001+|[a-z_]\w*/g)) {
    const place = from + match.index
    const word = match[0]
    if (word === '(') depth++
    else if (word === ')') {
      if (depth-- === 0) return place
    } else if (word === '`') return place
    else if (depth > 0) continue
    else if (word === 'case') cases++
    else if (word === 'end') {
      if (cases-- === 0) return place
    } else if (cases > 0) continue
    else if (word === 'between') betweens++
    else if (word === 'and' && betweens > 0) betweens--
    else if (word === 'from' && /\bdistinct\s*$/.test(text.slice(from, place))) continue
    else if (word === 'left' && text[place + 4] === '(') continue
    else if (word === 'right' && text[place + 5] === '(') continue
    else if (ends.has(word)) return place
    // A separate piece of a query, such as a further condition.
    else if (
      word[0] === hole &&
      text.slice(from, place).trim() &&
      !expectsValue.test(text.slice(from, place))
    )
      return place
  }
  return text.length
}

/**
 * Conditions without which nothing changes: whose business a row is, where row-level security asks the same
 * again. What is asked as the system has no such second wall.
 */
function isQuiet(source: string, condition: string, holes: readonly Hole[]): boolean {
  if (/^true\b/.test(condition)) return true
  // A piece of query alone is a condition somebody else has written.
  if (/^\u0001+$/.test(condition)) return true
  if (!/^(?:\w+\.)?company_id\s*=/.test(condition)) return false
  if (/^(?:\w+\.)?company_id\s*=\s*(?:\w+\.)?company_id$/.test(condition)) return true
  return holes.some(
    ({ text }) => source.includes(`\${${text}}`) && /^(?:ctx|inside|within|c)\.companyId$/.test(text),
  )
}
