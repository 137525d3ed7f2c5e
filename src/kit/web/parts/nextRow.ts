import { useLayoutEffect, useRef } from 'react'
import { stand } from '../routes/keepFocus.ts'

const rowsOf = (list: Element): HTMLElement[] => [
  ...list.querySelectorAll<HTMLElement>('tr[data-row], li:not(.k-card-head)'),
]

/** Which row this is of all there are: a long table draws only those in sight. */
const placeOf = (row: HTMLElement, i: number): number => Number(row.dataset.row ?? i)

/**
 * The button for more rows disappears with the last of them, and the cursor goes on to the first that it loaded:
 * keyboard and screen reader users continue where the list ended. `under` is the part below the list, `leave` is
 * called as the button is pressed.
 */
export function useNextRow(hasMore: boolean) {
  const under = useRef<HTMLDivElement>(null)
  const left = useRef<{ list: Element; last: number }>(undefined)
  const leave = () => {
    const { current } = under
    const list = current?.previousElementSibling
    const rows = list ? rowsOf(list) : []
    const last = rows.at(-1)
    left.current = list && last ? { list, last: placeOf(last, rows.length - 1) } : undefined
  }
  useLayoutEffect(() => {
    const from = left.current
    if (hasMore || !from) return
    left.current = undefined
    // Who went elsewhere meanwhile stays there.
    if (document.activeElement !== document.body || !from.list.isConnected) return
    const next = rowsOf(from.list).find((row, i) => placeOf(row, i) > from.last)
    const control = next?.matches('[tabindex]') ? next : next?.querySelector<HTMLElement>('a[href], button')
    if (control) control.focus()
    else if (next) stand(next)
  }, [hasMore])
  return { under, leave }
}
