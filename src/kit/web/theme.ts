import { useSyncExternalStore } from 'react'
import { store } from './session/storage.ts'

/*
 * Dark mode. The person's choice is kept under darkMode; without one the system's holds. Either way <html
 * data-theme> says what is shown, for styles and for people who look. early.js sets it before the first
 * paint.
 */

const listeners = new Set<() => void>()
const system = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)')

const chosen = (): boolean | undefined => {
  const kept = store.get('darkMode')
  return kept === 'true' ? true : kept === 'false' ? false : undefined
}

/** Whether dark is shown now. */
export const isDark = (): boolean => chosen() ?? system().matches

function show(): void {
  const dark = isDark()
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', dark ? '#161d1b' : '#ffffff')
  for (const listener of listeners) listener()
}

/** Called once at the start: shows the choice and follows the system while there is none. */
export function startTheme(): void {
  system().addEventListener('change', show)
  show()
}

export function setDark(dark: boolean): void {
  store.set('darkMode', String(dark))
  show()
}

/** `const [dark, setDark] = useDark()`. */
export function useDark(): [boolean, (dark: boolean) => void] {
  const dark = useSyncExternalStore(
    (changed) => {
      listeners.add(changed)
      return () => void listeners.delete(changed)
    },
    isDark,
    () => false,
  )
  return [dark, setDark]
}
