/*
 * Which tabs the page of one thing has: at most six, and the rest behind "More". A line is a tab; a tab with parts (after
 * the colon) shows a switch of them. The page, its test and the features that register a tab read this table. What the
 * table does not name is behind "More".
 */
const table = `
customers
  details
  documents
  money: payments reminders prices
  regular: standingOrders cards passes
  timeline: timeline tasks letters signing
  contacts: contacts addresses
  more: files ledger outside pest activity
suppliers
  details
  expenses
  withholding
  bank
  more: files card activity
items
  details
  prices
  movements
  more: variants pictures
projects
  details
  documents
  expenses
priceLists
  details
  buyers
documents
  paper
  payments
  sending
  more: files entries history
expenses
  lines
  payments
  more: files entries history
`

/** The most tabs a page of one thing has, without "More". */
export const mostTabs = 6
/** The most parts of a tab: they share one row on a phone. */
export const mostParts = 4

export interface CardPlaces {
  tabs: { key: string; parts: string[] }[]
  more: string[]
}

const cards = new Map<string, CardPlaces>()
for (const line of table.split('\n')) {
  const [, indent = '', key, parts] = /^( *)(\w+)(?:: (.*))?$/.exec(line) ?? []
  if (!key) continue
  if (!indent) {
    cards.set(key, { tabs: [], more: [] })
    continue
  }
  const card = [...cards.values()].at(-1)!
  if (key === 'more') card.more.push(...parts!.split(' '))
  else card.tabs.push({ key, parts: parts?.split(' ') ?? [key] })
}

export const allCards = (): ReadonlyMap<string, CardPlaces> => cards

/**
 * The tabs of a card of which these parts are there, in the order of the table. A tab without any part is left out, and
 * one with a single part is that part.
 */
export function cardPlaces(card: string, there: readonly string[]): CardPlaces {
  const given = cards.get(card) ?? { tabs: [], more: [] }
  const tabs = given.tabs
    .map(({ key, parts }) => ({ key, parts: parts.filter((part) => there.includes(part)) }))
    .filter(({ parts }) => parts.length > 0)
    .map(({ key, parts }) => (parts.length === 1 ? { key: parts[0]!, parts } : { key, parts }))
  const placed = tabs.flatMap(({ parts }) => parts)
  const rest = there.filter((part) => !placed.includes(part))
  const place = (part: string) => (given.more.includes(part) ? given.more.indexOf(part) : given.more.length)
  return { tabs, more: rest.toSorted((a, b) => place(a) - place(b)) }
}
