import { useState } from 'react'
import { call, putAnswer, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { FileSend } from '#kit/web/parts/FileSend.tsx'
import { go } from '#kit/web/routes/place.ts'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { bankAccounts } from '../bankAccounts.ts'
import { getStatement, maxStatementBytes, uploadStatement } from '../endpoints.ts'
import { accountPath } from './refresh.ts'

const accepted = '.csv,.txt,.tsv,.xlsx,.xls,.html,.htm,.ofx,.qfx,.sta,.mt940,.940'

/** A file of the bank, by whatever name. */
export function Upload({ id }: { id: string }) {
  const t = useWords()
  const send = async (file: File) => {
    const one = await call(uploadStatement, { id, name: file.name, bytes: file })
    putAnswer(getStatement, { id: one.id }, one)
    go(`${accountPath(id)}?statement=${one.id}`)
  }
  return (
    <FileSend
      note={t('bank.upload.reading')}
      send={send}
      accept={accepted}
      limit={maxStatementBytes}
      label={t('bank.upload.choose')}
    >
      {t('bank.upload.drop')}
    </FileSend>
  )
}

/** A statement from the list of accounts: of which account it is, and the file. */
export function UploadDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const { data } = useCall(callsOf(bankAccounts).list, { size: 50 })
  const [chosen, setChosen] = useState<string | null>(null)
  const rows = data?.rows ?? []
  const id = chosen ?? rows[0]?.id
  return (
    <Dialog isOpen onClose={onClose} title={t('bank.upload.statement')}>
      <div className="grid gap-4">
        {rows.length > 1 && (
          <ChoiceField
            label={t('bankaccounts.one')}
            as="list"
            value={id ?? null}
            onChange={setChosen}
            choices={rows.map((row) => ({ value: row.id, label: String(row.name) }))}
          />
        )}
        {id && <Upload key={id} id={id} />}
      </div>
    </Dialog>
  )
}
