/**
 * The cases of a long walk that run this time: all of them, unless the suite sets a turn (`npm test`, by the number of
 * commits); then so many, and the next ones with the next commit, so that every case runs within a few landings. The
 * same commit always runs the same cases.
 */
export function byTurns<T>(cases: readonly T[], most: number): readonly T[] {
  const turn = process.env.TEST_TURN
  if (turn === undefined || cases.length <= most) return cases
  const begin = (Number(turn) * most) % cases.length
  return cases.map((_, i) => cases[(begin + i) % cases.length]!).slice(0, most)
}
