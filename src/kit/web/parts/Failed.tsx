import { CloudOff } from 'lucide-react'
import { failureText } from '../call.ts'
import { useWords } from '../words.tsx'
import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'

/** What could not be loaded: why, and once more where that may help. */
export function Failed({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) {
  const t = useWords()
  return (
    <EmptyState
      icon={CloudOff}
      title={t('kit.lists.failed')}
      actions={
        onRetry && (
          <Button kind="soft" onPress={() => void onRetry()}>
            {t('kit.actions.retry')}
          </Button>
        )
      }
    >
      {failureText(t, error)}
    </EmptyState>
  )
}
