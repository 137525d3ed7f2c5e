import { isolate, isolateRuns } from '#domain/bidi.ts'

/** Read left to right in every language: numbers, dates, phones, links. */
export const code = isolate

/** An address of the web as it is read: without the scheme, left to right. */
export const link = (address: string): string => isolate(address.replace(/^https?:\/\//i, ''))

/** What people typed, made safe for a line of the page's direction. */
export const freeText = isolateRuns

/**
 * Puts values into the holes of a word: fill('עד {date}', { date }). A hole without a value stays visible.
 */
export function fill(word: string, values: Readonly<Record<string, string>>): string {
  return word.replace(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole)
}
