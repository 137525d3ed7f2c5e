import { expect, test, vi } from 'vitest'
import { CallFailure, networkErrorCode } from '#kit/web/calls/caller.ts'
import type { DocumentInput } from '../../endpoints.ts'
import { makeKeeper, shownState, type Keeping } from './keeper.ts'

const input = (subject: string) => ({ type: 8, subject, lines: [] }) as DocumentInput
const away = () => new CallFailure({ code: networkErrorCode, status: 0 })

function stage() {
  const sent: unknown[] = []
  let fails: unknown[] = []
  let timer: (() => void) | undefined
  const said: Keeping['state'][] = []
  let keys = 0
  const answer = async (what: unknown) => {
    sent.push(what)
    const failure = fails.shift()
    if (failure) throw failure
    return { id: 'd1' }
  }
  const keeper = makeKeeper({
    create: (content, key) => answer(['create', content.subject, key]),
    change: (id, content) => answer(['change', id, content.subject]),
    newKey: () => `k${++keys}`,
    now: () => new Date('2026-11-20T10:42:00Z'),
    after: (_ms, deed) => {
      timer = deed
      return () => (timer = undefined)
    },
    tell: ({ state }) => said.push(state),
  })
  return {
    keeper,
    sent,
    said,
    fail: (...list: unknown[]) => (fails = list),
    rest: async () => (timer?.(), await vi.waitFor(() => expect(keeper.now().state).not.toBe('saving'))),
  }
}

test('the first save makes the draft, the next ones change it', async () => {
  const { keeper, sent, said, rest } = stage()
  keeper.touch(input('a'))
  keeper.touch(input('ab'))
  await rest()
  keeper.touch(input('abc'))
  expect(await keeper.flush()).toBe('d1')
  expect(sent).toEqual([
    ['create', 'ab', 'k1'],
    ['change', 'd1', 'abc'],
  ])
  expect(said.at(-1)).toBe('saved')
})

test('a making without an answer is repeated as it was, and what came after follows', async () => {
  const { keeper, sent, fail } = stage()
  fail(away())
  keeper.touch(input('a'))
  await expect(keeper.flush()).rejects.toThrow()
  expect(keeper.now().state).toBe('offline')
  keeper.touch(input('b'))
  await keeper.flush()
  expect(sent).toEqual([
    ['create', 'a', 'k1'],
    ['create', 'a', 'k1'],
    ['change', 'd1', 'b'],
  ])
})

test('a refusal is said, and the next try is another making', async () => {
  const { keeper, sent, fail } = stage()
  fail(new CallFailure({ code: 'kit.badInput', status: 422 }))
  keeper.touch(input('a'))
  await expect(keeper.flush()).rejects.toThrow()
  expect(keeper.now()).toMatchObject({ state: 'refused', id: undefined })
  keeper.touch(input('b'))
  await keeper.flush()
  expect(sent.at(-1)).toEqual(['create', 'b', 'k2'])
})

test('what is typed while a save runs is saved after it', async () => {
  const { keeper, sent } = stage()
  keeper.touch(input('a'))
  const first = keeper.flush()
  keeper.touch(input('b'))
  await Promise.all([first, keeper.flush()])
  expect(sent).toEqual([
    ['create', 'a', 'k1'],
    ['change', 'd1', 'b'],
  ])
  expect(keeper.now().state).toBe('saved')
})

test('leaving sends what waits; throwing away sends nothing', async () => {
  const one = stage()
  one.keeper.touch(input('a'))
  one.keeper.stop()
  await vi.waitFor(() => expect(one.sent).toHaveLength(1))
  const other = stage()
  other.keeper.touch(input('a'))
  other.keeper.drop()
  expect(other.sent).toHaveLength(0)
})

test('nothing is called saved while changes wait, and what was refused is until it is taken', () => {
  const refusal = new CallFailure({ code: 'kit.invalid', status: 422 })
  expect(
    (
      [
        ['untouched', undefined],
        ['waiting', undefined],
        ['waiting', refusal],
        ['waiting', away()],
        ['saving', refusal],
        ['refused', refusal],
        ['offline', away()],
        ['saved', undefined],
      ] as const
    ).map(([state, failure]) => shownState({ state, failure })),
  ).toEqual(['untouched', 'unsaved', 'refused', 'offline', 'saving', 'refused', 'offline', 'saved'])
})
