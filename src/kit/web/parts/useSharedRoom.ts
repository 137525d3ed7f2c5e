import { useLayoutEffect, type RefObject } from 'react'
import { shareRoom } from './shareRoom.ts'

/** What a cell of words would take if nothing cut it, its padding included. */
function needOf(cell: HTMLElement): number {
  let need = cell.scrollWidth
  for (const cut of cell.querySelectorAll<HTMLElement>('.cut'))
    if (cut.scrollWidth > cut.clientWidth) need = Math.max(need, cell.clientWidth + cut.scrollWidth - cut.clientWidth)
  return need
}

/**
 * Columns of words share their room by what stands in them, measured once per data set and width, before it is seen. Columns of figures and days keep
 * what they need and are not touched; nor is a table whose words are typed in.
 * `dataSet` says which columns and rows these are.
 */
export function useSharedRoom(wrap: RefObject<HTMLElement | null>, dataSet: string): void {
  useLayoutEffect(() => {
    const box = wrap.current
    if (!box) return
    let width = 0
    const heads = new Map<HTMLElement, string>()
    const giveBack = () => {
      for (const [head, own] of heads) head.style.inlineSize = own
      heads.clear()
    }
    const share = () => {
      giveBack()
      const lines = [...box.querySelectorAll<HTMLTableRowElement>('tbody > tr[data-row]')]
      const all = [...box.querySelectorAll<HTMLElement>('thead > tr:last-child > th')]
      const places = lines[0] ? [...lines[0].cells].flatMap((cell, i) => (cell.matches('.trim') && cell.colSpan === 1 ? [i] : [])) : []
      if (places.length < 2 || all.length !== lines[0]!.cells.length || box.querySelector('td.trim :is(input, textarea)')) return
      const parts = places.map((i) => {
        const head = all[i]!
        const cells = lines.flatMap((line) => line.cells[i] ?? [])
        const least = parseFloat(getComputedStyle(cells[0]!).minInlineSize) || 0
        const isEmpty = cells.every((cell) => cell.textContent === '')
        // The head's own words, which wrap, are not cut either.
        const text = document.createRange()
        text.selectNodeContents(head)
        const said = text.getBoundingClientRect().width + 24
        return {
          head,
          now: head.getBoundingClientRect().width,
          need: isEmpty ? said : Math.max(said, ...cells.map(needOf)),
          least: isEmpty ? 0 : least,
        }
      })
      const widths = shareRoom(
        parts.reduce((sum, { now }) => sum + now, 0),
        parts,
      )
      parts.forEach(({ head }, i) => {
        heads.set(head, head.style.inlineSize)
        head.style.inlineSize = `${Math.floor(widths[i]!)}px`
      })
    }
    const watch = new ResizeObserver(([entry]) => {
      const now = Math.round(entry!.contentRect.width)
      if (now === width) return
      width = now
      share()
    })
    width = Math.round(box.clientWidth)
    share()
    watch.observe(box)
    return () => {
      watch.disconnect()
      giveBack()
    }
  }, [wrap, dataSet])
}
