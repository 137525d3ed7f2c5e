import { expect, test } from 'vitest'
import type { Screen } from '#kit/describe/screen.ts'
import { defineRules, type Session } from '#kit/describe/session.ts'
import { placeIn } from './company.ts'

defineRules({ 'test.things': 99_001 })

const screen = (path: string, more: Partial<Screen> = {}): Screen => ({
  name: path,
  path,
  open: 'login',
  feature: path.split('/')[2]!,
  load: async () => ({ Screen: undefined }),
  ...more,
})
const screens = [
  screen('/invoice/things', { rule: 'test.things', menu: { group: 'sales', icon: 'x', order: 1 } }),
  screen('/invoice/things/$type', { rule: 'test.things' }),
  screen('/invoice/thing/$id', { feature: 'things', rule: 'test.things' }),
  screen('/invoice/editcompany/$key/$type', { feature: 'settings' }),
]
const from = '01900000-0000-7000-8000-00000000000a'
const to = '01900000-0000-7000-8000-00000000000b'
const at = (pathname: string, search = '', rules: number[] = []) =>
  placeIn(
    { TypeID: 4, subTypeID: 0, rules, docsAllow: [], CompanyKey: to } as unknown as Session,
    { pathname, search },
    from,
    screens,
  )

test('a list, a report or settings stay, with their tab and without their filters', () => {
  expect(at('/invoice/Things', '?tab=2&customer=7')).toBe('/invoice/Things?tab=2')
  expect(at('/invoice/things/8')).toBe('/invoice/things/8')
  expect(at(`/invoice/editcompany/${from}/tax`)).toBe(`/invoice/editcompany/${to}/tax`)
})

test('a single thing of the other business gives way to its list', () => {
  expect(at('/invoice/thing/01900000-0000-7000-8000-00000000000c')).toBe('/invoice/things')
})

test('what he may not open there, and what is unknown, give way to his main page', () => {
  expect(at('/invoice/things', '', [1])).toBe('/invoice/main')
  expect(at('/invoice/nothing')).toBe('/invoice/main')
})
