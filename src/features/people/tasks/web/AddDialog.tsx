import { useState } from 'react'
import { call } from '#kit/web/calls/call.ts'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { quickTask } from '../endpoints.ts'
import { refreshTasks } from './shared.ts'

/** A task in a column of a board, in one line. */
export function AddDialog({ columnId, onClose }: { columnId: string; onClose: () => void }) {
  const t = useWords()
  const [text, setText] = useState('')
  return (
    <FormDialog
      title={t('tasks.new')}
      verb={t('tasks.quick.add')}
      names={['text']}
      onClose={onClose}
      onSubmit={async () => {
        await call(quickTask, { text: text.trim(), columnId })
        await refreshTasks()
        onClose()
      }}
    >
      {(error) => (
        <TextField
          label={t('tasks.quick.label')}
          hint={t('tasks.quick.example')}
          value={text}
          onChange={setText}
          max={300}
          {...error('text', text)}
        />
      )}
    </FormDialog>
  )
}
