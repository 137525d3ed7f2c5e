import { useId, useState, type FormEvent } from 'react'
import { call, fieldErrors, queryClient } from '../../../kit/web/call.ts'
import { LongText, TextField } from '../../../kit/web/fields/TextField.tsx'
import { Note } from '../../../kit/web/parts/Banner.tsx'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { Dialog } from '../../../kit/web/parts/Dialog.tsx'
import { banner } from '../../../kit/web/shell/banner.ts'
import { useWords } from '../../../kit/web/words.tsx'
import { sendLetters } from '../endpoints.ts'
import type { Addressee } from './open.tsx'
import './correspondence.css'

/** A letter of one's own to one customer or many; it is kept among the messages. */
export function LetterDialog({ to, onClose }: { to: readonly Addressee[]; onClose: () => void }) {
  const t = useWords()
  const form = useId()
  const [subject, setSubject] = useState('')
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const { fields, rest } = failure
    ? fieldErrors(t, failure, ['subject', 'text'])
    : { fields: {} as Record<string, string>, rest: undefined }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure(undefined)
    try {
      const { queued, without } = await call(sendLetters, { ids: to.map(({ id }) => id), subject, text })
      void queryClient.invalidateQueries({ queryKey: ['messages.list'] })
      void queryClient.invalidateQueries({ queryKey: ['customers.activity'] })
      onClose()
      if (queued > 0) banner.success(t('correspondence.sent', { count: queued }))
      if (without.length > 0) banner.error(t('correspondence.without', { names: without.map(({ name }) => name).join(', ') }))
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
      title={to.length === 1 ? t('correspondence.letterTo', { name: to[0]!.name }) : t('correspondence.letters', { count: to.length })}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button kind="primary" type="submit" form={form} busy={busy}>
            {t('correspondence.send')}
          </Button>
        </>
      }
    >
      <form id={form} className="cr-form" onSubmit={(event) => void send(event)} noValidate>
        {rest && <Note tone="late">{rest}</Note>}
        <TextField label={t('correspondence.subject')} value={subject} onChange={setSubject} error={fields.subject} max={200} autoFocus />
        <LongText
          label={t('correspondence.body')}
          hint={t('correspondence.bodyHint')}
          value={text}
          onChange={setText}
          error={fields.text}
          rows={8}
          max={4000}
        />
      </form>
    </Dialog>
  )
}
