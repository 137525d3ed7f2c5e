import type { Findable } from '../parts/rank.ts'
import type { Entry } from './menu.ts'

/** A line of the menu as search sees it: its name, what people call it, then its purpose and its place. */
export function findableOf(t: (key: string) => string, { name, group, more }: Entry, use = 0): Findable {
  const said = (key: string) => {
    const word = t(key)
    return word === key ? '' : word
  }
  return {
    name: t(`screens.${name}`),
    terms: said(`terms.${name}`),
    also: `${t(`menu.${group}`)} ${said(`screensFor.${name}`)}`,
    use,
    rare: more,
  }
}
