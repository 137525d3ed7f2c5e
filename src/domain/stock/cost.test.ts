import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { move, nothingHeld, revalue, valueByPlace, type Costing, type Held } from './cost.ts'

const said = { agorot: 700, of: 10_000 }
const run = (
  costing: Costing,
  steps: [quantity: number, worth?: number][],
): { held: Held; values: number[]; corrections: number[] } => {
  let held = nothingHeld
  const [values, corrections]: number[][] = [[], []]
  for (const [i, [quantity, worth]] of steps.entries()) {
    const worked = move(
      held,
      { day: '2031-01-01', seq: i + 1, quantity: quantity * 10_000, worth },
      costing,
      said,
    )
    held = worked.held
    values!.push(worked.value)
    corrections!.push(worked.correction)
  }
  return { held, values: values!, corrections: corrections! }
}

describe('what went is worth', () => {
  test.each<[string, Costing, [number, number?][], number[], number, number]>([
    ['the average of what is there', 'average', [[10, 1000], [10, 2000], [-5]], [1000, 2000, -750], 15, 2250],
    ['what came first', 'fifo', [[10, 1000], [10, 2000], [-15]], [1000, 2000, -2000], 5, 1000],
    [
      'all that is left, to the last agora',
      'average',
      [[3, 100], [-1], [-1], [-1]],
      [100, -33, -34, -33],
      0,
      0,
    ],
    ['all of a layer, to the last agora', 'fifo', [[3, 100], [-1], [-1], [-1]], [100, -33, -34, -33], 0, 0],
    ['what the card says where nothing came yet', 'average', [[-2]], [-1400], -2, -1400],
  ])('%s', (_, costing, steps, values, quantity, value) => {
    const worked = run(costing, steps)
    expect(worked.values).toEqual(values)
    expect([worked.held.quantity, worked.held.value]).toEqual([quantity * 10_000, value])
  })

  test('goods that went before they came are put right when it is known what they cost, and what stays costs what it cost', () => {
    for (const costing of ['average', 'fifo'] as const) {
      const { held, corrections } = run(costing, [[-2], [5, 5000]])
      expect(corrections).toEqual([0, -600])
      expect([held.quantity, held.value]).toEqual([30_000, 3000])
    }
  })

  test('what is taken back goes with what it came with', () => {
    const back = (costing: Costing) =>
      move(
        run(costing, [
          [10, 1000],
          [10, 3000],
        ]).held,
        { day: '2031-01-02', seq: 3, quantity: -100_000, worth: 3000, undoes: { day: '2031-01-01', seq: 2 } },
        costing,
        said,
      )
    for (const costing of ['average', 'fifo'] as const)
      expect(back(costing)).toMatchObject({ value: -3000, held: { quantity: 100_000, value: 1000 } })
  })
})

test('in any life nothing is lost: values and corrections are what is held, layers are all of it, and nothing there is worth nothing', () => {
  const step = fc.record({
    quantity: fc.integer({ min: -90_000, max: 90_000 }).filter((one) => one !== 0),
    worth: fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: undefined }),
    day: fc.integer({ min: 1, max: 9 }),
  })
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 30 }),
      fc.constantFrom<Costing>('average', 'fifo'),
      (steps, costing) => {
        let held = nothingHeld
        let [value, quantity] = [0, 0]
        for (const [i, one] of steps.entries()) {
          const worked = move(
            held,
            {
              ...one,
              day: `2031-01-0${one.day}`,
              seq: i + 1,
              worth: one.quantity > 0 ? one.worth : undefined,
            },
            costing,
            said,
          )
          held = worked.held
          value += worked.value + worked.correction
          quantity += one.quantity
          expect([held.value, held.quantity]).toEqual([value, quantity])
          if (held.quantity === 0) expect(held.value).toBe(0)
          if (held.quantity > 0) expect(held.value).toBeGreaterThanOrEqual(0)
          if (costing === 'fifo' && held.quantity >= 0) {
            expect(held.layers.reduce((sum, layer) => sum + layer.quantity, 0)).toBe(held.quantity)
            expect(held.layers.reduce((sum, layer) => sum + layer.value, 0)).toBe(held.value)
          }
        }
      },
    ),
  )
})

test('a sum on what is there stays whole over its layers, and is refused where nothing is there', () => {
  const { held } = run('fifo', [
    [3, 100],
    [2, 50],
  ])
  const more = revalue(held, 7)
  expect(more.value).toBe(157)
  expect(more.layers.reduce((sum, one) => sum + one.value, 0)).toBe(157)
  expect(() => revalue(nothingHeld, 1)).toThrow(RangeError)
  expect(() => revalue(held, -151)).toThrow(RangeError)
})

test('places hold together what an item is worth', () => {
  expect(valueByPlace(100, [10_000, 10_000, 10_000])).toEqual([34, 33, 33])
  expect(valueByPlace(0, [])).toEqual([])
})
