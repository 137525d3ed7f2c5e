import type { LucideIcon } from 'lucide-react'
import { useCallback, useEffect, useId, useLayoutEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { fieldErrors } from '../call.ts'
import { useWords } from '../words.tsx'
import { Note } from './Banner.tsx'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { useDeedKeys } from './useKeys.ts'

export interface FormDialogProps {
  title: ReactNode
  /** Without one there is nothing to do but to look. */
  verb?: string | undefined
  danger?: boolean
  icon?: LucideIcon
  /** The icon points along the line and mirrors in right-to-left. */
  m?: boolean
  /** Something is still to be chosen, and the form shows what. */
  isDisabled?: boolean
  /** The fields at which a refusal may stand; any other stands above them. */
  names: readonly string[]
  onClose: () => void
  /** Does it, and closes the dialog or leads away; when it is refused the dialog stays. */
  onSubmit: () => Promise<unknown>
  /** The fields; asks for the refusal of each, which stands as long as the field holds what was refused. */
  children: (error: (name: string, value: unknown) => { error?: string }) => ReactNode
}

/** Why it was refused, and what the fields held then. */
interface Refused {
  failure: unknown
  sent: ReadonlyMap<string, unknown>
}

/** What takes the cursor of a form: a field, or the button of a choice that the Tab key reaches. */
const fields = 'input:not([type="file"]), textarea, select, [role="radio"]'

const firstIn = (place: Element): HTMLElement | undefined =>
  [...place.querySelectorAll<HTMLElement>(fields)].find(
    (one) => one.tabIndex >= 0 && !one.matches(':disabled') && one.getClientRects().length > 0,
  )

/** A short form over the page: the cursor begins in its first field and goes to what was refused. One deed, its refusals where they belong, busy while it lasts. */
export function FormDialog({ title, verb, danger, icon, m, isDisabled, names, onClose, onSubmit, children }: FormDialogProps) {
  const t = useWords()
  const form = useId()
  const [refused, setRefused] = useState<Refused>()
  const [busy, setBusy] = useState(false)
  const failure = refused?.failure
  const said = failure === undefined ? undefined : fieldErrors(t, failure, names)
  const shown = useRef<ReadonlyMap<string, unknown>>(new Map())
  const element = useRef<HTMLFormElement>(null)
  const begin = useCallback((there: HTMLFormElement | null) => {
    element.current = there
    // A field that wants the cursor itself has it by now.
    if (there && !there.contains(document.activeElement)) firstIn(there)?.focus({ preventScroll: true })
  }, [])
  // Fields that came later, with an answer: the cursor has waited on the dialog itself.
  useEffect(() => {
    const there = element.current
    if (there && document.activeElement?.matches('[role="dialog"]') && document.activeElement.contains(there))
      firstIn(there)?.focus({ preventScroll: true })
  })
  useEffect(() => {
    const wrong = failure === undefined ? null : element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (wrong) (wrong.matches(fields) ? wrong : firstIn(wrong))?.focus()
  }, [failure])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setRefused(undefined)
    const sent = shown.current
    try {
      await onSubmit()
    } catch (e) {
      setRefused({ failure: e, sent })
      setBusy(false)
    }
  }
  const values = new Map<string, unknown>()
  const error = (name: string, value: unknown) => {
    values.set(name, value)
    const text = refused?.sent.has(name) && Object.is(refused.sent.get(name), value) ? said?.fields[name] : undefined
    return text ? { error: text } : {}
  }
  const inside = children(error)
  useLayoutEffect(() => {
    shown.current = values
  })
  // In a long text Enter is a new line.
  useDeedKeys(element, verb && !isDisabled ? () => element.current?.requestSubmit() : undefined)
  return (
    <Dialog
      isOpen
      form
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          {verb && (
            <Button kind={danger ? 'danger' : 'primary'} type="submit" form={form} icon={icon} m={m} busy={busy} isDisabled={isDisabled}>
              {verb}
            </Button>
          )}
        </>
      }
    >
      <form ref={begin} id={form} className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
        {said?.rest && <Note tone="late">{said.rest}</Note>}
        {inside}
      </form>
    </Dialog>
  )
}
