import { Bot, FileCheck2, Pencil, Printer } from 'lucide-react'
import { useRef, useState } from 'react'
import { labelOf } from '#domain/documents/kinds.ts'
import { call, failureText, isNetworkError, putAnswer, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { listApprovals } from '#features/base/approvals/endpoints.ts'
import { getDocument, issueDocument, type DocumentAnswer } from '../../endpoints.ts'
import { editorPath, typeById } from '../../types/index.ts'
import { documentNoun } from '../nouns.ts'
import { typeWord } from '../words.ts'
import { newKey, refreshDocuments } from './actions.tsx'
import { PaperTab } from './PaperTab.tsx'
import { DocumentState } from './state.tsx'

/** A draft as it would be issued: looked at, printed as a draft, issued, or gone back to. */
export function Draft({ document }: { document: DocumentAnswer }) {
  const t = useWords()
  const may = useCan()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  // Prepared by a program that may not issue it.
  const asked = useCall(listApprovals, { subject: document.id }, { enabled: may('approvals.decide') }).data
    ?.rows[0]
  // One key for one try, so that a repeat after a lost answer issues nothing twice.
  const attempt = useRef<string>(undefined)
  const type = typeById(document.type)
  const word = typeWord(t, document.type, labelOf(document))
  const issue = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      attempt.current ??= newKey()
      const issued = await call(issueDocument, { id: document.id }, { idempotencyKey: attempt.current })
      putAnswer(getDocument, { id: issued.id }, issued)
      void refreshDocuments()
      banner.success(
        t('documents.editor.issued', { name: documentNoun(t, issued.type, issued.number, labelOf(issued)) }),
        10_000,
      )
    } catch (e) {
      if (!isNetworkError(e)) attempt.current = undefined
      setFailure(isNetworkError(e) ? t('documents.editor.offlineIssue') : failureText(t, e))
      setBusy(false)
    }
  }
  return (
    <>
      <div data-screen-only>
        <PageHeader
          crumbs={[
            { label: t('documents.title'), href: '/invoice/documents' },
            {
              label: t(`documents.typesPlural.${type?.name ?? 'taxInvoice'}`),
              href: `/invoice/documents/${document.type}`,
            },
          ]}
          title={word}
          status={
            <DocumentState
              of={{
                status: document.status,
                openAgorot: null,
                dueDay: document.dueDate,
                allocationState: document.allocationState,
                sentAt: document.sentAt,
                viewedAt: document.viewedAt,
              }}
            />
          }
          sub={document.customer && <bdi>{document.customer.name}</bdi>}
          actions={
            <>
              <Button kind="quiet" icon={Printer} onPress={() => window.print()}>
                {t('documents.draft.print')}
              </Button>
              {may('documents.draft') && (
                <Button icon={Pencil} href={editorPath(document.type, document.id)}>
                  {t('documents.draft.back')}
                </Button>
              )}
              {may('documents.issue') && (
                <Button kind="primary" icon={FileCheck2} busy={busy} onPress={() => void issue()}>
                  {t('documents.editor.issue')}
                </Button>
              )}
            </>
          }
        />
        {asked && (
          <Note
            icon={Bot}
            action={
              <Button size="s" href="/invoice/approvals">
                {t('screens.approvals')}
              </Button>
            }
          >
            {t('documents.draft.byKey', { name: asked.keyName ?? '', by: asked.by })}
          </Note>
        )}
        {failure && <Note tone="late">{failure}</Note>}
      </div>
      <PaperTab document={document} name={word} />
    </>
  )
}
