import { useEffect, useRef, type RefObject } from 'react'

/**
 * A processed row disappears, and its button with it: keyboard users continue with the row that takes its place.
 * Returns a function that a press reports its position to; `rows` is the list as it arrived, `buttons` finds one
 * action of each.
 */
export function useNext(
  list: RefObject<HTMLElement | null>,
  rows: unknown,
  buttons: string,
): (place: number) => void {
  const doneAt = useRef<number>(undefined)
  useEffect(() => {
    const place = doneAt.current
    doneAt.current = undefined
    const active = document.activeElement
    if (place === undefined || (active !== document.body && !active?.matches('[data-kept]'))) return
    const all = list.current?.querySelectorAll<HTMLElement>(buttons) ?? []
    all[Math.min(place, all.length - 1)]?.focus()
  }, [list, rows, buttons])
  return (place) => {
    doneAt.current = place
  }
}

/** Of a list some of whose rows go: the first after them that stays, else the last before. */
export function nextOf<R>(rows: readonly R[], isGone: (row: R) => boolean): number | undefined {
  const first = rows.findIndex(isGone)
  const after = rows.findIndex((row, i) => i > first && !isGone(row))
  const at = after >= 0 ? after : rows.findLastIndex((row) => !isGone(row))
  return at < 0 ? undefined : at
}
