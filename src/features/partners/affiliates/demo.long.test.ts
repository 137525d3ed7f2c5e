import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDemo } from '#features/office/demo/endpoints.ts'
import { callAs, startWorld, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
  world.app.settings.development = true
})
afterAll(() => world.close())

test('a developer’s first demo sells the product, and shows whom affiliates brought', async () => {
  const { UserKey: token } = await callAs(world, openDemo, { language: 'he' })
  const shown = await callAs(world, calls.listAffiliates, {}, { token })
  expect(shown).toMatchObject({
    isOperator: true,
    held: [{ reasons: ['sameCard'] }],
    plans: [{ months: 24 }],
  })
  expect(shown.rows.map(({ state, signUps }) => [state, signUps])).toEqual([
    ['asked', 0],
    ['active', 5],
  ])
  expect(shown.rows[1]!.earnedAgorot).toBeGreaterThan(0)
}, 120_000)
