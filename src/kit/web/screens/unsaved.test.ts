import { expect, test } from 'vitest'
import { makeUnsaved } from './unsaved.ts'

function browser() {
  const kept = new Map<string, string>()
  const local = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    key: (i: number) => [...kept.keys()][i] ?? null,
    get length() {
      return kept.size
    },
  }
  let time = 1_800_000_000_000
  const tab = () => {
    const own = new Map<string, string>()
    const storage = {
      getItem: (key: string) => own.get(key) ?? null,
      setItem: (key: string, value: string) => void own.set(key, value),
    }
    return { open: () => makeUnsaved({ local, tab: storage, now: () => time }) }
  }
  return { tab, kept, pass: (ms: number) => (time += ms) }
}

test('a reload of the tab finds what it kept, and what is forgotten is gone', () => {
  const { tab, kept } = browser()
  const one = tab()
  one.open().keep('lines', [1, 2])
  expect(one.open().take('lines')).toEqual([1, 2])
  expect(one.open().take('other')).toBeUndefined()
  one.open().keep('lines', undefined)
  expect(one.open().take('lines')).toBeUndefined()
  expect(kept.size).toBe(0)
})

test('a tab that is there keeps its own; one that closed, or died, leaves it to the next, once', () => {
  const { tab, pass } = browser()
  const alive = tab().open()
  alive.keep('lines', 'a')
  expect(tab().open().take('lines')).toBeUndefined()
  // It says that it is there for as long as it is.
  pass(10_000)
  alive.say()
  pass(10_000)
  expect(tab().open().take('lines')).toBeUndefined()
  alive.say(true)
  const next = tab().open()
  expect(next.take('lines')).toBe('a')
  expect(tab().open().take('lines')).toBeUndefined()
  // It died without a word.
  pass(13_000)
  expect(tab().open().take('lines')).toBe('a')
})

test('a storage that is shut or full breaks nothing, and what nobody came for is forgotten after two months', () => {
  const shut = () => {
    throw new Error('shut')
  }
  const nothing = makeUnsaved({
    local: { getItem: shut, setItem: shut, removeItem: shut, key: shut, length: 3 },
    tab: { getItem: () => null, setItem: shut },
    now: () => 0,
  })
  nothing.keep('lines', 'a')
  expect(nothing.take('lines')).toBeUndefined()
  const { tab, kept, pass } = browser()
  tab().open().keep('lines', 'a')
  pass(61 * 86_400_000)
  expect(tab().open().take('lines')).toBeUndefined()
  expect(kept.size).toBe(0)
})
