import { useEffect, useState } from 'react'
import { usePlace } from '#kit/web/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan } from '#kit/web/session.ts'
import { outsideDocuments } from '../outsideDocuments.ts'
import './dress.tsx'
import { UploadDialog } from './UploadDialog.tsx'

/** Documents from elsewhere: what was brought in, what was sent, what was opened. */
export function Screen() {
  const may = useCan()
  const { query, setQuery } = usePlace()
  const [uploads, setUploads] = useState<{ customer: string | undefined }>()
  useEffect(() => {
    if (!query.upload) return
    if (may(outsideDocuments.allow.change)) setUploads({ customer: query.customer })
    // Asked for in the address once; a reload does not ask again.
    setQuery({ upload: undefined, customer: undefined })
  }, [query.upload, query.customer, setQuery, may])
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
