import { useLayoutEffect, useRef } from 'react'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))

const isLaidOver = () => document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null

/**
 * Keys of a page: `useKeys({ n: create, '/': search, 'mod+Enter': issue })`. `mod` is Ctrl, or Cmd on a Mac. Bare letters are silent while
 * one types and while a dialog or a menu is open; the letter is looked up by its place too, so that `n` works under a Hebrew layout.
 */
export function useKeys(keys: Record<string, (event: KeyboardEvent) => void>): void {
  const now = useRef(keys)
  // Before the page is painted: who sees it may press at once.
  useLayoutEffect(() => {
    now.current = keys
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
      const deed = [event.key, byPlace].map((key) => now.current[mod ? `mod+${key}` : key]).find(Boolean)
      if (!deed || event.altKey) return
      if (!mod && (isTyping(event.target) || isLaidOver())) return
      event.preventDefault()
      deed(event)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/**
 * Ctrl+Enter does the chief thing from wherever the cursor is, before a focused button takes Enter for its own press. What lies over the page has
 * its own.
 */
export function useChiefKey(deed: (() => void) | undefined): void {
  const now = useRef(deed)
  useLayoutEffect(() => {
    now.current = deed
  })
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.altKey || event.repeat || !now.current || isLaidOver()) return
      event.preventDefault()
      event.stopPropagation()
      now.current()
    }
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [])
}
