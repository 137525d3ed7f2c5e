import { useId, useState } from 'react'
import { SideSheet } from '../parts/Dialog.tsx'
import type { Typed } from '../shell/typedAhead.ts'
import { useWords } from '../words/words.tsx'
import { useWordsOf } from '../words/wording.ts'
import { ResourceForm } from './ResourceForm.tsx'
import type { AnyResource, AnyRow, Values } from './resources.ts'
import { SaveButtons } from './SaveButtons.tsx'

export interface ResourceSheetProps {
  resource: AnyResource
  record?: AnyRow
  values?: Values
  hidden?: readonly string[]
  compact?: boolean
  /** What was typed before the form was there. */
  begun?: () => Typed
  onSaved: (row: AnyRow) => void
  onClose: () => void
}

/**
 * A record made or changed beside the page one is on: a customer from within a document, an account from the
 * list.
 */
export function ResourceSheet({
  resource,
  record,
  values,
  hidden,
  compact,
  begun,
  onSaved,
  onClose,
}: ResourceSheetProps) {
  useWordsOf(resource.name)
  const t = useWords()
  const id = useId()
  const [{ dirty, busy }, setState] = useState({ dirty: false, busy: false })
  return (
    <SideSheet
      isOpen
      onClose={onClose}
      dirty={dirty}
      title={record ? <bdi>{String(record[resource.title] ?? '')}</bdi> : t(`${resource.name}.new`)}
      actions={<SaveButtons form={id} busy={busy} onCancel={onClose} />}
    >
      <ResourceForm
        id={id}
        resource={resource}
        {...(record ? { record } : {})}
        {...(values ? { values } : {})}
        {...(hidden ? { hidden } : {})}
        {...(compact ? { compact } : {})}
        {...(begun ? { begun } : {})}
        keepsDraft={false}
        autoFocus
        onSaved={onSaved}
        onState={setState}
      />
    </SideSheet>
  )
}
