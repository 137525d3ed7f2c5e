/**
 * The parts of a message that stand on the screen as they are written, in their order: what gaps are filled
 * with is not known, and of a plural each form stands for itself. One list for each way the message may look.
 */
export function literalsOf(message: string): string[][] {
  const plural = /^\s*\{\s*\w+\s*,\s*(?:plural|select|selectordinal)\s*,([\s\S]*)\}\s*$/.exec(message)
  if (plural) return formsOf(plural[1]!).flatMap(literalsOf)
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const sign of message) {
    if (sign === '{' && depth++ === 0) {
      parts.push(part)
      part = ''
    } else if (sign === '}' && depth > 0) depth--
    else if (depth === 0) part += sign
  }
  parts.push(part)
  const kept = parts
    .flatMap((one) => one.split('#'))
    .map(plainly)
    .filter((one) => one.length > 1)
  return kept.length ? [kept] : []
}

/** `one {…} other {…}`: the text between the braces. */
function formsOf(forms: string): string[] {
  const found: string[] = []
  let depth = 0
  let from = 0
  for (let i = 0; i < forms.length; i++) {
    if (forms[i] === '{' && depth++ === 0) from = i + 1
    else if (forms[i] === '}' && --depth === 0) found.push(forms.slice(from, i))
  }
  return found
}

export const plainly = (text: string): string => text.replace(/\s+/g, ' ').trim()

/**
 * Whether a text on the screen is this message: its parts in their order, and little else where it has no
 * gap.
 */
export function isSaidIn(text: string, literals: readonly string[], hasGaps: boolean): boolean {
  const on = plainly(text)
  if (!hasGaps) return on === literals[0]
  let at = 0
  for (const one of literals) {
    const found = on.indexOf(one, at)
    if (found < 0) return false
    at = found + one.length
  }
  return true
}
