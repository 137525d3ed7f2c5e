import { describe, expect, it } from 'vitest'
import type { Session } from '#kit/describe/session.ts'
import { isPaid } from '#kit/describe/module.ts'
import { access, guard, loginPath, mainPath } from './guard.ts'

const person = (more: Partial<Session> = {}): Session => ({
  UserKey: 'k',
  TypeID: 4,
  subTypeID: 0,
  Name: 'עסק',
  FullName: 'נועה',
  rules: [],
  docsAllow: [],
  IsActiveButton: true,
  HideNavHeader: false,
  HideTotalPrices: false,
  ruleid: 0,
  dealerID: 0,
  ...more,
})
const can = (session: Session, rule: string) =>
  session.rules.length === 0 || session.rules.includes(Number(rule))

describe('the tables of the specification', () => {
  it.each([
    [2, '/afflogin'],
    [4, '/logininvoice'],
    [5, '/logincpa'],
    [6, '/logincpam'],
    [8, '/logintime'],
    [9, '/login'],
    [undefined, '/login'],
    [77, '/login'],
  ])('type %s logs in at %s', (type, path) => expect(loginPath(type)).toBe(path))

  it.each([
    [2, 0, '/invoice/main'],
    [4, 0, '/invoice/main'],
    [5, 0, '/cpa/main'],
    [6, 0, '/cpa/manager'],
    [8, 0, '/time/main'],
    [9, 0, '/worker/main'],
    [9, 1, '/classworker/mainlobby'],
    [4, 1, '/classworker/mainlobby'],
    [9, 2, '/classtreiner/mainclass'],
  ])('type %i sub-type %i begins at %s', (TypeID, subTypeID, path) =>
    expect(mainPath({ TypeID, subTypeID })).toBe(path),
  )
})

describe('the guard', () => {
  it('leads to the own account, before any page that was wanted, who must set up a second factor', () => {
    const session = person({ mustSetFactor: true })
    for (const screen of [{ open: 'login' as const, path: '/invoice/main' }, { open: 'login' as const }])
      expect(guard({ screen, session, can })).toEqual({ kind: 'go', to: '/invoice/account', first: true })
    expect(guard({ screen: { open: 'login', path: '/invoice/account' }, session, can })).toEqual({
      kind: 'open',
    })
    expect(guard({ screen: { open: 'anyone' }, session, can })).toEqual({ kind: 'open' })
  })

  it('opens what is open to anyone, logged in or not', () => {
    expect(guard({ screen: { open: 'anyone' }, session: undefined, can })).toEqual({ kind: 'open' })
    expect(guard({ screen: { open: 'anyone', rule: '9' }, session: person({ rules: [1] }), can })).toEqual({
      kind: 'open',
    })
  })

  it('sends a logged-in person from log-in pages to his main page', () => {
    expect(guard({ screen: { open: 'guest' }, session: undefined, can })).toEqual({ kind: 'open' })
    expect(guard({ screen: { open: 'guest' }, session: person({ TypeID: 8 }), can })).toEqual({
      kind: 'go',
      to: '/time/main',
    })
  })

  it('sends a stranger to log in', () => {
    expect(guard({ screen: { open: 'login' }, session: undefined, can })).toEqual({
      kind: 'go',
      to: '/login',
    })
    expect(guard({ screen: { open: 'login' }, session: undefined, can, lastType: 4 })).toEqual({
      kind: 'go',
      to: '/logininvoice',
    })
  })

  it('says why a screen is shut', () => {
    expect(guard({ screen: { open: 'login', users: [5, 6] }, session: person(), can })).toEqual({
      kind: 'shut',
      why: 'users',
    })
    expect(guard({ screen: { open: 'login', rule: '7' }, session: person({ rules: [6] }), can })).toEqual({
      kind: 'shut',
      why: 'rule',
    })
    expect(guard({ screen: { open: 'login', rule: '7' }, session: person({ rules: [7] }), can })).toEqual({
      kind: 'open',
    })
    expect(guard({ screen: { open: 'login', rule: '7' }, session: person(), can })).toEqual({ kind: 'open' })
    expect(
      guard({
        screen: { open: 'login', module: 'stock' },
        session: person(),
        can,
        modules: new Set(['crm']),
      }),
    ).toEqual({
      kind: 'shut',
      why: 'module',
    })
    expect(
      guard({
        screen: { open: 'login', module: 'stock' },
        session: person(),
        can,
        modules: new Set(['stock']),
      }),
    ).toEqual({
      kind: 'open',
    })
    expect(guard({ screen: { open: 'login', module: 'stock' }, session: person(), can })).toEqual({
      kind: 'open',
    })
  })

  it('asks the menu the same question', () => {
    expect(access({ open: 'login', users: [4] }, person(), can)).toEqual({ kind: 'open' })
    expect(access({ open: 'anyone', rule: '3' }, person({ rules: [1] }), can)).toEqual({
      kind: 'shut',
      why: 'rule',
    })
  })
})

it('knows a paid module', () => {
  const records = [{ pluginid: 3, companyid: 12 }]
  expect(isPaid(records, 3, 12)).toBe(true)
  expect(isPaid(records, 3, 13)).toBe(false)
  expect(isPaid(records, 4, 12)).toBe(false)
  expect(isPaid([{ pluginid: 3, companyid: 0 }], 3, 0)).toBe(false)
})
