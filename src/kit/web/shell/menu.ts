import { menuGroups, type MenuGroup, type Screen } from '#kit/describe/screen.ts'
import { allPlaces, lackOf, placeOf, type Lack, type Place } from '#kit/describe/places.ts'
import type { Session } from '#kit/describe/session.ts'
import { access, type Visit } from '../session/guard.ts'
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
  /** Whether it is a screen or a view of one. */
  place: Place
}

export interface Group {
  name: MenuGroup
  /** Screens and their tabs, for "all screens". */
  listed: Entry[]
  /** Every one, for the search. */
  all: Entry[]
}

/** What a person could open and a menu does not show, and what it needs. */
export interface Offer {
  entry: Entry
  lack: Lack
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

/** Every line this person may open, in order: what they may not open is absent, not grey. */
function openEntries(
  session: Session,
  can: Visit['can'],
  modules: ReadonlySet<string> | undefined,
  of: readonly Screen[],
  and: readonly MenuLink[],
): Entry[] {
  return [
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
      place: placeOf(name),
    }))
    .sort((a, b) => a.order - b.order)
}

/** The menu of a person: what the business is, does and uses. */
export function menuOf(
  session: Session,
  can: Visit['can'],
  modules: ReadonlySet<string> | undefined,
  of: readonly Screen[] = screens,
  and: readonly MenuLink[] = links,
): Group[] {
  const entries = openEntries(session, can, modules, of, and).filter(
    ({ name }) => lackOf(name, session) === undefined,
  )
  // A view whose screen a person may not open is a screen for them.
  const bases = new Set(entries.map(({ name }) => name))
  const isListed = ({ place }: Entry) => place.as === 'screen' || place.as === 'tab' || !bases.has(place.base)
  return menuGroups.flatMap((name) => {
    const all = entries.filter((entry) => entry.group === name)
    return all.length > 0 ? [{ name, all, listed: all.filter(isListed) }] : []
  })
}

/** What search offers beside the menu: screens of areas that are off, and those the law denies this business. */
export function offersOf(
  session: Session,
  can: Visit['can'],
  modules: ReadonlySet<string> | undefined,
  of: readonly Screen[] = screens,
  and: readonly MenuLink[] = links,
): Offer[] {
  // Areas that are off are closed to `can`; whether they may be turned on is another question.
  const withAll = { ...session, areasOff: [] }
  return openEntries(withAll, can, modules, of, and).flatMap((entry) => {
    const lack = lackOf(entry.name, session)
    return lack && !lack.kinds.some((kind) => ofPeople.has(kind)) ? [{ entry, lack }] : []
  })
}

/** Kinds of people: another kind of person has the screen, and nothing can be turned on. */
const ofPeople = new Set(['worker', 'trainer', 'office', 'planner', 'reader'])

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

/** The groups of the panel, in its order. Words: `menu.<name>`. */
export const sideGroups = [
  'today',
  'office',
  'work',
  'donations',
  'building',
  'classes',
  'sales',
  'stock',
  'money',
  'purchases',
  'taxes',
  'books',
  'manage',
] as const
export type SideGroup = (typeof sideGroups)[number]

/**
 * The lines of each group, the most wanted first; a line is in the first group of `claims` that has it. A group with
 * `needs` is there while the person sees that line.
 */
const sides: Record<SideGroup, { lines: string; needs?: string }> = {
  today: { lines: 'home calendar lobby tasks mainTime timeTeam interactions files' },
  office: { lines: 'mainCpa mainCpam' },
  work: { lines: 'mainWorker expensesArea trainerDay trainerWeek' },
  donations: {
    lines: 'donationReceipts customers retainers documents letters',
    needs: 'donationReceipts',
  },
  building: { lines: 'vaadPayMonth vaadExtra customers retainers letters receipts', needs: 'vaadPayMonth' },
  classes: { lines: 'classKinds classGroups customers retainers leads', needs: 'classGroups' },
  sales: {
    lines:
      'documents quotes customers leads projects items orders priceLists letters signRequests shops storage outsideDocuments pestCustomers classKinds vaadPayMonth',
  },
  stock: { lines: 'items storage stocktaking purchaseDocuments serialsSearch', needs: 'storage' },
  money: { lines: 'ageing payments paymentKeys retainers historyPayments bankList' },
  purchases: { lines: 'expenses papers suppliers supplierDue masavRun fixedAssets' },
  taxes: { lines: 'vat reportAdvance report102 openFormat income profitLoss allReports budget' },
  books: { lines: 'accounts entries bankMatching trialBalance profitLoss periods', needs: 'accounts' },
  manage: { lines: 'cpaOnline settings questions' },
}
/** Groups of a trade or a way of working come before the general ones. */
const claims: readonly SideGroup[] = ['donations', 'building', 'classes', 'stock', 'books', ...sideGroups]
/** Which groups dissolve into the general ones when there are more than fit. */
const dissolve: readonly SideGroup[] = ['stock', 'classes', 'building', 'donations', 'books']

export const mostGroups = 7
export const mostLines = 6

export interface Side {
  name: SideGroup
  entries: Entry[]
}

/** The panel: at most seven groups of at most six lines. In a full group the least opened lines are left out. */
export function sideOf(
  groups: readonly Group[],
  opened: Readonly<Record<string, number>> = {},
  without: readonly SideGroup[] = [],
): Side[] {
  const all = new Map(groups.flatMap((group) => group.all.map((entry) => [entry.name, entry])))
  const taken = new Set<string>()
  const found = new Map<SideGroup, Entry[]>()
  for (const name of new Set(claims)) {
    const { lines, needs } = sides[name]
    if (without.includes(name) || (needs && !all.has(needs))) continue
    const entries = lines
      .split(' ')
      .flatMap((line) => all.get(line) ?? [])
      .filter((entry) => !taken.has(entry.name))
    for (const entry of entries) taken.add(entry.name)
    if (entries.length > 0) found.set(name, fewOf(entries, opened))
  }
  const tooMany = found.size > mostGroups && dissolve.find((name) => found.has(name))
  if (tooMany) return sideOf(groups, opened, [...without, tooMany])
  return sideGroups.flatMap((name) => {
    const entries = found.get(name)
    return entries ? [{ name, entries }] : []
  })
}

/** At most six lines: the often opened push out the last ones; the order stays. */
export function fewOf(lines: readonly Entry[], opened: Readonly<Record<string, number>>): Entry[] {
  const often = ({ name }: Entry) => opened[name] ?? 0
  const chosen = new Set(lines.toSorted((a, b) => often(b) - often(a)).slice(0, mostLines))
  return lines.filter((entry) => chosen.has(entry))
}

/** The row of views over a page: its screen and the tabs of it that this person has; empty for a lone screen. */
export function viewsOf(name: string, session: Session, can: Visit['can']): { name: string; href: string }[] {
  const { base, as } = placeOf(name)
  if (as === 'action' || as === 'entry') return []
  const family = (one: Place) =>
    one.base === base && (one.as === 'screen' || one.as === 'tab' || one.name === name)
  const found = [
    ...screens.map((screen) => ({ ...screen, href: screen.path })),
    ...links.map((link) => ({ ...link, open: 'login' as const })),
  ].filter(
    (one) =>
      !one.href.includes('$') &&
      family(placeOf(one.name)) &&
      (one.name === name || lackOf(one.name, session) === undefined) &&
      access(withoutHoles(one), session, can).kind === 'open',
  )
  // In the order of the table.
  const order = allPlaces().map((place) => place.name)
  return found.length > 1
    ? found
        .map(({ name, href }) => ({ name, href }))
        .toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
    : []
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
