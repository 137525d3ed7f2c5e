import { useCall } from '#kit/web/calls/call.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { filesOfDocument } from '../../endpoints.ts'
import { DocumentFiles } from '../page/DocumentFiles.tsx'

/** The files of a draft, once there are any or somebody wants to add one. */
export function DraftFiles({ id, wanted }: { id: string; wanted: boolean }) {
  const t = useWords()
  const { data } = useCall(filesOfDocument, { id })
  if (!wanted && !data?.rows.length) return null
  return (
    <section className="doc-money" aria-labelledby="draft-files">
      <header>
        <h2 id="draft-files">{t('documents.page.tab.files')}</h2>
      </header>
      <DocumentFiles id={id} mayChange />
    </section>
  )
}
