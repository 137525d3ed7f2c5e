import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { secondsOf } from './timings.ts'

/** The longest files first, so that no process is left with a long one at the end. TEST_SHUFFLE names a seed for a random order. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seed = Number(process.env.TEST_SHUFFLE ?? 0)
    const rank = (file: TestSpecification): number => {
      const name = relative(process.cwd(), file.moduleId)
      if (!seed) return secondsOf(name)
      let hash = seed
      for (const sign of name) hash = Math.imul(hash ^ sign.codePointAt(0)!, 0x01000193) >>> 0
      return hash
    }
    return [...files].sort((a, b) => rank(b) - rank(a) || (a.moduleId < b.moduleId ? -1 : 1))
  }
}
