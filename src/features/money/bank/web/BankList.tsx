import { FileUp } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#kit/web/parts/Button.tsx'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { bankAccounts } from '../bankAccounts.ts'
import './dress.tsx'
import { UploadDialog } from './Upload.tsx'

/** The accounts at banks; a row opens the account with its statements. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const [uploads, setUploads] = useState(false)
  return (
    <>
      <ListScreen
        resource={bankAccounts}
        title={t('screens.bankList')}
        actions={
          may('bank.change') && (
            <Button icon={FileUp} onPress={() => setUploads(true)}>
              {t('bank.upload.statement')}
            </Button>
          )
        }
      />
      {uploads && <UploadDialog onClose={() => setUploads(false)} />}
    </>
  )
}
