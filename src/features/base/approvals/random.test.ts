import { dayInJerusalem } from '#domain/day.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cases, liveCase } from '../../../../tests/orderProperty.ts'
import { startWorld, type World } from '../../../../tests/world.ts'

/* A handful of random orders under random limits that change; random.long.test.ts lives many more. */

let world: World
/** Noon: in the first hours of a day nothing of that day is due yet. */
const start = new Date(`${dayInJerusalem(new Date())}T09:00:00Z`)
const at = { time: start }

beforeAll(async () => {
  world = await startWorld(() => at.time)
  world.app.settings.testAcquirer = true
})
afterAll(() => world.close())

test('what happens is within the limits of then and of now, the rest waits, and approved it happens once', async () => {
  const ends = new Set<string>()
  await fc.assert(
    fc.asyncProperty(cases, async (one) => void ends.add(await liveCase(world, at, start, one))),
    { numRuns: 15, seed: 442, endOnFailure: true },
  )
  expect(ends.size).toBeGreaterThan(1)
}, 120_000)
