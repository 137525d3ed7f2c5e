import { dayInJerusalem } from '#domain/day.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cases, liveCase } from '../../../../tests/orderProperty.ts'
import { startWorld, type World } from '../../../../tests/world.ts'

/* Many random orders under random limits that change; SEED= repeats a run, ORDERS= says how many. */

const runs = Number(process.env.ORDERS ?? 120)
const seed = Number(process.env.SEED ?? 1)
let world: World
/** Noon: in the first hours of a day nothing of that day is due yet. */
const start = new Date(`${dayInJerusalem(new Date())}T09:00:00Z`)
const at = { time: start }

beforeAll(async () => {
  world = await startWorld(() => at.time)
  world.app.settings.testAcquirer = true
})
afterAll(() => world.close())

test('every end is met: happened, waited and approved, rejected, refused when it was ordered', async () => {
  const ends = new Set<string>()
  await fc.assert(
    fc.asyncProperty(cases, async (one) => void ends.add(await liveCase(world, at, start, one))),
    { numRuns: runs, seed, endOnFailure: true },
  )
  expect([...ends].toSorted()).toEqual(['approved', 'happened', 'refused', 'rejected'])
}, 600_000)
