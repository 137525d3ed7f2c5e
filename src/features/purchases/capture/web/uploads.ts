import { useSyncExternalStore } from 'react'
import { call, CallFailure, keyOf, queryClient } from '#kit/web/calls/call.ts'
import { addPaper, listPapers } from '../endpoints.ts'

/*
 * Papers on their way to the inbox. The list lives outside of any screen: a batch goes on being sent while its
 * first papers are filed.
 */
export interface Sending {
  key: number
  file: File
  source: 'upload' | 'phone'
  state: 'waits' | 'runs' | 'done' | 'failed'
  failure?: unknown
  /** The same bytes came before. */
  duplicate?: boolean
}

/** One at a time keeps the order of the batch; the reader behind takes them one by one as well. */
let running = false
let held: readonly Sending[] = []
let last = 0
const listeners = new Set<() => void>()
const set = (next: readonly Sending[]) => {
  held = next
  for (const listener of listeners) listener()
}
const mark = (key: number, change: Partial<Sending>) =>
  set(held.map((one) => (one.key === key ? { ...one, ...change } : one)))
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useSendings = (): readonly Sending[] => useSyncExternalStore(subscribe, () => held)

export function sendPapers(files: readonly File[], source: 'upload' | 'phone'): void {
  set([...held, ...files.map((file): Sending => ({ key: ++last, file, source, state: 'waits' }))])
  void run()
}
export function sendAgain(key: number): void {
  mark(key, { state: 'waits', failure: undefined })
  void run()
}
/** Forgets what is done or failed; what still waits is not sent. */
export const clearSendings = (): void => set(held.filter((one) => one.state === 'runs'))

async function run(): Promise<void> {
  if (running) return
  running = true
  try {
    for (let one = next(); one; one = next()) {
      mark(one.key, { state: 'runs' })
      try {
        const row = await call(addPaper, {
          name: one.file.name.slice(-200) || 'paper',
          source: one.source,
          bytes: one.file as never,
        })
        mark(one.key, { state: 'done', duplicate: row.duplicateOf !== null })
      } catch (e) {
        mark(one.key, { state: 'failed', failure: e })
        // No network, or no longer logged in: the rest would only fail the same way.
        if (e instanceof CallFailure && (e.status === 0 || e.status === 401)) break
      }
      void queryClient.invalidateQueries({ queryKey: keyOf(listPapers) })
    }
  } finally {
    running = false
  }
}
const next = () => held.find((one) => one.state === 'waits')
