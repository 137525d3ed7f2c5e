import { Folder as FolderIcon, FolderOpen } from 'lucide-react'
import { useId, useState, type FormEvent } from 'react'
import { failureText, fieldErrors } from '../../../kit/web/call.ts'
import { TextField } from '../../../kit/web/fields/TextField.tsx'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { Dialog } from '../../../kit/web/parts/Dialog.tsx'
import { Icon } from '../../../kit/web/parts/Icon.tsx'
import { useWords } from '../../../kit/web/words.tsx'
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
  const form = useId()
  const [name, setName] = useState(start)
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const { fields, rest } = failure ? fieldErrors(t, failure, ['name']) : { fields: {} as Record<string, string>, rest: undefined }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    try {
      await onName(name.trim())
      onClose()
    } catch (e) {
      setFailure(e)
      setBusy(false)
    }
  }
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
          <Button kind="primary" type="submit" form={form} busy={busy}>
            {verb}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void send(event)}>
        <TextField
          label={t('files.name')}
          value={name}
          max={120}
          autoFocus
          error={fields.name ?? rest}
          onChange={(next) => {
            setName(next)
            setFailure(undefined)
          }}
        />
      </form>
    </Dialog>
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
  const places = [{ id: null, name: t('files.top'), depth: 0 }, ...inOrder(folders).map((one) => ({ ...one, depth: one.depth + 1 }))]
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
