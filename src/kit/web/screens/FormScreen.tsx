import { CloudOff } from 'lucide-react'
import { useEffect, useRef, useState, type ComponentType } from 'react'
import { failureText } from '../calls/call.ts'
import { Button } from '../parts/Button.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import { toast } from '../parts/notices.ts'
import { PageHeader } from '../parts/PageHeader.tsx'
import { Skeleton } from '../parts/Skeleton.tsx'
import { go } from '../routes/place.ts'
import { useTitle } from '../routes/router.tsx'
import { banner } from '../shell/banner.ts'
import { useWords } from '../words/words.tsx'
import { useWordsOf } from '../words/wording.ts'
import { ResourceForm } from './ResourceForm.tsx'
import { cardPath, titleOf, type AnyResource, type AnyRow, type Values } from './resources.ts'
import { useRecord } from './useRecord.ts'
import './screens.css'

export interface FormScreenProps {
  resource: AnyResource
  /** The record to change; a new one when absent. */
  id?: string
  /** What a new record begins with. */
  values?: Values
  /** Where one goes afterwards; the record's card, or the list. */
  onSaved?: (row: AnyRow) => void
}

/** A screen of nothing but data, for a new record. */
export const formScreen = (resource: AnyResource): ComponentType =>
  function DescribedForm() {
    return <FormScreen resource={resource} />
  }

/** The page of a described form: a new record, or one to change. */
export function FormScreen({ resource, id, values, onSaved }: FormScreenProps) {
  useWordsOf(resource.name)
  const t = useWords()
  const { data: record, error, refetch } = useRecord(resource, id)
  const state = useRef({ dirty: false, saved: false })
  const title = record ? titleOf(resource, record) : t(id ? `${resource.name}.one` : `${resource.name}.new`)
  useTitle(title)
  const back = () => go((id && cardPath(resource, id)) || resource.screens.list)
  // What was typed is kept; leaving the page says so, and coming back asks.
  const leave = useRef(() => undefined as void)
  useEffect(() => {
    leave.current = () => {
      if (state.current.dirty && !state.current.saved) toast(t('kit.forms.keptDraft'))
    }
  })
  useEffect(() => () => leave.current(), [])
  const saved = (row: AnyRow) => {
    state.current.saved = true
    banner.success(t('kit.forms.savedName', { name: titleOf(resource, row) }))
    if (onSaved) onSaved(row)
    else go(cardPath(resource, row.id) ?? resource.screens.list, { replace: true })
  }
  // The form takes its values once: a refresh behind must not change what is being typed over.
  const [first, setFirst] = useState(record)
  if (!first && record) setFirst(record)
  return (
    <>
      <PageHeader
        title={title}
        crumbs={[{ label: t(`${resource.name}.title`), href: resource.screens.list }]}
      />
      {id && !first ? (
        error ? (
          <EmptyState
            icon={CloudOff}
            title={t('kit.cards.failed')}
            actions={
              <Button kind="soft" onPress={() => void refetch()}>
                {t('kit.actions.retry')}
              </Button>
            }
          >
            {failureText(t, error)}
          </EmptyState>
        ) : (
          <Skeleton lines={8} />
        )
      ) : (
        <ResourceForm
          resource={resource}
          {...(first ? { record: first } : {})}
          {...(values ? { values } : {})}
          autoFocus={!id}
          onCancel={() => {
            state.current.saved = true
            back()
          }}
          onSaved={saved}
          onState={({ dirty }) => (state.current.dirty = dirty)}
        />
      )}
    </>
  )
}
