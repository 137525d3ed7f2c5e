import { Folder as FolderIcon, FolderOpen } from 'lucide-react'
import { useState } from 'react'
import { failureText } from '#kit/web/calls/call.ts'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import type { Folder } from '../endpoints.ts'
import { inOrder, isInside } from './tree.ts'

/** Asks for a name: of a new folder, of a folder or a file that gets another one. */
export function NameDialog({
  title,
  verb,
  start = '',
  onName,
  onClose,
}: {
  title: string
  verb: string
  start?: string
  onName: (name: string) => Promise<unknown>
  onClose: () => void
}) {
  const t = useWords()
  const [name, setName] = useState(start)
  return (
    <FormDialog
      title={title}
      verb={verb}
      names={['name']}
      onClose={onClose}
      onSubmit={async () => {
        await onName(name.trim())
        onClose()
      }}
    >
      {(error) => (
        <TextField
          label={t('files.name')}
          value={name}
          max={120}
          autoFocus
          onChange={setName}
          {...error('name', name)}
        />
      )}
    </FormDialog>
  )
}

/** Chooses a folder to move to; the top of the store is a place too. */
export function MoveDialog({
  name,
  folders,
  from,
  moving,
  onMove,
  onClose,
}: {
  name: string
  folders: readonly Folder[]
  /** Where it lies now. */
  from: string | null
  /** The folder that moves: not into itself. */
  moving?: string
  onMove: (folder: string | null) => Promise<unknown>
  onClose: () => void
}) {
  const t = useWords()
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const places = [
    { id: null, name: t('files.top'), depth: 0 },
    ...inOrder(folders).map((one) => ({ ...one, depth: one.depth + 1 })),
  ]
  const move = async (to: string | null) => {
    if (busy) return
    setBusy(true)
    try {
      await onMove(to)
      onClose()
    } catch (e) {
      setFailure(failureText(t, e))
      setBusy(false)
    }
  }
  return (
    <Dialog isOpen onClose={onClose} title={t('files.moveTitle', { name })}>
      <div className="fi-places">
        {places
          .filter(({ id }) => !(moving && id && isInside(folders, id, moving)))
          .map(({ id, name: place, depth }) => (
            <button
              key={id ?? 'top'}
              type="button"
              className="fi-place"
              style={{ paddingInlineStart: `${depth * 1.25 + 0.5}rem` }}
              disabled={id === from}
              aria-current={id === from ? 'true' : undefined}
              onClick={() => void move(id)}
            >
              <Icon of={id === from ? FolderOpen : FolderIcon} />
              <span className="cut" dir="auto">
                {place}
              </span>
              {id === from && <span className="hint text-12">{t('files.hereNow')}</span>}
            </button>
          ))}
      </div>
      {failure && (
        <p className="k-msg" data-tone="late" role="alert">
          {failure}
        </p>
      )}
    </Dialog>
  )
}
