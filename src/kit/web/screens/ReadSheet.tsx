import { useId, useState, type ReactNode } from 'react'
import { failureText } from '../calls/call.ts'
import { Note } from '../parts/Banner.tsx'
import { SideSheet } from '../parts/Dialog.tsx'
import { Skeleton } from '../parts/Skeleton.tsx'
import { useWords } from '../words/words.tsx'
import { ResourceForm } from './ResourceForm.tsx'
import { SaveButtons } from './SaveButtons.tsx'
import type { AnyResource, AnyRow } from './resources.ts'

/** A record that is read beside the page it was opened from, and becomes a form there by its pencil. */
export function ReadSheet<Row extends AnyRow>({
  resource,
  record,
  error,
  title,
  actions,
  onSaved,
  onClose,
  children,
}: {
  resource: AnyResource
  /** Undefined until it has come. */
  record: Row | undefined
  error: unknown
  title: ReactNode
  /** What can be done with it while it is read; `edit` makes a form of it. */
  actions: (record: Row, edit: () => void) => ReactNode
  onSaved: () => unknown
  onClose: () => void
  children: (record: Row) => ReactNode
}) {
  const t = useWords()
  const form = useId()
  const [isEditing, setEditing] = useState(false)
  const [{ dirty, busy }, setState] = useState({ dirty: false, busy: false })
  return (
    <SideSheet
      isOpen
      onClose={onClose}
      dirty={isEditing && dirty}
      size="l"
      title={title}
      actions={
        isEditing ? (
          <SaveButtons form={form} busy={busy} onCancel={() => setEditing(false)} />
        ) : (
          record && actions(record, () => setEditing(true))
        )
      }
    >
      {error && !record ? (
        <Note tone="late">{failureText(t, error)}</Note>
      ) : !record ? (
        <Skeleton lines={8} />
      ) : isEditing ? (
        <ResourceForm
          id={form}
          resource={resource}
          record={record}
          keepsDraft={false}
          autoFocus
          onState={setState}
          onSaved={() => {
            setEditing(false)
            void onSaved()
          }}
        />
      ) : (
        children(record)
      )}
    </SideSheet>
  )
}
