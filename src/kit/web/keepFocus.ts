/**
 * What had the cursor often goes away with its own deed: the place for a file once it is being read, the button of a period once it is filed. A
 * browser then lets the cursor fall out of the page, and whoever works by keys or listens to a reader begins again at the top. Here it stays in
 * what stood around.
 */
export function keepFocus(): void {
  /** What last had the cursor in the page, and all that stood around it then, the nearest first. */
  let held: HTMLElement[] = []
  /** A control that could not have the cursor for a while, as fields cannot while what they ask for is under way. */
  let slept: HTMLElement | undefined
  /** What has the cursor meanwhile. */
  let instead: HTMLElement | undefined
  let asked = 0

  const look = () => {
    const active = document.activeElement
    if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return
    if (slept && isThere(slept) && (active === document.body || active === instead)) {
      slept.focus({ preventScroll: true })
      slept = instead = undefined
      return
    }
    const [last] = held
    if (!last || active !== document.body || isThere(last)) return
    if (last.isConnected) slept = last
    instead = held.find((one, i) => i > 0 && isThere(one))
    if (instead) stand(instead)
  }
  // A frame or two for whoever puts the cursor somewhere himself: a field that begins, a dialog that gives it back.
  const ask = (changes: MutationRecord[]) => {
    const [last] = held
    if (last && changes.some(({ type, target }) => type === 'attributes' && target.contains(last)) && !isThere(last)) slept = last
    cancelAnimationFrame(asked)
    asked = requestAnimationFrame(() => (asked = requestAnimationFrame(look)))
  }

  document.addEventListener('focusin', ({ target }) => {
    const content = document.getElementById('content')
    if (!(target instanceof HTMLElement) || !content?.contains(target)) return
    held = chain(target, content)
    if (target !== instead) slept = instead = undefined
  })
  // A press on nothing means to leave; one on a control comes here before the control has the cursor.
  document.addEventListener(
    'pointerdown',
    () => {
      held = []
      slept = instead = undefined
    },
    true,
  )
  new MutationObserver(ask).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'hidden', 'inert', 'open'],
  })
}

function chain(from: HTMLElement, to: HTMLElement): HTMLElement[] {
  const around: HTMLElement[] = []
  for (let one: HTMLElement | null = from; one; one = one === to ? null : one.parentElement) around.push(one)
  return around
}

/** Still in the page, seen, and able to have the cursor. */
const isThere = (one: HTMLElement): boolean => one.isConnected && one.getClientRects().length > 0 && !one.matches(':disabled')

/** A place that is no control takes the cursor for once, without a ring around half the page. */
function stand(at: HTMLElement): void {
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
