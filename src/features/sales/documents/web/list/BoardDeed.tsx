import { FileCheck2, FilePlus2 } from 'lucide-react'
import { useState } from 'react'
import { documentTypeById, labelOf } from '#domain/documents/kinds.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getDocument, issueDocument, type DocumentAnswer } from '../../endpoints.ts'
import { hasPart } from '../editor/model.ts'
import { ConvertDialog } from '../page/ConvertDialog.tsx'
import { convert, refreshDocuments } from '../page/actions.tsx'
import { CancelDialog } from '../page/Dialogs.tsx'
import { SendDialog } from '../page/SendDialog.tsx'
import { documentNoun } from '../nouns.ts'
import { documentName } from '../words.ts'

interface DeedProps {
  id: string
  /** The column it was dropped into. */
  to: string
  /** What may follow the paper, as numeric ids. */
  next: readonly number[]
  onClose: () => void
}

/** What brings a paper into the column it was dropped into, asked as on its own page. */
export function BoardDeed({ id, to, next, onClose }: DeedProps) {
  const t = useWords()
  const { data, error } = useCall(getDocument, { id }, { staleTime: 0, refetchOnWindowFocus: false })
  if (!data)
    return (
      <Dialog isOpen onClose={onClose} title={t('documents.board.moving')}>
        {error ? <Note tone="late">{failureText(t, error)}</Note> : <Skeleton lines={4} />}
      </Dialog>
    )
  if (to === 'issued') return <IssueDialog document={data} onClose={onClose} />
  if (to === 'sent') return <SendDialog document={data} onClose={onClose} />
  if (to === 'cancelled') return <CancelDialog document={data} stays onClose={onClose} />
  return <NextDialog document={data} next={next} onClose={onClose} />
}

function IssueDialog({ document, onClose }: { document: DocumentAnswer; onClose: () => void }) {
  const t = useWords()
  return (
    <FormDialog
      title={t('documents.board.issueAsk', {
        name: documentName(t, document.type, null, labelOf(document)),
        customer: document.customer?.name ?? '',
      })}
      verb={t('documents.editor.issue')}
      icon={FileCheck2}
      names={[]}
      onClose={onClose}
      onSubmit={async () => {
        const issued = await call(issueDocument, { id: document.id })
        void refreshDocuments()
        onClose()
        banner.success(
          t('documents.editor.issued', {
            name: documentNoun(t, issued.type, issued.number, labelOf(issued)),
          }),
          10_000,
        )
      }}
    >
      {() => <p className="sub">{t('documents.board.issueText')}</p>}
    </FormDialog>
  )
}

/** Which paper follows: money for it takes what is open, goods and invoices ask how much of each line. */
function NextDialog({
  document,
  next,
  onClose,
}: {
  document: DocumentAnswer
  next: readonly number[]
  onClose: () => void
}) {
  const t = useWords()
  const [type, setType] = useState<number>()
  const [busy, setBusy] = useState<number>()
  if (type !== undefined) return <ConvertDialog document={document} type={type} onClose={onClose} />
  const make = async (one: number) => {
    if (!hasPart(one, 'closes')) return setType(one)
    setBusy(one)
    if (await convert(t, { id: document.id, type: one })) onClose()
    else setBusy(undefined)
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('documents.board.nextAsk', {
        name: documentName(t, document.type, document.number, labelOf(document)),
      })}
      actions={
        <Button kind="quiet" onPress={onClose}>
          {t('kit.actions.back')}
        </Button>
      }
    >
      <div className="grid gap-4">
        <p className="sub">{t('documents.board.nextText')}</p>
        <div className="doc-board-next" role="group" aria-label={t('documents.page.next')}>
          {next.map((one) => (
            <Button
              key={one}
              icon={FilePlus2}
              busy={busy === one}
              isDisabled={busy !== undefined}
              onPress={() => void make(one)}
            >
              {t(`documents.make.${documentTypeById(one)}`)}
            </Button>
          ))}
        </div>
      </div>
    </Dialog>
  )
}
