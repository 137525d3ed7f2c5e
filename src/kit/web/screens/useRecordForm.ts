import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { del, get, set } from 'idb-keyval'
import { call, failureText, fieldErrors } from '../calls/call.ts'
import { useWords } from '../words/words.tsx'
import { changesOf, problemOf, startOf, isEmpty, type Problem } from './checks.ts'
import {
  callsOf,
  fieldsOf,
  markFresh,
  refreshResource,
  type AnyResource,
  type AnyRow,
  type Values,
} from './resources.ts'

export interface Draft {
  values: Values
  /** ISO moment. */
  at: string
}

export interface RecordForm {
  values: Values
  put: (change: Values) => void
  /** The sentence under a field. */
  errors: Record<string, string>
  /** The person has left the field. */
  left: (name: string) => void
  /** What is to be said above the form. */
  problem: string | undefined
  dirty: boolean
  busy: boolean
  submit: () => Promise<void>
  /** What was typed at another time and never saved. */
  draft: Draft | undefined
  takeDraft: () => void
  dropDraft: () => void
  /** Forgets what was typed; for the way out. */
  discard: () => void
}

export interface RecordFormOptions {
  resource: AnyResource
  /** The record to change; a new one when absent. */
  record?: AnyRow | undefined
  /** What a new record is given to begin with. */
  given?: Values | undefined
  names: readonly string[]
  form: RefObject<HTMLFormElement | null>
  /** Under which name what is typed is kept; undefined keeps nothing. */
  draftKey?: string | undefined
  onSaved: (row: AnyRow) => void
}

const DRAFT_WAIT_MS = 400

/** The values of a described form, its checks, its draft and its saving. */
export function useRecordForm({
  resource,
  record,
  given,
  names,
  form,
  draftKey,
  onSaved,
}: RecordFormOptions): RecordForm {
  const t = useWords()
  const fields = fieldsOf(resource)
  const before = useMemo<Values>(() => record ?? {}, [record])
  const [typed, setTyped] = useState<Values>(() => ({}))
  const [begun] = useState<Values>(() => (record ? {} : { ...startOf(fields), ...given }))
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [draft, setDraft] = useState<Draft>()
  const values = useMemo(() => ({ ...before, ...begun, ...typed }), [before, begun, typed])
  const dirty = Object.keys(changesOf(names, values, record ? before : begun)).length > 0

  const say = useCallback(
    (one: Problem | undefined) => (one ? t(`errors.fields.${one.code}`, one.params) : undefined),
    [t],
  )
  const put = useCallback((change: Values) => {
    setTyped((old) => ({ ...old, ...change }))
    setErrors((old) => Object.fromEntries(Object.entries(old).filter(([name]) => !(name in change))))
    setProblem(undefined)
  }, [])

  // Looked for once; what has been typed meanwhile is not pushed aside.
  useEffect(() => {
    if (draftKey)
      void get<Draft>(draftKey)
        .then((found) => found && setDraft(found))
        .catch(() => undefined)
  }, [draftKey])
  const keeping = useRef(true)
  useEffect(() => {
    if (!draftKey || !dirty || !keeping.current) return
    const timer = setTimeout(
      () =>
        void set(draftKey, { values: typed, at: new Date().toISOString() } satisfies Draft).catch(
          () => undefined,
        ),
      DRAFT_WAIT_MS,
    )
    return () => clearTimeout(timer)
  }, [draftKey, dirty, typed])
  const forget = () => {
    keeping.current = false
    if (draftKey) void del(draftKey).catch(() => undefined)
  }

  const left = (name: string) => {
    // An empty field is reported as missing only on saving: the person may still come back to it.
    const one = isEmpty(values[name]) ? undefined : problemOf(fields[name]!, values[name])
    const text = say(one)
    setErrors((old) =>
      text
        ? { ...old, [name]: text }
        : Object.fromEntries(Object.entries(old).filter(([other]) => other !== name)),
    )
  }

  /** A text that a field could not read never reached the values; the field has told the browser. */
  const unread = (): Record<string, string> => {
    const found: Record<string, string> = {}
    for (const input of form.current?.querySelectorAll<HTMLInputElement>('input[name], textarea[name]') ?? [])
      if (input.validity.customError) found[input.name] = input.validationMessage
    return found
  }
  const showErrors = (next: Record<string, string>) => {
    setErrors(next)
    const first = names.find((name) => next[name])
    // After the messages stand there, so that the reader hears the field together with its sentence.
    if (first) requestAnimationFrame(() => focusField(form.current, first))
  }

  const submit = async () => {
    if (busy) return
    const wrong: Record<string, string> = {}
    for (const name of names) {
      const text = say(problemOf(fields[name]!, values[name]))
      if (text) wrong[name] = text
    }
    Object.assign(wrong, unread())
    if (Object.keys(wrong).length > 0) return showErrors(wrong)
    setErrors({})
    setProblem(undefined)
    const { create, change } = callsOf(resource)
    const changes = changesOf(names, values, record ? before : {})
    if (record && Object.keys(changes).length === 0) {
      forget()
      return onSaved(record)
    }
    setBusy(true)
    try {
      const saved = record
        ? await call(change, { ...changes, id: record.id })
        : await call(
            create,
            Object.fromEntries(
              Object.entries({ ...begun, ...changes }).filter(
                ([name, value]) => value !== null && fields[name],
              ),
            ),
          )
      forget()
      if (!record) markFresh(saved.id)
      void refreshResource(resource, saved)
      onSaved(saved)
    } catch (e) {
      const said = fieldErrors(t, e, names)
      setProblem(said.rest ?? (Object.keys(said.fields).length > 0 ? undefined : failureText(t, e)))
      if (Object.keys(said.fields).length > 0) showErrors(said.fields)
    } finally {
      setBusy(false)
    }
  }

  return {
    values,
    put,
    errors,
    left,
    problem,
    dirty,
    busy,
    submit,
    draft: dirty ? undefined : draft,
    takeDraft: () => {
      if (draft) put(draft.values)
      setDraft(undefined)
    },
    dropDraft: () => {
      setDraft(undefined)
      if (draftKey) void del(draftKey).catch(() => undefined)
    },
    discard: forget,
  }
}

/** Puts the cursor into a field of the form, whatever it is made of: an input, a set of buttons. */
export function focusField(form: HTMLElement | null, name: string): void {
  const place = form?.querySelector(`[data-field="${CSS.escape(name)}"]`)
  place
    ?.querySelector<HTMLElement>('input, textarea, [role="radio"][tabindex="0"], button')
    ?.focus({ preventScroll: true })
  // In the middle: the head of the page and the bar with "save" cover its ends.
  place?.scrollIntoView({ block: 'center' })
}
