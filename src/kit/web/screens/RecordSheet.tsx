import { lazy, Suspense } from 'react'
import { fetchPart } from '../calls/fetchPart.ts'
import type { ResourceSheetProps } from './ResourceSheet.tsx'

/** Fetches the code of the sheet before it is opened. */
export const fetchSheet = (): Promise<unknown> => fetchPart(() => import('./ResourceSheet.tsx'))

const Sheet = lazy(() =>
  fetchPart(() => import('./ResourceSheet.tsx')).then(({ ResourceSheet }) => ({ default: ResourceSheet })),
)

/** The form of a record beside the page. Its code arrives when a sheet is opened first. */
export function RecordSheet(props: ResourceSheetProps) {
  return (
    <Suspense>
      <Sheet {...props} />
    </Suspense>
  )
}
