import { useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { picturesOfDocument, type DocumentAnswer } from '../../endpoints.ts'
import { PaperPages } from './PaperPages.tsx'

/** The paper, and beside it what is for us alone. */
export function PaperTab({ document, name }: { document: DocumentAnswer; name: string }) {
  const t = useWords()
  const hides = useSession()?.HideTotalPrices ?? false
  const { data, isError } = useCall(
    picturesOfDocument,
    { id: document.id },
    { staleTime: 60_000, enabled: !hides },
  )
  return (
    <div className="doc-desktop">
      <div className="doc-pages">
        {hides ? (
          <Note>{t('documents.paper.hidden')}</Note>
        ) : (
          <PaperPages pages={data?.pages} failed={isError} label={name} />
        )}
      </div>
      {document.deliverTo && (
        <Card title={t('documents.editor.extra.deliverTo')}>
          <p dir="auto" className="whitespace-pre-line">
            {Object.values(document.deliverTo).filter(Boolean).join('\n')}
          </p>
        </Card>
      )}
      {(document.notesInternal || document.orderNumber || document.agentName) && (
        <Card title={t('documents.page.forUs')}>
          <dl className="doc-facts">
            {document.orderNumber && (
              <div>
                <dt>{t('documents.fields.orderNumber')}</dt>
                <dd>
                  <bdi>{document.orderNumber}</bdi>
                </dd>
              </div>
            )}
            {document.agentName && (
              <div>
                <dt>{t('documents.fields.agentId')}</dt>
                <dd>
                  <bdi>{document.agentName}</bdi>
                </dd>
              </div>
            )}
            {document.notesInternal && (
              <div>
                <dt>{t('documents.editor.extra.notesInternal')}</dt>
                <dd dir="auto" className="whitespace-pre-line">
                  {document.notesInternal}
                </dd>
              </div>
            )}
          </dl>
        </Card>
      )}
    </div>
  )
}
