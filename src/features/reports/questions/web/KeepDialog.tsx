import { useState } from 'react'
import type { Question } from '#domain/questions/model.ts'
import { call } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { changeQuestion, keepQuestion, type Kept } from '../endpoints.ts'

interface KeepProps {
  question: Question
  /** The one that is renamed; a new one when absent. */
  kept: Kept | undefined
  suggested: string
  onClose: () => void
  onKept: (kept: Kept) => Promise<void>
}

/** The name under which a question is saved among the reports. */
export function KeepDialog({ question, kept, suggested, onClose, onKept }: KeepProps) {
  const t = useWords()
  const [name, setName] = useState(suggested)
  const [forEverybody, setForEverybody] = useState(kept?.forEverybody ?? false)
  return (
    <FormDialog
      title={t(kept ? 'questions.rename' : 'questions.keepTitle')}
      verb={t('questions.keep')}
      names={['name']}
      onClose={onClose}
      onSubmit={async () =>
        onKept(
          kept
            ? await call(changeQuestion, { id: kept.id, name, forEverybody })
            : await call(keepQuestion, { name, question, forEverybody }),
        )
      }
    >
      {(error) => (
        <>
          <TextField
            label={t('questions.name')}
            value={name}
            onChange={setName}
            autoFocus
            {...error('name', name)}
          />
          <FlagField
            label={t('questions.forEverybody')}
            hint={t('questions.forEverybodyText')}
            value={forEverybody}
            onChange={setForEverybody}
          />
        </>
      )}
    </FormDialog>
  )
}
