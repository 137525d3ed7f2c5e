import { useEffect, useRef, useState } from 'react'
import type { ExpenseAnswer, ExpenseInput, ExpenseWarning } from '../../endpoints.ts'
import { changeExpense, checkExpense, createExpense, supplierDefaults } from '../../endpoints.ts'
import { vatRateOn } from '#domain/vat/rates.ts'
import { call, CallFailure, failureText } from '#kit/web/calls/call.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLatest } from '#kit/web/hooks/useLatest.ts'
import { useStateFor } from '#kit/web/hooks/useStateFor.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { uploadFile } from '#features/base/files/endpoints.ts'
import { refreshExpenses } from '../actions.ts'
import { emptyLine, inputOf, totalOf, type Facts, type Form } from './model.ts'

const REST_MS = 500
const noWarnings: readonly ExpenseWarning[] = []

export interface Editing {
  form: Form
  put: (change: Partial<Form>) => void
  rateBp: number
  weights: readonly number[] | undefined
  lastTotal: number | null
  /** The rule of coding that filled the lines. */
  rule: string | undefined
  warnings: readonly ExpenseWarning[]
  errors: Record<string, string>
  problem: string | undefined
  /** The expense that is the same bill, when the server refused for it. */
  twinId: string | undefined
  busy: 'draft' | 'submit' | 'upload' | undefined
  dirty: boolean
  save: (draft: boolean) => Promise<void>
  addFiles: (files: readonly File[], source?: ExpenseInput['source']) => Promise<void>
}

/**
 * The form of an expense: what is typed, what the supplier's last bill teaches, what the server warns of, and
 * its saving.
 */
export function useExpense(
  start: Form,
  facts: Facts,
  id: string | undefined,
  onSaved: (saved: ExpenseAnswer) => void,
): Editing {
  const t = useWords()
  const [form, setForm] = useState(start)
  const [dirty, setDirty] = useState(false)
  const [weights, setWeights] = useState<number[]>()
  const [lastTotal, setLastTotal] = useState<number | null>(null)
  const [rule, setRule] = useState<string>()
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState<string>()
  const [twinId, setTwinId] = useState<string>()
  const [busy, setBusy] = useState<Editing['busy']>()
  const source = useRef<ExpenseInput['source']>(undefined)
  const rateBp = facts.deductsVat ? vatRateOn(form.day) : 0

  const put = (change: Partial<Form>) => {
    setDirty(true)
    setForm((old) => ({ ...old, ...change }))
    setProblem(undefined)
    setTwinId(undefined)
    // A field that is being corrected is not red any more.
    const touched = Object.keys(change).flatMap((name) => fieldsOf[name as keyof Form] ?? [])
    setErrors((old) =>
      Object.fromEntries(
        Object.entries(old).filter(
          ([path]) => !touched.some((one) => path === one || path.startsWith(`${one}.`)),
        ),
      ),
    )
  }

  // The last bill of the supplier says how this one is likely split and paid, while nothing else was said.
  const supplierId = form.supplier?.id ?? undefined
  const isUntouched = form.lines.every((line) => totalOf(line) === null && line.typeId === null)
  // Rules of coding look at the words too, as far as they stand when the supplier is chosen.
  const details = useLatest([form.details, form.number, ...form.lines.map((line) => line.details)].join(' '))
  const mayLearn = useLatest(isUntouched)
  useEffect(() => {
    if (!supplierId) return
    const stop = new AbortController()
    call(
      supplierDefaults,
      { supplierId, text: details.current.slice(0, 500) },
      { signal: stop.signal, quiet: true },
    )
      .then((learned) => {
        setRule(learned.rule?.name)
        setLastTotal(learned.lastTotalAgorot)
        setWeights(learned.lines.map((line) => line.shareBp))
        if (!mayLearn.current || learned.lines.length === 0) return
        setForm((old) => ({
          ...old,
          paper: learned.paper,
          means: learned.means,
          lines: learned.lines.map((line) => ({
            ...emptyLine(line.typeId),
            vatShare: line.vatShare,
            projectId: line.projectId,
          })),
        }))
      })
      .catch(() => undefined)
    return () => stop.abort()
  }, [supplierId, details, mayLearn])

  // Duplicates, the arithmetic of the VAT and VAT at risk are reported while it is typed.
  const given = inputOf(form)
  const asked = JSON.stringify(given)
  const isComplete = given.lines.every((line) => line.typeId !== '' && line.netAgorot)
  const [warnings, setWarnings] = useStateFor<readonly ExpenseWarning[]>(isComplete, noWarnings)
  useEffect(() => {
    if (!isComplete) return
    const { supplier: _, fileIds: __, ...input } = JSON.parse(asked) as ExpenseInput
    const stop = new AbortController()
    const timer = setTimeout(
      () =>
        void call(checkExpense, { ...input, ...(id ? { id } : {}) }, { signal: stop.signal, quiet: true })
          .then((answer) => setWarnings(answer.warnings))
          .catch(() => undefined),
      REST_MS,
    )
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [asked, id, isComplete, setWarnings])

  const save = async (draft: boolean) => {
    if (busy) return
    setBusy(draft ? 'draft' : 'submit')
    setProblem(undefined)
    setErrors({})
    setTwinId(undefined)
    try {
      const input = { ...inputOf(form), ...(source.current ? { source: source.current } : {}), draft }
      const saved = id ? await call(changeExpense, { ...input, id }) : await call(createExpense, input)
      setDirty(false)
      await refreshExpenses()
      onSaved(saved)
    } catch (e) {
      if (e instanceof CallFailure && e.code === 'expenses.duplicate') setTwinId(String(e.params.id ?? ''))
      const refused = e instanceof CallFailure ? e.errors : []
      setErrors(
        Object.fromEntries(refused.map(({ path, code, params }) => [path, t(`errors.${code}`, params)])),
      )
      if (refused.length === 0 || (e instanceof CallFailure && e.code === 'expenses.duplicate'))
        setProblem(failureText(t, e))
      const first = refused[0]?.path
      if (first) requestAnimationFrame(() => focusPath(first))
    } finally {
      setBusy(undefined)
    }
  }

  const addFiles = async (files: readonly File[], from?: ExpenseInput['source']) => {
    setBusy('upload')
    for (const file of files)
      try {
        const kept = await call(uploadFile, { name: file.name || 'photo.jpg', bytes: file as never })
        source.current = from ?? source.current
        setDirty(true)
        setForm((old) => ({
          ...old,
          files: [...old.files, { id: kept.id, name: kept.name, mime: kept.mime }],
        }))
      } catch (e) {
        banner.error(failureText(t, e))
      }
    setBusy(undefined)
  }

  return {
    form,
    put,
    rateBp,
    weights,
    lastTotal,
    rule,
    warnings,
    errors,
    problem,
    twinId,
    busy,
    dirty,
    save,
    addFiles,
  }
}

/** The paths a refusal may name for the content of the form. */
const fieldsOf: Partial<Record<keyof Form, string[]>> = {
  supplier: ['supplierId', 'supplier'],
  number: ['supplierNumber'],
  paper: ['paper', 'vatDate'],
  day: ['date', 'vatDate'],
  vatDay: ['vatDate'],
  claimsVat: ['vatDate'],
  dueDay: ['dueDate'],
  allocation: ['allocationNumber'],
  currency: ['currency', 'rate'],
  rate: ['rate'],
  means: ['means', 'supplierId', 'paidDate'],
  paidDay: ['paidDate'],
  lines: ['lines'],
}

/** Puts the cursor into the field a refusal names. */
function focusPath(path: string): void {
  const [, at, part] = /^lines\.(\d+)\.(\w+)$/.exec(path) ?? []
  const name = at
    ? `lines.${at}.${part === 'netAgorot' ? 'net' : part === 'vatAgorot' ? 'vat' : 'typeId'}`
    : path
  document
    .querySelector<HTMLElement>(
      `[name="${CSS.escape(name)}"], [name="${CSS.escape(name.replace('.net', '.total'))}"]`,
    )
    ?.focus()
}
