import { useEffect, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'

/**
 * Which rows of a long table are worth drawing: those in the window and a screenful around it. Works for the page's
 * own scrolling and for a table that scrolls separately, because it reads where the body is on the screen. For
 * printing all of them are drawn.
 */
export function useWindowed(
  body: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  enabled: boolean,
): { from: number; to: number } {
  const [range, setRange] = useState({ from: 0, to: 60 })
  const [prints, setPrints] = useState(false)
  useEffect(() => {
    if (!enabled) return
    const print = (on: boolean) => () => flushSync(() => setPrints(on))
    const [begin, end] = [print(true), print(false)]
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [enabled])
  useEffect(() => {
    if (!enabled) return
    let frame = 0
    const look = () => {
      frame = 0
      const top = body.current?.getBoundingClientRect().top ?? 0
      const spare = 20
      // Steps of ten, so that a slow scroll does not draw again at every row.
      const from = Math.max(0, Math.floor(-top / rowHeight / 10) * 10 - spare)
      const to = Math.min(count, Math.ceil((innerHeight - top) / rowHeight / 10) * 10 + spare)
      setRange((old) => (old.from === from && old.to === to ? old : { from, to }))
    }
    const soon = () => (frame ||= requestAnimationFrame(look))
    look()
    document.addEventListener('scroll', soon, { capture: true, passive: true })
    addEventListener('resize', soon)
    return () => {
      cancelAnimationFrame(frame)
      document.removeEventListener('scroll', soon, { capture: true })
      removeEventListener('resize', soon)
    }
  }, [body, count, rowHeight, enabled])
  return enabled && !prints ? { from: range.from, to: Math.min(count, range.to) } : { from: 0, to: count }
}
