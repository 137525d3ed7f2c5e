/**
 * Shares the width of text columns by their content: a column that needs less than its part leaves the rest to the
 * others, and what is left over is distributed by need. No column gets less than its minimum.
 */
export function shareRoom(room: number, columns: readonly { need: number; least: number }[]): number[] {
  const needs = columns.map(({ need, least }) => Math.max(need, least))
  const total = needs.reduce((sum, need) => sum + need, 0)
  if (total <= room) return needs.map((need) => need + ((room - total) * need) / total)
  const given = columns.map(() => 0)
  let open = columns.map((_, i) => i)
  let left = room
  // Small columns first: each round, those that fit into an equal part get all they need.
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
