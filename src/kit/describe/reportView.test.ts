import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { day, money, number, text } from '#kit/fields/field.ts'
import type { ReportAnswer, ReportRow } from './report.ts'
import {
  againstBudget,
  arranged,
  compared,
  paramsOf,
  totalsOf,
  viewFrom,
  viewParams,
  type ReportView,
} from './reportView.ts'

const answerOf = (rows: ReportRow[], more: Partial<ReportAnswer['shape']> = {}): ReportAnswer => ({
  shape: {
    name: 'sales',
    words: 'sales',
    columns: {
      customer: text(),
      agent: text(),
      day: day(),
      count: number(),
      netAgorot: money(),
      totalAgorot: money({ main: true } as object),
    },
    filters: {},
    totals: ['count', 'netAgorot', 'totalAgorot'],
    ...more,
  },
  filters: {},
  rows,
  totals: totalsOf(['count', 'netAgorot', 'totalAgorot'], rows),
  checks: [{ name: 'whole', ok: true }],
})
const row = (customer: string, agent: string, netAgorot: number): ReportRow => ({
  customer,
  agent,
  day: '2026-03-01',
  count: 1,
  netAgorot,
  totalAgorot: netAgorot * 2,
})
const rows = [
  row('מאפייה', 'דן', 300),
  row('סטודיו', 'רות', 100),
  row('חנות ״אור״', 'דן', 200),
  row('מאפייה', 'רות', 50),
]
const pick = ({ rows: shown }: ReportAnswer) => shown.map(({ customer, netAgorot }) => [customer, netAgorot])

describe('a view in an address', () => {
  const views: ReportView[] = [
    {},
    { cols: ['a', 'b'] },
    { group: 'agent', order: { column: 'netAgorot', descending: true }, find: 'דן', vs: 'previousYear' },
    { order: { column: 'day', descending: false } },
  ]
  test.each(views)('%j comes back as it went', (view) => {
    const params = Object.fromEntries(
      Object.entries(paramsOf(view)).filter(([, value]) => value !== undefined),
    )
    expect(viewFrom(params)).toEqual(view)
  })
  test('what makes no sense is left out', () =>
    expect(viewFrom({ vs: 'tomorrow', cols: ',,', order: ['x'], find: '', from: '2026-01-01' })).toEqual({
      cols: [],
    }))
  test('every part has a parameter of its own', () =>
    expect(Object.keys(paramsOf({}))).toEqual([...viewParams]))
})

describe('a report under a view', () => {
  test('nothing asked, nothing changed', () => expect(arranged(answerOf(rows), {})).toEqual(answerOf(rows)))

  test('columns that are chosen, in their order; an unknown one is none', () => {
    const shown = arranged(answerOf(rows), { cols: ['totalAgorot', 'weather', 'customer'] })
    expect(Object.keys(shown.shape.columns)).toEqual(['totalAgorot', 'customer'])
    expect(shown.shape.totals).toEqual(['totalAgorot'])
    expect(Object.keys(arranged(answerOf(rows), { cols: ['weather'] }).shape.columns)).toHaveLength(6)
  })

  test('sorted by words and by figures, the empty last', () => {
    expect(
      pick(arranged(answerOf(rows), { order: { column: 'netAgorot', descending: true } })).map(
        ([, net]) => net,
      ),
    ).toEqual([300, 200, 100, 50])
    const holed = answerOf([{ ...rows[0]!, customer: null }, rows[1]!, rows[0]!])
    for (const descending of [true, false])
      expect(pick(arranged(holed, { order: { column: 'customer', descending } })).at(-1)![0]).toBeNull()
  })

  test('gathered, in the order in which groups first come, and the column of the group is shown', () => {
    const shown = arranged(answerOf(rows), {
      group: 'customer',
      order: { column: 'netAgorot', descending: false },
      cols: ['netAgorot'],
    })
    expect(pick(shown)).toEqual([
      ['מאפייה', 50],
      ['מאפייה', 300],
      ['סטודיו', 100],
      ['חנות ״אור״', 200],
    ])
    expect(shown.shape.group).toBe('customer')
    expect(Object.keys(shown.shape.columns)).toEqual(['customer', 'netAgorot'])
    expect(arranged(answerOf(rows), { group: 'netAgorot' }).shape.group).toBeUndefined()
  })

  test('found words: as people type them; totals are of what is shown, and checks of the whole are silent', () => {
    const shown = arranged(answerOf(rows), { find: 'אור דן' })
    expect(pick(shown)).toEqual([['חנות ״אור״', 200]])
    expect(shown.totals).toEqual({ count: 1, netAgorot: 200, totalAgorot: 400 })
    expect(shown.checks).toEqual([])
  })

  test('a ledger keeps its order', () => {
    const ledger = answerOf([{ ...row('', '', 10), sum: true }, ...rows])
    expect(
      arranged(ledger, { order: { column: 'netAgorot', descending: true }, group: 'agent' }).rows,
    ).toEqual(ledger.rows)
  })

  test('whatever is asked, no row is lost, made or changed, and totals are the sums of rows', () => {
    const oneRow = fc.record({
      customer: fc.constantFrom('א', 'ב', 'ג', ''),
      agent: fc.constantFrom('x', 'y', null),
      day: fc.constant('2026-01-01'),
      count: fc.nat(5),
      netAgorot: fc.integer({ min: -1000, max: 1000 }),
      totalAgorot: fc.integer({ min: -1000, max: 1000 }),
    })
    fc.assert(
      fc.property(
        fc.array(oneRow, { maxLength: 30 }),
        fc.constantFrom('customer', 'agent', undefined),
        fc.constantFrom('customer', 'netAgorot', 'agent', undefined),
        fc.boolean(),
        (some, group, column, descending) => {
          const view = { ...(group ? { group } : {}), ...(column ? { order: { column, descending } } : {}) }
          const shown = arranged(answerOf(some), view)
          const key = (one: ReportRow) => JSON.stringify(one)
          expect(shown.rows.map(key).toSorted()).toEqual(some.map(key).toSorted())
          expect(shown.totals).toEqual(totalsOf(['count', 'netAgorot', 'totalAgorot'], shown.rows))
          if (group) {
            const names = shown.rows.map((one) => String(one[group] ?? ''))
            expect(names.filter((name, i) => i === 0 || names[i - 1] !== name)).toHaveLength(
              new Set(names).size,
            )
          }
        },
      ),
    )
  })
})

test('beside another period: joined by name, what was only then comes at the end, and the changes make the change of the whole', () => {
  const now = answerOf([row('א', 'דן', 300), row('ב', 'דן', 100)])
  const then = answerOf([row('א', 'דן', 200), row('ג', 'רות', 50)])
  const both = compared(now, then, ['customer'], { before: '2025', change: '±' })
  expect(
    both.rows.map(({ customer, totalAgorot, vsBefore, vsChange, vsPercent }) => [
      customer,
      totalAgorot,
      vsBefore,
      vsChange,
      vsPercent,
    ]),
  ).toEqual([
    ['א', 600, 400, 200, 5_000],
    ['ב', 200, 0, 200, null],
    ['ג', 0, 100, -100, -10_000],
  ])
  expect(both.totals).toMatchObject({ totalAgorot: 800, vsBefore: 500, vsChange: 300 })
  expect(both.shape.columns.vsBefore).toMatchObject({ kind: 'money', heading: '2025' })
})

test('what was only then and had several lines comes once, with all it came to', () => {
  const then = answerOf([row('ג', 'רות', 50), row('ג', 'דן', 30)])
  const both = compared(answerOf([row('א', 'דן', 300)]), then, ['customer'], { before: '2025', change: '±' })
  expect(both.rows.map(({ customer, vsBefore }) => [customer, vsBefore])).toEqual([
    ['א', 0],
    ['ג', 160],
  ])
})

test('beside a budget: rows of one account stand against one sum, lines between are left alone, what did not come has a line', () => {
  const of = (name: string, account: string | null, netAgorot: number): ReportRow => ({
    ...row(name, 'דן', netAgorot),
    account,
  })
  const now = answerOf([
    of('א', 'x', 300),
    of('ב', 'x', 100),
    { ...of('סה״כ', 'x', 400), sum: true },
    of('ג', null, 50),
    of('ד', 'y', 10),
  ])
  const budget = new Map([
    ['x', 1_000],
    ['z', 70],
  ])
  const both = againstBudget(
    now,
    { account: 'account', budget, missing: [of('ה', 'z', 0)] },
    { before: 'תקציב', change: '±' },
  )
  expect(
    both.rows.map(({ customer, totalAgorot, vsBefore, vsChange, vsPercent }) => [
      customer,
      totalAgorot,
      vsBefore,
      vsChange,
      vsPercent,
    ]),
  ).toEqual([
    ['א', 600, 1_000, 800 - 1_000, -2_000],
    ['ב', 200, undefined, undefined, undefined],
    ['סה״כ', 800, undefined, undefined, undefined],
    ['ג', 100, undefined, undefined, undefined],
    ['ד', 20, 0, 20, null],
    ['ה', 0, 70, -70, -10_000],
  ])
  expect(both.shape.columns.vsBefore).toMatchObject({ heading: 'תקציב' })
  expect(both.totals).toMatchObject({ vsBefore: 1_070 })
})
