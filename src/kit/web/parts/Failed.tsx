import { CloudOff } from 'lucide-react'
import { CallFailure, failureText } from '../calls/call.ts'
import { useWords } from '../words/words.tsx'
import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'

/** Whether another try may bring another answer: what the server refuses for a reason it refuses again. */
export const mayHelp = (error: unknown): boolean =>
  !(error instanceof CallFailure && [400, 403, 404, 409, 410, 422].includes(error.status))

/** What could not be loaded: why, and once more where that may help. */
export function Failed({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) {
  const t = useWords()
  return (
    <EmptyState
      icon={CloudOff}
      title={t('kit.lists.failed')}
      actions={
        onRetry &&
        mayHelp(error) && (
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
