import { useSyncExternalStore, type ComponentType } from 'react'
import type { Screen } from '#kit/describe/screen.ts'
import type { Session } from '#kit/describe/session.ts'
import { access, mainPath } from '../session/guard.ts'
import { mayDo } from '../session/session.ts'
import { allScreens } from './menu.ts'

/* Where the feature that knows a person's businesses meets the frame. */

interface Door {
  /** Shown in the header and in the panel in place of the business's plain name. */
  Part?: ComponentType | undefined
  /** Works in another business from now on; the page goes to the same place there. */
  switchTo?: ((id: string) => Promise<void>) | undefined
}

let door: Door = {}
const listeners = new Set<() => void>()

export function setCompanyDoor(of: Door): void {
  door = of
  for (const listener of listeners) listener()
}

export const useCompanyDoor = (): Door =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => door,
    () => door,
  )

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const partsOf = (path: string) => path.split('/').filter(Boolean)

/**
 * The screen of an address, and whether it shows one thing (by its id) rather than a list, a report or
 * settings.
 */
function screenAt(
  path: string,
  screens: readonly Screen[],
): { screen: Screen; isThing: boolean } | undefined {
  const given = partsOf(path)
  const fits = (one: Screen) => {
    const parts = partsOf(one.path)
    return (
      parts.length === given.length &&
      parts.every((part, i) => part.startsWith('$') || part.toLowerCase() === given[i]!.toLowerCase())
    )
  }
  // A spelled-out path wins over one with holes.
  const screen = screens
    .filter(fits)
    .toSorted((a, b) => a.path.split('$').length - b.path.split('$').length)[0]
  return screen && { screen, isThing: given.some((part) => uuid.test(part)) }
}

/**
 * The page after a switch of the business: the same screen when the person may open it there and it shows no single
 * record of the previous business, else its list, else the main page. Filters are dropped: they may name customers
 * of the other business.
 */
export function placeIn(
  next: Session,
  { pathname, search }: { pathname: string; search: string },
  from: string | undefined,
  screens = allScreens(),
): string {
  // The settings of the business itself become those of the other one.
  const path = from && next.CompanyKey ? pathname.replace(from, next.CompanyKey) : pathname
  const isOpen = (one: Screen) =>
    one.open === 'anyone' || (one.open === 'login' && access(one, next, mayDo).kind === 'open')
  const here = screenAt(path, screens)
  const own = path !== pathname
  if (here && (own || !here.isThing) && isOpen(here.screen)) {
    const tab = new URLSearchParams(search).get('tab')
    return path + (tab ? `?tab=${encodeURIComponent(tab)}` : '')
  }
  const parent = screens
    .filter(
      (one) => one.feature === here?.screen.feature && one.menu && !one.path.includes('$') && isOpen(one),
    )
    .toSorted((a, b) => a.menu!.order - b.menu!.order)[0]
  return parent?.path ?? mainPath(next)
}
