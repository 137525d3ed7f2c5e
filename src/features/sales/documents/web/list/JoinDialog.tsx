import { FilePlus2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { documentTypeById } from '#domain/documents/kinds.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { convert } from '../page/actions.tsx'
import { askJoin, useJoin } from './join.ts'

/** In which kind of document the chosen ones go together. */
export function JoinDialog() {
  const t = useWords()
  const join = useJoin()
  const [busy, setBusy] = useState<number>()
  // A question left open on the way out is not asked again.
  useEffect(() => () => askJoin(undefined), [])
  if (!join) return null
  const [id, ...others] = join.ids
  const run = async (type: number) => {
    setBusy(type)
    await convert(t, { id: id!, type, ...(others.length > 0 ? { with: others } : {}) })
    setBusy(undefined)
    askJoin(undefined)
  }
  return (
    <Dialog isOpen onClose={() => askJoin(undefined)} title={t('documents.list.joinTitle')}>
      <p className="sub">
        {t('documents.list.joinText', { count: join.ids.length, customer: join.customer })}
      </p>
      <p className="sub">{t('documents.list.joinDiscounts')}</p>
      <div className="doc-choices">
        {join.types.map((type) => (
          <Button key={type} icon={FilePlus2} wide busy={busy === type} onPress={() => void run(type)}>
            {t(`documents.make.${documentTypeById(type)}`)}
          </Button>
        ))}
      </div>
    </Dialog>
  )
}
