import { useCall } from '#kit/web/calls/call.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useAskedFor } from '#kit/web/routes/useAskedFor.ts'
import { getDocument } from '#features/sales/documents/endpoints.ts'
import { signRequests, signTemplates } from '../signing.ts'
import { DocumentDialog } from './DocumentPart.tsx'
import './dress.tsx'
import './signing.css'

/** What was sent to be signed: what waits, what was signed, what was declined. */
export function Screen() {
  const may = useCan()
  const [document, setDocument] = useAskedFor(['document'], (query) =>
    may('signing.send') ? query.document : undefined,
  )
  return (
    <>
      <ListScreen resource={signRequests} archive newHref={signTemplates.screens.list} />
      {document && <DocumentGate id={document} onClose={() => setDocument(undefined)} />}
    </>
  )
}

function DocumentGate({ id, onClose }: { id: string; onClose: () => void }) {
  const { data } = useCall(getDocument, { id })
  return data ? <DocumentDialog of={data} onClose={onClose} /> : null
}
