import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changedPrice, priceRoundings, roundedPrice, type PriceRule } from './change.ts'
import { priceFor, type PriceFacts, type PriceLine, type PriceList } from './price.ts'

const shekels = (sum: number) => Math.round(sum * 10_000)
const pieces = shekels
const line = (price: number, from = 0, days: Partial<PriceLine> = {}): PriceLine => ({
  price: shekels(price),
  fromQuantity: pieces(from),
  ...days,
})
const list = (name: string, of: Partial<PriceList>): PriceList => ({
  id: name,
  name,
  currency: 'ILS',
  base: 'none',
  changeBp: 0,
  lines: [],
  ...of,
})
const facts = (of: Partial<PriceFacts> = {}): PriceFacts => ({
  item: { price: shekels(100), cost: shekels(60), currency: 'ILS' },
  customerPrices: [],
  ...of,
})
const ask = (quantity = 1, day = '2026-11-20', currency = 'ILS') => ({
  quantity: pieces(quantity),
  day,
  currency,
})
const wholesale = list('wholesale', { lines: [line(90), line(80, 10), line(70, 100)] })

describe('which price wins', () => {
  test.each<[string, Partial<PriceFacts>, ReturnType<typeof ask>, number | undefined, string | undefined]>([
    ['nothing agreed', {}, ask(), 100, 'item'],
    [
      'his own',
      { customerPrices: [{ ...line(50), currency: 'ILS' }], customerList: wholesale, typeList: wholesale },
      ask(),
      50,
      'customer',
    ],
    [
      'his list before that of his type',
      { customerList: wholesale, typeList: list('t', { lines: [line(1)] }) },
      ask(),
      90,
      'customerList',
    ],
    ['his type’s list', { customerList: null, typeList: wholesale }, ask(), 90, 'typeList'],
    [
      'a list silent on the item lets the next speak',
      { customerList: list('x', {}), typeList: wholesale },
      ask(),
      90,
      'typeList',
    ],
    ['just below the break', { customerList: wholesale }, ask(9.9999), 90, 'customerList'],
    ['at the break', { customerList: wholesale }, ask(10), 80, 'customerList'],
    ['far above', { customerList: wholesale }, ask(5000), 70, 'customerList'],
    ['a return is priced as the sale was', { customerList: wholesale }, ask(-10), 80, 'customerList'],
    [
      'his own from ten does not hold for one',
      { customerPrices: [{ ...line(50, 10), currency: 'ILS' }] },
      ask(1),
      100,
      'item',
    ],
    [
      'before its first day',
      { customerList: list('x', { lines: [line(5, 0, { from: '2026-11-21' })] }) },
      ask(),
      100,
      'item',
    ],
    [
      'on its first day',
      { customerList: list('x', { lines: [line(5, 0, { from: '2026-11-20' })] }) },
      ask(),
      5,
      'customerList',
    ],
    [
      'on its last day',
      { customerList: list('x', { lines: [line(5, 0, { to: '2026-11-20' })] }) },
      ask(),
      5,
      'customerList',
    ],
    [
      'after its last day',
      { customerList: list('x', { lines: [line(5, 0, { to: '2026-11-19' })] }) },
      ask(),
      100,
      'item',
    ],
    ['a list that is over', { customerList: { ...wholesale, to: '2026-11-19' } }, ask(), 100, 'item'],
    [
      'the later agreement of two',
      { customerList: list('x', { lines: [line(5), line(7, 0, { from: '2026-11-01' })] }) },
      ask(),
      7,
      'customerList',
    ],
    [
      'per cent off the item',
      { customerList: list('x', { base: 'item', changeBp: -1250 }) },
      ask(),
      87.5,
      'customerList',
    ],
    [
      'per cent on the cost',
      { customerList: list('x', { base: 'cost', changeBp: 3333 }) },
      ask(),
      79.998,
      'customerList',
    ],
    [
      'an item without a cost',
      { item: { price: 1, cost: null, currency: 'ILS' }, customerList: list('x', { base: 'cost' }) },
      ask(),
      0.0001,
      'item',
    ],
    [
      'per cent off another list',
      { customerList: list('x', { base: 'list', baseList: wholesale, changeBp: -1000 }) },
      ask(10),
      72,
      'customerList',
    ],
    [
      'its own line before its rule',
      { customerList: list('x', { base: 'item', changeBp: -5000, lines: [line(99)] }) },
      ask(),
      99,
      'customerList',
    ],
    [
      'another currency is no price',
      { customerPrices: [{ ...line(5), currency: 'USD' }] },
      ask(),
      100,
      'item',
    ],
    [
      'a list in dollars, a document in dollars',
      { customerList: { ...wholesale, currency: 'USD' } },
      ask(1, '2026-11-20', 'USD'),
      90,
      'customerList',
    ],
    [
      'a list in dollars says nothing of shekels',
      { customerList: { ...wholesale, currency: 'USD' } },
      ask(),
      100,
      'item',
    ],
    [
      'a rule never converts',
      { customerList: list('x', { currency: 'USD', base: 'item' }) },
      ask(1, '2026-11-20', 'USD'),
      undefined,
      undefined,
    ],
    ['no price in dollars', {}, ask(1, '2026-11-20', 'USD'), undefined, undefined],
  ])('%s', (_name, of, asked, price, kind) => {
    const found = priceFor(facts(of), asked)
    expect(found?.price).toBe(price === undefined ? undefined : shekels(price))
    expect(found?.source.kind).toBe(kind)
  })

  test('says the list, the break and the rule it came from', () => {
    expect(priceFor(facts({ customerList: wholesale }), ask(12))?.source).toEqual({
      kind: 'customerList',
      list: { id: 'wholesale', name: 'wholesale' },
      fromQuantity: pieces(10),
    })
    expect(priceFor(facts({ typeList: list('t', { base: 'item', changeBp: -500 }) }), ask())?.source).toEqual(
      {
        kind: 'typeList',
        list: { id: 't', name: 't' },
        changeBp: -500,
      },
    )
  })

  test('lists that stand on each other in a ring have no price', () => {
    const ring = list('a', { base: 'list' })
    ring.baseList = list('b', { base: 'list', baseList: ring })
    expect(priceFor(facts({ customerList: ring }), ask())?.source.kind).toBe('item')
  })
})

const anyPrice = fc.integer({ min: 0, max: 10_000_000_000 })
const anyLines = fc.array(
  fc.record({ price: anyPrice, fromQuantity: fc.integer({ min: 0, max: 1_000_000 }) }),
  { maxLength: 8 },
)

test('with breaks that fall, more is never dearer, and the order of the lines does not matter', () => {
  fc.assert(
    fc.property(anyLines, fc.nat(2_000_000), fc.nat(2_000_000), (lines, one, other) => {
      const falling = [...lines]
        .sort((left, right) => left.fromQuantity - right.fromQuantity)
        .map((at, i, all) => ({ ...at, price: Math.min(...all.slice(0, i + 1).map(({ price }) => price)) }))
      const top = { ...facts(), item: { price: 10_000_000_000, cost: null, currency: 'ILS' } }
      const price = (quantity: number, of: PriceLine[]) =>
        priceFor(
          { ...top, customerList: list('x', { lines: of }) },
          { quantity, day: '2026-01-01', currency: 'ILS' },
        )!.price
      const [less, more] = one < other ? [one, other] : [other, one]
      expect(price(more, falling)).toBeLessThanOrEqual(price(less, falling))
      expect(price(more, falling.toReversed())).toBe(price(more, falling))
    }),
  )
})

describe('a change of many prices', () => {
  test.each<[number, PriceRule['change'], PriceRule['rounding'], number]>([
    [100, { basisPoints: 1000 }, 'none', 110],
    [33.33, { basisPoints: 1000 }, 'none', 36.663],
    [33.33, { basisPoints: 1000 }, 'agora', 36.66],
    [33.33, { basisPoints: 1000 }, 'tenth', 36.7],
    [33.33, { basisPoints: 1000 }, 'half', 36.5],
    [33.33, { basisPoints: 1000 }, 'whole', 37],
    [33.33, { basisPoints: 1000 }, 'ninety', 36.9],
    [36.3, { basisPoints: 0 }, 'ninety', 35.9],
    [36.4, { basisPoints: 0 }, 'ninety', 36.9],
    [36.4, { basisPoints: 0 }, 'ninetyNine', 35.99],
    [0.2, { basisPoints: 0 }, 'ninety', 0.9],
    [0, { basisPoints: 5000 }, 'ninety', 0],
    [10, { sum: shekels(-12) }, 'none', 0],
    [10, { sum: shekels(2.5) }, 'whole', 13],
  ])('%d by %j to %s is %d', (price, by, rounding, after) => {
    expect(changedPrice(shekels(price), { change: by, rounding })).toBe(shekels(after))
  })
  test('rounding twice is rounding once, and never moves a price further than its step', () => {
    fc.assert(
      fc.property(anyPrice, fc.constantFrom(...priceRoundings), (price, rounding) => {
        const once = roundedPrice(price, rounding, 'halfAwayFromZero')
        expect(roundedPrice(once, rounding, 'halfAwayFromZero')).toBe(once)
        expect(once).toBeGreaterThanOrEqual(0)
        if (price >= 10_000) expect(Math.abs(once - price)).toBeLessThanOrEqual(5_000)
      }),
    )
  })
})
