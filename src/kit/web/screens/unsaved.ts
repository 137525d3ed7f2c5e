/*
 * What a page has and the server has not yet, kept by this browser: a closed tab, a lost network or a dead
 * battery lose nothing. Each tab keeps its own, so that two tabs never write over each other; what a tab left
 * behind is taken over by the next that asks for it.
 */

interface Kept<T> {
  tab: string
  /** When the tab said for the last time that it is there; negative when it said that it closes. */
  at: number
  value: T
}

const prefix = 'pinkas:unsaved:'
const beat = 4000
const forgotten = 60 * 86_400_000

/** The part of the browser that is used. */
export interface Ground {
  local: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
  /** Of this tab alone; it outlives a reload. */
  tab: Pick<Storage, 'getItem' | 'setItem'>
  now: () => number
}

export interface Unsaved {
  /** Keeps a value under a name; undefined forgets it. */
  keep: <T>(name: string, value: T | undefined) => void
  /** What this tab kept under a name, or what a tab that is gone left there. */
  take: <T>(name: string) => T | undefined
  /** Says that this tab is still there; `closing` that it no longer is. */
  say: (closing?: boolean) => void
}

export function makeUnsaved({ local, tab, now }: Ground): Unsaved {
  const me = tab.getItem('pinkas:tab') ?? Math.random().toString(36).slice(2)
  const mine = new Set<string>()
  const read = (key: string): Kept<unknown> | undefined => {
    try {
      return JSON.parse(local.getItem(key) ?? 'null') ?? undefined
    } catch {
      return undefined
    }
  }
  const write = (key: string, value: unknown, at: number) =>
    local.setItem(key, JSON.stringify({ tab: me, at, value }))
  const keyOf = (name: string) => `${prefix}${name}:${me}`
  const keep: Unsaved['keep'] = (name, value) => {
    try {
      tab.setItem('pinkas:tab', me)
      if (value === undefined) {
        mine.delete(keyOf(name))
        local.removeItem(keyOf(name))
      } else {
        mine.add(keyOf(name))
        write(keyOf(name), value, now())
      }
    } catch {
      // Shut or full: the page itself still has it.
    }
  }
  return {
    keep,
    take(name) {
      try {
        const keys = Array.from({ length: local.length }, (_, i) => local.key(i) ?? '').filter((key) =>
          key.startsWith(prefix),
        )
        for (const key of keys) if (now() - Math.abs(read(key)?.at ?? 0) > forgotten) local.removeItem(key)
        const own = read(keyOf(name))
        if (own) {
          mine.add(keyOf(name))
          return own.value as never
        }
        const left = keys.find(
          (key) => key.startsWith(`${prefix}${name}:`) && now() - (read(key)?.at ?? 0) > 3 * beat,
        )
        const found = left === undefined ? undefined : read(left)
        if (left === undefined || !found) return undefined
        local.removeItem(left)
        keep(name, found.value)
        return found.value as never
      } catch {
        return undefined
      }
    },
    say(closing) {
      try {
        for (const key of mine) {
          const kept = read(key)
          if (kept) write(key, kept.value, closing ? -now() : now())
        }
      } catch {
        // Shut or full.
      }
    },
  }
}

function open(): Unsaved | undefined {
  try {
    const made = makeUnsaved({ local: localStorage, tab: sessionStorage, now: Date.now })
    setInterval(() => made.say(), beat)
    addEventListener('pagehide', () => made.say(true))
    return made
  } catch {
    return undefined
  }
}

/** The keeper of this browser; one that keeps nothing where its storage is shut. */
export const unsaved: Unsaved = open() ?? {
  keep: () => undefined,
  take: () => undefined,
  say: () => undefined,
}
