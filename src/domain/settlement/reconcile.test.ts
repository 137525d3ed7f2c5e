import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { owedByDay, reconcileDay, type OwnDeal, type ToldDeal } from './reconcile.ts'

const told = (more: Partial<ToldDeal> = {}): ToldDeal => ({
  uid: 'u1',
  agorot: 10_000,
  currency: 'ILS',
  last4: '4242',
  approval: 'A1',
  ...more,
})
const own = (more: Partial<OwnDeal> = {}): OwnDeal => ({
  id: 'c1',
  uid: 'u1',
  keys: ['k1'],
  agorot: 10_000,
  currency: 'ILS',
  last4: '4242',
  approval: 'A1',
  isOfDay: true,
  ...more,
})
const said = (t: ToldDeal[], o: OwnDeal[]) =>
  reconcileDay(t, o).map(({ is, told: a, own: b }) => [is, a?.uid ?? null, b?.id ?? null])

describe('a day', () => {
  test.each<[string, ToldDeal[], OwnDeal[], unknown[]]>([
    ['by their number', [told()], [own()], [['matched', 'u1', 'c1']]],
    ['by our reference', [told({ uid: 'x', key: 'k1' })], [own()], [['matched', 'x', 'c1']]],
    ['by sum, card and approval', [told({ uid: 'x' })], [own({ uid: '' })], [['matched', 'x', 'c1']]],
    ['another sum', [told({ agorot: 10_001 })], [own()], [['sum', 'u1', 'c1']]],
    ['another currency', [told({ currency: 'USD' })], [own()], [['currency', 'u1', 'c1']]],
    ['a deal we know nothing of', [told({ uid: 'x', approval: 'B' })], [], [['unknown', 'x', null]]],
    ['a charge they do not tell of', [], [own()], [['missing', null, 'c1']]],
    ['a charge of the day beside is not missed', [], [own({ isOfDay: false })], []],
    ['a charge of the day beside is found', [told()], [own({ isOfDay: false })], [['matched', 'u1', 'c1']]],
    [
      'told twice',
      [told(), told()],
      [own()],
      [
        ['matched', 'u1', 'c1'],
        ['unknown', 'u1', null],
      ],
    ],
    [
      'money back is not a charge',
      [told({ agorot: -10_000 })],
      [own()],
      [
        ['unknown', 'u1', null],
        ['missing', null, 'c1'],
      ],
    ],
  ])('%s', (_, t, o, want) => expect(said(t, o)).toEqual(want))

  test('takes each deal and each charge once, and leaves none out', () => {
    const deal = fc.record({
      uid: fc.constantFrom('a', 'b', 'c'),
      agorot: fc.constantFrom(100, 200, -100),
      last4: fc.constantFrom('1111', '2222'),
    })
    fc.assert(
      fc.property(fc.array(deal, { maxLength: 8 }), fc.array(deal, { maxLength: 8 }), (a, b) => {
        const ours = b.map((one, i) => own({ ...one, id: String(i), keys: [] }))
        const compared = reconcileDay(
          a.map((one) => told(one)),
          ours,
        )
        expect(compared.filter(({ told: x }) => x)).toHaveLength(a.length)
        expect(new Set(compared.flatMap(({ own: x }) => (x ? [x.id] : []))).size).toBe(ours.length)
      }),
    )
  })
})

describe('what is owed', () => {
  test('the oldest days are paid first, and all of it is somewhere', () => {
    const days = [
      { day: '2026-05-02', charged: 500, refunded: 0 },
      { day: '2026-05-01', charged: 1_000, refunded: 200 },
      { day: '2026-05-03', charged: 0, refunded: 300 },
    ]
    expect(owedByDay(days, 900).map(({ day, carried, owed }) => [day, carried, owed])).toEqual([
      ['2026-05-01', 800, 0],
      ['2026-05-02', 400, 100],
      ['2026-05-03', -300, 0],
    ])
  })

  test.each([0, 900, 1_000, 1_500])('what is owed in all after %i came is what the books say', (carried) => {
    const rows = owedByDay(
      [
        { day: '2026-05-01', charged: 1_000, refunded: 200 },
        { day: '2026-05-02', charged: 500, refunded: 0 },
        { day: '2026-07-03', charged: 0, refunded: 300 },
      ],
      carried,
    )
    const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + of(row), 0)
    expect(sum(({ owed }) => owed)).toBe(1_000 - carried)
    expect(sum((row) => row.carried)).toBe(carried)
    expect(rows.every((row) => row.charged - row.refunded - row.carried === row.owed)).toBe(true)
  })
})
