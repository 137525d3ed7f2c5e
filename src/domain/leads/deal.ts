/** Among whom leads are dealt, and how: in turn, or to the person who has the fewest. */
export interface DealRule {
  id: string
  sourceId: string | null
  kindId: string | null
  /** Towns it is for; all when empty. Compared as `fold` leaves them. */
  cities: readonly string[]
  how: 'turn' | 'load'
  people: readonly string[]
  /** Whose turn it was last. */
  lastPerson: string | null
}

export interface DealtLead {
  id: string
  sourceId: string | null
  kindId: string | null
  city: string
}

export interface Dealt {
  leadId: string
  to: string
  ruleId: string
}

/**
 * Deals leads one after another: each by the first rule that fits it and has somebody who is there. `loads`:
 * how many open leads each has now; what is dealt counts at once. Answers whom each goes to; a lead no rule
 * fits goes to nobody.
 */
export function deal(
  leads: readonly DealtLead[],
  rules: readonly DealRule[],
  loads: ReadonlyMap<string, number>,
  away: ReadonlySet<string>,
): Dealt[] {
  const load = new Map(loads)
  const last = new Map(rules.map((rule) => [rule.id, rule.lastPerson]))
  const dealt: Dealt[] = []
  for (const lead of leads) {
    for (const rule of rules) {
      const fits =
        (rule.sourceId === null || rule.sourceId === lead.sourceId) &&
        (rule.kindId === null || rule.kindId === lead.kindId) &&
        (rule.cities.length === 0 || rule.cities.includes(lead.city))
      const there = fits ? rule.people.filter((one) => !away.has(one)) : []
      if (there.length === 0) continue
      const to =
        rule.how === 'load' ? fewest(there, load) : following(rule.people, last.get(rule.id) ?? null, away)
      last.set(rule.id, to)
      load.set(to, (load.get(to) ?? 0) + 1)
      dealt.push({ leadId: lead.id, to, ruleId: rule.id })
      break
    }
  }
  return dealt
}

/** The first of those with the fewest. */
const fewest = (people: readonly string[], load: ReadonlyMap<string, number>): string =>
  people.reduce((best, one) => ((load.get(one) ?? 0) < (load.get(best) ?? 0) ? one : best))

/** The next in turn after a person, skipping absent ones; the first when that person is not in the list any more. */
function following(people: readonly string[], last: string | null, away: ReadonlySet<string>): string {
  const from = last === null ? -1 : people.indexOf(last)
  const turned = [...people.slice(from + 1), ...people.slice(0, from + 1)]
  return turned.find((one) => !away.has(one))!
}
