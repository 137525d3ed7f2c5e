import { Suspense, useSyncExternalStore } from 'react'
import { shown } from './shown.ts'

/**
 * The one dialog that was opened from outside the tree: by a line of a menu, by what is done with chosen
 * rows.
 */
export function Shown() {
  const now = useSyncExternalStore(shown.subscribe, shown.now, shown.now)
  return now && <Suspense key={now.id}>{now.of(() => shown.close(now.id))}</Suspense>
}
