/** Something with a sum that may take part in a match. */
export interface Summed {
  readonly amount: number
}

/**
 * The ways to reach a sum by several of the given (2 to `most` of them), at most `enough` ways: who needs to
 * know only whether there is more than one asks for two. Pass few: the work grows with their number to the
 * power of `most`.
 */
export function waysTo<T extends Summed>(target: number, from: readonly T[], most = 4, enough = 2): T[][] {
  const ways: T[][] = []
  const chosen: T[] = []
  const look = (start: number, left: number) => {
    if (ways.length >= enough) return
    if (left === 0 && chosen.length >= 2) {
      ways.push([...chosen])
      return
    }
    if (chosen.length >= most) return
    for (let i = start; i < from.length; i++) {
      chosen.push(from[i]!)
      look(i + 1, left - from[i]!.amount)
      chosen.pop()
      if (ways.length >= enough) return
    }
  }
  look(0, target)
  return ways
}
