import { readFileSync } from 'node:fs'
import { PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks'

/**
 * The processor time that this thread has spent, in ms. On Linux the kernel tells it for the thread alone, so
 * that a busy machine and the server's other threads do not count; elsewhere it is the clock on the wall.
 */
export const threadTime: () => number = (() => {
  const path = `/proc/self/task/${process.pid}/schedstat`
  try {
    if (Number.isNaN(Number(readFileSync(path, 'latin1').split(' ')[0]))) throw new Error('no figure')
    return () => Number(readFileSync(path, 'latin1').split(' ')[0]) / 1e6
  } catch {
    return () => Number(process.hrtime.bigint()) / 1e6
  }
})()

/**
 * The longest time, in ms of the processor, for which nobody else was heard while `work` ran. What the
 * collector of garbage took of it does not count: it goes through what all test files before have left in
 * this process, which no server has to carry.
 */
export async function longestSilence<T>(work: () => Promise<T>): Promise<{ answer: T; silenceMs: number }> {
  const stretches: { from: number; to: number; ms: number }[] = []
  const pauses: PerformanceEntry[] = []
  const watcher = new PerformanceObserver((list) => void pauses.push(...list.getEntries()))
  watcher.observe({ entryTypes: ['gc'] })
  let [last, from] = [threadTime(), performance.now()]
  const listen = () => {
    const [now, to] = [threadTime(), performance.now()]
    // Less than a millisecond is nobody's silence.
    if (now - last > 1) stretches.push({ from, to, ms: now - last })
    ;[last, from] = [now, to]
  }
  // A turn of the loop that does nothing costs nothing: what lies between two of them is one piece of work.
  const timer = setInterval(listen, 1)
  try {
    const answer = await work()
    listen()
    pauses.push(...watcher.takeRecords())
    // Pauses measured by wall-clock time: an interval that had half a processor counts half.
    const silences = stretches.map(({ from: begin, to, ms }) => {
      const inside = pauses.filter(({ startTime }) => startTime >= begin && startTime < to)
      return ms * (1 - inside.reduce((sum, { duration }) => sum + duration, 0) / (to - begin))
    })
    return { answer, silenceMs: Math.max(0, ...silences) }
  } finally {
    clearInterval(timer)
    watcher.disconnect()
  }
}
