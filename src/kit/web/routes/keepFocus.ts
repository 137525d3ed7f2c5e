/**
 * Where somebody was: the control and all that stood around it, the nearest first; on which page; in which
 * row of which table.
 */
interface Spot {
  chain: HTMLElement[]
  path: string
  row: { label: string; at: number } | undefined
}

const overlay = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'

const list = '[role="menu"], [role="listbox"]'

/** The dialog that lies on top and is not on its way out. */
const topDialog = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('[role="dialog"], [role="alertdialog"]')].findLast(
    (one) => !one.closest('[data-exiting]'),
  )

/** A table that is loaded again has its rows a moment later. */
const patience = 1500

/**
 * The focused element often disappears with its action: a row that was archived, the file drop once the file is
 * being read, the button of a period once it is filed. A browser then drops the focus, and keyboard and screen
 * reader users begin again at the top. Here it goes to the row that replaces the lost one, and else stays in the
 * surrounding part: at no other control, or a second press of the same key would do something nobody asked for. A
 * field that is disabled while its answer is under way is focused again afterwards.
 */
export function keepFocus(): void {
  let held: Spot | undefined
  /** A control that is there and cannot have the cursor now. */
  let slept: HTMLElement | undefined
  /** What has the cursor meanwhile. */
  let instead: HTMLElement | undefined
  /** The row it represents: the last of a list disappeared, and may be restored. */
  let insteadOf: Spot['row']
  let lostAt: number | undefined
  /** The row of this page that was focused last: a part under a list for the chosen rows returns to it. */
  let lastRow: (Spot['row'] & { path?: string }) | undefined
  let asked = 0
  /** What is focused beside the page: the undo button disappears with its action. */
  let beside: HTMLElement | undefined
  /** Something lay over the page when it was last looked at. */
  let isCovered = false

  const look = () => {
    const active = document.activeElement
    // An overlay restores the focus automatically, unless it was opened by another that is gone: a dialog by a menu, a
    // question by a button that its answer removed. Then the remaining dialog gets it, or Escape would reach nothing.
    if (document.querySelector(overlay)) {
      isCovered = true
      if (active === document.body && !document.querySelector(list))
        topDialog()?.focus({ preventScroll: true })
      return
    }
    const wasCovered = isCovered
    isCovered = false
    if (slept && isThere(slept) && (active === document.body || active === instead)) {
      slept.focus({ preventScroll: true })
      slept = instead = undefined
      return
    }
    const last = held?.chain[0]
    const back =
      insteadOf &&
      held?.path === location.pathname &&
      (active === instead || active === document.body) &&
      rowOf(insteadOf)
    if (back) return back.focus()
    // Another page puts the cursor where it begins.
    if (!held || !last || held.path !== location.pathname || active !== document.body) return
    if (isThere(last)) {
      if (!wasCovered && (!beside || beside.isConnected)) return
      if (last === instead) stand(last)
      else last.focus({ preventScroll: true })
      return
    }
    if (last.isConnected) slept = last
    else if (held.row) {
      const row = rowOf(held.row)
      lostAt ??= performance.now()
      if (row) return row.focus()
      if (!isEmptied(held) && performance.now() - lostAt < patience) return void setTimeout(look, 50)
      insteadOf = held.row
    }
    instead = around(held)
    if (instead) stand(instead)
  }
  // A frame or two for code that moves the focus: a field that begins, a dialog that restores it.
  const ask = (changes: MutationRecord[]) => {
    const last = held?.chain[0]
    if (
      last &&
      changes.some(({ type, target }) => type === 'attributes' && target.contains(last)) &&
      !isThere(last)
    )
      slept = last
    cancelAnimationFrame(asked)
    asked = requestAnimationFrame(() => (asked = requestAnimationFrame(look)))
  }

  document.addEventListener('focusin', ({ target }) => {
    const content = document.getElementById('content')
    if (!(target instanceof HTMLElement)) return
    beside = content?.contains(target) ? undefined : target
    if (beside || !content) return
    held = spotOf(target, content)
    if (held.row) lastRow = { ...held.row, path: held.path }
    else if (target.closest('[data-of-list]') && lastRow?.path === held.path) held.row = lastRow
    lostAt = undefined
    if (target !== instead) slept = undefined
    if (!instead?.contains(target)) instead = insteadOf = undefined
  })
  // A press on nothing means to leave; one on a control comes here before the control has the cursor.
  document.addEventListener('pointerdown', () => (held = slept = instead = insteadOf = undefined), true)
  new MutationObserver(ask).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'hidden', 'inert', 'open'],
  })
}

function spotOf(from: HTMLElement, page: HTMLElement): Spot {
  const chain: HTMLElement[] = []
  for (let one: HTMLElement | null = from; one; one = one === page ? null : one.parentElement) chain.push(one)
  const row = from.closest<HTMLElement>('tr[data-row]')
  return {
    chain,
    path: location.pathname,
    row: row
      ? { label: row.closest('table')?.getAttribute('aria-label') ?? '', at: Number(row.dataset.row) }
      : undefined,
  }
}

/** Still in the page, seen, and able to have the cursor. */
const isThere = (one: HTMLElement): boolean =>
  one.isConnected && one.getClientRects().length > 0 && !one.matches(':disabled')

/** Neither a word nor a picture is left in it. */
const isEmpty = (one: HTMLElement): boolean =>
  one.textContent.trim() === '' &&
  !one.querySelector('a, button, input, select, textarea, img, svg, canvas, iframe')

/** The nearest of what stood around it: what its buttons have all left is no place to stand in. */
const around = ({ chain }: Spot): HTMLElement | undefined =>
  chain.find((one, i) => i > 0 && isThere(one) && !isEmpty(one))

/** The list says that it has no rows: none is waited for. */
const isEmptied = (of: Spot): boolean => around(of)?.querySelector('.k-empty') != null

/** The row at the position of the lost one, or the last before it. */
function rowOf({ label, at }: NonNullable<Spot['row']>): HTMLElement | undefined {
  const rows = [
    ...document.querySelectorAll<HTMLElement>(
      `#content table[aria-label="${CSS.escape(label)}"] tr[data-row][tabindex]`,
    ),
  ]
  return rows.find((one) => Number(one.dataset.row) >= at) ?? rows.at(-1)
}

/** A place that is no control takes the cursor for once, without a ring around half the page. */
export function stand(at: HTMLElement): void {
  const isOwn = at.hasAttribute('tabindex')
  if (!isOwn) {
    at.tabIndex = -1
    at.dataset.kept = ''
    at.addEventListener(
      'blur',
      () => {
        at.removeAttribute('tabindex')
        delete at.dataset.kept
      },
      { once: true },
    )
  }
  at.focus({ preventScroll: true })
}
