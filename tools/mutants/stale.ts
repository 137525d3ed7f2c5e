import { readFileSync } from 'node:fs'
import { placeOf, timesIn } from './places.ts'
import { mutants, type Mutant } from './table.ts'

/** What no longer fits the source in the table of mutants: a text that is gone or ambiguous, a file or test that moved. */
export function staleMutants(chosen: readonly Mutant[] = mutants): string[] {
  return chosen.flatMap(({ file, text, instead, tests }) => {
    try {
      tests.map(placeOf)
      const count = timesIn(readFileSync(placeOf(file), 'utf8'), text)
      return [
        ...(count === 1 ? [] : [`${file}: ‘${text}’ occurs there ${count} times`]),
        ...(text === instead ? [`${file}: ‘${text}’ is not changed`] : []),
      ]
    } catch (e) {
      return [(e as Error).message]
    }
  })
}
