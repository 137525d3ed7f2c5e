import { useEffect, useRef, useState, type RefObject } from 'react'
import { useWords } from '../words/words.tsx'

export interface Typed<T> {
  /** The text shown in the box. */
  text: string
  /** Said under the field once the person has left a text that cannot be read. */
  problem: string | undefined
  onText: (text: string) => void
  onFocus: () => void
  onBlur: () => void
  /** Writes a value from elsewhere (arrow keys, a calendar). */
  put: (value: T | null) => void
  /**
   * For the input. It tells the browser that it is invalid, so that `form.checkValidity()` knows what `value`
   * cannot say.
   */
  box: RefObject<HTMLInputElement | null>
}

/**
 * A value behind a text: readable text reaches the form at once, empty text is null, and unreadable text is
 * null with a sentence when the person leaves it. The text is put into its proper form on leaving, never
 * while typing.
 */
export function useTyped<T>(options: {
  value: T | null
  onChange: (value: T | null) => void
  read: (text: string) => T | undefined
  show: (value: T) => string
  /** The word key of the sentence for unreadable text. */
  refusal: string
}): Typed<T> {
  const { value, onChange, read, show, refusal } = options
  const t = useWords()
  const [draft, setDraft] = useState<string>()
  const [left, setLeft] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  const unread = draft !== undefined && draft.trim() !== '' && read(draft) === undefined
  const problem = unread && left ? t(refusal) : undefined
  const invalid = unread ? t(refusal) : ''
  useEffect(() => box.current?.setCustomValidity(invalid), [invalid])
  return {
    text: draft ?? (value === null ? '' : show(value)),
    problem,
    onText(text) {
      setDraft(text)
      if (text.trim() === '') return onChange(null)
      const next = read(text)
      if (next !== undefined && next !== value) onChange(next)
    },
    onFocus() {
      setLeft(false)
    },
    onBlur() {
      setLeft(true)
      if (unread) onChange(null)
      else setDraft(undefined)
    },
    put(next) {
      setDraft(undefined)
      onChange(next)
    },
    box,
  }
}
