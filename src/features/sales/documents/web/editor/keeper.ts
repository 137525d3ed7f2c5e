import { isNetworkError } from '#kit/web/calls/caller.ts'
import type { DocumentInput } from '../../endpoints.ts'

/**
 * The state of the draft. `waiting` has changes that are about to be sent; `offline` retries automatically.
 */
export interface Keeping {
  state: 'untouched' | 'waiting' | 'saving' | 'saved' | 'offline' | 'refused'
  id: string | undefined
  savedAt: Date | undefined
  /** Why the server refused it. */
  failure: unknown
}

/**
 * What is said of it. Changes that wait are unsaved however recently it was saved before, and what was refused stays so
 * until the server has taken a later version.
 */
export function shownState({
  state,
  failure,
}: Pick<Keeping, 'state' | 'failure'>): 'untouched' | 'unsaved' | 'saving' | 'saved' | 'offline' | 'refused' {
  if (state !== 'waiting') return state
  if (failure === undefined) return 'unsaved'
  return isNetworkError(failure) ? 'offline' : 'refused'
}

export interface KeeperGround {
  create: (input: DocumentInput, key: string) => Promise<{ id: string }>
  change: (id: string, input: DocumentInput) => Promise<unknown>
  newKey: () => string
  now: () => Date
  /** Calls later; answers how to call it off. */
  after: (ms: number, deed: () => void) => () => void
  tell: (keeping: Keeping) => void
}

/** So long after the last change a draft goes to the server. */
export const restMs = 1500
export const againMs = 8000

/**
 * Keeps a draft at the server while it is written: one call at a time, the newest content last. A draft whose
 * making got no answer is made again with the same key and the same content first, so that a lost answer
 * never leaves two drafts.
 */
export function makeKeeper(ground: KeeperGround, known?: { id: string; savedAt: Date }) {
  let keeping: Keeping = {
    state: known ? 'saved' : 'untouched',
    id: known?.id,
    savedAt: known?.savedAt,
    failure: undefined,
  }
  let pending: DocumentInput | undefined
  let making: { input: DocumentInput; key: string } | undefined
  let running: Promise<void> | undefined
  let callOff = () => undefined as void
  let isStopped = false

  const tell = (change: Partial<Keeping>) => {
    keeping = { ...keeping, ...change }
    if (!isStopped) ground.tell(keeping)
  }

  async function send(): Promise<void> {
    while (pending) {
      const input = pending
      pending = undefined
      tell({ state: 'saving' })
      try {
        if (keeping.id === undefined) {
          making ??= { input, key: ground.newKey() }
          const { id } = await ground.create(making.input, making.key)
          const isOld = making.input !== input
          making = undefined
          tell({ id })
          // What was written since the first try that got no answer.
          if (isOld) pending ??= input
        } else await ground.change(keeping.id, input)
      } catch (failure) {
        pending ??= input
        const isAway = isNetworkError(failure)
        // The server said no: nothing was made, and the next try is another one.
        if (!isAway) making = undefined
        tell({ state: isAway ? 'offline' : 'refused', failure })
        if (isAway && !isStopped) callOff = ground.after(againMs, () => void flush().catch(() => undefined))
        throw failure
      }
    }
    tell({ state: 'saved', savedAt: ground.now(), failure: undefined })
  }

  /** Sends what waits, now; rejects when the server refuses or does not answer. Answers the id. */
  async function flush(): Promise<string | undefined> {
    callOff()
    while (pending || running) {
      running ??= send().finally(() => (running = undefined))
      await running
    }
    return keeping.id
  }

  return {
    now: (): Keeping => keeping,
    /** The content has changed; it is sent after a rest. */
    touch(input: DocumentInput): void {
      pending = input
      callOff()
      if (keeping.state !== 'saving') tell({ state: 'waiting' })
      callOff = ground.after(restMs, () => void flush().catch(() => undefined))
    },
    flush,
    /** The page is shown (again): it is informed of changes. */
    begin(): void {
      isStopped = false
    },
    /** The page goes: what waits is sent once more, quietly. */
    stop(): void {
      callOff()
      isStopped = true
      if (pending && !running) void send().catch(() => undefined)
    },
    /** Thrown away or issued: nothing more is sent. */
    drop(): void {
      callOff()
      pending = undefined
      isStopped = true
    },
  }
}

export type Keeper = ReturnType<typeof makeKeeper>
