import { afterEach, expect, test, vi } from 'vitest'
import { byTurns } from './turns.ts'

afterEach(() => vi.unstubAllEnvs())

const cases = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

test('without a turn all cases run', () => {
  vi.stubEnv('TEST_TURN', undefined)
  expect(byTurns(cases, 3)).toEqual(cases)
})

test.each([
  [7, 3],
  [9, 3],
  [11, 4],
  [3, 1],
  [2, 5],
])('%i cases, %i at a time: the same turn runs the same ones, and enough turns run all', (count, most) => {
  const all = Array.from({ length: count }, (_, i) => i)
  const run = (turn: number) => {
    vi.stubEnv('TEST_TURN', String(turn))
    return byTurns(all, most)
  }
  expect(run(830)).toEqual(run(830))
  expect(new Set(run(830)).size).toBe(Math.min(count, most))
  const turns = Math.ceil(count / most) + 1
  const seen = new Set(Array.from({ length: turns }, (_, i) => run(830 + i)).flat())
  expect([...seen].sort((a, b) => a - b)).toEqual(all)
})
