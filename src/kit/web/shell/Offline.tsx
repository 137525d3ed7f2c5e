import { CloudOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { useWords } from '../words/words.tsx'

const subscribe = (changed: () => void) => {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

/** Whether the browser has a network now. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )

/**
 * An ochre line under the header while there is no network: what is shown may be old, what is typed is safe.
 */
export function Offline() {
  const t = useWords()
  const online = useOnline()
  return (
    <div role="status" className="s-offline-place">
      {!online && (
        <p className="s-offline">
          <Icon of={CloudOff} size="s" />
          {t('kit.offline.line')}
        </p>
      )}
    </div>
  )
}
