import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Turns, type TurnTerms } from './turns.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Work that lasts until the test ends it, so that turns are seen without a clock. */
function byHand(terms: Partial<TurnTerms> = {}) {
  const turns = new Turns({ most: 2, mostInAll: 10, ...terms })
  const began: string[] = []
  const ends = new Map<string, (e?: Error) => void>()
  const ask = (name: string, gone?: AbortSignal) =>
    turns.take(
      name[0]!,
      () => {
        began.push(name)
        return new Promise<string>((done, failed) => ends.set(name, (e) => (e ? failed(e) : done(name))))
      },
      gone,
    )
  const end = async (name: string, e?: Error) => {
    ends.get(name)!(e)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { turns, began, ask, end }
}
const away = { code: 'kit.unavailable', retryAfter: 2 }

describe('turns', () => {
  test('two of one thing at once, the others in the order in which they came; another thing waits for none of them', async () => {
    const { turns, began, ask, end } = byHand()
    const all = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => ask(name))
    await vi.advanceTimersByTimeAsync(0)
    expect(began).toEqual(['a1', 'a2', 'b1'])
    await end('a2')
    expect(began).toEqual(['a1', 'a2', 'b1', 'a3'])
    await end('a1')
    expect(began.at(-1)).toBe('a4')
    for (const name of ['a3', 'a4', 'b1']) await end(name)
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1'])
    expect(turns.size).toEqual({ having: 0, waiting: 0 })
  })

  test('only so many wait for one thing, whatever waits for another', async () => {
    const { ask } = byHand({ most: 1, mostWaitingForOne: 1 })
    for (const name of ['a1', 'a2', 'b1', 'b2']) void ask(name)
    await expect(ask('a3')).rejects.toMatchObject(away)
  })

  test('a turn whose work fails is given on, and its failure is told to whoever asked', async () => {
    const { turns, began, ask, end } = byHand({ most: 1 })
    const first = ask('a1').catch((e: Error) => e.message)
    const second = ask('a2')
    await vi.advanceTimersByTimeAsync(0)
    await end('a1', new Error('no'))
    expect(await first).toBe('no')
    expect(began).toEqual(['a1', 'a2'])
    await end('a2')
    expect(await second).toBe('a2')
    expect(turns.size).toEqual({ having: 0, waiting: 0 })
  })

  test('of all things together no more than so many, and the longest wait comes first among those that can', async () => {
    const { began, ask, end } = byHand({ most: 1, mostInAll: 2 })
    for (const name of ['a1', 'a2', 'b1', 'c1', 'b2']) void ask(name)
    await vi.advanceTimersByTimeAsync(0)
    expect(began).toEqual(['a1', 'b1'])
    // a is still taken: c has waited longer than b's second.
    await end('b1')
    expect(began).toEqual(['a1', 'b1', 'c1'])
    await end('a1')
    expect(began).toEqual(['a1', 'b1', 'c1', 'a2'])
    await end('c1')
    expect(began.at(-1)).toBe('b2')
  })

  test('whoever goes away while he waits is never served, and nobody waits for him', async () => {
    const { turns, began, ask, end } = byHand({ most: 1 })
    const left = new AbortController()
    void ask('a1')
    const second = ask('a2', left.signal).catch((e: unknown) => e)
    void ask('a3')
    await vi.advanceTimersByTimeAsync(0)
    left.abort()
    expect(await second).toMatchObject(away)
    await end('a1')
    expect(began).toEqual(['a1', 'a3'])
    // Gone before their turn.
    await expect(ask('b1', left.signal)).rejects.toMatchObject(away)
    // The person who goes away in the middle of a turn has had it: what is begun is brought to its end.
    const late = new AbortController()
    const fourth = ask('c1', late.signal)
    await vi.advanceTimersByTimeAsync(0)
    late.abort()
    await end('c1')
    expect(await fourth).toBe('c1')
    await end('a3')
    expect(turns.size).toEqual({ having: 0, waiting: 0 })
  })

  test('nobody waits for ever, nor behind too many', async () => {
    const { turns, began, ask, end } = byHand({ most: 1, mostWaiting: 2, longestMs: 5000 })
    void ask('a1')
    const waiting = [ask('a2'), ask('a3')].map((one) => one.catch((e: unknown) => e))
    await vi.advanceTimersByTimeAsync(0)
    await expect(ask('a4')).rejects.toMatchObject(away)
    await vi.advanceTimersByTimeAsync(5000)
    expect(await Promise.all(waiting)).toMatchObject([away, away])
    await end('a1')
    expect(began).toEqual(['a1'])
    expect(turns.size).toEqual({ having: 0, waiting: 0 })
  })
})
