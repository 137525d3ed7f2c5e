/**
 * Shares the room of columns of words by what stands in them: the person who needs less than his part leaves the
 * rest to the others, and what is left over goes to all by what they need. Nobody gets less than his least.
 */
export function shareRoom(room: number, columns: readonly { need: number; least: number }[]): number[] {
  const needs = columns.map(({ need, least }) => Math.max(need, least))
  const total = needs.reduce((sum, need) => sum + need, 0)
  if (total <= room) return needs.map((need) => need + ((room - total) * need) / total)
  const given = columns.map(() => 0)
  let open = columns.map((_, i) => i)
  let left = room
  // The modest ones first: each round, the person who fits into an equal part has all he needs.
  for (;;) {
    const part = left / open.length
    const modest = open.filter((i) => needs[i]! <= part)
    if (modest.length === 0 || open.length === 0) break
    for (const i of modest) {
      given[i] = needs[i]!
      left -= needs[i]!
    }
    open = open.filter((i) => !modest.includes(i))
  }
  for (const i of open) given[i] = Math.max(left / open.length, columns[i]!.least)
  return given
}
