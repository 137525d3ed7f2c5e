import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '#kit/server/settings.ts'
import { partsAt, partsOfRest } from './parts.ts'

/** After how many landings of so many commits a part is run again, at the worst, from any count on. */
function worstGap(part: number, commitsOfLanding: number): number {
  let worst = 0
  for (let from = 1; from <= 20; from++) {
    let landings = 1
    while (!partsAt(from + landings * commitsOfLanding).includes(part)) landings++
    worst = Math.max(worst, landings)
  }
  return worst
}

test.each([3, 4, 5, 6, 7, 8])('each part is run at every fifth landing of %i commits', (commits) => {
  for (let part = 0; part < partsOfRest; part++) expect(worstGap(part, commits)).toBeLessThanOrEqual(5)
})

test('each part is run at eight counts in a row out of twenty', () => {
  for (let part = 0; part < partsOfRest; part++) {
    const runs = Array.from({ length: 40 }, (_, count) =>
      partsAt(count + 1000).includes(part) ? '#' : '.',
    ).join('')
    expect(runs).toMatch(/\.{12}#{8}|#{8}\.{12}/)
  }
})

test('a journey waits for a file through savedBy, whose time begins with the press', () => {
  const folder = join(root, 'tests/journeys')
  const wrong = readdirSync(folder)
    .filter((file) => file.endsWith('.spec.ts'))
    .filter((file) => /waitForEvent\(\s*'download'/.test(readFileSync(join(folder, file), 'utf8')))
  expect(wrong).toEqual([])
})
