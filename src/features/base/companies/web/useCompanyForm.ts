import { useEffect, useState } from 'react'
import { call, fieldErrors, keyOf, queryClient, useCall, putAnswer } from '#kit/web/calls/call.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { changeCompany, getCompany, listVatFrequencies, type CompanyChange } from '../endpoints.ts'

export type CompanyField = keyof CompanyChange & string

/**
 * The settings being changed: what is typed over what is kept, sent as the difference. Leaving with changes
 * asks the browser's own question, because settings have no drafts.
 */
export function useCompanyForm() {
  const t = useWords()
  const { data: kept, error } = useCall(getCompany, {})
  const [typed, setTyped] = useState<CompanyChange>({})
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const changed = kept
    ? Object.fromEntries(
        Object.entries(typed).filter(
          ([name, value]) => value !== (kept as CompanyChange)[name as CompanyField],
        ),
      )
    : {}
  const dirty = Object.keys(changed).length > 0
  useEffect(() => {
    if (!dirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [dirty])
  useEffect(() => {
    if (failure) document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [failure])
  const { fields, rest } = failure
    ? fieldErrors(t, failure, kept ? [...Object.keys(kept), 'vatPeriodFrom'] : [])
    : { fields: {} as Record<string, string>, rest: undefined }
  return {
    kept,
    loadFailure: error,
    values: kept ? { ...kept, ...typed } : undefined,
    put: (change: CompanyChange) => {
      setTyped((before) => ({ ...before, ...change }))
      setFailure(undefined)
    },
    errorOf: (name: CompanyField): string | undefined => fields[name],
    rest,
    dirty,
    busy,
    undo: () => {
      setTyped({})
      setFailure(undefined)
    },
    save: async (): Promise<void> => {
      if (!dirty || busy) return
      setBusy(true)
      setFailure(undefined)
      try {
        putAnswer(getCompany, {}, await call(changeCompany, changed as CompanyChange))
        setTyped({})
        void queryClient.invalidateQueries({ queryKey: keyOf(listVatFrequencies) })
        banner.success(t('companies.saved'))
      } catch (e) {
        setFailure(e)
      }
      setBusy(false)
    },
  }
}

export type CompanyForm = ReturnType<typeof useCompanyForm>
