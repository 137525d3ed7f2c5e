import { useLayoutEffect, useRef, type RefObject } from 'react'
import { isLaidOver } from './laidOver.ts'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))

/**
 * What a field or a button of a dialog does with Ctrl itself: the letter last typed comes back, the button is
 * pressed.
 */
const ownKeys = ['mod+z', 'mod+Enter']

/**
 * Keys of a page: `useKeys({ n: create, '/': search, 'mod+Enter': issue })`. `mod` is Ctrl, or Cmd on a Mac.
 * All are silent while a dialog or a menu lies over the page, unless it is `over` of who gives the keys, and
 * bare letters while one types too; the letter is looked up by its place as well, so that `n` works under a
 * Hebrew layout.
 */
export function useKeys(keys: Record<string, (event: KeyboardEvent) => void>, over = false): void {
  const now = useRef({ keys, over })
  // Before the page is painted: who sees it may press at once.
  useLayoutEffect(() => {
    now.current = { keys, over }
  })
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      const mod = event.ctrlKey || event.metaKey
      const byPlace = event.code.startsWith('Key')
        ? event.code.slice(3).toLowerCase()
        : event.code === 'Slash'
          ? event.shiftKey
            ? '?'
            : '/'
          : ''
      const known = [event.key, byPlace]
        .map((key) => (mod ? `mod+${key}` : key))
        .find((key) => now.current.keys[key])
      if (!known || event.altKey) return
      if (!mod && isTyping(event.target)) return
      if (isLaidOver() && !(mod && now.current.over)) {
        // Nor does the browser search or save.
        if (mod && !ownKeys.includes(known)) event.preventDefault()
        return
      }
      event.preventDefault()
      now.current.keys[known]!(event)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/**
 * Ctrl+Enter does the chief thing from wherever the cursor is, before a focused button takes Enter for its
 * own press. What lies over the page has its own.
 */
export function useChiefKey(deed: (() => void) | undefined): void {
  const now = useRef(deed)
  useLayoutEffect(() => {
    now.current = deed
  })
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key !== 'Enter' ||
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.repeat ||
        !now.current ||
        isLaidOver()
      )
        return
      event.preventDefault()
      event.stopPropagation()
      now.current()
    }
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [])
}

/**
 * Ctrl+S and Ctrl+Enter do what a form is for, from wherever in it or in its dialog the cursor is; the form
 * of a page also while nothing has the cursor. The page behind gets neither: a sheet over the document editor
 * saves itself, and issues nothing.
 */
export function useDeedKeys(form: RefObject<HTMLFormElement | null>, deed: (() => void) | undefined): void {
  const now = useRef(deed)
  useLayoutEffect(() => {
    now.current = deed
  })
  useLayoutEffect(() => {
    const isOurs = ({ target }: KeyboardEvent) => {
      const dialog = form.current?.closest('[role="dialog"]')
      const place = dialog ?? form.current
      return (
        place?.contains(target as Node) ||
        (place && !dialog && !isLaidOver() && (target as Element).matches('body, #content'))
      )
    }
    const isOf = (event: KeyboardEvent) =>
      (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && !event.defaultPrevented
    const take = (event: KeyboardEvent) => {
      event.preventDefault()
      event.stopPropagation()
      // What the key itself changes, such as the hit of a list, is there first.
      if (!event.repeat) setTimeout(() => form.current?.isConnected && now.current?.())
    }
    // The browser would save the page, and a button would take Enter for its own press.
    const before = (event: KeyboardEvent) => {
      if (!isOf(event)) return
      const isSave = event.code === 'KeyS'
      if (!isSave && (event.key !== 'Enter' || isTyping(event.target))) return
      if (isOurs(event)) take(event)
      else if (isSave && isLaidOver()) event.preventDefault()
    }
    // After the fields, which may keep Enter for themselves, and before the keys of the page.
    const after = (event: KeyboardEvent) => {
      if (isOf(event) && event.key === 'Enter' && isOurs(event)) take(event)
    }
    const html = document.documentElement
    document.addEventListener('keydown', before, true)
    html.addEventListener('keydown', after)
    return () => {
      document.removeEventListener('keydown', before, true)
      html.removeEventListener('keydown', after)
    }
  }, [form])
}
