import { useRef, useState, type FormEvent, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { fieldErrors } from '#kit/web/calls/call.ts'
import { useWords } from '#kit/web/words/words.tsx'

export interface Form<V> {
  values: V
  /** Value, change and error of one field, ready for a field of the kit. */
  field: <K extends keyof V & string>(
    name: K,
  ) => { name: K; value: V[K]; onChange: (value: V[K]) => void; error?: string }
  set: (change: Partial<V>) => void
  /** What could not be said beside a field. */
  rest: string | undefined
  busy: boolean
  submit: (event: FormEvent) => void
}

/**
 * A short form of the account pages. `check` answers word keys of what is wrong by field; it is asked on
 * submit, and a field's error goes as soon as the field is touched. Refusals of the server find their fields
 * by path; after one that names none, one tries again at `again`. `send` is also given `set`, to empty fields
 * once it is done.
 */
export function useForm<V extends Record<string, unknown>>(
  initial: V,
  check: (values: V) => Partial<Record<keyof V & string, string | false | undefined>>,
  send: (values: V, set: Form<V>['set']) => Promise<unknown>,
  again?: keyof V & string,
): Form<V> & { ref: RefObject<HTMLFormElement | null> } {
  const t = useWords()
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [rest, setRest] = useState<string>()
  const [busy, setBusy] = useState(false)
  const ref = useRef<HTMLFormElement>(null)

  const set = (change: Partial<V>) => {
    setValues((before) => ({ ...before, ...change }))
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !(name in change))))
  }
  const refuse = (next: Record<string, string>) => {
    // Drawn at once, for the focus goes to the first field that has an error.
    flushSync(() => setErrors(next))
    ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }
  const submit = async () => {
    setRest(undefined)
    const wrong = Object.entries(check(values)).flatMap(([name, key]) =>
      key ? [[name, t(key)] as const] : [],
    )
    if (wrong.length > 0) return refuse(Object.fromEntries(wrong))
    setErrors({})
    setBusy(true)
    try {
      await send(values, set)
    } catch (e) {
      const { fields, rest: left } = fieldErrors(t, e, Object.keys(initial))
      setRest(left)
      if (Object.keys(fields).length > 0) refuse(fields)
      else if (again) ref.current?.querySelector<HTMLInputElement>(`input[name="${again}"]`)?.select()
    } finally {
      setBusy(false)
    }
  }
  return {
    values,
    set,
    rest,
    busy,
    ref,
    field: (name) => ({
      name,
      value: values[name],
      onChange: (value) => set({ [name]: value } as unknown as Partial<V>),
      ...(errors[name] ? { error: errors[name] } : {}),
    }),
    submit: (event) => {
      event.preventDefault()
      if (!busy) void submit()
    },
  }
}

export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(text.trim())
export const isPhone = (text: string): boolean => /^[+*]?[\d\s().-]{3,24}$/.test(text.trim())
