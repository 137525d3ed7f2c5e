import { call, failureText } from '#kit/web/calls/call.ts'
import { show } from '#kit/web/parts/shown.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { useEffect, useState } from 'react'
import { linkOfDocument } from '../endpoints.ts'
import type { PaymentLink } from '../paymentLinks.ts'
import { CustomerPageDialog } from './CustomerPageDialog.tsx'
import { ShareDialog } from './ShareDialog.tsx'

export const openCustomerPage = (id: string, name: string): void =>
  show((close) => <CustomerPageDialog id={id} name={name} onClose={close} />)
export const openShare = (id: string): void => show((close) => <ShareDialog id={id} onClose={close} />)
export const openDocumentLink = (documentId: string): void =>
  show((close) => <OfDocument documentId={documentId} onClose={close} />)

/** The link of a document: the one it has, or one that is made now. */
function OfDocument({ documentId, onClose }: { documentId: string; onClose: () => void }) {
  const t = useWords()
  const [id, setId] = useState<string>()
  useEffect(() => {
    let isGone = false
    call(linkOfDocument, { id: documentId })
      .then((link) => {
        if (!isGone) setId((link as unknown as PaymentLink).id)
      })
      .catch((e: unknown) => {
        banner.error(failureText(t, e))
        onClose()
      })
    return () => {
      isGone = true
    }
    // Asked once when it opens.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [documentId])
  return id ? <ShareDialog id={id} onClose={onClose} /> : null
}
