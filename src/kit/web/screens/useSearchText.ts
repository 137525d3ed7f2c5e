import { useEffect, useRef, useState } from 'react'

const SEARCH_WAIT_MS = 500

/** The typed search: shown at once, asked after the person has stopped typing. */
export function useSearchText(asked: string, ask: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(asked)
  const last = useRef(asked)
  const asking = useRef(ask)
  useEffect(() => {
    asking.current = ask
  })
  // The address changed by other means: a view, the back button.
  useEffect(() => {
    if (asked !== last.current) {
      last.current = asked
      setText(asked)
    }
  }, [asked])
  useEffect(() => {
    const next = text.trim()
    if (next === last.current) return
    const timer = setTimeout(
      () => {
        last.current = next
        asking.current(next)
      },
      next === '' ? 0 : SEARCH_WAIT_MS,
    )
    return () => clearTimeout(timer)
  }, [text])
  return [text, setText]
}
