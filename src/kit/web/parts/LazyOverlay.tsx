import { lazy, Suspense, useState } from 'react'
import type { ModalPartProps, PopoverPartProps } from './overlays.tsx'
import { fetchPart } from '../calls/fetchPart.ts'
import { useWhenIdle } from '../hooks/useWhenIdle.ts'

// Half of the kit's script is what floats, and nothing floats when a page is first seen: it comes when the
// browser has time for it.
const fetchOverlays = () => fetchPart(() => import('./overlays.tsx'))
const ModalPart = lazy(() => fetchOverlays().then((module) => ({ default: module.ModalPart })))
const PopoverPart = lazy(() => fetchOverlays().then((module) => ({ default: module.PopoverPart })))

/** True from the first opening on, so that closing may still be animated. */
function useWanted(isOpen: boolean): boolean {
  const [wanted, setWanted] = useState(isOpen)
  if (isOpen && !wanted) setWanted(true)
  useWhenIdle(fetchOverlays)
  return wanted
}

export function LazyModal(props: ModalPartProps) {
  return useWanted(props.isOpen) ? (
    <Suspense>
      <ModalPart {...props} />
    </Suspense>
  ) : null
}

export function LazyPopover(props: PopoverPartProps) {
  return useWanted(props.isOpen) ? (
    <Suspense>
      <PopoverPart {...props} />
    </Suspense>
  ) : null
}
