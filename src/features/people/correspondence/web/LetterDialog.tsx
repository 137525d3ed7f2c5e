import { useState } from 'react'
import { call, queryClient } from '#kit/web/calls/call.ts'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { sendLetters } from '../endpoints.ts'
import type { Addressee } from './open.tsx'
import './correspondence.css'

/** A free message to one customer or many; it is kept among the messages. */
export function LetterDialog({ to, onClose }: { to: readonly Addressee[]; onClose: () => void }) {
  const t = useWords()
  const [subject, setSubject] = useState('')
  const [text, setText] = useState('')
  const send = async () => {
    const { queued, without } = await call(sendLetters, { ids: to.map(({ id }) => id), subject, text })
    void queryClient.invalidateQueries({ queryKey: ['messages.list'] })
    void queryClient.invalidateQueries({ queryKey: ['customers.activity'] })
    onClose()
    if (queued > 0) banner.success(t('correspondence.sent', { count: queued }))
    if (without.length > 0)
      banner.error(t('correspondence.without', { names: without.map(({ name }) => name).join(', ') }))
  }
  return (
    <FormDialog
      title={
        to.length === 1
          ? t('correspondence.letterTo', { name: to[0]!.name })
          : t('correspondence.letters', { count: to.length })
      }
      verb={t('correspondence.send')}
      names={['subject', 'text']}
      onClose={onClose}
      onSubmit={send}
    >
      {(refusal) => (
        <>
          <TextField
            label={t('correspondence.subject')}
            value={subject}
            onChange={setSubject}
            {...refusal('subject', subject)}
            max={200}
            autoFocus
          />
          <LongText
            label={t('correspondence.body')}
            hint={t('correspondence.bodyHint')}
            value={text}
            onChange={setText}
            {...refusal('text', text)}
            rows={8}
            max={4000}
          />
        </>
      )}
    </FormDialog>
  )
}
