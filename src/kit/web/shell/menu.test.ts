import { expect, it } from 'vitest'
import type { Screen } from '#kit/describe/screen.ts'
import type { Session } from '#kit/describe/session.ts'
import { currentEntry, fewOf, menuOf, mostShown } from './menu.ts'

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
  expect(groups.map(({ name, few, all }) => [name, few.map((e) => e.name), all.map((e) => e.name)])).toEqual([
    ['home', ['main'], ['main']],
    ['sales', ['late', 'drafts'], ['late', 'drafts', 'letters']],
  ])
})

it('knows which line one is at', () => {
  expect(currentEntry(groups, '/invoice/Documents', '')?.name).toBe('late')
  expect(currentEntry(groups, '/invoice/documents', '?view=drafts')?.name).toBe('drafts')
  expect(currentEntry(groups, '/invoice/documents/8', '')?.name).toBe('late')
  expect(currentEntry(groups, '/invoice/elsewhere', '')).toBeUndefined()
})

it('shows six lines of a group: the stars, where one is and what one opens before the declared order, in that order', () => {
  const many = menuOf(
    person,
    can,
    undefined,
    Array.from({ length: 14 }, (_, i) => screen(`s${i}`, `/invoice/s${i}`, at('books', i, i > 9))),
    [],
  )[0]!.all
  const names = (pins: string[], opened: Record<string, number>, here?: string) =>
    fewOf(many, { pins, opened, here }).map(({ name }) => name)
  expect(names([], {})).toEqual(['s0', 's1', 's2', 's3', 's4', 's5'])
  expect(names(['s12'], { s9: 3 }, 's8')).toEqual(['s0', 's1', 's2', 's8', 's9', 's12'])
  // A rare one that was looked at once does not push another away.
  expect(names([], { s11: 2 })).not.toContain('s11')
  expect(names([], { s11: 3 })).toContain('s11')
  expect(
    names(
      many.map(({ name }) => name),
      {},
    ),
  ).toHaveLength(mostShown)
})
