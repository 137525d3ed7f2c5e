import { menuGroups, type MenuGroup, type Screen } from '#kit/describe/screen.ts'
import type { Session } from '#kit/describe/session.ts'
import { access, type Visit } from '../guard.ts'
import type { MenuLink } from './registry.ts'

/** One line of the panel. */
export interface Entry {
  name: string
  href: string
  group: MenuGroup
  icon: string
  order: number
  /** Only under "all screens". */
  more: boolean
  pinned: boolean
  /** Its screen, for fetching ahead; links have none. */
  screen?: Screen | undefined
}

export interface Group {
  name: MenuGroup
  /** In the panel at once. */
  few: Entry[]
  /** Every one, for "all screens". */
  all: Entry[]
}

let screens: readonly Screen[] = []
let links: readonly MenuLink[] = []

/** Told once at the start. */
export function setMenu(of: readonly Screen[], and: readonly MenuLink[]): void {
  screens = of
  links = and
}

export const allScreens = (): readonly Screen[] => screens

/** The page of every screen, by what it is for. */
export const allScreensPath = '/invoice/allscreens'

/** The part at the panel's foot instead of its middle. */
export const footGroups: readonly MenuGroup[] = ['team', 'settings', 'help']

/** The menu of a person: what the person may not open is absent, not grey. */
export function menuOf(
  session: Session,
  can: Visit['can'],
  modules: ReadonlySet<string> | undefined,
  of: readonly Screen[] = screens,
  and: readonly MenuLink[] = links,
): Group[] {
  const entries: Entry[] = [
    ...of.flatMap((screen) =>
      screen.menu && !screen.path.includes('$')
        ? [{ visit: screen, name: screen.name, href: screen.path, menu: screen.menu, screen }]
        : [],
    ),
    ...and.map((link) => ({
      visit: {
        open: 'login' as const,
        users: link.users,
        area: link.area,
        rule: link.rule,
        module: link.module,
      },
      name: link.name,
      href: link.href,
      menu: link.menu,
      screen: undefined,
    })),
  ]
    .filter(({ visit }) => access(withoutHoles(visit), session, can, modules).kind === 'open')
    .map(({ name, href, menu, screen }) => ({
      name,
      href,
      screen,
      group: menu.group,
      icon: menu.icon,
      order: menu.order,
      more: menu.more ?? false,
      pinned: menu.pinned ?? false,
    }))
    .sort((a, b) => a.order - b.order)
  return menuGroups.flatMap((name) => {
    const all = entries.filter((entry) => entry.group === name)
    return all.length > 0 ? [{ name, all, few: all.filter((entry) => !entry.more) }] : []
  })
}

const withoutHoles = ({
  open,
  users,
  area,
  rule,
  module,
}: {
  open: Screen['open']
  users?: readonly number[] | undefined
  area?: string | undefined
  rule?: string | undefined
  module?: string | undefined
}): Visit['screen'] => ({
  open,
  ...(users ? { users } : {}),
  ...(area ? { area } : {}),
  ...(rule ? { rule } : {}),
  ...(module ? { module } : {}),
})

/** So many lines of an open group; the others stand under "all screens". */
export const mostShown = 6

/**
 * The visible lines of a group: starred ones and the present one, frequent ones, then those the screens rank first;
 * in the menu's order.
 */
export function fewOf(
  all: readonly Entry[],
  {
    pins,
    opened,
    here,
  }: { pins: readonly string[]; opened: Readonly<Record<string, number>>; here: string | undefined },
): Entry[] {
  const often = (entry: Entry) => opened[entry.name] ?? 0
  const weight = (entry: Entry) =>
    (entry.name === here ? 2000 : 0) + (pins.includes(entry.name) ? 1000 : 0) + often(entry)
  // A rare one has to be wanted before it takes a place.
  const may = all.filter((entry) => !entry.more || pins.includes(entry.name) || often(entry) > 2)
  const chosen = new Set(may.toSorted((a, b) => weight(b) - weight(a)).slice(0, mostShown))
  return all.filter((entry) => chosen.has(entry))
}

/**
 * The entry whose address is nearest to where one is: the longest path that begins it, a matching query
 * first.
 */
export function currentEntry(groups: readonly Group[], path: string, search: string): Entry | undefined {
  const here = path.toLowerCase()
  let best: { entry: Entry; length: number } | undefined
  for (const { all } of groups)
    for (const entry of all) {
      const [at = '', query] = entry.href.split('?')
      const base = at.toLowerCase()
      if (here !== base && !here.startsWith(`${base}/`)) continue
      if (query && !search.includes(query)) continue
      const length = base.length + (query ? 1000 : 0)
      if (!best || length > best.length) best = { entry, length }
    }
  return best?.entry
}
