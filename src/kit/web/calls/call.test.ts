import { notifyManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { changeAnswer, keyOf, putAnswer, queryClient } from './call.ts'

const getThing = { name: 'things.get' } as Endpoint<any, any>
const input = { id: '1' }
const key = keyOf(getThing, input)
const kept = () => queryClient.getQueryData(key)
afterEach(() => queryClient.clear())

/** A fetch that answers on command. */
function slowFetch(answer: unknown): () => Promise<void> {
  let resolve: (of: unknown) => void = () => undefined
  const promise = new Promise((done) => (resolve = done))
  const done = queryClient.fetchQuery({ queryKey: key, queryFn: () => promise }).catch(() => undefined)
  return async () => {
    resolve(answer)
    await done
    await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0))
  }
}

test('an answer that was put is not replaced by a fetch that began before', async () => {
  queryClient.setQueryData(key, { state: 'read', count: 0 }, { updatedAt: 1 })
  const finish = slowFetch({ state: 'read', count: 0 })
  putAnswer(getThing, input, { state: 'checking', count: 0 })
  await finish()
  expect(kept()).toEqual({ state: 'checking', count: 0 })
})

test('nor where nothing was kept yet', async () => {
  const finish = slowFetch({ state: 'read', count: 0 })
  putAnswer(getThing, input, { state: 'checking', count: 0 })
  await finish()
  expect(kept()).toEqual({ state: 'checking', count: 0 })
  expect(queryClient.getQueryState(key)?.status).toBe('success')
})

test('a change in part stays, and the fetch it cancelled is due again', async () => {
  queryClient.setQueryData(key, { state: 'read', count: 1 }, { updatedAt: 1 })
  const finish = slowFetch({ state: 'read', count: 1 })
  changeAnswer(getThing, input, (before: { count: number }) => ({ ...before, count: 2 }))
  await finish()
  expect(kept()).toEqual({ state: 'read', count: 2 })
  expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true)
})

test('a change before the first answer leaves its fetch alone', async () => {
  const finish = slowFetch({ state: 'read', count: 7 })
  changeAnswer(getThing, input, (before: { count: number }) => ({ ...before, count: 2 }))
  await finish()
  expect(kept()).toEqual({ state: 'read', count: 7 })
})

test('subscribers learn of a change before the next task, so that a ticked box keeps its tick', async () => {
  putAnswer(getThing, input, { done: false })
  const seen: unknown[] = []
  // As `useQuery` subscribes.
  const stop = new QueryObserver(queryClient, { queryKey: key, enabled: false }).subscribe(
    notifyManager.batchCalls(({ data }) => void seen.push(data)),
  )
  changeAnswer(getThing, input, () => ({ done: true }))
  await Promise.resolve()
  await Promise.resolve()
  stop()
  expect(seen.at(-1)).toEqual({ done: true })
})

test('a first load that began before a change begins again, and its old answer is never shown', async () => {
  const answers: ((of: unknown) => void)[] = []
  const seen: unknown[] = []
  const stop = new QueryObserver(queryClient, {
    queryKey: key,
    queryFn: ({ signal }) =>
      new Promise((done, gone) => {
        answers.push(done)
        signal.addEventListener('abort', () => gone(new Error('aborted')))
      }),
  }).subscribe(({ data, error }) => void seen.push(error ?? data))
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  const refreshed = queryClient.invalidateQueries({ queryKey: keyOf(getThing) })
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  answers[0]!({ state: 'before' })
  answers[1]!({ state: 'after' })
  await refreshed
  stop()
  expect(kept()).toEqual({ state: 'after' })
  expect(seen).not.toContainEqual({ state: 'before' })
  expect(seen).not.toContainEqual(expect.any(Error))
})
