import { lazy, Suspense } from 'react'
import { fetchPart } from '../calls/fetchPart.ts'

const Inside = lazy(() => fetchPart(() => import('./CropperInside.tsx')))

export interface LogoCropperProps {
  /** The chosen picture; null keeps the dialog closed. */
  file: File | null
  onClose: () => void
  /** The cut picture: JPEG on white, each side 10 to 2000 pixels. */
  onDone: (picture: Blob) => void | Promise<void>
  onAnother?: () => void
}

/** Cuts a business's logo. What it needs is loaded when a picture has been chosen. */
export function LogoCropper(props: LogoCropperProps) {
  return props.file ? (
    <Suspense>
      <Inside {...props} file={props.file} />
    </Suspense>
  ) : null
}
