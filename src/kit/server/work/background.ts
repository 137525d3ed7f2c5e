const running = new Set<Promise<unknown>>()

/**
 * Work that goes on after those who began it stopped waiting, such as a question to a slow acquirer: the end of the
 * process waits for it, because its answer is known to nobody else.
 */
export function inBackground<T>(work: Promise<T>): Promise<T> {
  running.add(work)
  const forget = () => void running.delete(work)
  work.then(forget, forget)
  return work
}

/** Resolves when nothing goes on in the background any more. */
export async function backgroundRests(): Promise<void> {
  while (running.size) await Promise.allSettled(running)
}
