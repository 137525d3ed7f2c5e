/** The parts of the home page that a person may move and put away, in the order they come. */
export const tileNames = ['figures', 'chart', 'waits', 'yours', 'signing', 'ages', 'last'] as const
export type TileName = (typeof tileNames)[number]

export interface Tile {
  name: TileName
  shown: boolean
}

/** The tiles as a person arranged them; tiles added to the product since are at the end, shown. */
export function arrangedTiles(kept: readonly { name: string; shown: boolean }[] | null): Tile[] {
  const known = (kept ?? []).flatMap(({ name, shown }) => (isTile(name) ? [{ name, shown }] : []))
  const seen = new Set<string>()
  const once = known.filter(({ name }) => !seen.has(name) && seen.add(name))
  return [...once, ...tileNames.filter((name) => !seen.has(name)).map((name) => ({ name, shown: true }))]
}

const isTile = (name: string): name is TileName => (tileNames as readonly string[]).includes(name)
