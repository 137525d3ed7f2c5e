import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldCode, priceBasket, shared, whoOf, type CouponTerms } from './price.ts'

const coupon = (more: Partial<CouponTerms>): CouponTerms => ({
  kind: 'percent',
  value: 1_000,
  itemIds: [],
  leastAgorot: null,
  ...more,
})
const lines = [
  { id: 'a', quantity: 2, priceAgorot: 10_000 },
  { id: 'b', quantity: 1, priceAgorot: 3_333 },
]

describe('a basket', () => {
  test.each<[string, Partial<CouponTerms> | undefined, number, string | undefined]>([
    ['without a coupon', undefined, 23_333, undefined],
    ['a tenth, rounded half up', {}, 23_333 - 2_333, undefined],
    ['a sum', { kind: 'sum', value: 5_000 }, 18_333, undefined],
    ['of one thing alone', { itemIds: ['b'], value: 5_000 }, 23_333 - 1_667, undefined],
    ['no more than the things it is for', { kind: 'sum', value: 9_999, itemIds: ['b'] }, 20_000, undefined],
    ['of a thing that is not there', { itemIds: ['x'] }, 23_333, 'payPages.couponOther'],
    ['under its least sum', { leastAgorot: 23_334 }, 23_333, 'payPages.couponLeast'],
    ['that leaves nothing', { kind: 'sum', value: 23_333 }, 23_333, 'payPages.couponNothingLeft'],
    ['that leaves less than a shekel', { kind: 'sum', value: 23_234 }, 23_333, 'payPages.couponNothingLeft'],
    ['that leaves just a shekel', { kind: 'sum', value: 23_233 }, 100, undefined],
  ])('%s', (_, more, total, trouble) => {
    const priced = priceBasket(lines, more && coupon(more))
    expect({ total: priced.totalAgorot, trouble: priced.trouble }).toEqual({ total, trouble })
  })

  test('comes to the sum of its lines, whatever comes off', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            id: fc.constantFrom('a', 'b', 'c'),
            quantity: fc.integer({ min: 1, max: 50 }),
            priceAgorot: fc.integer({ min: 1, max: 999_999 }),
          }),
          {
            minLength: 1,
            maxLength: 8,
          },
        ),
        fc.record({
          kind: fc.constantFrom('percent' as const, 'sum' as const),
          value: fc.integer({ min: 1, max: 9_999 }),
          itemIds: fc.subarray(['a', 'b', 'c']),
          leastAgorot: fc.option(fc.integer({ min: 1, max: 100_000 })),
        }),
        (basket, terms) => {
          const { grossAgorot, discountAgorot, totalAgorot, discounts } = priceBasket(basket, terms)
          expect(grossAgorot - discountAgorot).toBe(totalAgorot)
          expect(discounts.reduce((a, b) => a + b, 0)).toBe(discountAgorot)
          basket.forEach(({ quantity, priceAgorot }, i) => {
            expect(discounts[i]).toBeGreaterThanOrEqual(0)
            expect(discounts[i]).toBeLessThanOrEqual(quantity * priceAgorot)
          })
          expect(totalAgorot).toBeGreaterThan(0)
        },
      ),
    )
  })

  test('shares nothing where there is nothing to share by', () => expect(shared(5, [0, 0])).toEqual([0, 0]))
})

test.each([
  [' havera ', 'HAVERA'],
  ['Ha-Ve_ra', 'HAVERA'],
  ['ＨＡＶＥＲＡ', 'HAVERA'],
  ['ha\u200fvera', 'HAVERA'],
  ['קיץ 26', 'קיץ26'],
])('a code %j is looked for as %s', (code, folded) => expect(foldCode(code)).toBe(folded))

test.each([
  [{ email: ' A@Example.com ', phone: '050-1234567' }, 'a@example.com'],
  [{ phone: '+972 50-123-4567' }, '0501234567'],
  [{ phone: '12' }, ''],
  [{}, ''],
])('whoever gave %j is %s', (payer, who) => expect(whoOf(payer)).toBe(who))
