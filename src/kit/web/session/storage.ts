/*
 * What the browser keeps for a person (specification, sections 3 and 9): localStorage, and cookies where it
 * is shut (private windows, embedded pages). The session lives 300 days in a cookie, everything else 30.
 */

export type StoredName =
  | 'user'
  | 'psize'
  | 'prevRoute'
  | 'routeVal'
  | 'langXmlNumber'
  | 'cpa'
  | 'affuid'
  | 'platform'
  | 'darkMode'
  | 'userchosen'
  // Ours, beyond the specification: state of the panel, the person's pins, the brand of the domain for a
  // start without a network.
  | 'panel'
  // The day of the first touch by an affiliate's link, and which link was counted today.
  | 'affday'
  | 'affseen'
  | 'pins'
  | 'opened'
  // The kind of user who was here last, not who: where this browser logs in.
  | 'userkind'
  // Presses at the desk that wait for a network; who books on a page of a business.
  | 'deskQueue'
  | 'booker'
  // A mark of the rights that answers were last given by.
  | 'rightsSeen'
  | 'brand'
  // A random name of this browser, by which its sign-ins are known again.
  | 'device'
  // Of before: a whole dictionary, taken away at the start.
  | 'words'

export interface Store {
  get: (name: StoredName) => string | undefined
  set: (name: StoredName, value: string) => void
  drop: (name: StoredName) => void
}

/** The part of localStorage that is used. */
export type Local = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export interface Cookies {
  read: () => string
  write: (cookie: string) => void
}

const daysOf = (name: StoredName): number =>
  name === 'user' || name === 'userkind' || name === 'device' ? 300 : 30

/** Cookies hold about 4 kB; more is not kept without localStorage. */
const cookieLimit = 3800

/** Makes the store over a given browser; `local` is undefined where it is shut, `isSecure` says that the page came over TLS. */
export function makeStore(local: Local | undefined, cookies: Cookies, isSecure = false): Store {
  // A browser takes a cookie of such a name only from this host, over TLS, for all paths.
  const nameOf = (name: string) => (isSecure ? `__Host-${name}` : name)
  const cookieOf = (name: string): string | undefined => {
    const found = cookies
      .read()
      .split('; ')
      .find((pair) => pair.startsWith(`${name}=`))
    return found === undefined ? undefined : decodeURIComponent(found.slice(name.length + 1))
  }
  const drop = (name: string) => cookies.write(`${name}=; path=/; max-age=0; SameSite=Lax`)
  const dropCookie = (name: StoredName) => {
    if (isSecure) drop(name)
    drop(nameOf(name))
  }
  const writeCookie = (name: StoredName, value: string) => {
    const encoded = encodeURIComponent(value)
    if (encoded.length <= cookieLimit)
      cookies.write(`${nameOf(name)}=${encoded}; path=/; max-age=${daysOf(name) * 86_400}; SameSite=Lax`)
  }
  /** One of before, without the prefix, is replaced when it is read. */
  const keptCookie = (name: StoredName): string | undefined => {
    const value = cookieOf(nameOf(name))
    if (value !== undefined || !isSecure) return value
    const older = cookieOf(name)
    if (older !== undefined) {
      writeCookie(name, older)
      drop(name)
    }
    return older
  }
  return {
    get(name) {
      try {
        const value = local?.getItem(name)
        if (value !== null && value !== undefined) return value
      } catch {
        // Shut: the cookie answers.
      }
      try {
        return keptCookie(name)
      } catch {
        return undefined
      }
    },
    set(name, value) {
      try {
        if (local) {
          local.setItem(name, value)
          return
        }
      } catch {
        // Shut or full: the cookie keeps it.
      }
      writeCookie(name, value)
    },
    drop(name) {
      try {
        local?.removeItem(name)
      } catch {
        // Shut: nothing to remove.
      }
      dropCookie(name)
    },
  }
}

const openLocal = (): Local | undefined => {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}

const overTls = typeof location !== 'undefined' && location.protocol === 'https:'

/** The store of this browser. */
export const store: Store = makeStore(
  openLocal(),
  {
    read: () => (typeof document === 'undefined' ? '' : document.cookie),
    write: (cookie) => {
      if (typeof document !== 'undefined') document.cookie = overTls ? `${cookie}; Secure` : cookie
    },
  },
  overTls,
)

export const pageSizes = [10, 20, 50, 100, 200] as const

/** Rows of a list at a time: one of the offered sizes, 50 when nothing sensible is kept. */
export function storedPageSize(from: Store = store): number {
  const size = Number(from.get('psize'))
  return (pageSizes as readonly number[]).includes(size) ? size : 50
}

/**
 * The chosen user of the specification: whom the person works for, a business by its key and user type; who
 * switches businesses sets it.
 */
export interface ChosenUser {
  id: string
  type: number
}

export function storedChosen(from: Store = store): ChosenUser | undefined {
  try {
    const chosen = JSON.parse(from.get('userchosen') ?? 'null') as ChosenUser | null
    return chosen && typeof chosen.id === 'string' ? chosen : undefined
  } catch {
    return undefined
  }
}
