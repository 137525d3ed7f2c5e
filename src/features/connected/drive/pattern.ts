/** What a folder pattern may ask for. */
export const patternParts = ['year', 'month', 'day', 'type', 'customer'] as const
export type PatternFacts = Record<(typeof patternParts)[number], string>

/** Whether every brace holds a part that is known, and the whole makes at most six folders. */
export const isPattern = (pattern: string): boolean =>
  pattern.trim() !== '' &&
  pattern.split('/').length <= 6 &&
  !/[{}]/.test(pattern.replace(new RegExp(`\\{(${patternParts.join('|')})\\}`, 'g'), ''))

// Signs that no system can keep in a name, marks that turn the direction of a name round, and spaces that
// hide at its ends.
const unwanted = /[\u0000-\u001f\u007f<>:"\\|?*\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/**
 * A name that every system can keep: no separators, no marks of direction, nothing that means the folder
 * itself or the one above.
 */
export function nameOf(text: string, most = 100): string {
  const name = text
    .normalize('NFC')
    .replaceAll('/', '-')
    .replace(unwanted, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  return [...name].slice(0, most).join('').trim() || '-'
}

/** The folders of a thing, outermost first; what the pattern says besides its parts is kept as it is. */
export const foldersOf = (pattern: string, facts: PatternFacts): string[] =>
  pattern
    .split('/')
    .map((part) =>
      part.replace(/\{(\w+)\}/g, (_, name: string) => (facts as Record<string, string>)[name] ?? ''),
    )
    .filter((part) => part.trim() !== '')
    .map((part) => nameOf(part, 60))
