import { useLayoutEffect, type RefObject } from 'react'
import { shareRoom } from './shareRoom.ts'

/** What a cell of words would take if nothing cut it, its padding included. */
function needOf(cell: HTMLElement): number {
  let need = cell.scrollWidth
  for (const cut of cell.querySelectorAll<HTMLElement>('.cut'))
    if (cut.scrollWidth > cut.clientWidth)
      need = Math.max(need, cell.clientWidth + cut.scrollWidth - cut.clientWidth)
  return need
}

const edges = (cell: HTMLElement): number => {
  const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(cell)
  return parseFloat(paddingInlineStart) + parseFloat(paddingInlineEnd)
}

/**
 * Text columns share their width by their content, measured once per data set and width, before it is visible.
 * Columns of figures and days keep what they need and are not touched; nor is a table whose text is typed in.
 * `dataSet` says which columns and rows these are.
 */
export function useSharedRoom(wrap: RefObject<HTMLElement | null>, dataSet: string): void {
  useLayoutEffect(() => {
    const box = wrap.current
    if (!box) return
    let width = 0
    let heads: HTMLElement[] = []
    const put = (head: HTMLElement, size: string, least: string) => {
      head.style.inlineSize = size
      head.style.minInlineSize = least
    }
    const giveBack = () => {
      for (const head of heads) put(head, head.dataset.width ?? '', '')
      box.style.removeProperty('--k-least')
      heads = []
    }
    const share = () => {
      giveBack()
      const lines = [...box.querySelectorAll<HTMLTableRowElement>('tbody > tr[data-row]')]
      const all = [...box.querySelectorAll<HTMLElement>('thead > tr:last-child > th')]
      const places = lines[0]
        ? [...lines[0].cells].flatMap((cell, i) =>
            cell.matches('.trim') && cell.colSpan === 1 && !all[i]?.matches('[data-own]') ? [i] : [],
          )
        : []
      if (
        places.length < 2 ||
        all.length !== lines[0]!.cells.length ||
        box.querySelector('td.trim :is(input, textarea)')
      )
        return
      heads = places.map((i) => all[i]!)
      const needs = places.map((i, at) => {
        const cells = lines.flatMap((line) => line.cells[i] ?? [])
        // One long text among empty cells takes no room from columns that are filled in every row.
        const most = cells
          .map((cell) => (cell.textContent === '' ? 0 : needOf(cell)))
          .toSorted((one, other) => one - other)
        const usual = most[Math.ceil(most.length * 0.8) - 1] ?? 0
        const words = document.createRange()
        words.selectNodeContents(heads[at]!)
        const head = words.getBoundingClientRect().width + edges(heads[at]!)
        const least = usual === 0 ? head : parseFloat(getComputedStyle(cells[0]!).minInlineSize) || 0
        return { need: Math.max(head, usual), least }
      })
      // What is left when all others have just what they need.
      for (const head of heads) put(head, '200rem', '')
      const room = heads.reduce((sum, head) => sum + head.getBoundingClientRect().width, 0)
      shareRoom(room, needs).forEach((one, i) =>
        put(heads[i]!, `${Math.floor(one)}px`, `${Math.floor(needs[i]!.least)}px`),
      )
      box.style.setProperty('--k-least', '0px')
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
