import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useAskedFor } from '#kit/web/routes/useAskedFor.ts'
import { outsideDocuments } from '../outsideDocuments.ts'
import './dress.tsx'
import { UploadDialog } from './UploadDialog.tsx'

/** Documents from elsewhere: what was brought in, what was sent, what was opened. */
export function Screen() {
  const may = useCan()
  const [uploads, setUploads] = useAskedFor(['upload', 'customer'], ({ customer }) =>
    may(outsideDocuments.allow.change) ? { customer } : undefined,
  )
  return (
    <>
      <ListScreen resource={outsideDocuments} archive newHref={`${outsideDocuments.screens.list}?upload=1`} />
      {uploads && (
        <UploadDialog
          {...(uploads.customer ? { customerId: uploads.customer } : {})}
          onClose={() => setUploads(undefined)}
        />
      )}
    </>
  )
}
