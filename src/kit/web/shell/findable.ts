import type { Findable } from '../parts/rank.ts'
import type { Entry } from './menu.ts'

/** A line of the menu as search sees it: its name, then its purpose and its place. */
export function findableOf(t: (key: string) => string, { name, group, more }: Entry, use = 0): Findable {
  const purpose = t(`screensFor.${name}`)
  return {
    name: t(`screens.${name}`),
    also: `${t(`menu.${group}`)} ${purpose.startsWith('screensFor.') ? '' : purpose}`,
    use,
    rare: more,
  }
}
