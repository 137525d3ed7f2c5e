import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { businessKinds, chargesVat, type BusinessKind } from '#domain/documents/kinds.ts'
import { expectedOf, openShop, outcomeOf, paidOn, wayNames, ways, type Sale, type Way } from './paidOnline.ts'
import { startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld(() => paidOn)
})
afterAll(() => world.close())

const kinds = Object.keys(businessKinds) as BusinessKind[]

/* Random sales; SEED= repeats a run, PAYMENTS= says how many. */

/** A business, a way of being paid, and what is sold: any price, taxed or not. */
const sales = fc
  .tuple(
    fc.constantFrom(...kinds),
    fc.constantFrom(...wayNames),
    fc.integer({ min: 300, max: 5_000_000 }),
    fc.boolean(),
  )
  .filter(([kind, name]) => ways[name].pays !== 'invoice' || chargesVat(kind))
  .map(([kind, name, agorot, isTaxed]): { kind: BusinessKind; name: keyof typeof ways; sale: Sale } => ({
    kind,
    name,
    sale: { agorot, vat: (ways[name] as Way).sells ?? (isTaxed ? 'in' : 'without') },
  }))

test('whatever is sold, to whomever and in whatever way, the document, the VAT report and the books say what was sold', async () => {
  await fc.assert(
    fc.asyncProperty(sales, async ({ kind, name, sale }) => {
      const shop = await openShop(world, kind)
      const way: Way = ways[name]
      await way.pay(shop, sale)
      const outcome = await outcomeOf(shop)
      if (name === 'parts of a payment request') {
        // Each part is rounded separately.
        const { books, report: _, sold: __, ...same } = expectedOf(kind, way, sale, 2)
        expect(outcome).toMatchObject(same)
        expect(outcome.books.income + outcome.books.vat).toBe(sale.agorot)
        expect(outcome.sold).toEqual({ net: outcome.books.income, vat: outcome.books.vat })
        expect(Math.abs(outcome.books.vat - books.vat)).toBeLessThanOrEqual(1)
      } else expect(outcome).toEqual(expectedOf(kind, way, sale))
    }),
    { numRuns: Number(process.env.PAYMENTS ?? 120), seed: Number(process.env.SEED ?? 1), endOnFailure: true },
  )
}, 300_000)
