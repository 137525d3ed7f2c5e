import { TriangleAlert } from 'lucide-react'
import { failureText } from '../../../kit/web/call.ts'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { EmptyState } from '../../../kit/web/parts/EmptyState.tsx'
import { useWords } from '../../../kit/web/words.tsx'

/** What could not be loaded: why, and once more. */
export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useWords()
  return (
    <EmptyState
      icon={TriangleAlert}
      title={t('kit.lists.failed')}
      actions={
        <Button kind="soft" onPress={onRetry}>
          {t('kit.actions.retry')}
        </Button>
      }
    >
      {failureText(t, error)}
    </EmptyState>
  )
}
