import { readFileSync } from 'node:fs'

/**
 * The processor time that this thread has spent, in ms. On Linux the kernel tells it for the thread alone, so that a busy machine and the server's other
 * threads do not count; elsewhere it is the clock on the wall.
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

/** The longest time, in ms of the processor, for which nobody else was heard while `work` ran. */
export async function longestSilence<T>(work: () => Promise<T>): Promise<{ answer: T; silenceMs: number }> {
  let silenceMs = 0
  let last = threadTime()
  const listen = () => {
    const now = threadTime()
    silenceMs = Math.max(silenceMs, now - last)
    last = now
  }
  // A turn of the loop that does nothing costs nothing: what lies between two of them is one piece of work.
  const timer = setInterval(listen, 1)
  try {
    const answer = await work()
    listen()
    return { answer, silenceMs }
  } finally {
    clearInterval(timer)
  }
}
