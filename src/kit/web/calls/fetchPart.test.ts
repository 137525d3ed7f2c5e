import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fetchPart } from './fetchPart.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const lost = () =>
  new TypeError('Failed to fetch dynamically imported module: https://pinkas.example/assets/Shell-1.js')

test('what did not come is asked for twice more, a second apart', async () => {
  const load = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(lost())
    .mockRejectedValueOnce(lost())
    .mockResolvedValue('came')
  const fetched = fetchPart(load)
  await vi.advanceTimersByTimeAsync(999)
  expect(load).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1001)
  await expect(fetched).resolves.toBe('came')
  expect(load).toHaveBeenCalledTimes(3)
})

test('then it is told', async () => {
  const load = vi.fn<() => Promise<string>>().mockImplementation(() => Promise.reject(lost()))
  const told = expect(fetchPart(load)).rejects.toThrow('Failed to fetch')
  await vi.advanceTimersByTimeAsync(10_000)
  await told
  expect(load).toHaveBeenCalledTimes(3)
})

test('a fault of the part itself is told at once', async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValue(new Error('x is not a function'))
  await expect(fetchPart(load)).rejects.toThrow('x is not')
  expect(load).toHaveBeenCalledTimes(1)
})

test('without a network a part waits for it, however long that takes; a screen is told', async () => {
  vi.stubGlobal('navigator', { onLine: false })
  const line = new EventTarget()
  vi.stubGlobal('addEventListener', line.addEventListener.bind(line))
  const load = vi.fn<() => Promise<string>>().mockImplementation(() => Promise.reject(lost()))
  const fetched = fetchPart(load)
  const told = expect(fetchPart(load, 'told')).rejects.toThrow('Failed to fetch')
  await vi.advanceTimersByTimeAsync(60_000)
  await told
  expect(load).toHaveBeenCalledTimes(1 + 3)
  load.mockResolvedValue('came')
  vi.stubGlobal('navigator', { onLine: true })
  line.dispatchEvent(new Event('online'))
  await expect(fetched).resolves.toBe('came')
})
