import { Paperclip } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '#kit/web/call.ts'
import { Chip } from '#kit/web/parts/Status.tsx'
import { useWords } from '#kit/web/words.tsx'
import { filesOfDocument } from '../../endpoints.ts'
import { DocumentFiles } from '../page/DocumentFiles.tsx'

/** The files of a draft: a chip until there are any, or somebody wants to add one. */
export function DraftFiles({ id }: { id: string }) {
  const t = useWords()
  const [wanted, setWanted] = useState(false)
  const { data } = useCall(filesOfDocument, { id })
  if (!wanted && !data?.rows.length)
    return (
      <div className="doc-chips wide">
        <Chip icon={Paperclip} onPress={() => setWanted(true)}>
          {t('documents.files.add')}
        </Chip>
      </div>
    )
  return (
    <section className="doc-money" aria-labelledby="draft-files">
      <header>
        <h2 id="draft-files">{t('documents.page.tab.files')}</h2>
      </header>
      <DocumentFiles id={id} mayChange />
    </section>
  )
}
