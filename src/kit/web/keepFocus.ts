/** Where somebody was: the element, its table and row, and its neighbours at every level up to the page. */
interface Spot {
  element: Element
  path: string
  table: { label: string; row: number } | undefined
  levels: { parent: Element; before: Element | null; after: Element | null }[]
}

const tabbable = 'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), [tabindex="0"]'
const overlay = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'

/** A part that closes gives the focus back by itself, and what is loaded again stands there a moment later. */
const patience = { overlay: 80, table: 1500 } as const

/**
 * What is removed or disabled while it has the focus loses it to nobody: a row that was archived, the button that loaded the last rows, a dialog
 * whose opener is gone. The next key would begin at the top of the page. Whoever works with keys goes on in its place: at the row that moved up,
 * else at the neighbour that is left, else at the page.
 */
export function keepFocus(): void {
  let last: Spot | undefined
  let lastInPage: Spot | undefined
  let byKey = false
  document.addEventListener('keydown', () => (byKey = true), true)
  document.addEventListener('pointerdown', () => (byKey = false), true)
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element) || target === document.body) return
    const page = document.getElementById('content')
    last = spotOf(target, page)
    if (page?.contains(target)) lastInPage = last
  })
  new MutationObserver(() => {
    if (!last || isThere(last.element)) return
    const lost = last
    last = undefined
    if (byKey) void goOn(lost, lastInPage)
  }).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] })
}

const isThere = (element: Element): boolean => element.isConnected && !element.matches(':disabled')

function spotOf(element: Element, page: Element | null): Spot {
  const row = element.closest<HTMLElement>('tr[data-row]')
  const levels: Spot['levels'] = []
  for (let at: Element = element; at.parentElement && at !== page; at = at.parentElement)
    levels.push({ parent: at.parentElement, before: at.previousElementSibling, after: at.nextElementSibling })
  return {
    element,
    path: location.pathname,
    table: row ? { label: row.closest('table')?.getAttribute('aria-label') ?? '', row: Number(row.dataset.row) } : undefined,
    levels: page?.contains(element) ? levels : [],
  }
}

async function goOn(lost: Spot, inPage: Spot | undefined): Promise<void> {
  const since = performance.now()
  const spot = lost.levels.length > 0 ? lost : inPage
  for (;;) {
    await new Promise((done) => setTimeout(done, 40))
    const waited = performance.now() - since
    // Another page puts the cursor where it begins.
    if (location.pathname !== lost.path) return
    const active = document.activeElement
    if (active !== null && active !== document.body && active !== lost.element) return
    if (waited < patience.overlay || document.querySelector(overlay)) {
      if (waited > 10_000) return
      continue
    }
    const known = spot?.path === lost.path ? spot : undefined
    const row = known?.table && rowOf(known.table)
    if (!row && known?.table && waited < patience.table) continue
    const next = row ?? (known && nearest(known)) ?? document.getElementById('content')
    return next?.focus()
  }
}

/** The row that stands now where the lost one stood, or the last before it. */
function rowOf({ label, row }: NonNullable<Spot['table']>): HTMLElement | undefined {
  const rows = [...document.querySelectorAll<HTMLElement>(`#content table[aria-label="${CSS.escape(label)}"] tr[data-row][tabindex]`)]
  return rows.find((one) => Number(one.dataset.row) >= row) ?? rows.at(-1)
}

/** Itself when it is there again; else what Tab reaches next to it: the one that moved up in a list, else the one before. */
function nearest({ element, levels }: Spot): HTMLElement | undefined {
  if (isThere(element)) return element as HTMLElement
  for (const { parent, before, after } of levels) {
    if (!parent.isConnected) continue
    const isList = element.closest('li, article, tr') !== null
    const [back, on] = [reached(before, parent, 'last'), reached(after, parent, 'first')]
    const found = isList ? (on ?? back) : (back ?? on)
    if (found) return found
  }
  return undefined
}

function reached(beside: Element | null, parent: Element, which: 'first' | 'last'): HTMLElement | undefined {
  for (let at = beside; at?.parentElement === parent; at = which === 'first' ? at.nextElementSibling : at.previousElementSibling) {
    const all = [...(at.matches(tabbable) ? [at as HTMLElement] : []), ...at.querySelectorAll<HTMLElement>(tabbable)].filter(
      (one) => one.tabIndex >= 0 && one.getClientRects().length > 0,
    )
    const found = which === 'first' ? all[0] : all.at(-1)
    if (found) return found
  }
  return undefined
}
