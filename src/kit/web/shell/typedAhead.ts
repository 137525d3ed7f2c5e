/** What was typed for something that was not there yet. */
export interface Typed {
  text: string
  /** Enter came after it. */
  enters: boolean
}

export interface TypedAhead {
  /** From now on keys are kept; Escape and a press elsewhere mean that nothing is wanted any more. */
  begin: (onLeave: () => void) => void
  stop: () => void
  /** Gives what was kept, to whoever has the cursor from now on. */
  take: () => Typed
}

/**
 * Keeps what is typed between the wish for something that is typed into and its coming, the first time, when its code is still under way. The keys
 * would else go to what stands behind, and do there what nobody asked for.
 */
export function makeTypedAhead(on: Pick<Document, 'addEventListener' | 'removeEventListener'> = document): TypedAhead {
  let typed: Typed = { text: '', enters: false }
  let leave = () => {}
  let isThere = false
  const onKey = (event: KeyboardEvent) => {
    const { key } = event
    // The same wish again, and what the browser does itself.
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (key === 'Escape') leave()
    else if (key === 'Enter') typed.enters = true
    else if (key === 'Backspace') typed.text = typed.text.slice(0, -1)
    else if (key.length === 1 && !typed.enters) typed.text += key
    event.preventDefault()
    event.stopPropagation()
  }
  const onPress = () => leave()
  const stop = () => {
    on.removeEventListener('keydown', onKey, true)
    on.removeEventListener('pointerdown', onPress, true)
  }
  return {
    begin(onLeave) {
      // What came once comes at once.
      if (isThere) return
      stop()
      typed = { text: '', enters: false }
      leave = onLeave
      on.addEventListener('keydown', onKey, true)
      on.addEventListener('pointerdown', onPress, true)
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
