import { useState } from 'react'
import { failureText } from '../calls/call.ts'
import { FlagField } from '../fields/FlagField.tsx'
import { TextField } from '../fields/TextField.tsx'
import { Button } from '../parts/Button.tsx'
import { Dialog } from '../parts/Dialog.tsx'
import { useWords } from '../words/words.tsx'

/** Asks for the name under which the filters of now become a tab. */
export function NameView({
  canShare,
  onClose,
  onName,
}: {
  /** Whether it may be made everybody's. */
  canShare: boolean
  onClose: () => void
  onName: (name: string, isShared: boolean) => Promise<void>
}) {
  const t = useWords()
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const [isShared, setShared] = useState(false)
  const [busy, setBusy] = useState(false)
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return setError(t('errors.fields.need'))
    setBusy(true)
    onName(name.trim(), isShared).catch((e: unknown) => {
      setBusy(false)
      setError(failureText(t, e))
    })
  }
  return (
    <Dialog
      isOpen
      form
      onClose={onClose}
      title={t('kit.lists.nameView')}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button kind="primary" type="submit" form="name-view" busy={busy}>
            {t('kit.filters.save')}
          </Button>
        </>
      }
    >
      <form id="name-view" onSubmit={submit} noValidate className="grid gap-4">
        <TextField
          label={t('kit.lists.viewName')}
          hint={t('kit.lists.viewHint')}
          value={name}
          max={60}
          autoFocus
          {...(error ? { error } : {})}
          onChange={(text) => {
            setName(text)
            setError(undefined)
          }}
        />
        {canShare && (
          <FlagField
            label={t('kit.lists.viewOfAll')}
            hint={t('kit.lists.viewOfAllHint')}
            value={isShared}
            onChange={setShared}
          />
        )}
      </form>
    </Dialog>
  )
}
