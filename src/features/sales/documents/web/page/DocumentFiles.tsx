import { useState } from 'react'
import { call, failureText, useCall, putAnswer } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { FilesPanel } from '#features/base/files/web/index.tsx'
import { filesOfDocument, markFile } from '../../endpoints.ts'

/**
 * The files of a document: added, viewed, removed; which of them are attached to the email, and which its customer
 * sees on the customer page.
 */
export function DocumentFiles({ id, mayChange }: { id: string; mayChange: boolean }) {
  const t = useWords()
  const marks = useCall(filesOfDocument, { id })
  const [failed, setFailed] = useState<string>()
  const change = async (fileId: string, now: { shown: boolean; mailed: boolean }) => {
    setFailed(undefined)
    try {
      putAnswer(filesOfDocument, { id }, await call(markFile, { id, fileId, ...now }))
    } catch (e) {
      setFailed(failureText(t, e))
    }
  }
  return (
    <div className="grid gap-3">
      <p className="sub">{t('documents.files.text')}</p>
      {failed && <Note tone="late">{failed}</Note>}
      <FilesPanel
        entity="documents"
        id={id}
        mayChange={mayChange}
        under={(file) => {
          const { shown, mailed } = marks.data?.rows.find((one) => one.id === file.id) ?? {
            shown: false,
            mailed: false,
          }
          return (
            <div className="doc-filemarks" role="group" aria-label={file.name}>
              <FlagField
                label={t('documents.files.mailed')}
                value={mailed}
                disabled={!mayChange}
                onChange={(next) => void change(file.id, { shown, mailed: next })}
              />
              <FlagField
                label={t('documents.files.shown')}
                value={shown}
                disabled={!mayChange}
                onChange={(next) => void change(file.id, { shown: next, mailed })}
              />
            </div>
          )
        }}
      />
    </div>
  )
}
