import { useEffect, useRef, useState, type FormEvent, type RefObject } from 'react'
import { fieldErrors } from '../calls/call.ts'
import { useWords } from '../words/words.tsx'

/** What takes the cursor of a form: a field, or the button of a choice that the Tab key reaches. */
const fields = 'input:not([type="file"]), textarea, select, [role="radio"]'

/** The first field of a place that can be typed in. */
export const firstIn = (place: Element): HTMLElement | undefined =>
  [...place.querySelectorAll<HTMLElement>(fields)].find(
    (one) => one.tabIndex >= 0 && !one.matches(':disabled') && one.getClientRects().length > 0,
  )

/** Why it was refused, and what the fields held then. */
interface Refused {
  failure: unknown
  sent: ReadonlyMap<string, unknown>
}

export interface Deed<E extends HTMLElement> {
  busy: boolean
  /** What could not be said beside a field. */
  rest: string | undefined
  /**
   * The refusal of a field, which is shown as long as the field has the refused value; read at every drawing.
   */
  error: (name: string, value: unknown) => { error?: string }
  /** Does it, unless it is being done; a form hands its `submit` over. */
  run: (event?: FormEvent) => void
  /** Where the fields stand: of the form, or of what holds them. */
  place: RefObject<E | null>
}

/**
 * The one action of a form: busy while it lasts, its refusals where they belong, the cursor in the first field that
 * was refused. A finished action closes or leads away, and stays busy until then, unless the form `stays`. `names`
 * are the fields that may show a refusal.
 */
export function useAction<E extends HTMLElement = HTMLFormElement>(
  names: readonly string[],
  deed: () => Promise<unknown>,
  { stays = false }: { stays?: boolean } = {},
): Deed<E> {
  const t = useWords()
  const [refused, setRefused] = useState<Refused>()
  const [busy, setBusy] = useState(false)
  const place = useRef<E>(null)
  const failure = refused?.failure
  const said = failure === undefined ? undefined : fieldErrors(t, failure, names)
  const values = new Map<string, unknown>()
  useEffect(() => {
    const wrong =
      failure === undefined ? null : place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (wrong) (wrong.matches(fields) ? wrong : firstIn(wrong))?.focus()
  }, [failure])
  const run = async () => {
    setBusy(true)
    setRefused(undefined)
    try {
      await deed()
      if (stays) setBusy(false)
    } catch (e) {
      setRefused({ failure: e, sent: values })
      setBusy(false)
    }
  }
  return {
    busy,
    rest: said?.rest,
    error: (name, value) => {
      values.set(name, value)
      const text =
        refused?.sent.has(name) && Object.is(refused.sent.get(name), value) ? said?.fields[name] : undefined
      return text ? { error: text } : {}
    },
    run: (event) => {
      event?.preventDefault()
      if (!busy) void run()
    },
    place,
  }
}
