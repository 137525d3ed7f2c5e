import { expect, it } from 'vitest'
import type { Screen } from '#kit/describe/screen.ts'
import type { Session } from '#kit/describe/session.ts'
import { currentEntry, fewOf, menuOf, mostLines, offersOf, sideOf } from './menu.ts'

const person = { UserKey: 'k', TypeID: 4, subTypeID: 0, rules: [1], docsAllow: [] } as unknown as Session
const can = (session: Session, rule: string) => session.rules.includes(Number(rule))
const screen = (name: string, path: string, more: Partial<Screen> = {}): Screen => ({
  name,
  path,
  open: 'login',
  feature: 't',
  load: async () => ({ Screen: null }),
  ...more,
})
const at = (
  group: Screen['menu'] & {} extends { group: infer G } ? G : never,
  order: number,
  more = false,
) => ({
  menu: { group, icon: 'x', order, more },
})

const screens = [
  screen('main', '/invoice/main', at('home', 1)),
  screen('late', '/invoice/documents', { ...at('sales', 2), rule: '1' }),
  screen('secret', '/invoice/secret', { ...at('sales', 1), rule: '2' }),
  screen('letters', '/invoice/letters', at('sales', 9, true)),
  screen('one', '/invoice/documents/$id'),
  screen('cpa', '/cpa/main', { ...at('home', 0), users: [5] }),
]
const links = [
  {
    name: 'drafts',
    href: '/invoice/documents?view=drafts',
    menu: { group: 'sales' as const, icon: 'x', order: 3 },
  },
]
const groups = menuOf(person, can, undefined, screens, links)

it('shows what the person may open, in order', () => {
  expect(
    groups.map(({ name, listed, all }) => [name, listed.map((e) => e.name), all.map((e) => e.name)]),
  ).toEqual([
    ['home', ['main'], ['main']],
    ['sales', ['late', 'drafts', 'letters'], ['late', 'drafts', 'letters']],
  ])
})

it('knows which line one is at', () => {
  expect(currentEntry(groups, '/invoice/Documents', '')?.name).toBe('late')
  expect(currentEntry(groups, '/invoice/documents', '?view=drafts')?.name).toBe('drafts')
  expect(currentEntry(groups, '/invoice/documents/8', '')?.name).toBe('late')
  expect(currentEntry(groups, '/invoice/elsewhere', '')).toBeUndefined()
})

it('shows six lines of a group: what one opens pushes out the last ones, in the same order', () => {
  const many = menuOf(
    person,
    can,
    undefined,
    Array.from({ length: 14 }, (_, i) => screen(`s${i}`, `/invoice/s${i}`, at('books', i))),
    [],
  )[0]!.all
  const names = (opened: Record<string, number>) => fewOf(many, opened).map(({ name }) => name)
  expect(names({})).toEqual(['s0', 's1', 's2', 's3', 's4', 's5'])
  expect(names({ s9: 3, s12: 1 })).toEqual(['s0', 's1', 's2', 's3', 's9', 's12'])
  expect(names(Object.fromEntries(many.map(({ name }) => [name, 1])))).toHaveLength(mostLines)
})

const owner = { ...person, rules: [] }
const all = () => true
const real = [
  screen('home', '/invoice/main', at('home', 1)),
  screen('projects', '/invoice/projectItems', at('stock', 1)),
  screen('projectsReport', '/invoice/reportprojects', at('reports', 2)),
  screen('vat', '/invoice/reportvat', at('tax', 1)),
]

it('hides a screen of an area that is not in use, with its views, and offers it', () => {
  const without = { ...owner, areasHidden: ['projects'] }
  expect(
    menuOf(without, all, undefined, real, []).flatMap((group) => group.all.map(({ name }) => name)),
  ).toEqual(['home', 'vat'])
  expect(
    offersOf(without, all, undefined, real, []).map(({ entry, lack }) => [
      entry.name,
      lack.areas,
      lack.kinds,
    ]),
  ).toEqual([
    ['projects', ['projects'], []],
    ['projectsReport', ['projects'], []],
  ])
  expect(offersOf(owner, all, undefined, real, [])).toEqual([])
})

it('knows what the law denies a kind of business', () => {
  const exempt = { ...owner, businessKind: 'exemptDealer' }
  expect(
    offersOf(exempt, all, undefined, real, []).map(({ entry, lack }) => [entry.name, lack.kinds]),
  ).toEqual([['vat', ['vat']]])
})

it('puts a line into one group of the panel', () => {
  const sides = sideOf(menuOf(owner, all, undefined, real, []))
  expect(sides.map(({ name, entries }) => [name, entries.map((entry) => entry.name)])).toEqual([
    ['today', ['home']],
    ['sales', ['projects']],
    ['taxes', ['vat']],
  ])
})
