import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#kit/server/settings.ts'

/** Where a file of the table is. */
export function placeOf(path: string): string {
  const place = join(root, path)
  if (!existsSync(place)) throw new Error(`${path}: there is no such file`)
  return place
}

/** A text of the table as it may occur: the formatter decides where lines break, the table does not. */
const patternOf = (text: string): RegExp =>
  new RegExp(
    text
      .split(/\s+/)
      .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('\\s+'),
    'g',
  )

export const timesIn = (code: string, text: string): number => [...code.matchAll(patternOf(text))].length

export const replacedIn = (code: string, text: string, instead: string): string =>
  code.replace(patternOf(text), () => instead)
