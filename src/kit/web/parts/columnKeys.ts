/** What is typed in: no ticks, and no lists of choices, whose arrows are their own. */
export const typedCells =
  'input:not([type="checkbox"], [type="radio"], [type="file"], [role="combobox"], :disabled)'

/**
 * A column of typed cells is gone through like a sheet's: arrow down or Enter to the next row that has one,
 * arrow up or Shift+Enter back; in a form Enter is the form's. Tells whether the cursor went. The rows are a
 * table's or those of `Rows`, a field of which has its place among the row's.
 */
export function toBeside(event: React.KeyboardEvent): boolean {
  const cell = event.target as HTMLElement
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || !cell.matches(typedCells))
    return false
  const row = cell.closest<HTMLElement>('tr, .k-rows > *')
  const isEnter = event.key === 'Enter' && !cell.closest('form')
  const isDown = (event.key === 'ArrowDown' && !event.shiftKey) || (isEnter && !event.shiftKey)
  const isUp = (event.key === 'ArrowUp' && !event.shiftKey) || (isEnter && event.shiftKey)
  if (!row || !(isDown || isUp)) return false
  const column = cell.closest('td')?.cellIndex
  const place = [...row.querySelectorAll(typedCells)].indexOf(cell)
  let next: Element | null = row
  while ((next = isDown ? next.nextElementSibling : next.previousElementSibling)) {
    const to: HTMLElement | null | undefined =
      next instanceof HTMLTableRowElement && column !== undefined
        ? next.cells[column]?.querySelector<HTMLElement>(typedCells)
        : next.querySelectorAll<HTMLElement>(typedCells)[place]
    if (!to) continue
    event.preventDefault()
    to.focus()
    return true
  }
  return false
}
