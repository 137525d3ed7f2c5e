import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { allAreas, areasHidden, areasOff, type Trade } from '#kit/describe/area.ts'
import { allPlaces, areasOfPlaces, placeOf } from '#kit/describe/places.ts'
import { settingsGroups, type Screen } from '#kit/describe/screen.ts'
import { allRules, can, type Session } from '#kit/describe/session.ts'
import { featurePlaces } from '#kit/server/features.ts'
import { root } from '#kit/server/settings.ts'
import { wordsOf } from '#kit/server/words.ts'
import { menuOf, mostGroups, mostLines, offersOf, setMenu, sideOf, viewsOf } from '#kit/web/shell/menu.ts'
import type { MenuLink } from '#kit/web/shell/registry.ts'
import '../src/features.ts'

/** How much each kind of owner meets: the counts that the product promises. */
const files = featurePlaces()
  .map(({ path }) => join(root, path, 'web/screens.ts'))
  .filter(existsSync)
const given = await Promise.all(
  files.map(
    async (file) => (await import(pathToFileURL(file).href)) as { screens: Screen[]; links?: MenuLink[] },
  ),
)
const screens = given.flatMap(({ screens }) => screens)
const links = given.flatMap(({ links = [] }) => links)
setMenu(screens, links)

interface Person {
  kind: string
  trades: Trade[] | null
  /** Areas with rows, and those turned on. */
  used?: string[]
  on?: string[]
}
function sessionOf({ kind, trades, used = [], on = [] }: Person): Session {
  const choice = { trades, switched: Object.fromEntries(on.map((area) => [area, true])) }
  return {
    UserKey: 'k',
    TypeID: 4,
    subTypeID: 0,
    rules: [],
    docsAllow: [],
    businessKind: kind,
    areasOff: areasOff(choice),
    areasHidden: areasHidden({ ...choice, kind, used }),
  } as unknown as Session
}
const ruleNumber = (rule: string): number => {
  const number = allRules().get(rule)
  if (number === undefined) throw new Error(`no such rule: ${rule}`)
  return number
}
const books = ['books', 'assets', 'withholding', 'masav']

const owners: Record<string, { person: Person; most: number }> = {
  'an exempt dealer': { person: { kind: 'exemptDealer', trades: ['services'] }, most: 45 },
  'an exempt dealer who was not asked yet': { person: { kind: 'exemptDealer', trades: null }, most: 45 },
  'a carpenter': { person: { kind: 'licensedDealer', trades: ['contractor'] }, most: 60 },
  'a company that keeps its books': {
    person: { kind: 'company', trades: ['contractor'], used: ['cards', 'standingOrders'], on: books },
    most: 110,
  },
  'a non-profit': { person: { kind: 'nonProfit', trades: ['nonProfit'] }, most: 60 },
  'a studio': {
    person: { kind: 'licensedDealer', trades: ['studio'], used: ['cards', 'savedCards'] },
    most: 80,
  },
  'a building committee': { person: { kind: 'nonProfit', trades: ['committee'] }, most: 60 },
  'a shop': { person: { kind: 'licensedDealer', trades: ['shop'], used: ['cards'] }, most: 70 },
}

describe.each(Object.entries(owners))('%s', (_, { person, most }) => {
  const session = sessionOf(person)
  const groups = menuOf(session, can, undefined)
  const sides = sideOf(groups)

  test(`reaches at most ${most} screens`, () => {
    const listed = groups.flatMap(({ listed }) => listed.map(({ name }) => name))
    const filters = sides.flatMap(({ entries }) => entries).filter(({ place }) => place.as === 'filter')
    const count = listed.length + settingsGroups.length + filters.length
    if (process.env.SAY)
      console.log(_, sides.length, sides.flatMap(({ entries }) => entries).length, count, listed.join(' '))
    expect(count, listed.join(' ')).toBeLessThanOrEqual(most)
  })

  test('has at most seven groups of at most six lines, and no line twice', () => {
    expect(sides.length).toBeLessThanOrEqual(mostGroups)
    for (const { name, entries } of sides) expect([name, entries.length <= mostLines]).toEqual([name, true])
    for (const language of ['he', 'en', 'ar', 'ru', 'fr'] as const) {
      const words = wordsOf(language)
      const labels = sides.flatMap(({ entries }) => entries.map(({ name }) => words[`screens.${name}`]!))
      expect(labels.filter((label, at) => labels.indexOf(label) !== at)).toEqual([])
    }
  })

  test('has at most six tabs over a screen', () => {
    for (const { name, place } of groups.flatMap(({ all }) => all))
      if (place.as === 'screen') {
        const views = viewsOf(name, session, can)
        expect([name, views.length <= 6, views.map((view) => view.name)]).toEqual([
          name,
          true,
          views.map((view) => view.name),
        ])
      }
  })

  test('loses nothing: what is in no menu is offered', () => {
    const everything = menuOf(
      { ...session, areasOff: [], areasHidden: [], businessKind: 'company' },
      can,
      undefined,
    )
    const reached = new Set([
      ...groups.flatMap(({ all }) => all.map(({ name }) => name)),
      ...offersOf(session, can, undefined).map(({ entry }) => entry.name),
    ])
    expect(
      everything.flatMap(({ all }) => all.map(({ name }) => name)).filter((name) => !reached.has(name)),
    ).toEqual([])
  })
})

/** People of a business with few rights; each studio has all three. */
const people: Record<string, { rules: string[]; most: number }> = {
  'a worker': { rules: ['tasks.see', 'tasks.change', 'time.clock', 'expenses.enter'], most: 10 },
  'a trainer': { rules: ['calendar.own'], most: 10 },
  'a person at the desk': {
    rules: ['calendar.desk', 'calendar.see', 'customers.see'],
    most: 12,
  },
}
test.each(Object.entries(people))('%s meets few screens, in few groups', (_, { rules, most }) => {
  const owner = sessionOf({ kind: 'licensedDealer', trades: ['studio'], on: ['time'] })
  const session = { ...owner, TypeID: 8, rules: rules.map((rule) => ruleNumber(rule)) }
  const groups = menuOf(session, can, undefined)
  const names = groups.flatMap(({ listed }) => listed.map(({ name }) => name))
  expect([names.length <= most, names]).toEqual([true, names])
  expect(names.length).toBeGreaterThan(1)
  const sides = sideOf(groups)
  expect(sides.length).toBeLessThanOrEqual(4)
  for (const { entries } of sides) expect(entries.length).toBeLessThanOrEqual(mostLines)
})

test('an exempt dealer meets no screen of VAT', () => {
  const session = sessionOf(owners['an exempt dealer']!.person)
  const names = menuOf(session, can, undefined).flatMap(({ all }) => all.map(({ name }) => name))
  for (const name of ['vat', 'reportPcn', 'vatGate', 'taxInvoices', 'vatCodes', 'israelTax'])
    expect(names).not.toContain(name)
})

test('bookkeeping is in no menu of an owner who does not keep the books', () => {
  const session = sessionOf(owners['a carpenter']!.person)
  const names = menuOf(session, can, undefined).flatMap(({ all }) => all.map(({ name }) => name))
  for (const name of ['accounts', 'entries', 'trialBalance', 'periods', 'balanceSheet'])
    expect(names).not.toContain(name)
})

test('the table names every line of the menu, and nothing that is not there', () => {
  const known = new Set([...screens, ...links].map(({ name }) => name))
  expect(
    allPlaces()
      .filter(({ name }) => !known.has(name))
      .map(({ name }) => name),
  ).toEqual([])
  const inTable = new Set(allPlaces().map(({ name }) => name))
  const lines = [...screens.filter(({ menu }) => menu), ...links].map(({ name }) => name)
  expect(lines.filter((name) => !inTable.has(name))).toEqual([])
  for (const { name, base } of allPlaces()) expect([name, placeOf(base).as]).toEqual([name, 'screen'])
})

test('the table and the switches know the same areas', () => {
  const areas = allAreas().map(({ name }) => name)
  expect(areasOfPlaces().filter((area) => !areas.includes(area))).toEqual([])
  // Parts of a settings page or of a document: they hide no screen.
  expect(areas.filter((area) => !areasOfPlaces().includes(area))).toEqual([])
})

test('what a person turns on is in the menu, and a part of the product in use stays there', () => {
  const carpenter: Person = { kind: 'licensedDealer', trades: ['contractor'] }
  const has = (person: Person, name: string) =>
    menuOf(sessionOf(person), can, undefined).some(({ all }) => all.some((entry) => entry.name === name))
  expect(has(carpenter, 'calendar')).toBe(false)
  expect(has({ ...carpenter, on: ['calendar'] }, 'calendar')).toBe(true)
  expect(has(carpenter, 'standingOrders')).toBe(false)
  expect(has({ ...carpenter, used: ['standingOrders'] }, 'retainers')).toBe(true)
})

test('every entry of the settings is on the page of settings', () => {
  const isInHub = ({ settings, menu }: Screen) =>
    (settings?.length ?? 0) > 0 || menu?.group === 'settings' || menu?.group === 'team'
  const entries = new Set(
    allPlaces()
      .filter(({ as }) => as === 'entry')
      .map(({ name }) => name),
  )
  expect(
    screens
      .filter((one) => entries.has(one.name) && !one.path.includes('$') && !isInHub(one))
      .map(({ name }) => name),
  ).toEqual([])
})
