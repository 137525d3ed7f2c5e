/**
 * An area is a part of the product that a business uses or does not (projects, letters, donations, …). A
 * feature declares it beside its rules; what asks for one of these rules (calls, screens, reports, tabs,
 * links of the menu, lines of the table of rights) is off everywhere while the area is.
 */
export interface Area {
  /** Words: `areas.<name>` and `areas.<name>.text`. */
  name: string
  /** The rules that only this area is about. */
  rules: readonly string[]
  /** What a business does that its calls answer for, unless it turned the area off. */
  fits: readonly Trade[]
  /** What a business does whose menu has it from the first day; `always` for every kind but the exempt dealer. */
  begins: readonly Trade[] | 'always'
  /** Tables whose rows of a business mean that it uses the area, and then it stays in the menu. */
  rows?: readonly (string | { table: string; column: string; in: readonly number[] })[]
  /** Of few trades: off until a business turns it on, also where it never said what it does. */
  isAsked?: boolean
  /** Where it begins. */
  href: string
  /** The smaller, the earlier in the list of switches. */
  order: number
}

/** What a business does, as it is asked at its first steps. Words: `modules.trades.<name>`. */
export const trades = [
  'services',
  'contractor',
  'shop',
  'studio',
  'office',
  'committee',
  'nonProfit',
] as const
export type Trade = (typeof trades)[number]

const areas = new Map<string, Area>()
const byRule = new Map<string, string>()

export function defineArea(name: string, area: Omit<Area, 'name'>): void {
  for (const rule of area.rules) {
    const other = byRule.get(rule)
    if (other !== undefined && other !== name) throw new Error(`rule ${rule} is of the area ${other}`)
    byRule.set(rule, name)
  }
  areas.set(name, { ...area, name })
}

export const allAreas = (): Area[] => [...areas.values()].toSorted((a, b) => a.order - b.order)

/** The area a rule belongs to; most belong to none and are always there. */
export const areaOf = (rule: string | undefined): string | undefined =>
  rule === undefined ? undefined : byRule.get(rule)

/**
 * What a business has said: what it does (null: not asked yet, and then everything is on), and each switch it
 * turned itself.
 */
export interface AreaChoice {
  trades: readonly string[] | null
  switched: Readonly<Record<string, boolean>>
}

export const isAreaOn = (
  { name, fits, rules, isAsked = false }: Area,
  { trades: does, switched }: AreaChoice,
): boolean =>
  switched[name] ??
  // An area without rules refuses nothing: it is a part of the menu alone.
  (does === null || rules.length === 0 ? !isAsked : fits.some((trade) => does.includes(trade)))

/** What decides whether an area is in the menu. */
export interface AreaFacts extends AreaChoice {
  /** The legal kind of the business. */
  kind: string
  /** Areas in which it has rows. */
  used: readonly string[]
}

/** Whether an area is in the menu: turned on, in use, or a part of what the business does. */
export function isAreaShown(area: Area, facts: AreaFacts): boolean {
  if (!isAreaOn(area, facts)) return false
  const { kind, used, switched } = facts
  const trades = facts.trades ?? (kind === 'nonProfit' ? ['nonProfit'] : [])
  const begins =
    area.begins === 'always' ? kind !== 'exemptDealer' : area.begins.some((trade) => trades.includes(trade))
  return switched[area.name] ?? (begins || used.includes(area.name))
}

export const areasHidden = (facts: AreaFacts): string[] =>
  allAreas()
    .filter((area) => !isAreaShown(area, facts))
    .map(({ name }) => name)

export const areasOff = (choice: AreaChoice): string[] =>
  allAreas()
    .filter((area) => !isAreaOn(area, choice))
    .map(({ name }) => name)
