import { flushSync } from 'react-dom'

/** What was typed for something that was not there yet. */
export interface Typed {
  /** A tab marks where the Tab key went on to the next field. */
  text: string
  /** Enter came after it. */
  enters: boolean
}

export interface TypedAhead {
  /** From now on keys are kept; Escape and a press elsewhere mean that nothing is wanted any more. */
  begin: (onLeave: () => void) => void
  stop: () => void
  /** Gives what was kept, to the person who has the cursor from now on. */
  take: () => Typed
}

/**
 * Keeps what is typed between the request for an input and its appearance, the first time, when its code is still
 * under way. The keys would else go to the page behind, and do there what nobody asked for. `manyFields`: the Tab
 * key means something there.
 */
export function makeTypedAhead({ manyFields }: { manyFields: boolean }): TypedAhead {
  let typed: Typed = { text: '', enters: false }
  let leave = () => {}
  let isThere = false
  const onKey = (event: KeyboardEvent) => {
    const { key } = event
    // The same wish again, and what the browser does itself.
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (key === 'Escape') leave()
    else if (key === 'Enter') typed.enters = true
    else if (key === 'Tab' && manyFields && !event.shiftKey && !typed.enters) typed.text += '\t'
    else if (key === 'Backspace') typed.text = typed.text.slice(0, -1)
    else if (key.length === 1 && !typed.enters) typed.text += key
    event.preventDefault()
    event.stopPropagation()
  }
  const onPress = () => leave()
  const stop = () => {
    document.removeEventListener('keydown', onKey, true)
    document.removeEventListener('pointerdown', onPress, true)
  }
  return {
    begin(onLeave) {
      // What came once comes at once.
      if (isThere) return
      stop()
      typed = { text: '', enters: false }
      leave = onLeave
      document.addEventListener('keydown', onKey, true)
      document.addEventListener('pointerdown', onPress, true)
    },
    stop,
    take() {
      stop()
      isThere = true
      const taken = typed
      typed = { text: '', enters: false }
      return taken
    },
  }
}

/**
 * Types into a form that has just come what was kept for it: from the field with the cursor on, a field each,
 * and Enter saves. All of it before the next key can come.
 */
export function typeInto(form: HTMLFormElement, { text, enters }: Typed): void {
  if (text === '' && !enters) return
  queueMicrotask(() => {
    text.split('\t').forEach((part, i) => {
      if (i > 0) flushSync(() => fieldAfter(form, document.activeElement)?.focus())
      // The one way that lets a field's own checks see the letters as if a key had brought them.
      if (part !== '') flushSync(() => document.execCommand('insertText', false, part))
    })
    if (enters) form.requestSubmit()
  })
}

function fieldAfter(form: HTMLFormElement, now: Element | null): HTMLElement | undefined {
  const all = [...form.querySelectorAll<HTMLElement>('input, textarea, select, button, [tabindex]')].filter(
    (one) => one.tabIndex >= 0 && !one.matches(':disabled') && one.getClientRects().length > 0,
  )
  return all[all.findIndex((one) => one === now) + 1]
}
